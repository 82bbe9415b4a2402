import type { LiveBatch } from "../../shared/api/index.ts";
import type { Clock } from "../store/index.ts";
import { createLiveQueue, type LiveQueue } from "./live-model-queue.ts";

/** Shortest time between two batches to one reader: at most four renders a second (operator-ux §3.2). */
export const BATCH_GAP_MS = 250;

interface Reader {
  readonly queue: LiveQueue;
  wake: () => void;
}

export interface LiveHub {
  watchers(): number;
  push(write: (queue: LiveQueue) => void): void;
  watch(
    signal: AbortSignal,
    writable: () => Promise<void>,
    opened: (queue: LiveQueue) => void,
  ): AsyncGenerator<LiveBatch, void, void>;
}

/** Hands every change to every reader's own bounded queue; a reader takes when it is ready, never sooner. */
export function createLiveHub(deps: {
  readonly clock: Clock;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}): LiveHub {
  const readers = new Set<Reader>();
  const { clock } = deps;

  async function* watch(
    signal: AbortSignal,
    writable: () => Promise<void>,
    opened: (queue: LiveQueue) => void,
  ): AsyncGenerator<LiveBatch, void, void> {
    const reader: Reader = { queue: createLiveQueue(), wake: () => undefined };
    const onAbort = (): void => reader.wake();
    signal.addEventListener("abort", onAbort);
    readers.add(reader);
    opened(reader.queue);
    let lastMs = Number.NEGATIVE_INFINITY;
    try {
      while (!signal.aborted) {
        if (reader.queue.empty()) {
          const news = Promise.withResolvers<void>();
          reader.wake = news.resolve;
          await news.promise;
          continue;
        }
        const early = lastMs + BATCH_GAP_MS - clock.monotonicMs();
        if (early > 0) await deps.wait(early, signal);
        await writable();
        if (signal.aborted) return;
        lastMs = clock.monotonicMs();
        yield reader.queue.take();
      }
    } finally {
      readers.delete(reader);
      signal.removeEventListener("abort", onAbort);
    }
  }

  return {
    watchers: () => readers.size,
    push(write) {
      for (const reader of readers) {
        write(reader.queue);
        reader.wake();
      }
    },
    watch,
  };
}
