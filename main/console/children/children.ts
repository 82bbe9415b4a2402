import {
  type ChildTree,
  type ProcessesPicture,
  processId,
  type StopOrder,
  type StopPlan,
  type StopProgress,
} from "../../../shared/api/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { SurvivorsFound } from "../../attempt/index.ts";
import type { Clock } from "../../store/index.ts";
import { createLatest } from "../attention/latest.ts";
import type { LiveModel } from "../live-model-ports.ts";
import type { LockDirectory } from "../locks/directory.ts";
import { createFactsReader } from "./facts.ts";
import { readHolders } from "./holders.ts";
import type { ChildEvidence } from "./ports.ts";
import type { StopRecord } from "./record.ts";
import { createStops } from "./stops.ts";
import { createTrees } from "./trees.ts";

export interface ChildrenDeps {
  readonly evidence: ChildEvidence;
  readonly live: Pick<LiveModel, "row" | "touch">;
  readonly directory: Pick<LockDirectory, "pictures">;
  readonly host: string;
  readonly requestedBy: string;
  readonly clock: Clock;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Where stops are written down before and after. */
  readonly record: StopRecord;
}

/** How the last look for children went; `readAt` null before the first that succeeded. */
export interface ChildrenSeen {
  readonly readAt: string | null;
  readonly problem: Problem | null;
}

export interface Children {
  /** Looks now. */
  picture(signal?: AbortSignal): Promise<ProcessesPicture>;
  /** The picture now and after every change, until the signal aborts; nothing is looked at while nobody watches. */
  watch(signal: AbortSignal, writable: () => Promise<void>): AsyncGenerator<ProcessesPicture, void, void>;
  /** When this host's children were last looked for; looks again when that was long ago. Never rejects. */
  seen(): Promise<ChildrenSeen>;
  /** What a stop would end. Error: `PROCESS_NOT_OURS`. */
  plan(pid: number, processStart: string | null): Promise<Result<StopPlan>>;
  /** How far a stop got that was accepted under this id; undefined when none was. */
  stopOf(operationId: string): StopProgress | undefined;
  /** The same id is the same stop. Codes: those of `stopProblem`. */
  stop(order: StopOrder): Promise<Result<StopProgress>>;
  dispose(): Promise<void>;
}

/** Use of processor and memory is looked at this often while somebody watches; milliseconds. */
const LOOK_MS = 2_000;
/** Survivors are looked for this often: the journal of every program is read for it. Milliseconds. */
const SURVIVORS_MS = 30_000;
/** A start and an end are shown within this time (operator-ux U3). Milliseconds. */
const GAP_MS = 150;
const NONE: SurvivorsFound = { adopted: [], elsewhere: [], leftovers: [], unclear: [], problem: null };
/** How old what is known of the children may grow while nobody watches; milliseconds. */
const SEEN_MS = 5 * 60_000;

/** 子プロセス: everything this host started, looked at without a request to kintone (operator-ux §1.1, process view). */
export function createChildren(deps: ChildrenDeps): Children {
  const { evidence, live, clock } = deps;
  const { processes, inspector, survivors } = evidence;
  const lifetime = new AbortController();
  const facts = createFactsReader({ inspector, clock });
  const trees = createTrees({ ...evidence, facts, runOf: live.row });
  const empty: ProcessesPicture = {
    host: deps.host,
    trees: [],
    holders: [],
    stops: [],
    lookedAt: new Date(clock.nowMs()).toISOString(),
  };
  const latest = createLatest<ProcessesPicture>(empty, { ...deps, gapMs: GAP_MS });
  let found = NONE;
  let foundMs = Number.NEGATIVE_INFINITY;
  let seenAt: string | null = null;
  let watchers = 0;
  let news = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const changed = (): void => news.abort();
  const stops = createStops({
    ...evidence,
    requestedBy: deps.requestedBy,
    nowMs: () => clock.nowMs(),
    changed,
    ended: (stop) => {
      foundMs = Number.NEGATIVE_INFINITY;
      return deps.record.ended(stop);
    },
    accepted: deps.record.accepted,
  });

  const findSurvivors = async (olderThanMs = SURVIVORS_MS): Promise<void> => {
    if (clock.monotonicMs() - foundMs < olderThanMs) return;
    found = await survivors.adopt();
    foundMs = clock.monotonicMs();
    if (found.problem === null) seenAt = new Date(clock.nowMs()).toISOString();
  };
  const picture = async (signal?: AbortSignal): Promise<ProcessesPicture> => {
    await findSurvivors();
    await stops.settle();
    const now = await trees.read(found);
    const holders = await readHolders({ ...deps, facts, nowMs: () => clock.nowMs() }, signal);
    facts.endRound();
    return {
      host: deps.host,
      trees: now,
      holders,
      stops: stops.list(),
      lookedAt: new Date(clock.nowMs()).toISOString(),
    };
  };
  const treeNow = async (pid: number, processStart: string | null): Promise<ChildTree | null> => {
    const id = processId(pid, processStart);
    return (await trees.read(found)).find((tree) => tree.id === id) ?? null;
  };
  const look = async (): Promise<void> => {
    while (watchers > 0 && !lifetime.signal.aborted) {
      news = new AbortController();
      const now = await picture(lifetime.signal).catch(() => null);
      if (now !== null) latest.set(now);
      await deps.wait(LOOK_MS, AbortSignal.any([news.signal, lifetime.signal]));
    }
  };
  const unwatchProcesses = processes.onFollowed(changed);
  const unwatchSurvivors = survivors.onEnd(({ attempt }) => {
    foundMs = Number.NEGATIVE_INFINITY;
    live.touch(attempt.runId);
    changed();
  });
  // Followed from the start on, whether or not somebody looks: their output stays short and their end is journalled.
  const first = findSurvivors();

  return {
    picture,
    async seen() {
      // A child that ends or starts tells of itself; only what another program left behind is looked for.
      await findSurvivors(SEEN_MS);
      return { readAt: seenAt, problem: found.problem };
    },
    async *watch(signal, writable) {
      watchers += 1;
      try {
        if (watchers === 1) {
          latest.set(await picture(signal));
          running = running.then(look);
        }
        yield* latest.watch(AbortSignal.any([signal, lifetime.signal]), writable);
      } finally {
        watchers -= 1;
        changed();
      }
    },
    async plan(pid, processStart) {
      const tree = await treeNow(pid, processStart);
      if (tree !== null) return ok(stops.plan(tree));
      return fail({
        code: "PROCESS_NOT_OURS",
        message: `This host started no process ${pid} that was created at that time and lives.`,
        place: `process ${pid}`,
        remedy: "Look at the list again: it may have ended by itself.",
      });
    },
    stopOf: stops.get,
    stop: (order) => stops.stop(order, () => treeNow(order.pid, order.processStart)),
    async dispose() {
      lifetime.abort();
      await first;
      unwatchProcesses();
      unwatchSurvivors();
      await running;
      await stops.dispose();
    },
  };
}
