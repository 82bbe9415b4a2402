import { acceptHold } from "../../shared/domain/hold.ts";
import { INVOCATION_ENDS, type InvocationEnd, onHold } from "../../shared/domain/index.ts";
import type { Hold, RunStatus, Stored } from "../../shared/domain/model.ts";
import { errorText, FlowError, type Problem } from "../../shared/domain/problem.ts";
import type { Change } from "../store/index.ts";
import { isoNow } from "./deps.ts";
import { giveBack, withLockLeft } from "./give-back.ts";
import { type Ledger, runChange } from "./ledger.ts";
import { type NodeTurn, runNode, writeTurn } from "./node-run.ts";
import { type Persisted, persist } from "./persist.ts";
import type { Walk } from "./walk.ts";

/** How often a hold that cannot be read is read again (orchestration section 3.4, drain loop). */
const DRAIN_INTERVAL_MS = 2_000;

/** What an Invocation came to once the lock is in its hands no more. */
export interface WalkEnd {
  readonly aggregateStatus: RunStatus | null;
  readonly resultCode: string;
  /** Set when the walk did not end by its own rules. */
  readonly problem: Problem | null;
}

type HoldRead =
  | { readonly kind: "read"; readonly hold: Stored<Hold> | null; readonly drained: boolean }
  | { readonly kind: "failed"; readonly problem: Problem };

/**
 * Walks the nodes once in stable order, one at a time, and ends Invocation and lock (orchestration
 * sections 4.1, 4.4 and 4.7 in the grouping of fenced-writes section 3). `abort` asks for no further node;
 * the running child is always awaited and its result kept.
 */
export async function runScheduler(walk: Walk, abort: AbortSignal | undefined): Promise<WalkEnd> {
  try {
    return await walkNodes(walk, abort);
  } catch (error) {
    const problem: Problem = error instanceof FlowError ? error.problem : unexpected(walk, error);
    return endAfterDefect(walk.session, problem, () =>
      endWith(walk, INVOCATION_ENDS.schedulerFailed, problem),
    );
  }
}

/** A defect may stand in the way of the end too; the lock goes back even then, and the first defect is told. */
export async function endAfterDefect(
  session: Parameters<typeof giveBack>[0],
  problem: Problem,
  end: () => Promise<WalkEnd>,
): Promise<WalkEnd> {
  try {
    return await end();
  } catch (error) {
    return releaseAlone(session, {
      ...problem,
      details: { ...problem.details, endNotWritten: errorText(error) },
    });
  }
}

const unexpected = ({ ledger }: Walk, error: unknown): Problem => ({
  code: "SCHEDULER_FAILED",
  message: errorText(error),
  place: `Run ${ledger.run.runId}`,
  remedy: "Look at the Run's status; a resume judges what was left open.",
});

async function walkNodes(walk: Walk, abort: AbortSignal | undefined): Promise<WalkEnd> {
  for (;;) {
    const step = walk.next();
    if (step.kind === "done") return endWith(walk, null, null);
    if (abort?.aborted === true) return endWith(walk, null, toldToStop(walk));
    const turn = step.kind === "block" ? await blockNodes(walk) : await executeNext(walk, abort);
    if ("resultCode" in turn) return turn;
    if (turn.kind === "interrupted") return lost(walk, turn.problem);
    if (turn.kind === "refused") return endWith(walk, INVOCATION_ENDS.schedulerFailed, turn.problem);
    if (turn.finished) return endOf(turn.ledger, null);
  }
}

/** Hold and lease are asked right before a start, never earlier (orchestration section 4.1, step 5). */
async function executeNext(walk: Walk, abort: AbortSignal | undefined): Promise<NodeTurn | WalkEnd> {
  const read = await readHold(walk);
  if (read.kind === "failed") return { kind: "interrupted", problem: read.problem };
  if (abort?.aborted === true) return endWith(walk, null, toldToStop(walk));
  const held = onHold(read.hold?.state ?? null);
  const step = walk.next({ held, leaseHeld: !read.drained && mayStart(walk) });
  if (step.kind === "execute") return runNode(walk, step.nodeId);
  if (held && read.hold !== null) return stopAtBoundary(walk, read.hold);
  return endWith(walk, INVOCATION_ENDS.leaseInterrupted, {
    ...INTERRUPTED,
    place: walk.session.lockKey,
  });
}

/** A lease that was lost once stands only for writing what is known, not for starting more. */
const mayStart = ({ session }: Walk): boolean => session.state() === "HELD" && !session.interrupted();

const blockNodes = (walk: Walk): Promise<NodeTurn> => writeTurn(walk, [], isoNow(walk.deps.clock));

async function readHold(walk: Walk): Promise<HoldRead> {
  const { clock, delay, store } = walk.deps;
  const startedAt = clock.monotonicMs();
  for (let drained = false; ; ) {
    try {
      return { kind: "read", hold: await store.findHold(walk.ledger.run.runId), drained };
    } catch (error) {
      if (!(error instanceof FlowError) || !mayPass(error)) throw error;
      if (clock.monotonicMs() - startedAt >= walk.drainMs) {
        return { kind: "failed", problem: error.problem };
      }
      // A kintone that is busy was reached; only a connection that was lost forbids further starts.
      drained ||= error.code === "STORE_UNREACHABLE";
      await delay(DRAIN_INTERVAL_MS);
    }
  }
}

const mayPass = ({ code, problem }: FlowError): boolean =>
  code === "STORE_UNREACHABLE" || problem.retryable === true;

/** Hold ACCEPTED, the Run if it never started, the Invocation's end and the release, in one request. */
async function stopAtBoundary(walk: Walk, hold: Stored<Hold>): Promise<NodeTurn | WalkEnd> {
  const at = isoNow(walk.deps.clock);
  const { ref, ...before } = hold;
  const accepted: readonly Change[] =
    hold.state === "REQUESTED" ? [{ kind: "hold.update", ref, next: acceptHold(before, at) }] : [];
  const as = INVOCATION_ENDS.stopRequested;
  const ended = await tryEnd(walk, as, null, { first: accepted, starting: true });
  if ("resultCode" in ended) return ended;
  const read = await readHold(walk);
  // A hold that somebody changed meanwhile is another question: it is asked again, as for any start.
  if (read.kind === "read" && read.hold?.ref.revision !== ref.revision) {
    return { kind: "ended", ledger: walk.ledger, finished: false };
  }
  return releaseAlone(walk.session, ended.problem);
}

/** Writes the end; when the store refuses it for a reason outside the lock, the lock is released alone (fenced-writes R7). */
async function endWith(walk: Walk, as: InvocationEnd | null, problem: Problem | null): Promise<WalkEnd> {
  const ended = await tryEnd(walk, as, problem, {});
  return "resultCode" in ended ? ended : releaseAlone(walk.session, problem ?? ended.problem);
}

async function releaseAlone(session: Parameters<typeof giveBack>[0], problem: Problem): Promise<WalkEnd> {
  const failed = INVOCATION_ENDS.schedulerFailed;
  const left = await giveBack(session, failed);
  return {
    aggregateStatus: null,
    resultCode: failed.resultCode,
    problem: withLockLeft(problem, left),
  };
}

type Refused = Extract<Persisted, { readonly kind: "refused" }>;

async function tryEnd(
  walk: Walk,
  as: InvocationEnd | null,
  problem: Problem | null,
  { first = [], starting = false }: { readonly first?: readonly Change[]; readonly starting?: boolean },
): Promise<WalkEnd | Refused> {
  const at = isoNow(walk.deps.clock);
  const run = runChange(walk.ledger, walk.ledger.states, at, { starting });
  const base = run === null ? first : [...first, run];
  const end = walk.ending(base, at, as ?? undefined);
  const written = await persist(walk.session, [...base, end.change], end.release);
  const resultCode = end.release.resultCode;
  if (written.kind === "applied") {
    return { aggregateStatus: run?.status ?? walk.ledger.run.status, resultCode, problem };
  }
  return written.kind === "interrupted" ? lost(walk, written.problem) : written;
}

function endOf(ledger: Ledger, problem: Problem | null): WalkEnd {
  return { aggregateStatus: ledger.run.status, resultCode: ledger.invocation.resultCode, problem };
}

/** Nobody's failure, yet the Run is left where it counts as active and only a person takes it up again. */
const toldToStop = ({ ledger }: Walk): Problem => ({
  code: "RUN_INTERRUPTED",
  message:
    "The Run was told to stop: the node that was running was waited for and its result kept, no further node was started. The Run stays unfinished and counts among the active Runs of its network.",
  place: `Run ${ledger.run.runId}`,
  remedy: "Resume the Run when it may go on. Until then the network may refuse new Runs.",
  details: { runId: ledger.run.runId },
});

/** Nothing may be written any more: the Invocation stays open and the lock becomes a stale candidate. */
function lost({ session }: Walk, cause: Problem): WalkEnd {
  const why = session.state() === "FENCE_LOST" ? FENCE_LOST : INTERRUPTED;
  return {
    aggregateStatus: null,
    resultCode: INVOCATION_ENDS.leaseInterrupted.resultCode,
    problem: {
      ...why,
      place: session.lockKey,
      details: { cause: cause.code, message: cause.message },
    },
  };
}

/** The same code as for a lost connection (orchestration section 3.4), but nobody shall look for a broken line. */
const FENCE_LOST: Problem = {
  code: "NETWORK_LEASE_INTERRUPTED",
  message:
    "The Network lock was taken away from this process while its Run was going on. Nothing was written since; the outcome of a node that was running is not in the records.",
  remedy: "Find out who released the lock; when nobody holds it, resume the Run.",
};

const INTERRUPTED: Problem = {
  code: "NETWORK_LEASE_INTERRUPTED",
  message: "The connection to kintone was lost for too long; no further node was started.",
  remedy: "Check the connection, look at the Run's status, then resume it.",
};
