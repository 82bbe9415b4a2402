import { defineConfig } from "vitest/config";

/** Four suites, each with its own budget (README, "Tests"). A suite's folder mirrors what it tests. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.ts", "tests/vectors/**/*.test.ts"],
          environment: "node",
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
          fileParallelism: false,
        },
      },
    ],
  },
});
