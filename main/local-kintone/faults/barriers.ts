import { FlowError } from "../../../shared/domain/problem.ts";

/** A request that stands at a barrier. */
export interface BarrierArrival {
  readonly rule: string;
  readonly phase: string;
  readonly method: string;
  readonly path: string;
}
export type BarrierEnd = "released" | "timed_out" | "cleared";

export interface Barriers {
  /** Holds a request until it is released, its time is over, or the barrier is cleared. */
  hold(arrival: BarrierArrival, limitMs: number): Promise<BarrierEnd>;
  /** Lets every request go that stands there; throws FlowError `BARRIER_NOT_REACHED` when none does. */
  release(rule: string): number;
  /** Lets go of what stands at removed barriers, and of who waits for them. */
  clear(rules: readonly string[]): void;
  /**
   * Resolves with the arrivals of a barrier once there are `count`; rejects with FlowError `BARRIER_CLEARED` when it is
   * cleared before that, and with the signal's reason.
   */
  waitFor(rule: string, count: number, signal: AbortSignal): Promise<readonly BarrierArrival[]>;
}

export interface BarriersOptions {
  /** Resolves after some milliseconds, or at once when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Told of every arrival and of every end. */
  log(event: "reached" | BarrierEnd, arrival: BarrierArrival): void;
}

interface Place {
  readonly arrivals: BarrierArrival[];
  readonly held: Set<(end: BarrierEnd) => void>;
  readonly waiting: Set<() => void>;
  cleared: boolean;
}

const freshPlace = (): Place => ({ arrivals: [], held: new Set(), waiting: new Set(), cleared: false });

function notReached(rule: string): FlowError {
  return new FlowError({
    code: "BARRIER_NOT_REACHED",
    message: `No request stands at the barrier "${rule}".`,
    place: rule,
    remedy: "Wait for the barrier before releasing it.",
  });
}

function clearedEarly(rule: string): FlowError {
  return new FlowError({
    code: "BARRIER_CLEARED",
    message: `The barrier "${rule}" was cleared before it was reached.`,
    place: rule,
    remedy: "Keep the rule until the wait has ended.",
  });
}

/** Creates the places requests are held at, one per barrier rule. */
export function createBarriers({ pause, log }: BarriersOptions): Barriers {
  const places = new Map<string, Place>();
  function placeOf(rule: string): Place {
    const known = places.get(rule);
    if (known !== undefined) return known;
    const fresh = freshPlace();
    places.set(rule, fresh);
    return fresh;
  }
  const wake = (place: Place): void => {
    for (const look of [...place.waiting]) look();
  };

  async function hold(arrival: BarrierArrival, limitMs: number): Promise<BarrierEnd> {
    const place = placeOf(arrival.rule);
    const over = new AbortController();
    const { promise, resolve } = Promise.withResolvers<BarrierEnd>();
    place.held.add(resolve);
    place.arrivals.push(arrival);
    log("reached", arrival);
    wake(place);
    const limit = pause(limitMs, over.signal).then(() => resolve("timed_out"));
    const end = await promise;
    over.abort();
    await limit;
    place.held.delete(resolve);
    log(end, arrival);
    return end;
  }

  return {
    hold,
    release(rule) {
      const held = [...(places.get(rule)?.held ?? [])];
      if (held.length === 0) throw notReached(rule);
      for (const resolve of held) resolve("released");
      return held.length;
    },
    clear(rules) {
      for (const rule of rules) {
        const place = places.get(rule);
        if (place === undefined) continue;
        places.delete(rule);
        place.cleared = true;
        for (const resolve of [...place.held]) resolve("cleared");
        wake(place);
      }
    },
    waitFor(rule, count, signal) {
      const place = placeOf(rule);
      return new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          place.waiting.delete(look);
          signal.removeEventListener("abort", look);
          settle();
        };
        const look = (): void => {
          if (place.arrivals.length >= count) end(() => resolve([...place.arrivals]));
          else if (place.cleared) end(() => reject(clearedEarly(rule)));
          else if (signal.aborted) end(() => reject(signal.reason));
        };
        place.waiting.add(look);
        signal.addEventListener("abort", look, { once: true });
        look();
      });
    },
  };
}
