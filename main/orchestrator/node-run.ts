import type { Attempt, NodeState, RecordRef, Stored } from "../../shared/domain/model.ts";
import type { Problem, Result } from "../../shared/domain/problem.ts";
import type { AttemptConclusion, PreparedAttempt } from "../attempt/index.ts";
import type { Change } from "../store/index.ts";
import { newAttempt, terminalAttempt } from "./attempt-records.ts";
import { type NodeFiles, prepareNodeFiles } from "./csv/index.ts";
import { isoNow } from "./deps.ts";
import { ioFactsOf } from "./file-needs.ts";
import { committed, type Ledger, nextState, runChange, stateChange } from "./ledger.ts";
import { type Persisted, persist } from "./persist.ts";
import type { Walk } from "./walk.ts";

/** How one node's turn ended; the ledger is what is proven to be in the store. */
export type NodeTurn =
  | { readonly kind: "ended"; readonly ledger: Ledger; readonly finished: boolean }
  /** The lease ran out under it: nothing was or may be written any more (orchestration section 3.4). */
  | { readonly kind: "interrupted"; readonly problem: Problem }
  /** The store refused a write for a reason outside the lock. */
  | { readonly kind: "refused"; readonly problem: Problem; readonly ledger: Ledger };

function withRun(
  ledger: Ledger,
  changes: readonly Change[],
  at: string,
  starting = false,
): readonly Change[] {
  const after = new Map<string, { readonly status: NodeState["status"] }>(ledger.states);
  for (const change of changes) {
    if (change.kind === "nodeState.update") after.set(change.next.nodeId, change.next);
  }
  const run = runChange(ledger, after, at, { starting });
  return run === null ? changes : [...changes, run];
}

/**
 * Runs one node from its start write to its end write (orchestration section 4.2 in the grouping of
 * fenced-writes sections 2, R5, and 3). Nothing but the spawn lies between a proven start and the child.
 */
export async function runNode(walk: Walk, nodeId: string): Promise<NodeTurn> {
  const state = walk.ledger.states.get(nodeId);
  if (state === undefined) throw new Error(`node ${nodeId} has no state`);
  const at = isoNow(walk.deps.clock);
  const fresh = newAttempt(walk, state, at);
  const files = await nodeFiles(walk, nodeId);
  if (!files.ok) return endWithoutChild(walk, state, fresh, files.error);
  const attempt = { ...fresh, errorMessage: files.value.baseline };
  const prepared = await walk.deps.attempts.prepare({
    runId: state.runId,
    nodeId,
    jobId: state.jobId,
    imports: files.value.imports,
    exports: files.value.exports,
    attemptId: attempt.attemptId,
    attemptNo: attempt.attemptNo,
    sqlPath: walk.bundle.sqlPath(nodeId),
    asOf: walk.ledger.run.asOf ?? walk.ledger.run.createdAt,
    batchTimeoutSec: walk.ledger.run.profileSnapshot.limits.batchTimeoutSec,
    drainMs: walk.drainMs,
  });
  if (!prepared.ok) return endWithoutChild(walk, state, attempt, prepared.error);
  let stored = false;
  try {
    const turn = await startAndFinish(walk, state, { attempt, at, files: files.value }, prepared.value);
    stored = turn.kind === "ended";
    return turn;
  } finally {
    await walk.deps.attempts.settle(prepared.value, { stored });
  }
}

/** Paths and baselines come before anything that leaves a trace (fenced-writes R5). */
function nodeFiles(walk: Walk, nodeId: string): Promise<Result<NodeFiles>> {
  const node = walk.definition.nodes.find(({ id }) => id === nodeId);
  if (node === undefined) throw new Error(`node ${nodeId} is not defined`);
  const before = walk.baselines.get(nodeId) ?? null;
  return prepareNodeFiles({ root: walk.io, node, facts: ioFactsOf(walk.ledger.run), before });
}

interface Starting {
  readonly attempt: Attempt;
  readonly at: string;
  readonly files: NodeFiles;
}

async function startAndFinish(
  walk: Walk,
  state: Stored<NodeState>,
  { attempt, at, files }: Starting,
  prepared: PreparedAttempt,
): Promise<NodeTurn> {
  const running = nextState(
    state,
    {
      status: "RUNNING",
      latestAttemptNo: attempt.attemptNo,
      activeAttemptId: attempt.attemptId,
      startedAt: at,
      finishedAt: null,
      blockedBy: [],
      statusReason: null,
    },
    at,
  );
  const changes = withRun(
    walk.ledger,
    [{ kind: "attempt.insert", attempt }, stateChange(state, running)],
    at,
    true,
  );
  const started = await persist(walk.session, changes);
  if (started.kind !== "applied") return turnOf(started, walk.ledger);
  const ledger = committed(walk.ledger, changes, started.refs);
  const stored: Stored<Attempt> = { ...attempt, ref: refAt(started.refs, 0) };
  walk.keep(ledger);
  if (!(await leaseAllowsSpawn(walk))) return undoStart(walk, stored, files);
  const child = await walk.deps.attempts.spawn(prepared);
  walk.emit({
    kind: "node-started",
    runId: attempt.runId,
    nodeId: attempt.nodeId,
    attemptId: attempt.attemptId,
    pid: child.identity?.pid ?? null,
  });
  return finishNode(walk, stored, files, await child.concluded);
}

/** The child is spawned only with more than the safety margin left, otherwise after a beat (fenced-writes R5). */
async function leaseAllowsSpawn(walk: Walk): Promise<boolean> {
  const enough = (): boolean =>
    walk.session.state() === "HELD" && walk.session.remainingLeaseMs() > walk.spawnMarginMs;
  if (walk.session.interrupted()) return false;
  if (enough()) return true;
  await walk.session.beat();
  return enough() && !walk.session.interrupted();
}

/** A start that is in the store but may no longer be spawned is taken back in one write (fenced-writes R5). */
async function undoStart(walk: Walk, attempt: Stored<Attempt>, files: NodeFiles): Promise<NodeTurn> {
  const at = isoNow(walk.deps.clock);
  return finishNode(walk, attempt, files, {
    attemptStatus: "CANCELLED",
    resultCode: "PREPARE_FAILED",
    nodeStatus: "WAITING",
    nodeReason: "PREPARE_FAILED",
    finishedAt: at,
    durationSec: null,
    executionId: null,
    runnerExecutionStartedAt: null,
    readCount: 0,
    writtenCount: 0,
    lastSuccessfulChunkNo: null,
    lastWrittenKey: null,
    errorMessage: "The lease had too little time left to start a child; nothing was started.",
    invocationCode: null,
  });
}

/** Attempt terminal, Node State, what it blocks, the Run if it changes; the last one ends Invocation and lock too. */
async function finishNode(
  walk: Walk,
  attempt: Stored<Attempt>,
  files: NodeFiles,
  conclusion: AttemptConclusion,
): Promise<NodeTurn> {
  const state = walk.ledger.states.get(attempt.nodeId);
  if (state === undefined) throw new Error(`node ${attempt.nodeId} has no state`);
  const at = isoNow(walk.deps.clock);
  const waiting = conclusion.nodeStatus === "WAITING";
  const next = nextState(
    state,
    {
      status: conclusion.nodeStatus,
      activeAttemptId: null,
      statusReason: conclusion.nodeReason,
      startedAt: waiting ? null : state.startedAt,
      finishedAt: waiting ? null : at,
    },
    at,
  );
  walk.noteConclusion(attempt.nodeId, conclusion);
  const changes: Change[] = [
    { kind: "attempt.finalise", ref: attempt.ref, next: terminalAttempt(attempt, files, conclusion) },
    stateChange(state, next),
  ];
  const turn = await writeTurn(walk, changes, at);
  if (turn.kind === "ended") {
    walk.emit({ kind: "node-ended", runId: attempt.runId, nodeId: attempt.nodeId, status: next.status });
  }
  return turn;
}

/** A failure before any child could exist: one write, terminal from the start, no marker (fenced-writes R5). */
async function endWithoutChild(
  walk: Walk,
  state: Stored<NodeState>,
  attempt: Attempt,
  problem: Problem,
): Promise<NodeTurn> {
  const at = isoNow(walk.deps.clock);
  const failed = nextState(
    state,
    {
      status: "FAILED",
      latestAttemptNo: attempt.attemptNo,
      activeAttemptId: null,
      statusReason: problem.code,
      startedAt: at,
      finishedAt: at,
    },
    at,
  );
  walk.noteFailure(state.nodeId, problem);
  const terminal: Attempt = {
    ...attempt,
    status: "FAILED",
    resultCode: problem.code,
    executionStartedAt: null,
    finishedAt: at,
    errorMessage: problem.message,
  };
  return writeTurn(
    walk,
    [{ kind: "attempt.insert", attempt: terminal }, stateChange(state, failed)],
    at,
    true,
  );
}

/** One write for what a turn ended with, what that blocks, the Run if it changes and, at the end of the walk, the end. */
export async function writeTurn(
  walk: Walk,
  ending: readonly Change[],
  at: string,
  starting = false,
): Promise<NodeTurn> {
  const { blocks, finished } = walk.afterwards(ending, at);
  const base = withRun(
    walk.ledger,
    [...ending, ...blocks.map((block) => stateChange(block.before, block.next))],
    at,
    starting,
  );
  const end = finished ? walk.ending(base, at) : null;
  const changes = end === null ? base : [...base, end.change];
  const written = await persist(walk.session, changes, end?.release);
  if (written.kind !== "applied") return turnOf(written, walk.ledger);
  const ledger = committed(walk.ledger, changes, written.refs);
  walk.keep(ledger);
  return { kind: "ended", ledger, finished: end !== null };
}

function turnOf(written: Exclude<Persisted, { kind: "applied" }>, ledger: Ledger): NodeTurn {
  return written.kind === "interrupted"
    ? { kind: "interrupted", problem: written.problem }
    : { kind: "refused", problem: written.problem, ledger };
}

function refAt(refs: readonly RecordRef[], index: number): RecordRef {
  const ref = refs[index];
  if (ref === undefined) throw new Error("the store returned fewer references than changes");
  return ref;
}
