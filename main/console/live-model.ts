import type { Freshness, LiveBatch, NodeDiff, Operation, RunRow } from "../../shared/api/index.ts";
import { byNewest } from "../../shared/api/index.ts";
import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import type { RunEvent } from "../orchestrator/index.ts";
import type { Clock } from "../store/index.ts";
import { createLiveHub } from "./live-model-hub.ts";
import type { PictureReader } from "./live-model-read.ts";
import { diffRow } from "./live-model-rows.ts";
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
  /** The rows of the last picture, newest first; the first call waits for the first picture. Throws `FlowError`. */
  rows(signal?: AbortSignal): Promise<{ readonly rows: readonly RunRow[]; readonly readAt: string }>;
  /** One Run as the model knows it, local events included. */
  row(runId: string): RunRow | undefined;
  /** Changes from now on, until the signal aborts. `writable` is awaited before each batch (backpressure). */
  watch(signal: AbortSignal, writable: () => Promise<void>): AsyncGenerator<LiveBatch, void, void>;
  /** An event of this host's own scheduler: shown at once, without a request (operator-ux U3). */
  localEvent(event: RunEvent): void;
  operation(operation: Operation): void;
  /** Reads the whole picture now; resolves when it was read. Throws `FlowError`. */
  refresh(signal?: AbortSignal): Promise<void>;
  dispose(): Promise<void>;
}

const problemOf = (cause: unknown): Problem =>
  cause instanceof FlowError
    ? cause.problem
    : { code: "STATE_READ_FAILED", message: cause instanceof Error ? cause.message : String(cause) };

/** One poller for all who look (operator-ux U1, U2), merged with what this host's own scheduler tells. */
export function createLiveModel(deps: LiveModelDeps): LiveModel {
  const { reader, clock } = deps;
  const lifetime = new AbortController();
  const hub = createLiveHub({ wait: deps.wait, clock });
  const base = new Map<string, RunRow>();
  const overlay = new Map<string, Partial<RunRow>>();
  const shown = new Map<string, RunRow>();
  const own = new Set<string>();
  const touched = new Set<string>();
  let failures = 0;
  let readAt: string | null = null;
  let problem: Problem | null = null;
  let wake = new AbortController();
  let pollNow = true;
  let lastPollMs = 0;
  let pictures: PromiseWithResolvers<void> = Promise.withResolvers();

  const facts = (): ScheduleFacts => ({
    embedded: deps.embedded,
    ownLive: own.size > 0,
    anyLive: [...shown.values()].some((row) => row.activity === "LIVE"),
    watchers: hub.watchers(),
    failures,
  });
  const freshness = (): Freshness => ({
    source: "state",
    readAt,
    intervalMs: plannedIntervalMs(facts()),
    problem,
  });
  const isoNow = (): string => new Date(clock.nowMs()).toISOString();

  const show = (runId: string): void => {
    const stored = base.get(runId);
    if (stored === undefined) return;
    const next = { ...stored, ...overlay.get(runId) };
    const diff = diffRow(shown.get(runId), next);
    if (diff === null) return;
    shown.set(runId, next);
    hub.push((queue) => queue.run(diff));
  };
  const accept = (row: RunRow): void => {
    const known = base.get(row.runId);
    if (known !== undefined && row.revision < known.revision) return;
    base.set(row.runId, row);
    show(row.runId);
  };
  const forget = (runId: string): void => {
    for (const held of [base, overlay, shown]) held.delete(runId);
    hub.push((queue) => queue.resync());
  };

  const readPicture = async (): Promise<void> => {
    pollNow = false;
    const round = pictures;
    pictures = Promise.withResolvers();
    // Nobody may be waiting for this picture; its failure is told through the freshness.
    pictures.promise.catch(() => undefined);
    try {
      const rows = await reader.readAll(lifetime.signal);
      failures = 0;
      problem = null;
      readAt = isoNow();
      const present = new Set(rows.map((row) => row.runId));
      for (const runId of [...base.keys()]) if (!present.has(runId)) forget(runId);
      for (const row of rows) accept(row);
      round.resolve();
    } catch (cause) {
      failures += 1;
      problem = problemOf(cause);
      round.reject(new FlowError(problem, cause));
    }
    lastPollMs = clock.monotonicMs();
    hub.push((queue) => queue.freshness(freshness()));
  };
  const readTouched = async (): Promise<void> => {
    for (const runId of [...touched]) {
      touched.delete(runId);
      const ended = !own.has(runId);
      try {
        const row = await reader.readOne(runId, lifetime.signal);
        if (ended && !own.has(runId)) overlay.delete(runId);
        if (row !== null) accept(row);
        show(runId);
      } catch {
        // The next full picture reads this Run as well and tells of the failure, if it lasts.
        pollNow = true;
        if (ended) overlay.delete(runId);
      }
    }
  };
  const loop = async (): Promise<void> => {
    pictures.promise.catch(() => undefined);
    while (!lifetime.signal.aborted) {
      wake = new AbortController();
      if (touched.size > 0) await readTouched();
      const due = lastPollMs + nextDelayMs(facts(), deps.random());
      if (pollNow || clock.monotonicMs() >= due) await readPicture();
      const left = lastPollMs + nextDelayMs(facts(), deps.random()) - clock.monotonicMs();
      if (touched.size > 0 || (pollNow && failures === 0)) continue;
      await deps.wait(Math.max(0, left), AbortSignal.any([wake.signal, lifetime.signal]));
    }
  };
  const running = loop();

  const touch = (runId: string): void => {
    touched.add(runId);
    wake.abort();
  };
  const node = (diff: NodeDiff): void => hub.push((queue) => queue.node(diff));

  return {
    async rows(signal) {
      if (readAt === null && failures === 0) await orAborted(pictures.promise, signal);
      if (readAt === null) throw new FlowError(problem ?? problemOf("not read yet"));
      return { rows: [...shown.values()].sort(byNewest), readAt };
    },
    row: (runId) => shown.get(runId),
    watch(signal, writable) {
      const first = (): void => wake.abort();
      return hub.watch(AbortSignal.any([signal, lifetime.signal]), writable, (queue) => {
        queue.resync();
        queue.freshness(freshness());
        first();
      });
    },
    localEvent(event) {
      if (event.kind === "run-created") {
        own.add(event.runId);
        touch(event.runId);
      } else if (event.kind === "node-started") {
        own.add(event.runId);
        overlay.set(event.runId, { status: "RUNNING", activity: "LIVE", activityJudgedAt: isoNow() });
        show(event.runId);
        if (!base.has(event.runId)) touch(event.runId);
        node({ ...pick(event), status: "RUNNING", attemptId: event.attemptId, pid: event.pid });
        wake.abort();
      } else if (event.kind === "node-ended") {
        node({ ...pick(event), status: event.status, attemptId: null, pid: null });
      } else {
        own.delete(event.runId);
        overlay.set(event.runId, { status: event.status, activity: null, activityJudgedAt: isoNow() });
        show(event.runId);
        touch(event.runId);
      }
    },
    operation: (operation) => hub.push((queue) => queue.operation(operation)),
    async refresh(signal) {
      const next = pictures.promise;
      pollNow = true;
      wake.abort();
      await orAborted(next, signal);
    },
    async dispose() {
      lifetime.abort();
      hub.dispose();
      await running;
    },
  };
}

const pick = (event: { readonly runId: string; readonly nodeId: string }) => ({
  runId: event.runId,
  nodeId: event.nodeId,
});

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
