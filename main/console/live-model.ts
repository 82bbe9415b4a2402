import type { Freshness, LiveBatch, Operation, RunRow } from "../../shared/api/index.ts";
import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import type { RunEvent } from "../orchestrator/index.ts";
import type { Clock } from "../store/index.ts";
import { createLiveHub, type LiveHub } from "./live-model-hub.ts";
import { createLocalNews } from "./live-model-local.ts";
import { createPicture, type Picture } from "./live-model-picture.ts";
import { createPoller } from "./live-model-poller.ts";
import type { PictureReader } from "./live-model-read.ts";
import { nextDelayMs, plannedIntervalMs, type ScheduleFacts } from "./live-model-schedule.ts";

export interface LiveModelDeps {
  readonly reader: PictureReader;
  readonly embedded: boolean;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface LiveModel {
  /** The rows of the last picture, newest first; the first call waits for the first reading. Throws `FlowError`. */
  rows(signal?: AbortSignal): Promise<{ readonly rows: readonly RunRow[]; readonly readAt: string }>;
  /** Reads the whole picture now; the time of that reading. Throws `FlowError` when it fails. */
  refresh(signal?: AbortSignal): Promise<string>;
  /** One Run as the model knows it, local events included. */
  row(runId: string): RunRow | undefined;
  /** Changes from now on, until the signal aborts. `writable` is awaited before each batch (backpressure). */
  watch(signal: AbortSignal, writable: () => Promise<void>): AsyncGenerator<LiveBatch, void, void>;
  /** An event of this host's own scheduler: shown at once, without a request (operator-ux U3). */
  localEvent(event: RunEvent): void;
  operation(operation: Operation): void;
  dispose(): Promise<void>;
}

/** One poller for all who look (operator-ux U1, U2), merged with what this host's own scheduler tells. */
export function createLiveModel(deps: LiveModelDeps): LiveModel {
  const lifetime = new AbortController();
  const hub = createLiveHub(deps);
  const picture = createPicture({
    changed: (diff) => hub.push((queue) => queue.run(diff)),
    gone: () => hub.push((queue) => queue.resync()),
  });
  const own = new Set<string>();
  const readings = createReadings(deps, picture, hub, () => own.size > 0);
  const poller = createPoller({
    ...deps,
    readAll: readings.readAll,
    readOne: (runId, signal) => readings.readOne(runId, !own.has(runId), signal),
    delayMs: readings.delayMs,
  });
  const localEvent = createLocalNews({ picture, poller, hub, own, clock: deps.clock });
  return {
    async rows(signal) {
      await orAborted(readings.first, signal);
      return { rows: picture.rows(), readAt: readings.readAt() };
    },
    async refresh(signal) {
      const next = readings.next();
      poller.wake(true);
      await orAborted(next, signal);
      return readings.readAtOrProblem();
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

/** The readings of the state app and how they went: what freshness and back-off are told by. */
function createReadings(deps: LiveModelDeps, picture: Picture, hub: LiveHub, ownLive: () => boolean) {
  const first = Promise.withResolvers<void>();
  let coming = Promise.withResolvers<void>();
  let failures = 0;
  let readAt: string | null = null;
  let problem: Problem | null = null;

  const facts = (): ScheduleFacts => ({
    embedded: deps.embedded,
    ownLive: ownLive(),
    anyLive: picture.rows().some((row) => row.activity === "LIVE"),
    watchers: hub.watchers(),
    failures,
  });
  const freshness = (): Freshness => ({
    source: "state",
    readAt,
    intervalMs: plannedIntervalMs(facts()),
    problem,
  });
  return {
    /** Resolves after the first reading, successful or not. */
    first: first.promise,
    /** Resolves after the next reading that begins from now on, successful or not. */
    next: () => coming.promise,
    readAtOrProblem(): string {
      if (problem !== null) throw new FlowError(problem);
      return this.readAt();
    },
    freshness,
    delayMs: () => nextDelayMs(facts(), deps.random()),
    readAt(): string {
      if (readAt === null) throw new FlowError(problem ?? problemOf("the state app was not read yet"));
      return readAt;
    },
    async readAll(signal: AbortSignal): Promise<void> {
      const round = coming;
      coming = Promise.withResolvers();
      try {
        const rows = await deps.reader.readAll(signal);
        failures = 0;
        problem = null;
        readAt = new Date(deps.clock.nowMs()).toISOString();
        picture.acceptAll(rows);
      } catch (cause) {
        failures += 1;
        problem = problemOf(cause);
      }
      first.resolve();
      round.resolve();
      hub.push((queue) => queue.freshness(freshness()));
    },
    async readOne(runId: string, ended: boolean, signal: AbortSignal): Promise<boolean> {
      try {
        const row = await deps.reader.readOne(runId, signal);
        if (row !== null) picture.accept(row);
        return true;
      } catch {
        // The whole picture is read instead, and tells of the failure if it lasts.
        return false;
      } finally {
        if (ended) picture.settle(runId);
      }
    },
  };
}

function problemOf(cause: unknown): Problem {
  if (cause instanceof FlowError) return cause.problem;
  return { code: "STATE_READ_FAILED", message: cause instanceof Error ? cause.message : String(cause) };
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
