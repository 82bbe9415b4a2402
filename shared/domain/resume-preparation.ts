import { type DagNode, descendants } from "./dag.ts";
import type { Attempt, NodeState, RunStatus } from "./model.ts";
import { fail, type Problem, type Result } from "./problem.ts";
import { type FailureStreak, retryBrake } from "./retry-brake.ts";

type State = Pick<NodeState, "nodeId" | "status" | "idempotent">;

export interface ResumePreparation {
  /** Nodes to set back to WAITING, in the order given. */
  readonly reset: readonly string[];
  /** Nodes left as they are; what follows them is blocked. */
  readonly excludedRoots: readonly string[];
  /** The excluded roots that the retry brake holds; each gets its `status_reason`. */
  readonly braked: readonly { readonly nodeId: string; readonly streak: FailureStreak }[];
}

/**
 * What a RESUME does to each Node State before the walk (orchestration §4.1 step 4): UNKNOWN and
 * non-idempotent failures stay and exclude what follows, idempotent failures are tried again unless the
 * brake holds them, BLOCKED is judged anew. `states` in definition order.
 */
export function prepareResume(states: readonly State[], attempts: readonly Attempt[]): ResumePreparation {
  const reset: string[] = [];
  const excludedRoots: string[] = [];
  const braked: { nodeId: string; streak: FailureStreak }[] = [];
  for (const { nodeId, status, idempotent } of states) {
    if (status === "BLOCKED") reset.push(nodeId);
    if (status === "UNKNOWN") excludedRoots.push(nodeId);
    if (status !== "FAILED" && status !== "CANCELLED") continue;
    const streak = idempotent ? retryBrake(attempts.filter((attempt) => attempt.nodeId === nodeId)) : null;
    if (streak !== null) braked.push({ nodeId, streak });
    if (idempotent && streak === null) reset.push(nodeId);
    else excludedRoots.push(nodeId);
  }
  return { reset, excludedRoots, braked };
}

/** What a RERUN_FROM leaves out: UNKNOWN and non-idempotent failures outside its selection (orchestration §4.1 step 4). */
export function rerunExcludedRoots(
  states: readonly State[],
  selected: ReadonlySet<string>,
): readonly string[] {
  return states
    .filter(({ nodeId, status, idempotent }) => {
      if (selected.has(nodeId)) return false;
      return status === "UNKNOWN" || (!idempotent && (status === "FAILED" || status === "CANCELLED"));
    })
    .map(({ nodeId }) => nodeId);
}

/** The roots and everything that depends on them, for the walk. The network must be free of cycles. */
export function excludedSet(nodes: readonly DagNode[], roots: readonly string[]): ReadonlySet<string> {
  const excluded = new Set<string>(roots);
  for (const root of roots) {
    const followers = descendants(nodes, root);
    if (followers.ok) for (const id of followers.value) excluded.add(id);
  }
  return excluded;
}

/** The three id lists of a RESUME Invocation, each sorted by id (orchestration §2.1). */
export function resumeInvocationLists(states: readonly State[]): {
  readonly preserved: readonly string[];
  readonly blocked: readonly string[];
  readonly selected: readonly string[];
} {
  const preserved: string[] = [];
  const blocked: string[] = [];
  const selected: string[] = [];
  for (const { nodeId, status, idempotent } of states) {
    const stuck = status === "UNKNOWN" || (!idempotent && (status === "FAILED" || status === "CANCELLED"));
    (status === "SUCCESS" ? preserved : stuck ? blocked : selected).push(nodeId);
  }
  return { preserved: preserved.sort(), blocked: blocked.sort(), selected: selected.sort() };
}

export interface RerunFromFacts {
  readonly nodes: readonly DagNode[];
  readonly nodeId: string;
  readonly runStatus: RunStatus;
  readonly states: readonly Pick<NodeState, "nodeId" | "status" | "idempotent" | "latestAttemptNo">[];
}

/**
 * The nodes a RERUN_FROM selects, in definition order, after every check that precedes its first write
 * (orchestration §4.9), except the input files. Errors: `RERUN_FROM_NODE_NOT_FOUND`, `RERUN_FROM_DAG_INVALID`,
 * `RERUN_FROM_SUCCESS_RUN`, `RERUN_FROM_UNKNOWN_STATE`, `RERUN_FROM_NON_IDEMPOTENT`.
 */
export function planRerunFrom({
  nodes,
  nodeId,
  runStatus,
  states,
}: RerunFromFacts): Result<readonly string[]> {
  const refuse = (code: string, message: string, nodeIds: readonly string[]): Result<readonly string[]> =>
    fail<Problem>({ code, message, place: nodeId, details: { nodeIds } });
  const selection = descendants(nodes, nodeId);
  if (!selection.ok) {
    const found = selection.error.code !== "DESCENDANTS_NODE_NOT_FOUND";
    return refuse(found ? "RERUN_FROM_DAG_INVALID" : "RERUN_FROM_NODE_NOT_FOUND", selection.error.message, [
      nodeId,
    ]);
  }
  const byId = new Map(states.map((state) => [state.nodeId, state]));
  const absent = selection.value.filter((id) => !byId.has(id));
  if (absent.length > 0) {
    return refuse("RERUN_FROM_NODE_NOT_FOUND", `The Run has no state of: ${absent.join(", ")}.`, absent);
  }
  if (runStatus === "SUCCESS") {
    return refuse("RERUN_FROM_SUCCESS_RUN", "The Run succeeded; use a correction key instead.", []);
  }
  const unknown = selection.value.filter((id) => byId.get(id)?.status === "UNKNOWN");
  if (unknown.length > 0) {
    return refuse(
      "RERUN_FROM_UNKNOWN_STATE",
      `The outcome is unknown of: ${unknown.join(", ")}. Resolve it first.`,
      unknown,
    );
  }
  const once = selection.value.filter((id) => {
    const state = byId.get(id);
    return state !== undefined && !state.idempotent && state.latestAttemptNo > 0;
  });
  if (once.length > 0) {
    return refuse(
      "RERUN_FROM_NON_IDEMPOTENT",
      `Must not run twice and already ran: ${once.join(", ")}.`,
      once,
    );
  }
  return selection;
}
