import type { Freshness } from "./live.ts";

export type SourceStaleness = "fresh" | "reading" | "stale";

/** Allowed beyond twice the interval, for the reading itself to take its time; milliseconds. */
const READING_TIME_MS = 5_000;

/**
 * Whether a source's picture may be acted upon (operator-ux §1.1): older than twice its interval it may not, and one
 * kept from before the start never. `now` in epoch milliseconds. The same rule dims a page and closes main's gate.
 */
export function sourceStaleness(freshness: Freshness | null, now: number): SourceStaleness {
  if (freshness?.readAt == null) return freshness?.problem ? "stale" : "reading";
  if (freshness.origin === "kept") return "stale";
  const age = now - Date.parse(freshness.readAt);
  return age > 2 * freshness.intervalMs + READING_TIME_MS ? "stale" : "fresh";
}
