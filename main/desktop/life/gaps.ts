/** How often the detector looks, in milliseconds. */
const TICK_MS = 5_000;
const LEAST_GAP_MS = 30_000;

/**
 * Whether the time between two ticks means that the machine was away (electron-desktop L7): more than three
 * intervals and more than 30 s. Milliseconds of a clock that goes on during sleep.
 */
export const isGap = (elapsedMs: number, intervalMs: number = TICK_MS): boolean =>
  elapsedMs > Math.max(3 * intervalMs, LEAST_GAP_MS);

export interface GapsDeps {
  /** Epoch milliseconds: monotonic clocks of some systems stand still in sleep, the wall clock does not. */
  readonly nowMs: () => number;
  /** Resolves after the time or, early and without an error, when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly woken: () => void;
}

/** Tells every gap until the signal aborts: modern standby, a paused machine, a debugger give no event. */
export async function watchGaps(deps: GapsDeps, signal: AbortSignal): Promise<void> {
  let before = deps.nowMs();
  while (!signal.aborted) {
    await deps.wait(TICK_MS, signal);
    const now = deps.nowMs();
    if (!signal.aborted && isGap(now - before)) deps.woken();
    before = now;
  }
}
