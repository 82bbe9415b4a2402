import { statSync } from "node:fs";
import { OUTPUT_LIMIT, type OutputLimit, shortenOutput } from "./output-limit.ts";

/** Between two looks at a file that grows as fast as a disk can write, and at one that does not grow. */
const SHORTEST_MS = 100;
const LONGEST_MS = 10_000;
const FIRST_MS = 500;

export interface OutputWatch {
  /** Looks once more and stops looking. Never rejects. */
  finish(): Promise<void>;
  /** Stops at once; the files stay as they are. */
  cancel(): void;
}

/**
 * Keeps the output files of a running child within their limit. How soon it looks again follows from how fast a file
 * grew: a silent child costs one look in ten seconds, and nothing while no child runs. A file that cannot be shortened
 * now is tried again at the next look; the child never notices any of it.
 */
export function watchOutputs(
  paths: readonly string[],
  monotonicMs: () => number,
  limit: OutputLimit = OUTPUT_LIMIT,
): OutputWatch {
  const sizes = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();
  let waitMs = FIRST_MS;
  let lookedAt = monotonicMs();
  let stopped = false;

  const look = async (): Promise<void> => {
    const elapsed = Math.max(1, monotonicMs() - lookedAt);
    lookedAt = monotonicMs();
    let next = Math.min(waitMs * 2, LONGEST_MS);
    for (const path of paths) {
      const size = await sizeAfterShortening(path, limit);
      const grown = size - (sizes.get(path) ?? 0);
      sizes.set(path, size);
      if (grown > 0) next = Math.min(next, ((limit.maxBytes - size) * elapsed) / grown / 2);
    }
    waitMs = Math.max(SHORTEST_MS, next);
  };
  const arm = (): void => {
    timer = setTimeout(() => {
      looking = look().then(() => {
        if (!stopped) arm();
      });
    }, waitMs);
    timer.unref();
  };
  arm();

  const cancel = (): void => {
    stopped = true;
    if (timer !== null) clearTimeout(timer);
  };
  return {
    finish: async () => {
      cancel();
      await looking;
      await look();
    },
    cancel,
  };
}

async function sizeAfterShortening(path: string, limit: OutputLimit): Promise<number> {
  try {
    const size = sizeOf(path);
    if (size <= limit.maxBytes || !(await shortenOutput(path, limit))) return size;
    return sizeOf(path);
  } catch {
    // Moved away, removed, or held by somebody for a moment: there is nothing to keep short here now.
    return 0;
  }
}

/** Asked at once: through the thread pool it would cost twenty times as much, for as long as a child runs. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
