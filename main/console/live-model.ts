import { createLiveHub } from "./live-model-hub.ts";
import { createLocalNews } from "./live-model-local.ts";
import { createPicture } from "./live-model-picture.ts";
import { createPoller } from "./live-model-poller.ts";
import type { LiveModel, LiveModelDeps } from "./live-model-ports.ts";
import { createReadings } from "./live-model-readings.ts";

/** One poller for all who look (operator-ux U1, U2), merged with what this host's own scheduler tells. */
export function createLiveModel(deps: LiveModelDeps): LiveModel {
  const lifetime = new AbortController();
  const hub = createLiveHub(deps);
  const picture = createPicture({
    changed: (diff) => hub.push((queue) => queue.run(diff)),
    gone: () => hub.push((queue) => queue.resync()),
  });
  const own = new Set<string>();
  const readings = createReadings(deps, { picture, hub, own });
  const poller = createPoller({ ...deps, ...readings });
  const localEvent = createLocalNews({ picture, poller, hub, own, clock: deps.clock });
  return {
    async rows(signal) {
      await orAborted(readings.first, signal);
      return { rows: picture.rows(), readAt: readings.readAt({ fresh: false }) };
    },
    async refresh(signal) {
      const next = readings.next();
      poller.wake(true);
      await orAborted(next, signal);
      return readings.readAt({ fresh: true });
    },
    row: picture.row,
    watch(signal, writable) {
      return hub.watch(AbortSignal.any([signal, lifetime.signal]), writable, (queue) => {
        queue.resync();
        queue.freshness(readings.freshness());
        poller.wake();
      });
    },
    localEvent(event) {
      localEvent(event);
      // What is ours decides the interval, and the interval what a page calls stale.
      hub.push((queue) => queue.freshness(readings.freshness()));
    },
    operation: (operation) => hub.push((queue) => queue.operation(operation)),
    async dispose() {
      lifetime.abort();
      await poller.dispose();
    },
  };
}

/** Waits for a promise or for the signal, whichever is first; throws the signal's reason. */
async function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
