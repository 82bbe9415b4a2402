import { defineConfig } from "vitest/config";

/**
 * Suites with a budget each (README, "Tests"); a suite's folder mirrors what it tests. `deep` is no part of
 * `npm test`: the same properties with more seeds and more points (decisions section 6).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.ts", "tests/vectors/**/*.test.ts"],
          environment: "node",
          // No module keeps state (architecture), so the files of one worker share what they import: a third of the time.
          isolate: false,
          // Some start processes; a busy host may take its time over them.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "renderer",
          include: ["tests/unit/renderer/**/*.test.tsx"],
          environment: "jsdom",
        },
      },
      {
        test: {
          name: "store",
          include: ["tests/store/**/*.test.ts"],
          environment: "node",
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "scenarios",
          include: ["tests/scenarios/**/*.test.ts"],
          environment: "node",
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // Each file has servers, folders and children of its own; waiting for leases and processes is most of it.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "deep",
          include: ["tests/deep/**/*.test.ts"],
          environment: "node",
          testTimeout: 3_600_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
