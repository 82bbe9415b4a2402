import { type AttemptOutcome, PREPARE_FAILED } from "./attempt-outcome.ts";
import type { ExecutionResult } from "./execution-result.ts";
import { orphanOutcome } from "./orphan-verdict.ts";
import { type ResultExpectation, resultFault } from "./result-acceptance.ts";

/** The outcome, and what the Invocation and a reader learn of it. */
export interface AttemptVerdict extends AttemptOutcome {
  /** The invocation-level code of orchestration §5.2; null for an ordinary end. */
  readonly invocationCode: string | null;
  /** Why the result file was not believed or not needed; null for an ordinary end. */
  readonly detail: string | null;
}

export interface ProcessFacts {
  /** A child came into being. */
  readonly launched: boolean;
  /** The launch failed provably: spawn threw or the child emitted an error; its text. */
  readonly launchFailure: string | null;
  /** Null when a signal ended it or it never ran. */
  readonly exitCode: number | null;
  /** We killed it. */
  readonly forcedKill: boolean;
}
export type ResultFileFacts =
  | { readonly kind: "absent" }
  /** Exists but cannot be read or is not JSON (a cut file included). */
  | { readonly kind: "unreadable" }
  /** JSON of the wrong shape; `detail` says what. */
  | { readonly kind: "invalid"; readonly detail: string }
  | { readonly kind: "valid"; readonly result: ExecutionResult };
export type JobLogFacts =
  /** The lookup worked and there is no record. */
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly markerSet: boolean; readonly status: string }
  /** Refused, or two records: nothing may be concluded from it. */
  | { readonly kind: "unreadable" };

export interface AttemptFacts {
  readonly process: ProcessFacts;
  readonly resultFile: ResultFileFacts;
  readonly jobLog: JobLogFacts;
  readonly request: Omit<ResultExpectation, "exitCode">;
}

type NoResultCode = "NO_EXECUTION_RESULT" | "INVALID_EXECUTION_RESULT";

const unknown = (code: string, detail: string): AttemptVerdict => ({
  attemptStatus: "UNKNOWN",
  resultCode: code,
  nodeStatus: "UNKNOWN",
  nodeReason: code,
  invocationCode: code,
  detail,
});

function believed(result: ExecutionResult): AttemptVerdict {
  if (result.resultCode === "LOCK_CONFLICT") {
    return { ...PREPARE_FAILED, invocationCode: "LOCK_CONFLICT", detail: result.error?.message ?? null };
  }
  const { status, resultCode } = result;
  return {
    attemptStatus: status,
    resultCode,
    nodeStatus: status,
    nodeReason: resultCode,
    invocationCode: null,
    detail: result.error?.message ?? null,
  };
}

function withoutResult(facts: AttemptFacts, code: NoResultCode, detail: string): AttemptVerdict {
  const { process: child, jobLog } = facts;
  if (!child.launched && child.launchFailure !== null) {
    const why = `The runner could not be started: ${child.launchFailure}`;
    const clean = jobLog.kind === "none" || (jobLog.kind === "found" && !jobLog.markerSet);
    return clean ? { ...PREPARE_FAILED, invocationCode: code, detail: why } : unknown(code, why);
  }
  // The same record would settle an orphan on the next resume, so it settles the Attempt now. Never against a
  // result file that says something else, and only once the child is gone.
  if (code === "NO_EXECUTION_RESULT" && jobLog.kind === "found") {
    const outcome = orphanOutcome(jobLog.status);
    if (outcome.attemptStatus !== "UNKNOWN") {
      return {
        ...outcome,
        invocationCode: null,
        detail: `${detail} The outcome was taken from the JOB log.`,
      };
    }
  }
  return unknown(code, detail);
}

/**
 * What one attempt came to, from the facts read after its child was gone (orchestration §5.1, §5.2;
 * execution-contract §5.6, §6.5). A forced kill overrides everything; a believed result decides; otherwise
 * only a proven non-start or a terminal JOB log (for a missing result) is better than UNKNOWN.
 */
export function attemptVerdict(facts: AttemptFacts): AttemptVerdict {
  const { process: child, resultFile } = facts;
  if (child.forcedKill) return unknown("FORCED_TERMINATION", "The runner did not stop and was killed.");
  switch (resultFile.kind) {
    case "absent":
      return withoutResult(facts, "NO_EXECUTION_RESULT", "The runner left no result file.");
    case "unreadable":
      return withoutResult(facts, "NO_EXECUTION_RESULT", "The result file cannot be read as JSON.");
    case "invalid":
      return withoutResult(
        facts,
        "INVALID_EXECUTION_RESULT",
        `The result file is not valid: ${resultFile.detail}.`,
      );
    case "valid": {
      const fault = resultFault(resultFile.result, { ...facts.request, exitCode: child.exitCode });
      if (fault === null) return believed(resultFile.result);
      return withoutResult(facts, "INVALID_EXECUTION_RESULT", `The result file is not believed: ${fault}.`);
    }
  }
}
