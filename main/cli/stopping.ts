import type { Problem } from "../../shared/domain/problem.ts";

/** What a command says of its stop. Both are asked for at the moment, because what is held changes. */
export interface StopWords {
  /** Printed at the first request; one line, no line feed. */
  readonly stopping: () => string;
  /** Printed when a later request ends the process at once: what stays, and what to do about it. */
  readonly abandoned: () => Abandonment;
}

export interface Abandonment {
  readonly problem: Problem;
  /** What stdout is owed, or null. */
  readonly out: string | null;
}

/** A second request this early is the same keystroke: npm passes a Ctrl+C on that its child received already. */
export const SAME_REQUEST_MS = 2_000;

export const LATER_REQUEST = `a second request within ${SAME_REQUEST_MS / 1000} s is ignored, a later one ends this process at once`;

/** What every command says that registered no words of its own. */
const PLAIN: Abandonment = {
  problem: {
    code: "ABANDONED",
    message: "Ended at once by a second request to stop; what was under way was not finished.",
    place: "this process",
    remedy: "Start the command again; only run-network and start write to kintone.",
  },
  out: null,
};

export interface Stopping {
  readonly signal: AbortSignal;
  /** The words of the command that runs now. */
  use(words: StopWords): void;
  /** A Ctrl+C or a termination request. */
  request(): void;
}

/**
 * Obeys requests to stop: the first one in order, one that comes at least {@link SAME_REQUEST_MS} later at once.
 * `end` prints and ends the process with exit code 1.
 */
export function createStopping(deps: {
  readonly monotonicMs: () => number;
  readonly err: (text: string) => void;
  readonly end: (abandonment: Abandonment) => void;
}): Stopping {
  const stop = new AbortController();
  let words: StopWords | null = null;
  let firstMs: number | null = null;
  return {
    signal: stop.signal,
    use(next) {
      words = next;
    },
    request() {
      const nowMs = deps.monotonicMs();
      if (firstMs === null) {
        firstMs = nowMs;
        if (words !== null) deps.err(`${words.stopping()}\n`);
        stop.abort();
        return;
      }
      if (nowMs - firstMs >= SAME_REQUEST_MS) deps.end(words?.abandoned() ?? PLAIN);
    },
  };
}
