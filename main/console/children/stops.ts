import {
  type ChildTree,
  processId,
  type StopOrder,
  type StopPlan,
  type StopProgress,
} from "../../../shared/api/index.ts";
import { sha256Hex } from "../../../shared/domain/hash.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { visibleLength } from "../../../shared/domain/visible-text.ts";
import type { Child, FollowedChild, StopFacts } from "../../process/index.ts";
import type { ChildEvidence } from "./ports.ts";

/** Stops that are remembered for whoever asks late; the oldest go first. */
const KEPT = 50;
/** Milliseconds between the form being complete and the button working (operator-ux §2.1, L3). */
const ARM_MS = 3_000;
export const REASON_MIN = 5;

export interface StopsDeps extends Pick<ChildEvidence, "processes" | "inspector" | "graceMs" | "journal"> {
  readonly requestedBy: string;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  /** Told of every step of a stop. */
  readonly changed: () => void;
  /** Written down before anything is asked of a process; a problem when it could not be. */
  readonly accepted: (order: StopOrder, tree: ChildTree) => Promise<Problem | null>;
  /** Told once a stop has come to its end, with what it came to. */
  readonly ended: (stop: StopProgress) => Promise<void>;
}

export interface Stops {
  /** The newest first. */
  list(): readonly StopProgress[];
  get(operationId: string): StopProgress | undefined;
  plan(tree: ChildTree): StopPlan;
  /** Verifies, writes down and starts; `look` reads the tree as it is. Codes: see {@link stopProblem}, `ACTION_JOURNAL_FAILED`. */
  stop(order: StopOrder, look: () => Promise<ChildTree | null>): Promise<Result<StopProgress>>;
  /** Looks again whether the outcome of what was stopped has reached the records. */
  settle(): Promise<void>;
  /** Waits for what is on its way. */
  dispose(): Promise<void>;
}

/** Of every identity in the tree: one process more or less is another tree. */
export const treeFingerprint = ({ root, processes }: ChildTree): string =>
  sha256Hex(
    JSON.stringify([
      processId(root.pid, root.processStart),
      ...processes.map(({ pid, processStart }) => processId(pid, processStart)).toSorted(),
    ]),
  ).slice(0, 32);

/**
 * Why a tree is not stopped, or null: `PROCESS_NOT_OURS`, `PROCESS_FOLLOWED_ELSEWHERE`, `PLAN_STALE`, `REASON_TOO_SHORT`,
 * `IDENTIFIER_MISMATCH`. What a page shows is asked for again here, since no page is trusted.
 */
export function stopProblem(order: StopOrder, tree: ChildTree | null): Problem | null {
  const place = `process ${order.pid}`;
  if (tree === null || (tree.identity !== "verified" && tree.processes.length === 0)) {
    return {
      code: "PROCESS_NOT_OURS",
      message: `There is no process ${order.pid} of this host's own that lives and was created at that time. Nothing was stopped.`,
      place,
      remedy: "Look at the list again: it may have ended by itself.",
    };
  }
  if (tree.notStoppable !== null) {
    return {
      code: "PROCESS_FOLLOWED_ELSEWHERE",
      message: "Another program follows this process, or its identity cannot be proven. Nothing was stopped.",
      place,
      remedy: "Stop its Run, or end the program that follows it first.",
    };
  }
  if (treeFingerprint(tree) !== order.fingerprint) {
    return {
      code: "PLAN_STALE",
      message: "The tree is not the one that was shown. Nothing was stopped.",
      place,
      remedy: "Look at the tree as it is now and decide again.",
      details: { moved: ["tree"] },
    };
  }
  if (visibleLength(order.reason) < REASON_MIN) {
    return {
      code: "REASON_TOO_SHORT",
      message: `A reason of at least ${REASON_MIN} characters is kept with the action. Nothing was stopped.`,
      place: "reason",
      remedy: "Say why.",
    };
  }
  if (order.typed === String(order.pid)) return null;
  return {
    code: "IDENTIFIER_MISMATCH",
    message: "The number that was typed is not that of the process. Nothing was stopped.",
    place: "identifier",
    remedy: `Type ${order.pid}.`,
  };
}

/** Stops trees in steps, and keeps what was requested, what is gone and what is settled apart (operator-ux §2.3). */
export function createStops(deps: StopsDeps): Stops {
  const known = new Map<string, StopProgress>();
  const origins = new Map<string, ChildTree["origin"]>();
  const beginning = new Map<string, Promise<Result<StopProgress>>>();
  const claimed = new Set<string>();
  const running = new Set<Promise<void>>();
  const lifetime = new AbortController();

  const update = (operationId: string, change: Partial<StopProgress>): void => {
    const before = known.get(operationId);
    if (before === undefined) return;
    known.set(operationId, { ...before, ...change });
    deps.changed();
  };
  const carryOut = async (operationId: string, child: Child): Promise<void> => {
    const facts = await child.stop({
      graceMs: deps.graceMs,
      signal: lifetime.signal,
      onForce: () => update(operationId, { forcedAt: isoOf(deps) }),
    });
    update(operationId, { ...told(facts), endedAt: isoOf(deps) });
    const ended = known.get(operationId);
    if (ended !== undefined) await deps.ended(ended);
  };
  const goesOn = ({ pid, processStart }: StopOrder): boolean =>
    [...known.values()].some(
      (each) => each.pid === pid && each.processStart === processStart && each.endedAt === null,
    );
  const begin: Stops["stop"] = async (order, look) => {
    if (lifetime.signal.aborted) return fail(ending(order.pid));
    const id = processId(order.pid, order.processStart);
    // Looking and writing down take their time: a second stop of the tree must not begin beside them.
    if (claimed.has(id) || goesOn(order)) return fail(underWay(order));
    claimed.add(id);
    try {
      return await beginClaimed(order, look);
    } finally {
      claimed.delete(id);
    }
  };
  const beginClaimed: Stops["stop"] = async (order, look) => {
    const tree = await look();
    const refusal = stopProblem(order, tree);
    if (refusal !== null) return fail(refusal);
    const child = tree === null ? null : childOf(tree, deps.processes);
    if (tree === null || child === null) return fail(notFollowed(order.pid));
    const unwritten = await deps.accepted(order, tree);
    if (unwritten !== null) return fail(unwritten);
    const progress = progressOf(order, tree, deps);
    known.set(order.operationId, progress);
    origins.set(order.operationId, tree.origin);
    forgetOldest(known);
    for (const operationId of origins.keys()) if (!known.has(operationId)) origins.delete(operationId);
    deps.changed();
    const work = carryOut(order.operationId, child).finally(() => running.delete(work));
    running.add(work);
    return ok(progress);
  };
  const settle = async (): Promise<void> => {
    for (const { operationId, attempt, endedAt, settled } of [...known.values()]) {
      if (endedAt === null || settled === "recorded") continue;
      const now = await settledOf(attempt?.attemptId ?? null, origins.get(operationId), deps);
      if (now !== settled) update(operationId, { settled: now });
    }
  };
  return {
    list: () => [...known.values()].reverse(),
    get: (operationId) => known.get(operationId),
    plan: (tree) => ({
      tree,
      friction: {
        identifier: String(tree.root.pid),
        armMs: ARM_MS,
        secondPerson: false,
        breakGlassSentence: null,
      },
      graceMs: deps.graceMs,
      fingerprint: treeFingerprint(tree),
      readAt: isoOf(deps),
    }),
    async stop(order, look) {
      const { operationId } = order;
      const first = known.get(operationId);
      if (first !== undefined) return ok(first);
      // Two calls with one id: both are answered by what the first came to.
      const begun =
        beginning.get(operationId) ?? begin(order, look).finally(() => beginning.delete(operationId));
      beginning.set(operationId, begun);
      return begun;
    },
    settle,
    async dispose() {
      lifetime.abort();
      await Promise.allSettled([...beginning.values(), ...running]);
    },
  };
}

function progressOf(order: StopOrder, tree: ChildTree, deps: StopsDeps): StopProgress {
  const requestedMs = deps.nowMs();
  return {
    operationId: order.operationId,
    pid: order.pid,
    processStart: order.processStart,
    attempt: tree.attempt,
    requestedAt: new Date(requestedMs).toISOString(),
    requestedBy: deps.requestedBy,
    reason: order.reason.trim(),
    graceEndsAt: new Date(requestedMs + deps.graceMs).toISOString(),
    forcedAt: null,
    endedAt: null,
    requested: null,
    gone: null,
    settled: "waiting",
  };
}

const underWay = ({ pid }: StopOrder): Problem => ({
  code: "OPERATION_UNDER_WAY",
  message: `Process ${pid} is being stopped already. Nothing more was done.`,
  place: `process ${pid}`,
  remedy: "Follow the stop that goes on.",
});

const ending = (pid: number): Problem => ({
  code: "CONSOLE_ENDING",
  message: "The console is being closed; nothing was begun.",
  place: `process ${pid}`,
  remedy: "Open it again, look at what is there, and decide again.",
});

const isoOf = ({ nowMs }: StopsDeps): string => new Date(nowMs()).toISOString();

function childOf(
  { root, origin, attempt }: ChildTree,
  { followed, leftovers }: StopsDeps["processes"],
): Child | null {
  if (origin === "leftover") {
    return leftovers({ identity: root, attemptId: attempt?.attemptId ?? null, outputPaths: [] });
  }
  const isRoot = ({ child: { identity } }: FollowedChild): boolean =>
    identity.pid === root.pid && identity.processStart === root.processStart;
  return followed().find(isRoot)?.child ?? null;
}

const notFollowed = (pid: number): Problem => ({
  code: "PROCESS_NOT_OURS",
  message: `Process ${pid} is not followed by this console any more: it has just ended. Nothing was stopped.`,
  place: `process ${pid}`,
  remedy: "Look at the list again.",
});

function told({ requested, gone }: StopFacts): Pick<StopProgress, "requested" | "gone"> {
  if (gone.kind === "proven") return { requested, gone };
  const left = gone.left.map(({ pid, processStart }) => ({ pid, processStart }));
  return { requested, gone: { kind: "notProven", reason: gone.reason, left } };
}

/** The outcome is in the records, or will be judged by the next resume because its own program ended before. */
async function settledOf(
  attemptId: string | null,
  origin: ChildTree["origin"] | undefined,
  { journal }: StopsDeps,
): Promise<StopProgress["settled"]> {
  if (attemptId === null) return "waiting";
  const evidence = await journal.evidenceFor(attemptId).catch(() => null);
  if (evidence?.settled?.stored === true) return "recorded";
  // Whoever started it ended before: nobody writes its outcome until somebody resumes.
  return origin === "started" ? "waiting" : "onResume";
}

function forgetOldest(known: Map<string, StopProgress>): void {
  for (const [id, { endedAt }] of known) {
    if (known.size <= KEPT) return;
    if (endedAt !== null) known.delete(id);
  }
}
