import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import type { ShellOption } from "./support/desktop-test.ts";
import { electronExecutable } from "./support/electron-build.ts";

const electron = electronExecutable();
// Workers read this file too; it is said once.
if (process.env.TEST_WORKER_INDEX === undefined) {
  console.log(
    electron === null
      ? "desktop: Electron's build is not on this machine; the tests run in the test host only."
      : `desktop: the tests run in the test host and in Electron (${electron}).`,
  );
}

/** The desktop front: in the test host everywhere, and in Electron itself where its build is at hand. */
export default defineConfig<ShellOption>({
  testDir: ".",
  outputDir: join("..", "..", "test-results", "desktop"),
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 1,
  reporter: [["list"]],
  projects: [
    { name: "host", use: { shellName: "host" } },
    // What only the host can do, as forging a message, stands in files of its own.
    ...(electron === null
      ? []
      : [{ name: "electron", testIgnore: "*.host.spec.ts", use: { shellName: "electron" as const } }]),
  ],
});
