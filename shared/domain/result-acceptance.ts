import { isOffsetIso } from "./datetime.ts";
import type { ExecutionResult } from "./execution-result.ts";

type ResultStatus = ExecutionResult["status"];

/** What a known result code says about the rest of the result (execution-contract §5.2). `started` null: either way. */
export interface ResultCodeRule {
  readonly status: ResultStatus;
  readonly exitCode: number;
  readonly started: boolean | null;
}

/** The one table of result codes (execution-contract §5.2, orchestration §5.1). */
export const RESULT_CODE_RULES: ReadonlyMap<string, ResultCodeRule> = new Map([
  ["OK", { status: "SUCCESS", exitCode: 0, started: true }],
  ["NO_DATA", { status: "SUCCESS", exitCode: 0, started: true }],
  ["VALIDATION_ERROR", { status: "FAILED", exitCode: 1, started: false }],
  ["INPUT_FILE_MUTATED", { status: "FAILED", exitCode: 1, started: false }],
  ["SQL_ERROR", { status: "FAILED", exitCode: 1, started: true }],
  ["ASSERT_FAILED", { status: "FAILED", exitCode: 2, started: true }],
  ["EXECUTION_TIMEOUT", { status: "FAILED", exitCode: 3, started: true }],
  ["AUTH_ERROR", { status: "FAILED", exitCode: 3, started: null }],
  ["API_ERROR", { status: "FAILED", exitCode: 3, started: null }],
  ["INTERNAL_ERROR", { status: "FAILED", exitCode: 3, started: null }],
  ["LOCK_UNAVAILABLE", { status: "FAILED", exitCode: 3, started: false }],
  ["LOCK_CONFLICT", { status: "FAILED", exitCode: 5, started: false }],
  ["CANCELLED", { status: "CANCELLED", exitCode: 3, started: null }],
]);

const EXIT_CODES: Readonly<Record<ResultStatus, readonly number[]>> = {
  SUCCESS: [0],
  FAILED: [1, 2, 3, 5],
  CANCELLED: [3],
};

export interface ResultExpectation {
  /** The Run id handed to the child. */
  readonly correlationId: string;
  readonly attemptId: string;
  /** Exit code of the process; null when a signal ended it. */
  readonly exitCode: number | null;
  /** The input files as hashed before the start; empty when the node declares none. */
  readonly inputBaseline: readonly {
    readonly source: string;
    readonly sha256: string;
    readonly bytes: number;
  }[];
  /** Declared sink names; empty when the node declares none. */
  readonly outputs: readonly string[];
}

function codeFault(result: ExecutionResult): string | null {
  const { resultCode, status, exitCode, executionStarted } = result;
  const rule = RESULT_CODE_RULES.get(resultCode);
  if (!EXIT_CODES[status].includes(exitCode)) return `${status} does not end with exit code ${exitCode}`;
  if (status === "SUCCESS" && !executionStarted) return "SUCCESS although nothing was started";
  if (rule === undefined) return null;
  if (rule.status !== status || rule.exitCode !== exitCode) {
    return `${resultCode} means ${rule.status} with exit code ${rule.exitCode}, not ${status} with ${exitCode}`;
  }
  if (rule.started !== null && rule.started !== executionStarted) {
    return `${resultCode} contradicts executionStarted=${executionStarted}`;
  }
  return null;
}

function startFault(result: ExecutionResult): string | null {
  if ((result.error === null) !== (result.status === "SUCCESS")) return "error is null exactly for SUCCESS";
  if (result.asOf !== null && !isOffsetIso(result.asOf)) return "asOf is not a time with an offset";
  if (result.executionStarted) return result.startedAt === null ? "started without startedAt" : null;
  const counts = [
    result.readCount,
    result.writtenCount,
    result.deletedCount,
    result.apiCalls,
    result.durationMs,
  ];
  const untouched =
    result.startedAt === null &&
    counts.every((count) => count === 0) &&
    result.lastSuccessfulChunkNo === null &&
    result.lastWrittenKey === null;
  return untouched ? null : "nothing was started, yet times, counts or a last key are set";
}

/**
 * Receipts are compared only for what was started: before that the runner may have read some sources or
 * none (W2). Several receipts of one source, and receipts without rows or encoding, are legitimate (W1).
 */
function inputFault(result: ExecutionResult, { inputBaseline }: ResultExpectation): string | null {
  if (inputBaseline.length === 0 || !result.executionStarted) return null;
  const receipts = result.input_files ?? [];
  const expected = new Map(inputBaseline.map((input) => [input.source, input]));
  for (const { name, sha256, bytes } of receipts) {
    const baseline = expected.get(name);
    if (baseline === undefined) return `the input ${name} was read but never declared`;
    if (baseline.sha256 !== sha256 || baseline.bytes !== bytes)
      return `the input ${name} is not the file that was checked`;
  }
  const read = new Set(receipts.map((receipt) => receipt.name));
  const missing = inputBaseline.find((input) => !read.has(input.source));
  return missing === undefined ? null : `the input ${missing.source} has no receipt`;
}

function outputFault(result: ExecutionResult, { outputs }: ResultExpectation): string | null {
  const names = (result.output_files ?? []).map((receipt) => receipt.name);
  if (outputs.length === 0)
    return names.length === 0 ? null : "output files were written but none is declared";
  if (result.output_files === undefined) return "output_files is missing";
  // Exports are passed sorted by name in code-unit order (execution-contract §4.1): receipts keep that order.
  const declared = outputs.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  let position = -1;
  for (const name of names) {
    const next = declared.indexOf(name, position + 1);
    if (next < 0) return `the output ${name} is undeclared, repeated or out of order`;
    position = next;
  }
  return null;
}

/**
 * Why a result file of the right shape must not be believed, or null when it may (orchestration §5.1,
 * execution-contract §5.2, §5.6): ids not echoed, another exit code than the process, a code that contradicts
 * the rest, receipts that contradict what was checked. `error.category` is a description, not evidence, and
 * is not judged.
 */
export function resultFault(result: ExecutionResult, expected: ResultExpectation): string | null {
  if (result.correlationId !== expected.correlationId || result.attemptId !== expected.attemptId) {
    return "the result belongs to another Run or Attempt";
  }
  if (result.exitCode !== expected.exitCode) {
    return `the result names exit code ${result.exitCode}, the process ended with ${expected.exitCode ?? "a signal"}`;
  }
  return (
    codeFault(result) ?? startFault(result) ?? inputFault(result, expected) ?? outputFault(result, expected)
  );
}
