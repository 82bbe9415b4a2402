import { PREPARE_FAILED } from "./attempt-outcome.ts";
import type { Attempt, NodeState, Stored } from "./model.ts";
import type { Finding } from "./reconciliation-finding.ts";
import type { Drafts, OrphanEnd, RepairNote } from "./resume-drafts.ts";

/** Node States whose Attempt was left RUNNING by another Invocation (orchestration §5.3). */
export function orphanedAttempts(
  states: readonly NodeState[],
  attempts: readonly Stored<Attempt>[],
  invocationId: string,
): readonly Stored<Attempt>[] {
  const active = new Set(
    states.flatMap(({ status, activeAttemptId }) =>
      status === "RUNNING" && activeAttemptId !== null ? [activeAttemptId] : [],
    ),
  );
  return attempts.filter(
    (attempt) =>
      active.has(attempt.attemptId) && attempt.status === "RUNNING" && attempt.invocationId !== invocationId,
  );
}

/** Attempts that W-01 left: inserted, and the process died before the node was started. */
export function unstartedAttempts(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap(({ repair }) =>
    repair?.type === "UNSTARTED_ATTEMPT_WITHDRAWN" ? [repair.attemptId] : [],
  );
}

/** Carries one finding's repair into the drafts; null when it is not one that is audited (orchestration §6.3). */
export function applyRepair(finding: Finding, drafts: Drafts, at: string): RepairNote | null {
  const { repair, nodeId } = finding;
  if (repair === null || nodeId === null) return null;
  const before = drafts.state(nodeId);
  if (before === undefined) return null;
  switch (repair.type) {
    case "TERMINAL_ATTEMPT_APPLIED": {
      const active = drafts.attempts().find(({ attemptId }) => attemptId === before.activeAttemptId);
      const { status, statusReason } = repair;
      drafts.setState(nodeId, { ...ended(status, statusReason, active?.finishedAt ?? at) });
      return note(finding, "TERMINAL_ATTEMPT_APPLIED", before, status);
    }
    case "ATTEMPT_RESOLUTION_APPLIED": {
      const { status, statusReason } = repair;
      drafts.setState(nodeId, ended(status, statusReason, before.finishedAt ?? at));
      return note(finding, "ATTEMPT_RESOLUTION_APPLIED", before, status);
    }
    case "UNSTARTED_ATTEMPT_WITHDRAWN": {
      const { attemptStatus: status, resultCode } = PREPARE_FAILED;
      drafts.endAttempt(repair.attemptId, { status, resultCode, finishedAt: at });
      drafts.setState(nodeId, {
        latestAttemptNo: repair.attemptNo,
        statusReason: PREPARE_FAILED.nodeReason,
        startedAt: null,
      });
      // The peer has no word for it; to its readers an ended Attempt was applied.
      return note(finding, "TERMINAL_ATTEMPT_APPLIED", before, "WAITING");
    }
    case "RUN_AGGREGATE_RECOMPUTED":
    case "CREATION_COMPLETED":
      return null;
  }
}

function ended(status: NodeState["status"], statusReason: string, finishedAt: string): Partial<NodeState> {
  const waiting = status === "WAITING";
  return {
    status,
    statusReason,
    activeAttemptId: null,
    finishedAt: waiting ? null : finishedAt,
    ...(waiting ? { startedAt: null } : {}),
  };
}

const note = (
  { detail }: Finding,
  repairType: RepairNote["repairType"],
  before: NodeState,
  status: NodeState["status"],
): RepairNote => ({
  repairType,
  targetType: "NODE_STATE",
  targetId: before.nodeStateId,
  before: { status: before.status },
  after: { status },
  basis: detail,
});

/** Ends an orphaned Attempt and its node as it was judged (orchestration §5.3); the line for the Invocation's reason. */
export function applyOrphan(attempt: Attempt, end: OrphanEnd, drafts: Drafts, at: string): string {
  const finishedAt = end.finishedAt ?? at;
  drafts.endAttempt(attempt.attemptId, {
    status: end.attemptStatus,
    resultCode: end.resultCode,
    finishedAt,
    executionId: attempt.executionId ?? end.executionId,
    durationSec: end.durationSec ?? attempt.durationSec,
    readCount: end.readCount ?? attempt.readCount,
    writtenCount: end.writtenCount ?? attempt.writtenCount,
    lastSuccessfulChunkNo: end.lastSuccessfulChunkNo ?? attempt.lastSuccessfulChunkNo,
    lastWrittenKey: end.lastWrittenKey ?? attempt.lastWrittenKey,
    errorMessage: attempt.errorMessage ?? end.errorMessage,
  });
  drafts.setState(attempt.nodeId, ended(end.nodeStatus, end.nodeReason, finishedAt));
  return `adjudicated ${attempt.nodeId} attempt ${attempt.attemptNo}: ${end.attemptStatus}/${end.resultCode}`;
}
