import type { JobCheckpoint } from "../../../shared/records/index.ts";
import type { LockSession } from "./lock-session.ts";

/** Milliseconds between signs of life; the stale age of a lock is counted in minutes and hours (W4). */
export const HEARTBEAT_MS = 60_000;

/**
 * Beats on a timer while the statements run (execution-contract §13 W4), never two at once. `onLost` is told
 * once when the lock turns out to be somebody else's. `dispose` waits for the beat in flight.
 */
export function startHeartbeat(
  session: LockSession,
  checkpoint: () => JobCheckpoint,
  onLost: () => void,
  intervalMs: number = HEARTBEAT_MS,
): { dispose(): Promise<void> } {
  let inFlight: Promise<void> | null = null;
  const timer = setInterval(() => {
    if (inFlight !== null) return;
    inFlight = session
      .beat(checkpoint())
      .then((held) => {
        if (held) return;
        clearInterval(timer);
        onLost();
      })
      // A sign of life that fails costs nothing but the sign (execution-contract §6.2).
      .catch(() => undefined)
      .finally(() => {
        inFlight = null;
      });
  }, intervalMs);
  timer.unref();
  return {
    async dispose() {
      clearInterval(timer);
      await inFlight;
    },
  };
}
