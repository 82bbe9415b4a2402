import { setTimeout as delay } from "node:timers/promises";

/** Longest delay a timer takes; a longer one would fire at once. About 24.8 days. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Ends at once when `event` has settled, or after `ms` milliseconds. True when the event came first. */
export async function settledWithin(event: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
  });
  try {
    return await Promise.race([
      event.then(
        () => true,
        () => true,
      ),
      limit,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

const LOOK_AGAIN_MS = 25;

/** Looks at `holds` again and again until it is true or `ms` milliseconds have passed; its last answer. */
export async function becomesTrue(
  holds: () => boolean,
  ms: number,
  monotonicMs: () => number,
): Promise<boolean> {
  const end = monotonicMs() + ms;
  while (!holds()) {
    const left = end - monotonicMs();
    if (left <= 0) return false;
    await delay(Math.min(left, LOOK_AGAIN_MS));
  }
  return true;
}
