import { INVOCATION_ENDS, type InvocationEnd, onHold } from "../../shared/domain/index.ts";
import type { Hold, RunStatus, Stored } from "../../shared/domain/model.ts";
import { errorText, FlowError, type Problem } from "../../shared/domain/problem.ts";
import type { Change } from "../store/index.ts";
import { isoNow } from "./deps.ts";
import { type Ledger, runChange } from "./ledger.ts";
import { type NodeTurn, runNode, writeTurn } from "./node-run.ts";
import { DRAIN_INTERVAL_MS, persist } from "./persist.ts";
import type { Walk } from "./walk.ts";

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
    const problem: Problem =
      error instanceof FlowError ? error.problem : { code: "SCHEDULER_FAILED", message: errorText(error) };
    return endWith(walk, INVOCATION_ENDS.schedulerFailed, problem);
  }
}

async function walkNodes(walk: Walk, abort: AbortSignal | undefined): Promise<WalkEnd> {
  for (;;) {
    const step = walk.next();
    if (step.kind === "done" || abort?.aborted === true) return endWith(walk, null, null);
    const turn = step.kind === "block" ? await blockNodes(walk) : await executeNext(walk);
    if ("resultCode" in turn) return turn;
    if (turn.kind === "interrupted") return lost(turn.problem);
    if (turn.kind === "refused") return endWith(walk, INVOCATION_ENDS.schedulerFailed, turn.problem);
    if (turn.finished) return endOf(turn.ledger, null);
  }
}

/** Hold and lease are asked right before a start, never earlier (orchestration section 4.1, step 5). */
async function executeNext(walk: Walk): Promise<NodeTurn | WalkEnd> {
  const read = await readHold(walk);
  if (read.kind === "failed") return { kind: "interrupted", problem: read.problem };
  const held = onHold(read.hold?.state ?? null);
  const step = walk.next({ held, leaseHeld: !read.drained && mayStart(walk) });
  if (step.kind === "execute") return runNode(walk, step.nodeId);
  if (held && read.hold !== null) return stopAtBoundary(walk, read.hold);
  return endWith(walk, INVOCATION_ENDS.leaseInterrupted, INTERRUPTED);
}

/** A lease that was lost once stands only for writing what is known, not for starting more. */
const mayStart = ({ session }: Walk): boolean => session.state() === "HELD" && !session.interrupted();

const blockNodes = (walk: Walk): Promise<NodeTurn> => writeTurn(walk, [], isoNow(walk.deps.clock));

async function readHold(walk: Walk): Promise<HoldRead> {
  const { clock, delay, store } = walk.deps;
  const startedAt = clock.monotonicMs();
  for (let drained = false; ; drained = true) {
    try {
      return { kind: "read", hold: await store.findHold(walk.ledger.run.runId), drained };
    } catch (error) {
      if (!(error instanceof FlowError) || error.code !== "STORE_UNREACHABLE") throw error;
      if (clock.monotonicMs() - startedAt >= walk.persistDeps.drainMs) {
        return { kind: "failed", problem: error.problem };
      }
      await delay(DRAIN_INTERVAL_MS);
    }
  }
}

/** Hold ACCEPTED, the Run if it never started, the Invocation's end and the release, in one request. */
async function stopAtBoundary(walk: Walk, hold: Stored<Hold>): Promise<WalkEnd> {
  const at = isoNow(walk.deps.clock);
  const { ref, ...before } = hold;
  const accepted: readonly Change[] =
    hold.state === "REQUESTED"
      ? [{ kind: "hold.update", ref, next: { ...before, state: "ACCEPTED", acceptedAt: at } }]
      : [];
  return endWith(walk, INVOCATION_ENDS.stopRequested, null, { first: accepted, starting: true });
}

/** Writes the end; when the store refuses it for a reason outside the lock, the lock is released alone (fenced-writes R7). */
async function endWith(
  walk: Walk,
  as: InvocationEnd | null,
  problem: Problem | null,
  { first = [], starting = false }: { readonly first?: readonly Change[]; readonly starting?: boolean } = {},
): Promise<WalkEnd> {
  const at = isoNow(walk.deps.clock);
  const run = runChange(walk.ledger, walk.ledger.states, at, { starting });
  const base = run === null ? first : [...first, run];
  const end = walk.ending(base, at, as ?? undefined);
  const written = await persist(walk.persistDeps, [...base, end.change], end.release);
  const resultCode = end.release.resultCode;
  if (written.kind === "applied") {
    return { aggregateStatus: run?.status ?? walk.ledger.run.status, resultCode, problem };
  }
  if (written.kind === "refused") await walk.session.release(end.release);
  return {
    aggregateStatus: null,
    resultCode: problem?.code ?? written.problem.code,
    problem: problem ?? written.problem,
  };
}

function endOf(ledger: Ledger, problem: Problem | null): WalkEnd {
  return { aggregateStatus: ledger.run.status, resultCode: ledger.invocation.resultCode, problem };
}

/** Nothing may be written any more: the Invocation stays open and the lock becomes a stale candidate. */
function lost(cause: Problem): WalkEnd {
  return {
    aggregateStatus: null,
    resultCode: INVOCATION_ENDS.leaseInterrupted.resultCode,
    problem: { ...INTERRUPTED, details: { cause: cause.code, message: cause.message } },
  };
}

const INTERRUPTED: Problem = {
  code: "NETWORK_LEASE_INTERRUPTED",
  message: "The connection to kintone was lost for too long; no further node was started.",
  remedy: "Check the connection, look at the Run's status, then resume it.",
};
