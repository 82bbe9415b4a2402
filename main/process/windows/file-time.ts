/** Milliseconds between 1601, where Windows counts from, and 1970. */
const EPOCH_OFFSET_MS = 11_644_473_600_000n;
const TICKS_PER_MS = 10_000n;

/** A FILETIME (100 ns since 1601, UTC) as ISO-8601 UTC with milliseconds; null for the empty time. */
export function fileTimeToIso(ticks: bigint): string | null {
  if (ticks <= 0n) return null;
  return new Date(Number(ticks / TICKS_PER_MS - EPOCH_OFFSET_MS)).toISOString();
}
