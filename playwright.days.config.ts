import base from "./playwright.config.ts";

/** The operators' days: minutes long, so not a part of `npm test`; `npm run test:days`. */
export default {
  ...base,
  testDir: "tests/console/days",
  testMatch: "*.day.ts",
  outputDir: "test-results/days",
  // Each day makes a Run of 1,000 nodes.
  timeout: 20 * 60_000,
  expect: { timeout: 60_000 },
};
