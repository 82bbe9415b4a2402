/**
 * What the parent adds to the runner's own limit (orchestration W-25): the runner notices its limit between
 * statements only, and then still closes its JOB log, which may take several retried requests. A parent that
 * fires first would turn EXECUTION_TIMEOUT into a stop of unknown outcome.
 */
export const LIMIT_MARGIN_MS = 120_000;

/** Longest delay one timer takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** When the parent stops an attempt, counted from the spawn, in milliseconds; null = never. */
export function attemptLimitMs(batchTimeoutSec: number | null, marginMs: number): number | null {
  return batchTimeoutSec === null ? null : batchTimeoutSec * 1000 + marginMs;
}

/** Calls `onLimit` once after `limitMs`, however long that is. Returns what takes it back. */
export function startLimit(limitMs: number | null, onLimit: () => void): () => void {
  if (limitMs === null) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const arm = (leftMs: number): void => {
    const slice = Math.min(leftMs, LONGEST_TIMER_MS);
    timer = setTimeout(() => (leftMs > slice ? arm(leftMs - slice) : onLimit()), slice);
  };
  arm(limitMs);
  return () => clearTimeout(timer);
}
