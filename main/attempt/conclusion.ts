import {
  type AttemptFacts,
  type AttemptVerdict,
  attemptVerdict,
  type JobLogFacts,
  type ProcessFacts,
  type ResultFileFacts,
} from "../../shared/domain/attempt-verdict.ts";
import { isUtcInstant } from "../../shared/domain/datetime.ts";
import type { ExecutionResult } from "../../shared/domain/execution-result.ts";
import type { JobLogLookup } from "../store/index.ts";
import type { AttemptConclusion, AttemptInput } from "./ports.ts";
import type { ResultReading } from "./result-file.ts";

/** Everything read after the child was gone. */
export interface AttemptReadings {
  readonly input: AttemptInput;
  readonly process: ProcessFacts;
  readonly result: ResultReading;
  readonly jobLog: JobLogLookup;
  /** ISO-8601 UTC. */
  readonly now: string;
}

/**
 * Hands the facts to the verdict and fills in what the Attempt record is finalised with (orchestration §5.2,
 * last paragraph). Numbers come from the result, from the JOB log only where there is no usable result. Pure.
 */
export function concludeAttempt(readings: AttemptReadings): AttemptConclusion {
  const verdict = attemptVerdict(factsOf(readings));
  return { ...endOf(readings, verdict), ...numbersOf(readings, verdict) };
}

function factsOf({ input, process, result, jobLog }: AttemptReadings): AttemptFacts {
  return {
    process,
    resultFile: resultFactsOf(result),
    jobLog: jobLogFactsOf(jobLog),
    request: {
      correlationId: input.runId,
      attemptId: input.attemptId,
      inputBaseline: (input.imports ?? []).map(({ name, sha256, bytes }) => ({
        source: name,
        sha256,
        bytes,
      })),
      outputs: (input.exports ?? []).map(({ name }) => name),
    },
  };
}

function resultFactsOf(reading: ResultReading): ResultFileFacts {
  switch (reading.kind) {
    case "absent":
    case "unreadable":
      return { kind: reading.kind };
    case "invalid":
      return { kind: "invalid", detail: reading.detail };
    case "valid":
      return { kind: "valid", result: reading.result };
  }
}

function jobLogFactsOf(lookup: JobLogLookup): JobLogFacts {
  switch (lookup.kind) {
    case "none":
      return { kind: "none" };
    case "found":
      return {
        kind: "found",
        markerSet: lookup.log.runnerExecutionStartedAt !== null,
        status: lookup.log.status,
      };
    // Two records of one attempt say nothing that may be relied on (execution-contract §6.5).
    case "ambiguous":
    case "unreadable":
      return { kind: "unreadable" };
  }
}

function endOf(
  { result, now }: AttemptReadings,
  verdict: AttemptVerdict,
): Omit<AttemptConclusion, keyof ReturnType<typeof numbersOf>> {
  const finishedAt = usableResult(result, verdict)?.finishedAt ?? now;
  return {
    attemptStatus: verdict.attemptStatus,
    resultCode: verdict.resultCode,
    nodeStatus: verdict.nodeStatus,
    nodeReason: verdict.nodeReason,
    invocationCode: verdict.invocationCode,
    // The contract promises no more than a trailing Z; kintone takes only a real instant.
    finishedAt: isUtcInstant(finishedAt) ? finishedAt : now,
    errorMessage: verdict.detail,
  };
}

/** A result that was not believed describes something else than this attempt; its numbers do too. */
function usableResult(result: ResultReading, { resultCode }: AttemptVerdict): ExecutionResult | null {
  return result.kind === "valid" && resultCode !== "INVALID_EXECUTION_RESULT" ? result.result : null;
}

function numbersOf({ result, jobLog }: AttemptReadings, verdict: AttemptVerdict) {
  const log = jobLog.kind === "found" ? jobLog.log : null;
  const usable = usableResult(result, verdict);
  return {
    durationSec: usable === null ? null : usable.durationMs / 1000,
    executionId: usable?.executionId ?? log?.executionId ?? null,
    runnerExecutionStartedAt: log?.runnerExecutionStartedAt ?? usable?.startedAt ?? null,
    readCount: usable?.readCount ?? log?.readCount ?? 0,
    writtenCount: usable?.writtenCount ?? log?.writtenCount ?? 0,
    lastSuccessfulChunkNo: usable?.lastSuccessfulChunkNo ?? null,
    lastWrittenKey: usable === null ? (log?.lastWrittenKey ?? null) : usable.lastWrittenKey,
    receipts:
      usable === null ? null : { inputs: usable.input_files ?? [], outputs: usable.output_files ?? [] },
  };
}
