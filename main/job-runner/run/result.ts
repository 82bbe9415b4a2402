import {
  DEFAULT_ERRORS,
  ERROR_MESSAGE_MAX,
  EXECUTION_CONTRACT,
  type ExecutionResultJson,
  type KnownResultCode,
  type ResultCodeRequirements,
  RUN_EXIT_CODES,
  resultCodeRequirements,
} from "../../../shared/contract/index.ts";
import { ENGINE_VERSION, KSQL_FLOW_VERSION } from "../identity.ts";
import type { InputReceipt } from "../sources/import-sources.ts";
import type { Verdict } from "./failure.ts";
import { type Mask, stripLiterals } from "./masking.ts";
import { NOTHING_WRITTEN, type WrittenFacts } from "./progress.ts";
import type { OutputReceipt } from "./result-outputs.ts";

/** Everything a result says about a run beside its verdict. */
export interface RunFacts {
  readonly executionId: string;
  readonly jobId: string;
  readonly profile: string;
  readonly asOf: string | null;
  /** Epoch milliseconds cut to seconds, the marker's value; null when SQL was not started. */
  readonly startedMs: number | null;
  readonly finishedMs: number;
  readonly readCount: number;
  readonly written: WrittenFacts;
  readonly apiCalls: number;
  readonly inputFiles: readonly InputReceipt[];
  readonly outputFiles: readonly OutputReceipt[];
}

export interface OrchestratorIds {
  readonly correlationId: string;
  readonly attemptId: string;
}

interface ResultError {
  readonly category: string;
  readonly code: string;
  readonly message: string;
  readonly retryable: false;
  readonly detailsTruncated: boolean;
}

/** The error of a verdict: masked, SQL literals hidden, cut to 2000 code points (execution-contract §5.3). */
export function resultError(verdict: Verdict, mask: Mask): ResultError | null {
  const { resultCode } = verdict;
  const { category } = requirementsOf(resultCode);
  if (category === null || resultCode === "OK" || resultCode === "NO_DATA") return null;
  const fallback = DEFAULT_ERRORS[resultCode];
  const raw = verdict.error?.message || fallback.message;
  const points = [...mask(category === "SQL" ? stripLiterals(raw) : raw)];
  return {
    category,
    code: verdict.error?.code || fallback.code,
    message: points.slice(0, ERROR_MESSAGE_MAX).join(""),
    retryable: false,
    detailsTruncated: points.length > ERROR_MESSAGE_MAX,
  };
}

function requirementsOf(resultCode: KnownResultCode): ResultCodeRequirements {
  const requirements = resultCodeRequirements(resultCode);
  if (requirements === null) throw new Error(`no rule for the result code ${resultCode}`);
  return requirements;
}

/** Exit code of a verdict (execution-contract §5.2). */
export function exitCodeOf(resultCode: KnownResultCode): ExecutionResultJson["exitCode"] {
  const { exitCode } = requirementsOf(resultCode);
  const known = RUN_EXIT_CODES.find((code) => code === exitCode);
  if (known === undefined) throw new Error(`a run cannot end with exit code ${exitCode}`);
  return known;
}

/** The Execution Result v1, keys in the order of execution-contract §5.1. */
export function buildResult(
  verdict: Verdict,
  facts: RunFacts,
  ids: OrchestratorIds,
  mask: Mask,
): ExecutionResultJson {
  const { startedMs } = facts;
  const started = startedMs !== null;
  const written = started ? facts.written : NOTHING_WRITTEN;
  const { status } = requirementsOf(verdict.resultCode);
  return {
    formatVersion: 1,
    kind: "EXECUTION_RESULT",
    contract: EXECUTION_CONTRACT,
    correlationId: ids.correlationId,
    attemptId: ids.attemptId,
    executionId: facts.executionId,
    jobId: facts.jobId,
    profile: facts.profile,
    status,
    resultCode: verdict.resultCode,
    executionStarted: started,
    exitCode: exitCodeOf(verdict.resultCode),
    asOf: facts.asOf,
    startedAt: started ? new Date(startedMs).toISOString() : null,
    finishedAt: new Date(facts.finishedMs).toISOString(),
    durationMs: started ? Math.max(0, facts.finishedMs - startedMs) : 0,
    readCount: started ? facts.readCount : 0,
    writtenCount: written.writtenCount,
    deletedCount: written.deletedCount,
    apiCalls: started ? facts.apiCalls : 0,
    lastSuccessfulChunkNo: written.lastSuccessfulChunkNo,
    lastWrittenKey: written.lastWrittenKey === null ? null : mask(written.lastWrittenKey),
    ksqlFlowVersion: KSQL_FLOW_VERSION,
    engineVersion: ENGINE_VERSION,
    input_files: facts.inputFiles.map((receipt) => ({ ...receipt })),
    output_files: facts.outputFiles.map((receipt) => ({ ...receipt })),
    error: resultError(verdict, mask),
  };
}
