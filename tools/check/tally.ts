import { z } from "zod";
import { jsonOf } from "./json-of.ts";

/** How many checks passed, failed and were skipped. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };

export const sum = (left: Tally, right: Tally): Tally => ({
  passed: left.passed + right.passed,
  failed: left.failed + right.failed,
  skipped: left.skipped + right.skipped,
});

/** The last line of a check: `N passed, N failed`, and `, N skipped` when there are any. */
export function tallyLine(tally: Tally): string {
  const skipped = tally.skipped === 0 ? "" : `, ${tally.skipped} skipped`;
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`;
}

/** A step that is one check: types, lint, layering, a build. */
export const oneCheck = (succeeded: boolean): Tally => ({
  ...NOTHING,
  ...(succeeded ? { passed: 1 } : { failed: 1 }),
});

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int().default(0),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

/**
 * Counts of Vitest's JSON report. A file that could not be loaded has no tests in it and would go
 * uncounted, so it is one failure. Null when the text is no report.
 */
export function vitestTally(text: string): Tally | null {
  const parsed = vitestReport.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const report = parsed.data;
  const unloaded = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

const playwrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.unknown()).default([]),
});

/** Counts of Playwright's JSON report; a test that passed only when repeated has failed. Null when it is no report. */
export function playwrightTally(text: string): Tally | null {
  const parsed = playwrightReport.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const { stats, errors } = parsed.data;
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}
