import { type AttentionItem, attentionItem } from "./attention.ts";
import { countFact, minuteFact, textFact } from "./attention-fact.ts";
import { instantOf } from "./datetime.ts";
import { DATETIME_ALLOWANCE_MS, isStaleCandidate } from "./lease.ts";
import type { NetworkLock, Stored } from "./model.ts";
import { ownerInstanceIdOf } from "./owner-instance.ts";

/** A held lock with what is known of whose it is. */
export interface LockPicture {
  readonly lock: Stored<NetworkLock>;
  /** Null when the lock key is that of no network known here. */
  readonly networkId: string | null;
  /** The Run its owner works on; null when that is not known. */
  readonly runId: string | null;
  readonly businessKey: string | null;
}

/** End of the lease with the minute that the record's precision may have cut; ISO, null when unreadable (orchestration §3.3). */
export function marginEnd(leaseExpiresAt: string): string | null {
  const expiry = instantOf(leaseExpiresAt);
  return expiry === null ? null : new Date(expiry + DATETIME_ALLOWANCE_MS).toISOString();
}

/**
 * The item of a lock whose lease ended more than the allowance ago, or null (wire-format §4.5). It is a candidate:
 * nothing here says that its owner stopped. `now` in epoch milliseconds.
 */
export function lockAttention(picture: LockPicture, now: number): AttentionItem | null {
  const { lock, networkId, runId, businessKey } = picture;
  if (!isStaleCandidate(lock.leaseExpiresAt, now)) return null;
  const end = marginEnd(lock.leaseExpiresAt);
  return attentionItem("staleLock", {
    id: `staleLock:${lock.ref.recordId}`,
    networkId,
    runId,
    businessKey,
    lockRecordId: lock.ref.recordId,
    since: end === null ? null : { at: end, precision: "minute" },
    facts: [
      textFact("ownerInvocation", lock.ownerInvocationId),
      textFact("ownerInstance", ownerInstanceIdOf(lock.statusReason) || null),
      minuteFact("heartbeat", lock.heartbeatAt),
      minuteFact("leaseEnd", lock.leaseExpiresAt),
      minuteFact("marginEnd", end),
      countFact("revision", lock.ref.revision),
    ],
  });
}
