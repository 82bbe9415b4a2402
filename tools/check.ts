/**
 * `npm test`: lint, types, layering, text keys, every test and the build. All steps run even when one
 * fails; the last line says `N passed, N failed`. With CI=true nothing may be skipped.
 */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findOrInstallBrowser, thisMachine } from "./check/browser.ts";
import { type Failure, failureText, playwrightFailures, vitestFailures } from "./check/failures.ts";
import { runBounded } from "./check/run-bounded.ts";
import { STEPS, type Step } from "./check/steps.ts";
import {
  NOTHING,
  oneCheck,
  playwrightTally,
  sum,
  type Tally,
  tallyLine,
  vitestTally,
} from "./check/tally.ts";

const root = join(import.meta.dirname, "..");
/** A step that hangs is ended; on two idle cores the whole check is meant to take no longer (decisions section 6). */
const LIMIT_MS = 30 * 60_000;
const inCi = process.env.CI === "true";
process.chdir(root);

interface StepResult {
  readonly name: string;
  readonly tally: Tally;
  readonly failures: readonly Failure[];
  readonly seconds: number;
  readonly note: string;
}

async function runStep(step: Step, reports: string): Promise<StepResult> {
  console.log(`\n=== ${step.name}`);
  const startedAt = performance.now();
  const environment = step.counts === "playwright" ? browserEnvironment() : {};
  if (typeof environment === "string") return withoutBrowser(step, environment);
  const report = join(reports, `${step.name.replaceAll(" ", "-")}.json`);
  const { code, timedOut } = await runBounded([...step.args, ...reporterArgs(step, report)], LIMIT_MS, {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const note = timedOut ? `ended by force after ${LIMIT_MS / 60_000} minutes` : "";
  const text = readReport(report);
  return {
    name: step.name,
    tally: tallyOf(step, code === 0, text),
    failures: failuresOf(step, text),
    seconds,
    note,
  };
}

function reporterArgs(step: Step, report: string): readonly string[] {
  if (step.counts === "vitest")
    return ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return step.counts === "playwright" ? ["--reporter=list,json"] : [];
}

/** A runner that failed without a failing test (a crash, an unhandled error) is one failure. */
function tallyOf(step: Step, succeeded: boolean, report: string): Tally {
  if (step.counts === "one") return oneCheck(succeeded);
  const parse = step.counts === "vitest" ? vitestTally : playwrightTally;
  const counted = parse(report) ?? NOTHING;
  return succeeded || counted.failed > 0 ? counted : sum(counted, oneCheck(false));
}

function failuresOf(step: Step, report: string): readonly Failure[] {
  if (step.counts === "one") return [];
  return step.counts === "vitest" ? vitestFailures(report) : playwrightFailures(report);
}

function readReport(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** The variables the browser tests need, or the reason there is no browser. */
function browserEnvironment(): Readonly<Record<string, string>> | string {
  const found = findOrInstallBrowser(thisMachine(() => chromium.executablePath()));
  if (found.kind === "missing") return `${found.reason}. ${found.remedy}`;
  console.log(`browser: ${found.path} (${found.how})`);
  return { CHROMIUM_PATH: found.path };
}

/** On a developer's machine the browser tests are skipped and say so; in CI that is a failure. */
function withoutBrowser(step: Step, reason: string): StepResult {
  console.log(`${inCi ? "FAILED" : "SKIPPED"}: ${reason}`);
  const tally = inCi ? oneCheck(false) : { ...NOTHING, skipped: 1 };
  return { name: step.name, tally, failures: [], seconds: 0, note: reason };
}

/** The failed tests by name once more, since what they printed themselves stands far above or is cut off. */
function printFailures(results: readonly StepResult[]): void {
  const failures = results.flatMap(({ name, failures }) => failures.map((failure) => ({ name, failure })));
  if (failures.length === 0) return;
  console.log("\n=== failed");
  for (const { name, failure } of failures) console.log(`${name}\n${failureText(failure)}`);
}

function printSummary(results: readonly StepResult[]): void {
  console.log("\n=== summary");
  for (const { name, tally, seconds, note } of results) {
    const mark = tally.failed > 0 ? "FAIL" : tally.passed === 0 ? "SKIP" : "ok";
    const time = `${seconds.toFixed(1).padStart(7)} s`;
    console.log(
      `${mark.padEnd(5)} ${name.padEnd(16)} ${time}  ${tallyLine(tally)}${note === "" ? "" : `  (${note})`}`,
    );
  }
}

const only = process.argv.slice(2);
const steps = STEPS.filter((step) => only.length === 0 || only.includes(step.name));
const reports = mkdtempSync(join(tmpdir(), "flownet-check-"));
try {
  const results: StepResult[] = [];
  for (const step of steps) results.push(await runStep(step, reports));
  printFailures(results);
  printSummary(results);
  const total = results.map((result) => result.tally).reduce(sum, NOTHING);
  const skippedInCi = inCi && total.skipped > 0;
  if (skippedInCi) console.log("FAILED: in CI nothing may be skipped");
  process.exitCode = total.failed > 0 || total.passed === 0 || skippedInCi ? 1 : 0;
  console.log(tallyLine(total));
} finally {
  rmSync(reports, { recursive: true, force: true });
}
