import type { NodeState, Stored } from "../../../shared/domain/model.ts";
import type { FlowReads } from "../../store/index.ts";

/** Runs whose Attempts are looked at one by one in one pass; the rest waits for the next day. */
const GRAPHS = 50;

export type NeedReads = Pick<FlowReads, "listNodeStatesOfRuns" | "readRunGraph" | "listHeldLocks">;

/** What the records say is decided. */
export interface Decided {
  /** Runs with no Attempt that is open or whose outcome is unknown. A Run that is not found is none of them. */
  readonly settledRuns: ReadonlySet<string>;
  /** Invocations that hold a Network lock: their owner's identity is evidence. */
  readonly lockOwners: ReadonlySet<string>;
}

/**
 * Asks the records which Runs are settled (decisions section 3). A Run of another workspace, or a half-created one, is
 * not found or has no states, and stays needed. Errors of the reads pass: then nothing may be removed.
 */
export async function readDecided(
  reads: NeedReads,
  runIds: readonly string[],
  signal?: AbortSignal,
): Promise<Decided> {
  const locks = await reads.listHeldLocks(signal);
  const states = await reads.listNodeStatesOfRuns(runIds, signal);
  const settled = new Set<string>();
  let graphs = 0;
  for (const runId of runIds) {
    const verdict = verdictOf(states.get(runId) ?? []);
    if (verdict === "settled") settled.add(runId);
    if (verdict !== "look" || graphs >= GRAPHS) continue;
    graphs += 1;
    const { attempts } = await reads.readRunGraph(runId, signal);
    if (!attempts.some(({ status }) => status === "RUNNING")) settled.add(runId);
  }
  return {
    settledRuns: settled,
    lockOwners: new Set(locks.flatMap(({ ownerInvocationId }) => ownerInvocationId ?? [])),
  };
}

/** A waiting node may have an Attempt that a crash left open (W-01). */
function verdictOf(states: readonly Stored<NodeState>[]): "settled" | "needed" | "look" {
  if (states.length === 0) return "needed";
  const open = ({ status, activeAttemptId }: NodeState): boolean =>
    status === "RUNNING" || status === "UNKNOWN" || activeAttemptId !== null;
  if (states.some(open)) return "needed";
  return states.some(({ status }) => status === "WAITING") ? "look" : "settled";
}
