/** Wrong passphrases that cost nothing but the time they took. */
const FREE_TRIES = 3;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;

export interface GuessLimit {
  /** Milliseconds until the next try is looked at; 0: now. */
  waitMs(): number;
  failed(): void;
  passed(): void;
}

/** A growing wait after wrong passphrases, for all accounts together: guessing one of many is no way around it. */
export function createGuessLimit(nowMs: () => number): GuessLimit {
  let failures = 0;
  let until = 0;
  return {
    waitMs() {
      const now = nowMs();
      // A clock that was set back must not lock everybody out until it has caught up.
      until = Math.min(until, now + LONGEST_WAIT_MS);
      return Math.max(0, until - now);
    },
    failed() {
      failures += 1;
      const over = failures - FREE_TRIES;
      if (over >= 0) until = nowMs() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** over);
    },
    passed() {
      failures = 0;
      until = 0;
    },
  };
}
