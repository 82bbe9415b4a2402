import { instantOf } from "./datetime.ts";
import type { Activity, HoldState, NetworkLock, RunStatus, Stored } from "./model.ts";
import { ownerInstanceIdOf } from "./owner-instance.ts";
import { fail, ok, type Result } from "./problem.ts";
import { isTerminalRunStatus } from "./run-status.ts";

/** What kintone's minute precision may have cut from a stored time, in milliseconds (orchestration §3.3). */
export const DATETIME_ALLOWANCE_MS = 60_000;

/** The two facts of a lock that tell whether a Run is being executed. */
export interface LockOwner {
  readonly ownerInvocationId: string | null;
  readonly leaseExpiresAt: string;
}

/**
 * True when the lease ended more than the allowance ago (wire-format §4.5). A hint only: it transfers nothing
 * and proves nothing about the owner. An expiry that cannot be read is never stale. `now` in epoch milliseconds.
 */
export function isStaleCandidate(leaseExpiresAt: string, now: number): boolean {
  const expiry = instantOf(leaseExpiresAt);
  return expiry !== null && now > expiry + DATETIME_ALLOWANCE_MS;
}

/** True when the lock's owner is one of these Invocations and its lease, with the allowance, has not ended (wire-format §4.5). */
export function liveOwner(lock: LockOwner | null, invocationIds: readonly string[], now: number): boolean {
  if (lock === null || lock.ownerInvocationId === null) return false;
  const expiry = instantOf(lock.leaseExpiresAt);
  if (expiry === null || now > expiry + DATETIME_ALLOWANCE_MS) return false;
  return invocationIds.includes(lock.ownerInvocationId);
}

/**
 * The first instant, in epoch milliseconds, at which a forced release is permitted; null when the expiry
 * cannot be read. One millisecond later than the peer's: at exactly expiry + allowance a Run still counts as
 * live, so the lock must not be taken from it (wire-format §7 row 16).
 */
export function forceUnlockAllowedAt(leaseExpiresAt: string): number | null {
  const expiry = instantOf(leaseExpiresAt);
  return expiry === null ? null : expiry + DATETIME_ALLOWANCE_MS + 1;
}

export interface ActivityFacts {
  readonly status: RunStatus;
  readonly startedAt: string | null;
  readonly invocationIds: readonly string[];
  readonly lock: LockOwner | null;
  readonly hold: HoldState | null;
}
export interface RunActivity {
  /** The peer's word; null for a terminal Run (orchestration §6.1). */
  readonly activity: Activity | null;
  /** The owner's lease stands, whatever the Run status says: during a resume it may still read FAILED (W-06). */
  readonly live: boolean;
  /** `STOPPED` covers both for the peer (W-30): `stopping` while an owner lives, `stopped` when none does. */
  readonly stop: "stopping" | "stopped" | null;
}

/** True when the hold keeps a Run from being resumed: REQUESTED or ACCEPTED (wire-format §1.1). */
export function onHold(state: HoldState | null): boolean {
  return state === "REQUESTED" || state === "ACCEPTED";
}

function activityWord({ status, startedAt, hold }: ActivityFacts, live: boolean): Activity | null {
  if (isTerminalRunStatus(status)) return null;
  if (onHold(hold)) return "STOPPED";
  if (live) return "LIVE";
  return startedAt === null || startedAt === "" ? "IDLE" : "INTERRUPTED";
}

/** What a Run is doing now (orchestration §6.1), and what the peer's word leaves out. `now` in epoch milliseconds. */
export function runActivity(facts: ActivityFacts, now: number): RunActivity {
  const live = liveOwner(facts.lock, facts.invocationIds, now);
  const word = activityWord(facts, live);
  const ended = word === null ? null : "stopped";
  return { activity: word, live, stop: onHold(facts.hold) ? (live ? "stopping" : ended) : null };
}

/** A held lock as it is told (orchestration §9.2). */
export interface LockStatus {
  readonly recordId: string;
  readonly ownerInvocationId: string | null;
  /** Null when the record does not say. */
  readonly ownerInstanceId: string | null;
  readonly heartbeatAt: string;
  readonly leaseExpiresAt: string;
  readonly staleCandidate: boolean;
  /** Business counter; the token is never shown. */
  readonly revision: number;
}

/** What is told of a lock: everything but its token (orchestration §9.2). `now` in epoch milliseconds. */
export function lockStatusOf(lock: Stored<NetworkLock>, now: number): LockStatus {
  return {
    recordId: lock.ref.recordId,
    ownerInvocationId: lock.ownerInvocationId,
    ownerInstanceId: ownerInstanceIdOf(lock.statusReason) || null,
    heartbeatAt: lock.heartbeatAt,
    leaseExpiresAt: lock.leaseExpiresAt,
    staleCandidate: isStaleCandidate(lock.leaseExpiresAt, now),
    revision: lock.revision,
  };
}

/**
 * The active lock among lock records, as `status` tells it: no token (orchestration §6.1, §9.2).
 * `MULTIPLE_RECORDS` when more than one RUNNING record carries the key.
 */
export function lockStatus(
  locks: readonly Stored<NetworkLock>[],
  lockKey: string,
  now: number,
): Result<LockStatus | null> {
  const active = locks.filter((lock) => lock.status === "RUNNING" && lock.lockKey === lockKey);
  const [lock, ...others] = active;
  if (lock === undefined) return ok(null);
  if (others.length > 0) {
    return fail({
      code: "MULTIPLE_RECORDS",
      message: "More than one record holds this Network lock; which of them is real cannot be known.",
      place: lockKey,
      details: { recordIds: active.map((record) => record.ref.recordId) },
    });
  }
  return ok(lockStatusOf(lock, now));
}
