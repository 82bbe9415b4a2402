import type { Intent } from "../../../shared/api/index.ts";
import type { LockRecoveryOutcome } from "../../../shared/contract/index.ts";
import type { Problem, Result } from "../../../shared/domain/problem.ts";
import { evidenceLine } from "../acting/intended.ts";
import type { ActionEnd, Actors, EvidenceFile } from "../acting/ports.ts";
import type { JobLocks, JobReleased } from "./job-locks.ts";

/** The part of a confirmed release that its records tell. */
export interface JobReleaseOrder {
  readonly actors: Pick<Actors, "requestedBy" | "servicePrincipal">;
  readonly evidence: readonly EvidenceFile[];
}

/** Carries a confirmed release of a job lock out; the answer is how it ended (execution-contract §2.5, orchestration §5.5). */
export async function carryJobUnlock(
  jobLocks: Pick<JobLocks, "release">,
  intent: Extract<Intent, { readonly kind: "jobUnlock" }>,
  { actors, evidence }: JobReleaseOrder,
  signal: AbortSignal,
): Promise<ActionEnd> {
  const released = await jobLocks.release(
    {
      jobKey: intent.jobKey,
      runId: intent.runId,
      nodeId: intent.nodeId,
      reason: intent.reason.trim(),
      confirmedBy: intent.stopConfirmedBy.trim(),
      evidenceRef: evidenceLine(intent.evidenceText, evidence),
      evidenceText: intent.evidenceText,
      evidenceHashes: evidence.map(({ sha256 }) => sha256),
      ...actors,
    },
    signal,
  );
  return jobUnlockEnd(released);
}

/** What the runner's answer means for the operation: what it did not change is refused, what it cannot tell is open. Pure. */
export function jobUnlockEnd(released: Result<JobReleased>): ActionEnd {
  if (!released.ok) {
    return { state: "uncertain", resultCode: released.error.code, problem: released.error };
  }
  const { result, eventId, auditProblem } = released.value;
  const detail = {
    outcome: result.outcome,
    recordId: result.recordId,
    batchId: result.before?.batchId ?? null,
    host: result.before?.host ?? null,
    executedAt: result.executedAt,
    eventId,
    audit: auditProblem === null ? (eventId === null ? null : "RECORDED") : "PENDING",
  };
  const { state, problem } = ENDS[result.outcome];
  return { state, detail, resultCode: `JOB_LOCK_${result.outcome}`, problem: problem ?? auditProblem };
}

const ENDS: Readonly<
  Record<LockRecoveryOutcome, { readonly state: ActionEnd["state"]; readonly problem: Problem | null }>
> = {
  RELEASED: { state: "done", problem: null },
  NOT_FOUND: { state: "done", problem: null },
  NOT_RUNNING: { state: "done", problem: null },
  CONFLICT: {
    state: "refused",
    problem: {
      code: "JOB_LOCK_CONFLICT",
      message: "Somebody changed the lock's record meanwhile; it was left as it is.",
      remedy: "Look at the lock again and judge its present holder.",
    },
  },
  UNCONFIRMED: {
    state: "uncertain",
    problem: {
      code: "JOB_LOCK_UNCONFIRMED",
      message: "Whether the job's lock was released is not known.",
      remedy: "Look at the lock again before anything else is done about it.",
    },
  },
};
