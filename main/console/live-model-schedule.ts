import { slowdown } from "./request-budget.ts";

/** What the next reading of a source depends on. */
export interface ScheduleFacts {
  /** The embedded workspace has no request budget; a kintone has 10,000 a day and app (operator-ux U2). */
  readonly embedded: boolean;
  /** A Run executed by this console is unfinished. */
  readonly ownLive: boolean;
  /** Somebody looks, on a page that is visible, at what this source tells. */
  readonly looked: boolean;
  /** What is looked at is one Run that is judged LIVE. */
  readonly liveRun: boolean;
  /** Share of the day's requests of the source's app that is used, from 0. */
  readonly used: number;
  /** Consecutive failed readings. */
  readonly failures: number;
}

const SECOND = 1000;
const BACKOFF_FIRST_MS = 5 * SECOND;
const BACKOFF_LAST_MS = 60 * SECOND;
/** After the machine slept, consoles come back within this time, not all at once (operator-ux U7). */
export const RESUME_SPREAD_MS = 5 * SECOND;

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

/** The interval while all goes well; what a page measures staleness by. It grows as the day's requests are used up. */
export function plannedIntervalMs(facts: ScheduleFacts): number {
  if (facts.embedded) return facts.ownLive ? 2 * SECOND : facts.looked ? 15 * SECOND : 300 * SECOND;
  return wantedMs(facts) * slowdown(facts.used);
}

function wantedMs({ looked, liveRun, ownLive }: ScheduleFacts): number {
  if (looked) return liveRun ? 15 * SECOND : 60 * SECOND;
  return ownLive ? 60 * SECOND : 300 * SECOND;
}

/** Whether more than three intervals passed without a reading: the machine slept, changes may be lost (operator-ux U7). */
export function isGap(sinceReadMs: number, intervalMs: number): boolean {
  return sinceReadMs > 3 * intervalMs;
}
