import type { Clock } from "../../store/index.ts";

export interface LatestDeps {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Shortest time between two values to one reader, milliseconds. */
  readonly gapMs: number;
}

export interface Latest<T> {
  get(): T;
  set(value: T): void;
  /** The value as it stands and every later one, the newest only, until the signal aborts. */
  watch(signal: AbortSignal, writable: () => Promise<void>): AsyncGenerator<T, void, void>;
}

/** One value that changes, told to everybody who looks: a slow reader misses steps, never the last one. */
export function createLatest<T>(first: T, deps: LatestDeps): Latest<T> {
  let current = first;
  let turn = 0;
  const wakers = new Set<() => void>();

  async function* watch(signal: AbortSignal, writable: () => Promise<void>) {
    let told = -1;
    let lastMs = Number.NEGATIVE_INFINITY;
    let wake = (): void => undefined;
    const ring = (): void => wake();
    wakers.add(ring);
    signal.addEventListener("abort", ring);
    try {
      while (!signal.aborted) {
        if (told === turn) {
          const news = Promise.withResolvers<void>();
          wake = news.resolve;
          await news.promise;
          continue;
        }
        const early = lastMs + deps.gapMs - deps.clock.monotonicMs();
        if (early > 0) await deps.wait(early, signal);
        await writable();
        if (signal.aborted) return;
        lastMs = deps.clock.monotonicMs();
        told = turn;
        yield current;
      }
    } finally {
      wakers.delete(ring);
      signal.removeEventListener("abort", ring);
    }
  }

  return {
    get: () => current,
    set(value) {
      current = value;
      turn += 1;
      for (const ring of wakers) ring();
    },
    watch,
  };
}
