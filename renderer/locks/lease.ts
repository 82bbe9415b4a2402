import { instantOf } from "../../shared/domain/datetime.ts";
import { DATETIME_ALLOWANCE_MS, isStaleCandidate } from "../../shared/domain/lease.ts";

export type LeasePhase = "standing" | "margin" | "over";

export interface LeaseCountdown {
  readonly phase: LeasePhase;
  /** To the end of the phase, or since the end of the margin; whole seconds. */
  readonly seconds: number;
}

/**
 * Where a lease stands (wire-format §4.5): it stands until its end, then within the minute that the record's precision
 * may have cut, then it is over and its lock a candidate. Null when its end cannot be read. `now` in epoch milliseconds.
 */
export function leaseCountdown(leaseExpiresAt: string, now: number): LeaseCountdown | null {
  const end = instantOf(leaseExpiresAt);
  if (end === null) return null;
  const seconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));
  if (now <= end) return { phase: "standing", seconds: seconds(end - now) };
  const margin = end + DATETIME_ALLOWANCE_MS;
  if (!isStaleCandidate(leaseExpiresAt, now)) return { phase: "margin", seconds: seconds(margin - now) };
  return { phase: "over", seconds: Math.floor((now - margin) / 1000) };
}
