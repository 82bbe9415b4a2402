import type { ClockDifference, Freshness, LiveBatch, Source } from "../../shared/api/index.ts";
import { createLiveHub, type LiveHub } from "./live-model-hub.ts";
import { createKeeping } from "./live-model-keep.ts";
import { createLocalNews } from "./live-model-local.ts";
import { createLooks, type Looks } from "./live-model-looks.ts";
import { createPicture, type Picture } from "./live-model-picture.ts";
import { createPoller } from "./live-model-poller.ts";
import type { LiveModel, LiveModelDeps } from "./live-model-ports.ts";
import type { LiveQueue } from "./live-model-queue.ts";
import { createReadings } from "./live-model-readings.ts";
import { RESUME_SPREAD_MS } from "./live-model-schedule.ts";
import { createProbedSources } from "./live-model-sources.ts";
import { clockNews } from "./server-clock.ts";

/** One poller for all who look (operator-ux U1, U2), merged with what this host's own scheduler tells. */
export function createLiveModel(deps: LiveModelDeps): LiveModel {
  const lifetime = new AbortController();
  const hub = createLiveHub(deps);
  const picture = createPicture({
    changed: (diff) => hub.push((queue) => queue.run(diff)),
    gone: () => hub.push((queue) => queue.resync()),
  });
  const own = new Set<string>();
  const demand = createDemand(deps, hub, picture);
  const clock = createClockTeller(hub, deps);
  const keeping = createKeeping(deps, picture);
  const push = (freshness: Freshness): void => hub.push((queue) => queue.freshness(freshness));
  const readings = createReadings(deps, {
    picture,
    hub,
    own,
    demand: () => ({ looked: demand.looked("state"), liveRun: demand.liveRun(), used: demand.used("state") }),
    wasRead(readAt) {
      push(ownChildren(readings.freshness()));
      tellBudget(hub, deps);
      clock.tell();
      keeping.wasRead(readAt);
    },
  });
  const poller = createPoller({ ...deps, ...readings });
  const probed = createProbedSources(deps, {
    looked: demand.looked,
    used: demand.used,
    changed: push,
  });
  const localEvent = createLocalNews({ picture, poller, hub, own, clock: deps.clock });
  const freshness = (): readonly Freshness[] => {
    const state = readings.freshness();
    return [state, ...probed.freshness(), ownChildren(state)];
  };
  // What is looked at decides the intervals, and the intervals what a page calls stale.
  const rethink = (): void => {
    for (const each of freshness()) push(each);
    poller.wake();
    probed.wake();
  };
  const background = loadKept(keeping.load, readings.show);
  return {
    async rows(signal) {
      await orAborted(readings.first, signal);
      return { rows: picture.rows(), readAt: readings.readAt({ fresh: false }) };
    },
    async refresh(signal) {
      const next = readings.next();
      readings.wantWhole();
      poller.wake(true);
      probed.wake(true);
      await orAborted(next, signal);
      return readings.readAt({ fresh: true });
    },
    row: picture.row,
    known: picture.rows,
    watch(signal, writable, viewerId) {
      const batches = hub.watch(AbortSignal.any([signal, lifetime.signal]), writable, (queue) => {
        queue.resync();
        for (const each of freshness()) queue.freshness(each);
        for (const share of deps.budget()) queue.budget(share);
        clock.tellNew(queue);
        poller.wake();
      });
      return viewerId === undefined ? batches : leaving(batches, () => demand.leave(viewerId));
    },
    look(look) {
      if (demand.looks.set(look)) rethink();
    },
    freshness,
    freshnessOf: (source) => freshness().find((each) => each.source === source) ?? null,
    localEvent(event) {
      localEvent(event);
      push(readings.freshness());
    },
    operation: (operation) => hub.push((queue) => queue.operation(operation)),
    readSource: (source) => probed.readNow(source),
    touch: (runId) => poller.touch(runId),
    resumed() {
      const spreadMs = Math.round(deps.random() * RESUME_SPREAD_MS);
      void deps.wait(spreadMs, lifetime.signal).then(() => {
        readings.wantWhole();
        poller.wake(true);
        probed.wake(true);
      });
    },
    mode: (mode) => hub.push((queue) => queue.mode(mode)),
    approvals: () => hub.push((queue) => queue.approvals()),
    settings(news) {
      hub.push((queue) => queue.settings(news));
      tellBudget(hub, deps);
      rethink();
    },
    async dispose() {
      lifetime.abort();
      await Promise.all([poller.dispose(), probed.dispose(), background]);
      await keeping.dispose();
    },
  };
}

/** The children this console started tell of themselves at once; they are as known as main itself is. */
function ownChildren(state: Freshness): Freshness {
  return { ...state, source: "processes", problem: null };
}

function tellBudget(hub: LiveHub, deps: LiveModelDeps): void {
  hub.push((queue) => {
    for (const share of deps.budget()) queue.budget(share);
  });
}

/** Tells of the clocks when their difference means something else than before. */
function createClockTeller(hub: LiveHub, { serverClock }: LiveModelDeps) {
  let told: ClockDifference | null = null;
  return {
    tell(): void {
      const now = serverClock();
      if (now === null || !clockNews(told, now)) return;
      told = now;
      hub.push((queue) => queue.clock(now));
    },
    tellNew(queue: LiveQueue): void {
      const now = serverClock();
      if (now !== null) queue.clock(now);
    },
  };
}

/** Who looks at what. A reader that never said what it shows counts as one that shows everything. */
function createDemand(deps: LiveModelDeps, hub: LiveHub, picture: Picture) {
  const looks: Looks = createLooks();
  const named = new Set<string>();
  const looked = (source: Source): boolean => looks.looked(source, hub.watchers() > named.size);
  return {
    looks: {
      set(look: Parameters<Looks["set"]>[0]) {
        named.add(look.viewerId);
        return looks.set(look);
      },
    },
    leave(viewerId: string): void {
      named.delete(viewerId);
      looks.drop(viewerId);
    },
    looked,
    liveRun: () => looks.openRuns().some((runId) => picture.isLive(runId)),
    used(source: Source): number {
      const share = deps.budget().find((each) => each.source === source);
      return share === undefined ? 0 : share.used / share.limit;
    },
  };
}

/** The same batches; `left` is called when nobody takes them any more, whatever ended it. */
async function* leaving(
  batches: AsyncGenerator<LiveBatch, void, void>,
  left: () => void,
): AsyncGenerator<LiveBatch, void, void> {
  try {
    yield* batches;
  } finally {
    left();
  }
}

/** A kept picture that cannot be read is none: the reading that follows makes it anew. */
async function loadKept(
  load: ReturnType<typeof createKeeping>["load"],
  show: ReturnType<typeof createReadings>["show"],
): Promise<void> {
  const kept = await load();
  if (kept !== null) show(kept);
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
