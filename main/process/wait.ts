import { setTimeout as delay } from "node:timers/promises";

/** Longest delay a timer takes; a longer one would fire at once. About 24.8 days. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Ends at once when `event` has settled, after `ms` milliseconds or on abort. True when the event came first. */
export async function settledWithin(
  event: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
    onAbort = () => resolve(false);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
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
    signal?.removeEventListener("abort", onAbort);
  }
}

/** A look at every process of the host costs milliseconds, so a wait that turns out to be long looks less often. */
const FIRST_LOOK_MS = 20;
const LAST_LOOK_MS = 250;

/** Looks at `holds` again and again until it is true, `ms` milliseconds have passed or on abort; its last answer. */
export async function becomesTrue(
  holds: () => boolean,
  ms: number,
  monotonicMs: () => number,
  signal?: AbortSignal,
): Promise<boolean> {
  const end = monotonicMs() + ms;
  for (let waitMs = FIRST_LOOK_MS; !holds(); waitMs = Math.min(waitMs * 1.5, LAST_LOOK_MS)) {
    const left = end - monotonicMs();
    if (left <= 0 || signal?.aborted === true) return false;
    await delay(Math.min(left, waitMs), undefined, signal === undefined ? {} : { signal }).catch(
      () => undefined,
    );
  }
  return true;
}
