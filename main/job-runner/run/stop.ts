import { setTimeout as delay } from "node:timers/promises";

export type StopReason = "cancel" | "timeout" | "lock-lost";

/** Unwinds the statements when the run has to end; which verdict it becomes is decided by its reason. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`stopped: ${reason}`);
    this.reason = reason;
  }
}

/** Longest delay a timer can hold, in milliseconds. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Why and when a run has to end (execution-contract §9, job-dialect §8). A cancel lets the request in flight
 * finish; a timeout gives it up. Asked between pages, chunks and statements.
 */
export interface StopControl {
  requestCancel(): void;
  cancelRequested(): boolean;
  loseLock(): void;
  /** Starts the run's time limit; milliseconds. */
  startDeadline(ms: number): void;
  /** Fires when the time limit passes. */
  readonly timeoutSignal: AbortSignal;
  /** Throws {@link Stopped} when the run has to end; cancel before timeout (execution-contract §6.3). */
  check(): void;
  /** Waits `ms`, or less when the run has to end. */
  sleep(ms: number): Promise<void>;
  dispose(): void;
}

/** Nothing runs until `startDeadline`; `dispose` stops its timer. */
export function createStopControl(): StopControl {
  const cancel = new AbortController();
  const timeout = new AbortController();
  const lost = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const any = AbortSignal.any([cancel.signal, timeout.signal, lost.signal]);
  return {
    requestCancel: () => cancel.abort(),
    cancelRequested: () => cancel.signal.aborted,
    loseLock: () => lost.abort(),
    startDeadline(ms) {
      timer = setTimeout(() => timeout.abort(), Math.min(ms, MAX_TIMER_MS));
    },
    timeoutSignal: timeout.signal,
    check() {
      if (cancel.signal.aborted) throw new Stopped("cancel");
      if (lost.signal.aborted) throw new Stopped("lock-lost");
      if (timeout.signal.aborted) throw new Stopped("timeout");
    },
    async sleep(ms) {
      await delay(ms, undefined, { signal: any }).catch(() => undefined);
    },
    dispose: () => clearTimeout(timer),
  };
}
