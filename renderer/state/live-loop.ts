import type { ConsoleApi, LiveBatch } from "../../shared/api/index.ts";

export interface LiveLoopDeps {
  readonly api: ConsoleApi;
  /** This window, for what it reports to look at. */
  readonly viewerId?: string;
  readonly onBatch: (batch: LiveBatch) => void;
  readonly onLine: (line: "open" | "lost") => void;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 15_000;

/** Milliseconds before the nth attempt to reach main again, spread so that windows do not return together. */
export function reconnectPauseMs(failures: number, random: number): number {
  const base = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(base * (0.8 + 0.4 * random));
}

/** Follows the live stream until the signal aborts, coming back whenever the line breaks. */
export async function followLive(deps: LiveLoopDeps, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const batches = await deps.api.live.watch(
        deps.viewerId === undefined ? {} : { viewerId: deps.viewerId },
        { signal },
      );
      for await (const batch of batches) {
        failures = 0;
        deps.onLine("open");
        deps.onBatch(batch);
      }
    } catch {
      // Whatever ended the stream, the answer is the same: say so and come back.
    }
    if (signal.aborted) return;
    failures += 1;
    deps.onLine("lost");
    await deps.wait(reconnectPauseMs(failures, deps.random()), signal);
  }
}
