import { isStaleCandidate } from "../lease.ts";
import type { NetworkLock } from "../model.ts";
import { ownerInstanceIdOf } from "../owner-instance.ts";
import type { Problem } from "../problem.ts";
import { inserted, type PlannedWrite } from "./operation.ts";

/**
 * Why an operation that needs the Network lock would not get it, or null (wire-format §4.5): a held lock is a conflict,
 * expired or not. Names the holder instead of a bare conflict (orchestration §11.3). `now` in epoch milliseconds.
 */
export function lockConflict(lock: NetworkLock | null, now: number): Problem | null {
  if (lock === null) return null;
  const stale = isStaleCandidate(lock.leaseExpiresAt, now);
  const owner = ownerInstanceIdOf(lock.statusReason);
  return {
    code: "LOCK_CONFLICT",
    message: `The Network lock is held by ${lock.ownerInvocationId ?? "an unknown owner"}${owner === "" ? "" : ` (${owner})`}, last heartbeat ${lock.heartbeatAt}.`,
    place: lock.lockKey ?? lock.recordKey,
    remedy: stale
      ? "Its lease has ended, which does not prove that its owner has: make sure of it, then release the lock by force."
      : "Wait for its owner to end, or stop the Run.",
    details: {
      ownerInvocationId: lock.ownerInvocationId,
      leaseExpiresAt: lock.leaseExpiresAt,
      staleCandidate: stale,
    },
  };
}

/** The lock an operation takes for its own time and gives back (orchestration §3.1). */
export const lockTaken = (networkId: string): readonly PlannedWrite[] => [
  inserted("lock", networkId, { status: "RUNNING" }),
];
