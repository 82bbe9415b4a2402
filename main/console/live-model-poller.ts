import type { Clock } from "../store/index.ts";

export interface PollerDeps {
  readonly clock: Clock;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Reads the whole picture; never throws. */
  readonly readAll: (signal: AbortSignal) => Promise<void>;
  /** Reads one Run; false when that failed and the whole picture should be read instead. Never throws. */
  readonly readOne: (runId: string, signal: AbortSignal) => Promise<boolean>;
  /** Milliseconds between the last whole reading and the next, as things stand now. */
  readonly delayMs: () => number;
}

export interface Poller {
  /** Reads one Run as soon as the reading at hand is done. */
  touch(runId: string): void;
  /** Thinks again about when the next reading is due; `now` makes it due at once. */
  wake(now?: boolean): void;
  dispose(): Promise<void>;
}

/** The loop looks at the clock at least this often: a machine that slept shows it by the wall clock alone. Milliseconds. */
const LOOK_EVERY_MS = 30_000;

/** One loop, one reading at a time: whole pictures when they are due, single Runs when something happened to them. */
export function createPoller(deps: PollerDeps): Poller {
  const lifetime = new AbortController();
  const touched = new Set<string>();
  let alarm = new AbortController();
  let due = true;
  let readMs = 0;
  let readWallMs = 0;
  /** By whichever clock is further: the monotonic one may stand still while the machine sleeps (operator-ux U7). */
  const leftMs = (): number => {
    const since = Math.max(deps.clock.monotonicMs() - readMs, deps.clock.nowMs() - readWallMs);
    return Math.max(0, deps.delayMs() - since);
  };

  const readTouched = async (): Promise<void> => {
    const runIds = [...touched];
    touched.clear();
    for (const runId of runIds) {
      if (!(await deps.readOne(runId, lifetime.signal))) due = true;
    }
  };
  const readPicture = async (): Promise<void> => {
    due = false;
    await deps.readAll(lifetime.signal);
    readMs = deps.clock.monotonicMs();
    readWallMs = deps.clock.nowMs();
  };
  const loop = async (): Promise<void> => {
    while (!lifetime.signal.aborted) {
      alarm = new AbortController();
      await readTouched();
      if (due || leftMs() === 0) await readPicture();
      const pauseMs = Math.min(LOOK_EVERY_MS, leftMs());
      await deps.wait(pauseMs, AbortSignal.any([alarm.signal, lifetime.signal]));
    }
  };
  const running = loop();
  return {
    touch(runId) {
      touched.add(runId);
      alarm.abort();
    },
    wake(now = false) {
      due ||= now;
      alarm.abort();
    },
    async dispose() {
      lifetime.abort();
      await running;
    },
  };
}
