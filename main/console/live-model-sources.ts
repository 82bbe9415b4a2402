import type { Freshness, Source } from "../../shared/api/index.ts";
import { createPoller, type Poller } from "./live-model-poller.ts";
import type { LiveModelDeps, Probe, ProbedSource } from "./live-model-ports.ts";
import { problemOf } from "./live-model-readings.ts";
import { nextDelayMs, plannedIntervalMs } from "./live-model-schedule.ts";

export interface SourcesTarget {
  readonly looked: (source: Source) => boolean;
  readonly used: (source: Source) => number;
  readonly changed: (freshness: Freshness) => void;
}

export interface ProbedSources {
  freshness(): readonly Freshness[];
  /** Thinks again about when each is due; `now` makes all due at once. */
  wake(now?: boolean): void;
  /** Makes the next reading of one source due at once; resolves after it, successful or not. */
  readNow(source: ProbedSource): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * The apps beside the state app: whether each answers, asked rarely unless a page shows what it tells (operator-ux
 * U8). Their records are read by the pages that show them.
 */
export function createProbedSources(deps: LiveModelDeps, target: SourcesTarget): ProbedSources {
  const all = [...deps.probes].map(([source, probe]) => probedSource(deps, target, source, probe));
  return {
    freshness: () => all.map((each) => each.freshness()),
    wake(now) {
      for (const { poller } of all) poller.wake(now);
    },
    async readNow(source) {
      await all.find((each) => each.source === source)?.readNow();
    },
    async dispose() {
      await Promise.all(all.map(({ poller }) => poller.dispose()));
    },
  };
}

function probedSource(deps: LiveModelDeps, target: SourcesTarget, source: ProbedSource, probe: Probe) {
  let readAt: string | null = null;
  let problem: Freshness["problem"] = null;
  let failures = 0;
  let coming = Promise.withResolvers<void>();
  const facts = () => ({
    embedded: deps.embedded,
    ownLive: false,
    looked: target.looked(source),
    liveRun: false,
    used: target.used(source),
    failures,
  });
  const freshness = (): Freshness => ({
    source,
    readAt,
    origin: "read",
    intervalMs: plannedIntervalMs(facts()),
    problem,
  });
  const ask = async (signal: AbortSignal): Promise<void> => {
    const round = coming;
    coming = Promise.withResolvers();
    try {
      await probe(signal);
      readAt = new Date(deps.clock.nowMs()).toISOString();
      problem = null;
      failures = 0;
    } catch (cause) {
      problem = problemOf(cause);
      failures += 1;
    }
    target.changed(freshness());
    round.resolve();
  };
  const poller: Poller = createPoller({
    ...deps,
    readAll: ask,
    readOne: async () => true,
    delayMs: () => nextDelayMs(facts(), deps.random()),
  });
  const readNow = (): Promise<void> => {
    poller.wake(true);
    return coming.promise;
  };
  return { source, poller, freshness, readNow };
}
