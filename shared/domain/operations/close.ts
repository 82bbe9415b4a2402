import { closeVerdict } from "../close-run.ts";
import type { Hold, NetworkLock, Run, Stored } from "../model.ts";
import type { Problem } from "../problem.ts";
import { lockConflict, lockTaken } from "./network-lock.ts";
import { inserted, type OperationPlan, operationPlan, says, updated } from "./operation.ts";
import { holdSeen, runSubject } from "./stop.ts";

export interface CloseFacts {
  readonly run: Stored<Run>;
  readonly hold: Stored<Hold> | null;
  readonly lock: NetworkLock | null;
  readonly requestedBy: string;
  readonly reason: string;
  readonly readAt: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Told like the peer: not a refusal of its own, but nothing is left to do (orchestration §4.8, A3). */
const alreadyArchived = (runId: string): Problem => ({
  code: "RUN_ALREADY_ARCHIVED",
  message: "The Run was closed before.",
  place: runId,
  remedy: "Nothing is to be done.",
});

/** CLOSE (orchestration §4.8): Run, audit and release of the Network lock in one request. */
export function planCloseOperation(facts: CloseFacts): OperationPlan {
  const { run, hold, lock, now } = facts;
  const verdict = closeVerdict(run, hold?.state ?? null);
  const held = lockConflict(lock, now);
  const refusals = [
    ...(held === null ? [] : [held]),
    ...(verdict.kind === "refused" ? [verdict.problem] : []),
    ...(verdict.kind === "already-archived" ? [alreadyArchived(run.runId)] : []),
  ];
  return operationPlan({
    operation: "CLOSE",
    subject: runSubject(facts),
    seen: holdSeen(facts),
    readAt: facts.readAt,
    refusals,
    writes: [
      ...lockTaken(run.networkId),
      updated("run", run.runId, { lifecycle: run.lifecycle }, { lifecycle: "ARCHIVED" }),
      inserted("audit", null, {
        eventType: "RUN_ARCHIVED",
        previousStatus: run.status,
        runRevisionBefore: run.ref.revision,
        requestedBy: facts.requestedBy,
        reason: facts.reason,
      }),
    ],
    consequences: [
      says("cannotBeUndone"),
      says("neverResumedAgain"),
      says("keyStaysTaken", { key: run.businessKey }),
    ],
  });
}
