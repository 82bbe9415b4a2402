import type { ClockDifference } from "../../shared/api/index.ts";
import { type ClockSample, judgeSkew, skewOf } from "../../shared/domain/clock-skew.ts";

/** An answer slower than this says too little of the time to be kept. Milliseconds. */
const SLOWEST_MS = 10_000;

export interface ServerClock {
  heard(sample: ClockSample): void;
  /** As the last answer showed it; null before the first. */
  current(): ClockDifference | null;
}

/** How far this host's clock stands from the kintone's, out of the answers that come anyway (electron-desktop L13). */
export function createServerClock(): ServerClock {
  let last: ClockDifference | null = null;
  return {
    heard(sample) {
      if (sample.receivedMs - sample.sentMs > SLOWEST_MS) return;
      const skew = skewOf(sample);
      last = { ...skew, verdict: judgeSkew(skew), measuredAt: new Date(sample.receivedMs).toISOString() };
    },
    current: () => last,
  };
}

/** Whether there is something to tell: another verdict, or, while it is not well, another second. */
export function clockNews(told: ClockDifference | null, now: ClockDifference | null): boolean {
  if (now === null || told === null) return now !== told;
  const seconds = (each: ClockDifference): number => Math.round(each.skewMs / 1_000);
  return told.verdict !== now.verdict || (now.verdict !== "fine" && seconds(told) !== seconds(now));
}
