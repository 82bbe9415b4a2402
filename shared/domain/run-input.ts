import type { Run } from "./model.ts";
import type { Problem } from "./problem.ts";
import { isTerminalRunStatus } from "./run-status.ts";

export type ExistingRun = Pick<Run, "runId" | "status" | "lifecycle" | "resumeAllowed">;
export interface RunQuestion {
  /** The Run found under the key or the id; null when there is none. */
  readonly existing: ExistingRun | null;
  /** More Runs found where at most one may be. */
  readonly others?: readonly Pick<Run, "runId">[];
  readonly resume: "none" | "resume" | "resume-run";
  readonly rerunFrom: boolean;
  /** A hold is requested or accepted. */
  readonly onHold: boolean;
}
export type RunDecision =
  | { readonly kind: "new" }
  | { readonly kind: "noop"; readonly runId: string }
  | { readonly kind: "resume"; readonly runId: string; readonly mode: "RESUME" | "RERUN_FROM" }
  | { readonly kind: "reject"; readonly problem: Problem };

/** What to do about each refusal (orchestration §11.4). */
const REMEDIES = {
  RUN_ALREADY_EXISTS: "Look at that Run. To go on with it, resume it; or start under another key.",
  RUN_ON_HOLD: "Ask who stopped it; release the hold, then resume the Run.",
  RERUN_FROM_SUCCESS_RUN: "Start a Run under a correction key.",
  RUN_NOT_RESUMABLE: "Start a Run under a correction key.",
  RUN_NOT_FOUND: "List the Runs of the network and check the id and the key.",
  MULTIPLE_RUNS: "Compare the records in kintone; one of them was not made by this system.",
} as const;

function reject(
  code: keyof typeof REMEDIES,
  message: string,
  place: string,
  runIds: readonly string[] = [],
): RunDecision {
  const details = runIds.length === 0 ? {} : { details: { blockedRunIds: runIds } };
  return { kind: "reject", problem: { code, message, place, remedy: REMEDIES[code], ...details } };
}

function decideExisting(run: ExistingRun, { resume, rerunFrom, onHold }: RunQuestion): RunDecision {
  const { runId } = run;
  const place = `Run ${runId}`;
  const succeeded = run.status === "SUCCESS";
  if (succeeded && !rerunFrom) return { kind: "noop", runId };
  if (resume === "none" && !rerunFrom) {
    const state = isTerminalRunStatus(run.status) ? `has ended ${run.status}` : "is not finished";
    const message = `Run ${runId} of this key ${state}; nothing was started.`;
    return reject("RUN_ALREADY_EXISTS", message, place, [runId]);
  }
  if (onHold) {
    return reject("RUN_ON_HOLD", `Run ${runId} is on hold; it has to be released first.`, place, [runId]);
  }
  if (succeeded) {
    const message = `Run ${runId} succeeded; what it did is corrected under a new key, not by running it again.`;
    return reject("RERUN_FROM_SUCCESS_RUN", message, place);
  }
  if (run.lifecycle === "ARCHIVED" || !run.resumeAllowed) {
    return reject("RUN_NOT_RESUMABLE", `Run ${runId} was closed or must not be resumed.`, place);
  }
  return { kind: "resume", runId, mode: rerunFrom ? "RERUN_FROM" : "RESUME" };
}

/**
 * New Run, no-op, resume or refusal (orchestration §2.2). Refusals: `MULTIPLE_RUNS`, `RUN_NOT_FOUND`,
 * `RUN_ALREADY_EXISTS`, `RUN_ON_HOLD`, `RERUN_FROM_SUCCESS_RUN`, `RUN_NOT_RESUMABLE`. A new Run still has to
 * pass {@link activeRunProblem}, a RERUN_FROM `planRerunFrom`.
 */
export function decideRun(question: RunQuestion): RunDecision {
  const { existing, others = [], resume, rerunFrom } = question;
  if (existing === null) {
    if (rerunFrom || resume === "resume-run")
      return reject("RUN_NOT_FOUND", "There is no such Run.", "run id or business key");
    return { kind: "new" };
  }
  if (others.length > 0) {
    const message = "More than one Run was found where at most one may be; nothing was started.";
    return reject("MULTIPLE_RUNS", message, "business key", [
      existing.runId,
      ...others.map((run) => run.runId),
    ]);
  }
  return decideExisting(existing, question);
}

/**
 * Why one more unfinished Run may not begin, or null (orchestration §2.1 N1). `runs`: all Runs of the profile
 * and network. `MAX_ACTIVE_RUNS`, the blocking run ids sorted in `details.blockedRunIds`.
 */
export function activeRunProblem(
  runs: readonly (ExistingRun & Pick<Run, "businessKey">)[],
  businessKey: string,
  maxActiveRuns: number,
): Problem | null {
  const blocking = runs.filter(
    (run) =>
      run.businessKey !== businessKey &&
      run.resumeAllowed &&
      run.lifecycle !== "ARCHIVED" &&
      run.status !== "SUCCESS",
  );
  if (blocking.length < maxActiveRuns) return null;
  const blockedRunIds = blocking.map((run) => run.runId).sort();
  return {
    code: "MAX_ACTIVE_RUNS",
    place: `Run ${blockedRunIds[0]}`,
    message: `Unfinished Runs of other keys stand against the limit of ${maxActiveRuns}: ${blockedRunIds.join(", ")}.`,
    remedy: "Finish or close the Runs named.",
    details: { blockedRunIds },
  };
}
