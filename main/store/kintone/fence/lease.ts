import { instantOf, truncateToMinute } from "../../../../shared/domain/datetime.ts";
import type { Clock } from "../../ports.ts";

/** A point in time by both clocks, in milliseconds. */
export interface Stamp {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** A lease counted from its stamp (fenced-writes R4). */
export interface Lease {
  readonly stamp: Stamp;
  readonly expiresAtMs: number;
}

/** Now, by both clocks. */
export const stampNow = (clock: Clock): Stamp => ({
  wallMs: clock.nowMs(),
  monotonicMs: clock.monotonicMs(),
});

/**
 * Milliseconds since the stamp: the larger of wall and monotonic time, so that neither a clock set back nor
 * a suspended host makes a lease look younger than it is (R4).
 */
export const elapsedSince = (stamp: Stamp, now: Stamp): number =>
  Math.max(now.wallMs - stamp.wallMs, now.monotonicMs - stamp.monotonicMs, 0);

/** Milliseconds of the lease that are left; never negative. */
export const leaseLeft = (lease: Lease, now: Stamp): number =>
  Math.max(0, lease.expiresAtMs - lease.stamp.wallMs - elapsedSince(lease.stamp, now));

/** The lease a request renews, if it is applied: stamped when its first copy leaves (R4). */
export const leaseFrom = (stamp: Stamp, leaseMs: number): Lease => ({
  stamp,
  expiresAtMs: stamp.wallMs + leaseMs,
});

/**
 * The lease after the lock was read: the value read back, if it is earlier (R4). kintone cuts seconds, so a
 * value of the same minute is the value that was sent.
 */
export function leaseReadBack(sent: Lease, leaseExpiresAt: string): Lease {
  const read = instantOf(leaseExpiresAt);
  const sentText = new Date(sent.expiresAtMs).toISOString();
  if (read === null || truncateToMinute(sentText) === truncateToMinute(leaseExpiresAt)) return sent;
  return read < sent.expiresAtMs ? { stamp: sent.stamp, expiresAtMs: read } : sent;
}
