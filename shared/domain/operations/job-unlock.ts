import type { Problem } from "../problem.ts";
import { inserted, needed, type OperationPlan, operationPlan, says, updated } from "./operation.ts";
import type { SeenRecords } from "./seen.ts";

/** Who holds a job's lock, as the runner tells it (execution-contract §2.4). */
export interface JobLockFacts {
  readonly jobKey: string;
  /** Null: it cannot be known. */
  readonly locked: boolean | null;
  readonly record: {
    readonly recordId: string;
    readonly batchId: string;
    readonly startedAt: string | null;
    readonly host: string;
  } | null;
  /** The Run whose node it is; null outside of one. */
  readonly runId: string | null;
  readonly nodeId: string | null;
  readonly readAt: string;
}

/** The lock record a forced release of a job is decided on; the runner releases no other one. */
export const jobUnlockSeen = ({ record }: Pick<JobLockFacts, "record">): SeenRecords => ({
  // The runner tells the record and its batch, not its revision.
  jobLock: record === null ? null : { recordId: `${record.recordId} ${record.batchId}`, revision: 1 },
});

/** Why a job's lock cannot be released, or null. Codes `JOB_LOCK_UNKNOWN`, `JOB_LOCK_FREE`. */
function jobUnlockProblem({ jobKey, locked, record }: JobLockFacts): Problem | null {
  if (locked === null) {
    return {
      code: "JOB_LOCK_UNKNOWN",
      message: "Whether the job's lock is held could not be read.",
      place: jobKey,
      remedy: "Check the log app and its token, then look again.",
    };
  }
  if (locked && record !== null) return null;
  return {
    code: "JOB_LOCK_FREE",
    message: "Nobody holds the job's lock; there is nothing to release.",
    place: jobKey,
    remedy: "Look again: it may have been released in the meantime.",
  };
}

/** job force-unlock (execution-contract §2.5), with the audit that records it (orchestration §5.5). */
export function planJobUnlockOperation(facts: JobLockFacts): OperationPlan {
  const { jobKey, record, runId, nodeId } = facts;
  const refusal = jobUnlockProblem(facts);
  return operationPlan({
    operation: "JOB_UNLOCK",
    subject: { jobKey, runId, nodeId },
    seen: jobUnlockSeen(facts),
    readAt: facts.readAt,
    refusals: refusal === null ? [] : [refusal],
    evidence: needed("reason", "evidenceRef", "confirmedBy"),
    writes: [
      {
        ...updated("jobLock", jobKey, { held: true, batchId: record?.batchId ?? null }, { held: false }),
        action: "release",
      },
      ...(runId === null || nodeId === null
        ? []
        : [inserted("audit", null, { eventType: "JOB_LOCK_FORCE_UNLOCK_RECORDED", runId, nodeId })]),
    ],
    consequences: [says("cannotBeUndone"), says("restsOnYourWord"), says("recordsStayAsTheyAre")],
  });
}
