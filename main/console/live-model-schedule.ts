/** What the next reading depends on. */
export interface ScheduleFacts {
  /** The embedded workspace has no request budget; a kintone has 10,000 a day and app (operator-ux U2). */
  readonly embedded: boolean;
  /** A Run executed by this console is unfinished. */
  readonly ownLive: boolean;
  /** Some Run in the picture is judged LIVE. */
  readonly anyLive: boolean;
  /** Pages that look. */
  readonly watchers: number;
  /** Consecutive failed readings. */
  readonly failures: number;
}

const SECOND = 1000;
export const BACKOFF_FIRST_MS = 5 * SECOND;
export const BACKOFF_LAST_MS = 60 * SECOND;

/**
 * Milliseconds until the next reading (operator-ux U2, U7): after a failure 5 s doubling to 60 s, spread by up to a
 * fifth either way so that consoles do not return together. `random` in [0, 1).
 */
export function nextDelayMs(facts: ScheduleFacts, random: number): number {
  if (facts.failures > 0) {
    const base = Math.min(BACKOFF_LAST_MS, BACKOFF_FIRST_MS * 2 ** (facts.failures - 1));
    return Math.round(base * (0.8 + 0.4 * random));
  }
  return plannedIntervalMs(facts);
}

/** The interval while all goes well; what a page measures staleness by. */
export function plannedIntervalMs(facts: ScheduleFacts): number {
  if (facts.ownLive && facts.embedded) return 2 * SECOND;
  if (facts.watchers === 0) return facts.ownLive ? 60 * SECOND : 300 * SECOND;
  if (facts.embedded || facts.anyLive || facts.ownLive) return 15 * SECOND;
  return 60 * SECOND;
}
