import { join } from "node:path";
import { defineConfig } from "@playwright/test";

/** The desktop front: in the test host everywhere, and in Electron itself where its build is at hand. */
export default defineConfig({
  testDir: ".",
  outputDir: join("..", "..", "test-results", "desktop"),
  timeout: 120_000,
  expect: { timeout: 30_000 },
  workers: 1,
  reporter: [["list"]],
});
