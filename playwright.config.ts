import { defineConfig } from "@playwright/test";
import { chromiumOptions } from "./tests/console/support/chromium.ts";

export default defineConfig({
  testDir: "tests/console",
  outputDir: "test-results/console",
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // Most of a test is waiting: for a lease, for a process, for a record.
  workers: 2,
  reporter: [["list"]],
  use: {
    locale: "ja-JP",
    timezoneId: "Asia/Tokyo",
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
    trace: "retain-on-failure",
    launchOptions: chromiumOptions(),
  },
});
