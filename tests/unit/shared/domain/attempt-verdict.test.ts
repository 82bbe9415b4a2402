import { describe, expect, it } from "vitest";
import {
  type AttemptFacts,
  attemptVerdict,
  type ExecutionResult,
  type JobLogFacts,
  nodeStatusOfAttempt,
  type ProcessFacts,
  type ResultFileFacts,
} from "../../../../shared/domain/index.ts";

const sha = (digit: string) => digit.repeat(64);
const success: ExecutionResult = {
  formatVersion: 1,
  kind: "EXECUTION_RESULT",
  contract: "ksql-flow.execution/v1",
  correlationId: "netrun_1",
  attemptId: "attempt_1",
  executionId: "e1",
  jobId: "job",
  profile: "prod",
  status: "SUCCESS",
  resultCode: "OK",
  executionStarted: true,
  exitCode: 0,
  asOf: "2026-09-01T00:00:00+09:00",
  startedAt: "2026-09-01T00:00:00.000Z",
  finishedAt: "2026-09-01T00:00:01.500Z",
  durationMs: 1500,
  readCount: 3,
  writtenCount: 2,
  deletedCount: 0,
  apiCalls: 5,
  lastSuccessfulChunkNo: 1,
  lastWrittenKey: "k",
  ksqlFlowVersion: "0.9.0",
  engineVersion: "3.77.0",
  input_files: [],
  output_files: [],
  error: null,
};
const error = { category: "C", code: "X", message: "why", retryable: false, detailsTruncated: false };
const notStarted = {
  executionStarted: false,
  startedAt: null,
  durationMs: 0,
  readCount: 0,
  writtenCount: 0,
  deletedCount: 0,
  apiCalls: 0,
  lastSuccessfulChunkNo: null,
  lastWrittenKey: null,
};
const failed = (
  resultCode: string,
  exitCode: number,
  more: Partial<ExecutionResult> = {},
): ExecutionResult => ({
  ...success,
  status: "FAILED",
  resultCode,
  exitCode,
  error,
  ...more,
});
const unstarted = (resultCode: string, exitCode: number): ExecutionResult =>
  failed(resultCode, exitCode, notStarted);
const cancelled: ExecutionResult = { ...failed("CANCELLED", 3), status: "CANCELLED" };

interface Given {
  readonly process?: Partial<ProcessFacts>;
  readonly file?: ResultFileFacts;
  readonly log?: JobLogFacts;
  readonly request?: Partial<AttemptFacts["request"]>;
}
const facts = ({ process, file, log, request }: Given): AttemptFacts => ({
  process: { launched: true, launchFailure: null, exitCode: 0, forcedKill: false, ...process },
  resultFile: file ?? { kind: "absent" },
  jobLog: log ?? { kind: "none" },
  request: { correlationId: "netrun_1", attemptId: "attempt_1", inputBaseline: [], outputs: [], ...request },
});
const valid = (result: ExecutionResult, more: Given = {}): AttemptFacts =>
  facts({
    ...more,
    process: { exitCode: result.exitCode, ...more.process },
    file: { kind: "valid", result },
  });
const told = (given: AttemptFacts): string => {
  const { attemptStatus, resultCode, nodeStatus, nodeReason, invocationCode } = attemptVerdict(given);
  return `${attemptStatus}/${resultCode} ${nodeStatus}(${nodeReason}) ${invocationCode ?? "-"}`;
};
const noLaunch: Partial<ProcessFacts> = { launched: false, launchFailure: "ENOENT", exitCode: null };
const running: JobLogFacts = { kind: "found", markerSet: true, status: "RUNNING" };

describe("classification of an attempt (orchestration §5.2)", () => {
  it.each([
    [
      "forced kill, even with a valid result",
      valid(success, { process: { forcedKill: true } }),
      "UNKNOWN/FORCED_TERMINATION UNKNOWN(FORCED_TERMINATION) FORCED_TERMINATION",
    ],
    [
      "job lock conflict",
      valid(unstarted("LOCK_CONFLICT", 5)),
      "CANCELLED/PREPARE_FAILED WAITING(PREPARE_FAILED) LOCK_CONFLICT",
    ],
    ["success", valid(success), "SUCCESS/OK SUCCESS(OK) -"],
    ["no data", valid({ ...success, resultCode: "NO_DATA" }), "SUCCESS/NO_DATA SUCCESS(NO_DATA) -"],
    [
      "failed before the start",
      valid(unstarted("VALIDATION_ERROR", 1)),
      "FAILED/VALIDATION_ERROR FAILED(VALIDATION_ERROR) -",
    ],
    ["failed in SQL", valid(failed("SQL_ERROR", 1)), "FAILED/SQL_ERROR FAILED(SQL_ERROR) -"],
    ["failed assertion", valid(failed("ASSERT_FAILED", 2)), "FAILED/ASSERT_FAILED FAILED(ASSERT_FAILED) -"],
    [
      "timeout",
      valid(failed("EXECUTION_TIMEOUT", 3)),
      "FAILED/EXECUTION_TIMEOUT FAILED(EXECUTION_TIMEOUT) -",
    ],
    [
      "unknown code within its status",
      valid(failed("SOMETHING_NEW", 5)),
      "FAILED/SOMETHING_NEW FAILED(SOMETHING_NEW) -",
    ],
    ["cancelled", valid(cancelled), "CANCELLED/CANCELLED CANCELLED(CANCELLED) -"],
    ["no result", facts({}), "UNKNOWN/NO_EXECUTION_RESULT UNKNOWN(NO_EXECUTION_RESULT) NO_EXECUTION_RESULT"],
    [
      "no result, child killed after its start marker",
      facts({ log: running, process: { exitCode: null } }),
      "UNKNOWN/NO_EXECUTION_RESULT UNKNOWN(NO_EXECUTION_RESULT) NO_EXECUTION_RESULT",
    ],
    [
      "cut result",
      facts({ file: { kind: "unreadable" } }),
      "UNKNOWN/NO_EXECUTION_RESULT UNKNOWN(NO_EXECUTION_RESULT) NO_EXECUTION_RESULT",
    ],
    [
      "result of the wrong shape",
      facts({ file: { kind: "invalid", detail: "x" } }),
      "UNKNOWN/INVALID_EXECUTION_RESULT UNKNOWN(INVALID_EXECUTION_RESULT) INVALID_EXECUTION_RESULT",
    ],
    [
      "not launched, clean JOB log",
      facts({ process: noLaunch }),
      "CANCELLED/PREPARE_FAILED WAITING(PREPARE_FAILED) NO_EXECUTION_RESULT",
    ],
    [
      "not launched, JOB log without marker",
      facts({ process: noLaunch, log: { kind: "found", markerSet: false, status: "RUNNING" } }),
      "CANCELLED/PREPARE_FAILED WAITING(PREPARE_FAILED) NO_EXECUTION_RESULT",
    ],
    [
      "not launched, invalid file",
      facts({ process: noLaunch, file: { kind: "invalid", detail: "x" } }),
      "CANCELLED/PREPARE_FAILED WAITING(PREPARE_FAILED) INVALID_EXECUTION_RESULT",
    ],
    [
      "not launched, yet a marker",
      facts({ process: noLaunch, log: running }),
      "UNKNOWN/NO_EXECUTION_RESULT UNKNOWN(NO_EXECUTION_RESULT) NO_EXECUTION_RESULT",
    ],
    [
      "not launched, JOB log unreadable",
      facts({ process: noLaunch, log: { kind: "unreadable" } }),
      "UNKNOWN/NO_EXECUTION_RESULT UNKNOWN(NO_EXECUTION_RESULT) NO_EXECUTION_RESULT",
    ],
    [
      "an error after the launch proves nothing",
      facts({ process: { launchFailure: "kill failed", exitCode: null } }),
      "UNKNOWN/NO_EXECUTION_RESULT UNKNOWN(NO_EXECUTION_RESULT) NO_EXECUTION_RESULT",
    ],
  ])("%s", (_, given, expected) => {
    expect(told(given)).toBe(expected);
  });

  it.each([
    ["SUCCESS", "SUCCESS/OK SUCCESS(OK) -"],
    ["failed", "FAILED/FAILED FAILED(FAILED) -"],
    ["TIMEOUT", "FAILED/EXECUTION_TIMEOUT FAILED(EXECUTION_TIMEOUT) -"],
  ])("a missing result is made good by the JOB log %s (§11.1 B)", (status, expected) => {
    const log = { kind: "found", markerSet: true, status } as const;
    expect(told(facts({ log }))).toBe(expected);
    expect(told(facts({ log, file: { kind: "invalid", detail: "x" } }))).toContain(
      "INVALID_EXECUTION_RESULT",
    );
    expect(told(facts({ log, process: { forcedKill: true } }))).toContain("FORCED_TERMINATION");
  });
});

describe("a result is believed only if it agrees with itself and with the process (orchestration §5.1)", () => {
  it.each<[string, AttemptFacts]>([
    ["another Run", valid({ ...success, correlationId: "netrun_2" })],
    ["another Attempt", valid({ ...success, attemptId: "attempt_2" })],
    ["another exit code", valid(success, { process: { exitCode: 1 } })],
    ["a signal instead of an exit code", valid(success, { process: { exitCode: null } })],
    ["an impossible exit code", valid(failed("NEW", 4))],
    ["exit 137", valid(failed("NEW", 137))],
    ["SUCCESS not started", valid({ ...success, ...notStarted })],
    ["unknown code, SUCCESS not started", valid({ ...success, resultCode: "NEW", ...notStarted })],
    ["SUCCESS with an error", valid({ ...success, error })],
    ["FAILED without an error", valid(failed("SQL_ERROR", 1, { error: null }))],
    ["known code, wrong status", valid(failed("OK", 1))],
    ["known code, wrong exit", valid(failed("SQL_ERROR", 3))],
    ["VALIDATION_ERROR after the start", valid(failed("VALIDATION_ERROR", 1))],
    ["LOCK_CONFLICT after the start", valid(failed("LOCK_CONFLICT", 5))],
    ["SQL_ERROR before the start", valid(unstarted("SQL_ERROR", 1))],
    ["started without a time", valid({ ...success, startedAt: null })],
    ["not started, but counted", valid({ ...unstarted("API_ERROR", 3), writtenCount: 1 })],
    ["not started, but with a last key", valid({ ...unstarted("API_ERROR", 3), lastWrittenKey: "k" })],
    ["asOf without an offset", valid({ ...success, asOf: "2026-09-01" })],
  ])("%s", (_, given) => {
    expect(attemptVerdict(given).resultCode).toBe("INVALID_EXECUTION_RESULT");
  });

  it.each(["AUTH_ERROR", "API_ERROR", "INTERNAL_ERROR"])("%s may come before or after the start", (code) => {
    expect(attemptVerdict(valid(failed(code, 3))).resultCode).toBe(code);
    expect(attemptVerdict(valid(unstarted(code, 3))).resultCode).toBe(code);
  });
});

describe("what a known code says of the start (execution-contract §5.2)", () => {
  it.each([
    ["VALIDATION_ERROR", 1, "before"],
    ["INPUT_FILE_MUTATED", 1, "before"],
    ["LOCK_UNAVAILABLE", 3, "before"],
    ["SQL_ERROR", 1, "after"],
    ["ASSERT_FAILED", 2, "after"],
    ["EXECUTION_TIMEOUT", 3, "after"],
  ])("%s with exit code %i comes only %s it", (code, exitCode, when) => {
    const right = when === "before" ? unstarted(code, exitCode) : failed(code, exitCode);
    const wrong = when === "before" ? failed(code, exitCode) : unstarted(code, exitCode);
    expect(attemptVerdict(valid(right)).resultCode).toBe(code);
    expect(attemptVerdict(valid(wrong)).resultCode).toBe("INVALID_EXECUTION_RESULT");
  });
});

describe("receipts of input and output files (execution-contract §5.6, W1, W2)", () => {
  const inputBaseline = [
    { source: "a", sha256: sha("a"), bytes: 1 },
    { source: "b", sha256: sha("b"), bytes: 2 },
  ];
  const receipt = (name: string, more = {}) => ({
    name,
    sha256: sha(name),
    bytes: name === "a" ? 1 : 2,
    ...more,
  });
  const withInputs = (result: ExecutionResult, input_files: ExecutionResult["input_files"]) =>
    attemptVerdict(valid({ ...result, input_files }, { request: { inputBaseline } })).resultCode;

  it.each([
    ["all sources", [receipt("a", { rows: 1, encoding: "UTF8" }), receipt("b")], "OK"],
    [
      "one source under two encodings (W1)",
      [receipt("a", { encoding: "UTF8" }), receipt("a", { encoding: "SJIS" }), receipt("b")],
      "OK",
    ],
    ["a source left out", [receipt("a")], "INVALID_EXECUTION_RESULT"],
    ["no list at all", undefined, "INVALID_EXECUTION_RESULT"],
    ["another hash", [receipt("a"), receipt("b", { sha256: sha("c") })], "INVALID_EXECUTION_RESULT"],
    ["another size", [receipt("a"), receipt("b", { bytes: 3 })], "INVALID_EXECUTION_RESULT"],
    ["an undeclared source", [receipt("a"), receipt("b"), receipt("c")], "INVALID_EXECUTION_RESULT"],
  ])("started, %s", (_, files, expected) => {
    expect(withInputs(success, files)).toBe(expected);
  });

  it("compared as if it had started, a job refused before its read is UNKNOWN; ours waits or fails by its code (W-17)", () => {
    const refused = unstarted("LOCK_CONFLICT", 5);
    const asStarted = { ...success, input_files: [] };
    expect(withInputs(asStarted, []), "the peer's rule").toBe("INVALID_EXECUTION_RESULT");
    expect(withInputs(refused, [])).toBe("PREPARE_FAILED");
  });

  it("nothing is compared before the start (W2)", () => {
    expect(withInputs(unstarted("VALIDATION_ERROR", 1), [])).toBe("VALIDATION_ERROR");
    expect(withInputs(unstarted("LOCK_CONFLICT", 5), [receipt("a")])).toBe("PREPARE_FAILED");
  });

  const written = (name: string) => ({
    name,
    sha256: sha("f"),
    bytes: 1,
    rows: 1,
    encoding: "utf8" as const,
  });
  it.each([
    [["x", "y"], [written("x"), written("y")], "OK"],
    [["y", "x"], [written("x"), written("y")], "OK"],
    [["x", "y"], [written("y")], "OK"],
    [["x", "y"], [], "OK"],
    [["x", "y"], [written("y"), written("x")], "INVALID_EXECUTION_RESULT"],
    [["x", "y"], [written("x"), written("x")], "INVALID_EXECUTION_RESULT"],
    [["x"], [written("z")], "INVALID_EXECUTION_RESULT"],
    [["x"], undefined, "INVALID_EXECUTION_RESULT"],
    [[], [], "OK"],
    [[], undefined, "OK"],
    [[], [written("x")], "INVALID_EXECUTION_RESULT"],
  ])("outputs %j with receipts %j", (outputs, output_files, expected) => {
    expect(attemptVerdict(valid({ ...success, output_files }, { request: { outputs } })).resultCode).toBe(
      expected,
    );
  });
});

describe("the Node State an Attempt stands for", () => {
  it.each([
    ["SUCCESS", "OK", "SUCCESS"],
    ["CANCELLED", "CANCELLED", "CANCELLED"],
    ["CANCELLED", "PREPARE_FAILED", "WAITING"],
    ["RUNNING", "PENDING", null],
  ] as const)("%s / %s is %s (W-24)", (status, resultCode, expected) => {
    expect(nodeStatusOfAttempt({ status, resultCode })).toBe(expected);
  });
});
