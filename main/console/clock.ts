import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { testClockOffsetMs } from "../../shared/contract/index.ts";
import type { Clock, Ids } from "../store/index.ts";

/** The clock of this machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

export const systemIds: Ids = { uuid: () => randomUUID() };

/**
 * The clock for work on `baseUrl`. Tests with real processes shift it with `FLOWNET_TEST_CLOCK_OFFSET_MS`; a
 * kintone that is not on this machine never sees a shifted time (decisions section 4).
 */
export function clockFor(baseUrl: string, env: Readonly<Record<string, string | undefined>>): Clock {
  const offset = testClockOffsetMs(baseUrl, env.FLOWNET_TEST_CLOCK_OFFSET_MS);
  if (offset === 0) return systemClock;
  return { ...systemClock, nowMs: () => Date.now() + offset };
}

/** Waits; resolves early, without error, when the signal aborts: whoever waits looks at the signal. Milliseconds. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  await delay(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
}
