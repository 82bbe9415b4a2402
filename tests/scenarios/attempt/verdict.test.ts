import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AttemptConclusion } from "../../../main/attempt/index.ts";
import type { JobLogLookup } from "../../../main/store/index.ts";
import { createAttemptBench, jobLog, NOW } from "./support.ts";

const bench = createAttemptBench();
const unreadable: JobLogLookup = { kind: "unreadable", problem: { code: "STORE_REFUSED", message: "no" } };
const started = jobLog({ runnerExecutionStartedAt: "2026-08-01T00:00:00Z" });
const NO = "NO_EXECUTION_RESULT";
const INVALID = "INVALID_EXECUTION_RESULT";

async function conclude(
  behaviour: string,
  lookup: JobLogLookup,
  command?: string,
): Promise<AttemptConclusion> {
  const { attempts, config, input } = bench();
  const mine = attempts(config(behaviour, command === undefined ? {} : { command }), [lookup]);
  const prepared = await mine.prepare(input());
  if (!prepared.ok) throw new Error(prepared.error.message);
  const running = await mine.spawn(prepared.value);
  const conclusion = await running.concluded;
  await mine.settle(prepared.value, { stored: true });
  expect(existsSync(prepared.value.resultPath)).toBe(false);
  return conclusion;
}

const brief = (c: AttemptConclusion): readonly (string | null)[] => [
  `${c.attemptStatus} / ${c.resultCode}`,
  `${c.nodeStatus} (${c.nodeReason})`,
  c.invocationCode,
];

describe("classification of what a child came to (orchestration §5.2)", () => {
  it.each<[string, JobLogLookup, readonly (string | null)[]]>([
    ["ok", started, ["SUCCESS / OK", "SUCCESS (OK)", null]],
    ["ok", unreadable, ["SUCCESS / OK", "SUCCESS (OK)", null]],
    ["no-data", started, ["SUCCESS / NO_DATA", "SUCCESS (NO_DATA)", null]],
    ["validation-error", started, ["FAILED / VALIDATION_ERROR", "FAILED (VALIDATION_ERROR)", null]],
    ["sql-error", started, ["FAILED / SQL_ERROR", "FAILED (SQL_ERROR)", null]],
    ["assert-failed", started, ["FAILED / ASSERT_FAILED", "FAILED (ASSERT_FAILED)", null]],
    ["api-error", started, ["FAILED / API_ERROR", "FAILED (API_ERROR)", null]],
    ["unknown-code-exit-5", started, ["FAILED / SITE_SPECIFIC", "FAILED (SITE_SPECIFIC)", null]],
    ["cancelled", started, ["CANCELLED / CANCELLED", "CANCELLED (CANCELLED)", null]],
    ["lock-conflict", started, ["CANCELLED / PREPARE_FAILED", "WAITING (PREPARE_FAILED)", "LOCK_CONFLICT"]],
    ["no-result", { kind: "none" }, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["no-result", started, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["no-result", unreadable, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["no-result", { kind: "ambiguous", count: 2 }, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["no-result-exit-1", { kind: "none" }, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["garbage", { kind: "none" }, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["truncated", { kind: "none" }, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["invalid-utf8", { kind: "none" }, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["dies-by-signal", started, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["missing-key", { kind: "none" }, [`UNKNOWN / ${INVALID}`, `UNKNOWN (${INVALID})`, INVALID]],
    ["wrong-attempt", started, [`UNKNOWN / ${INVALID}`, `UNKNOWN (${INVALID})`, INVALID]],
    ["wrong-run", started, [`UNKNOWN / ${INVALID}`, `UNKNOWN (${INVALID})`, INVALID]],
    ["wrong-exit", started, [`UNKNOWN / ${INVALID}`, `UNKNOWN (${INVALID})`, INVALID]],
    ["exit-4", started, [`UNKNOWN / ${INVALID}`, `UNKNOWN (${INVALID})`, INVALID]],
    ["exit-137", started, [`UNKNOWN / ${INVALID}`, `UNKNOWN (${INVALID})`, INVALID]],
    ["undeclared-output", started, [`UNKNOWN / ${INVALID}`, `UNKNOWN (${INVALID})`, INVALID]],
  ])("a child that does %s, JOB log %#", async (behaviour, lookup, expected) => {
    expect(brief(await conclude(behaviour, lookup))).toEqual(expected);
  });

  it.each<[string, JobLogLookup, readonly (string | null)[]]>([
    ["no record", { kind: "none" }, ["CANCELLED / PREPARE_FAILED", "WAITING (PREPARE_FAILED)", NO]],
    ["a record without marker", jobLog({}), ["CANCELLED / PREPARE_FAILED", "WAITING (PREPARE_FAILED)", NO]],
    ["a marker", started, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["no answer", unreadable, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
    ["two records", { kind: "ambiguous", count: 2 }, [`UNKNOWN / ${NO}`, `UNKNOWN (${NO})`, NO]],
  ])("a launch that failed provably, with %s in the JOB log", async (_name, lookup, expected) => {
    expect(brief(await conclude("ok", lookup, "/nonexistent/ksql-flow"))).toEqual(expected);
  });

  it("survives 50 MB of output", async () => {
    expect((await conclude("flood-then-ok", started)).attemptStatus).toBe("SUCCESS");
  });

  it("fills the Attempt from the result and the marker of the JOB log (last paragraph)", async () => {
    expect(await conclude("ok", started)).toMatchObject({
      finishedAt: "2026-08-01T00:00:13.500Z",
      durationSec: 1.5,
      executionId: "0b0e7f5e-58a1-4f0e-9a57-0d3c6f6f0001",
      runnerExecutionStartedAt: "2026-08-01T00:00:00Z",
      readCount: 7,
      writtenCount: 5,
      lastSuccessfulChunkNo: 2,
      lastWrittenKey: "K-5",
      errorMessage: null,
    });
    expect((await conclude("sql-error", started)).errorMessage).toBe("failed: SQL_ERROR");
  });

  it("takes the time and numbers of a result that is not believed from elsewhere", async () => {
    const conclusion = await conclude("wrong-attempt", started);
    expect(conclusion).toMatchObject({
      finishedAt: NOW,
      durationSec: null,
      executionId: "execution-of-the-log",
      readCount: 3,
      lastSuccessfulChunkNo: null,
    });
    expect(conclusion.errorMessage).toContain("another Run or Attempt");
  });
});
