import type { DagNode } from "./dag.ts";
import type { NodeStatus, RunMode } from "./model.ts";

/** What the walk made of a node (orchestration §4.1 step 5). */
export type Disposition = "EXECUTED" | "PRESERVED" | "EXCLUDED" | "BLOCKED" | "DEFERRED";

export interface WalkState {
  readonly definition: { readonly nodes: readonly DagNode[] };
  /** Stable topological order of all node ids (orchestration §1.3). */
  readonly order: readonly string[];
  readonly states: ReadonlyMap<string, { readonly status: NodeStatus }>;
  /** Nodes this Invocation already executed, whatever came of it: each node gets one turn a walk. */
  readonly tried: ReadonlySet<string>;
  /** Default NEW. */
  readonly mode?: RunMode;
  /** RERUN_FROM: the node asked for and its descendants. */
  readonly selected?: ReadonlySet<string>;
  /** Nodes that resume preparation excluded, with all that follows them ({@link excludedSet}). */
  readonly excluded?: ReadonlySet<string>;
  /** A hold is requested or accepted. */
  readonly held?: boolean;
  /** False when no node may be started any more; default true. */
  readonly leaseHeld?: boolean;
}

export type NextStep =
  | { readonly kind: "execute"; readonly nodeId: string }
  /** `by`: the direct dependencies that failed, in `depends_on` order. */
  | { readonly kind: "block"; readonly nodeId: string; readonly by: readonly string[] }
  /** A node could start and must not; what is left is DEFERRED. */
  | {
      readonly kind: "stop";
      readonly reason: "hold" | "lease";
      readonly nodeId: string;
      readonly dispositions: ReadonlyMap<string, Disposition>;
    }
  | { readonly kind: "done"; readonly dispositions: ReadonlyMap<string, Disposition> };

const FAILING: readonly NodeStatus[] = ["FAILED", "BLOCKED", "CANCELLED", "UNKNOWN"];
const NONE: ReadonlySet<string> = new Set();

type Turn = { readonly rests: Disposition } | { readonly blockedBy: readonly string[] } | "ready";

/** First match of the table in orchestration §4.1 step 5, before hold and lease are asked. */
function turnOf(walk: WalkState, nodeId: string, dependsOn: readonly string[]): Turn {
  const status = walk.states.get(nodeId)?.status;
  if (walk.tried.has(nodeId)) return { rests: "EXECUTED" };
  if (walk.mode === "RERUN_FROM" && !(walk.selected ?? NONE).has(nodeId)) {
    return { rests: status === "SUCCESS" ? "PRESERVED" : "EXCLUDED" };
  }
  if (status === "SUCCESS") return { rests: "PRESERVED" };
  const excluded = (walk.excluded ?? NONE).has(nodeId);
  if (excluded && status !== "WAITING") return { rests: "EXCLUDED" };
  // Only a waiting node can become BLOCKED; one that already is needs no second write.
  if (status === "BLOCKED") return { rests: "BLOCKED" };
  if (status !== undefined && status !== "WAITING") return { rests: "EXCLUDED" };
  const statusOf = (id: string): NodeStatus | undefined => walk.states.get(id)?.status;
  const failed = dependsOn.filter((id) => FAILING.some((failing) => failing === statusOf(id)));
  if (status === "WAITING" && (failed.length > 0 || excluded)) return { blockedBy: failed };
  // all_success asks for SUCCESS itself: a reserved status such as SKIPPED does not open the way.
  const open = dependsOn.some((id) => statusOf(id) !== "SUCCESS");
  return open || status === undefined ? { rests: "DEFERRED" } : "ready";
}

/**
 * The next thing a walk has to do, from what is in the store now (orchestration §4.1 step 5): execute one
 * node, block one, stop before one, or nothing more. Stateless: after each write it is asked again with the
 * new states, and answers `done` when every node has its disposition.
 */
export function nextStep(walk: WalkState): NextStep {
  const dependsOn = new Map(walk.definition.nodes.map((node) => [node.id, node.dependsOn]));
  const dispositions = new Map<string, Disposition>();
  let stop: { readonly reason: "hold" | "lease"; readonly nodeId: string } | null = null;
  for (const nodeId of walk.order) {
    const turn = turnOf(walk, nodeId, dependsOn.get(nodeId) ?? []);
    if (turn !== "ready" && "rests" in turn) {
      dispositions.set(nodeId, turn.rests);
    } else if (stop !== null) {
      dispositions.set(nodeId, "DEFERRED");
    } else if (turn !== "ready") {
      return { kind: "block", nodeId, by: turn.blockedBy };
    } else if (walk.held === true || walk.leaseHeld === false) {
      stop = { reason: walk.held === true ? "hold" : "lease", nodeId };
      dispositions.set(nodeId, "DEFERRED");
    } else {
      return { kind: "execute", nodeId };
    }
  }
  return stop === null ? { kind: "done", dispositions } : { kind: "stop", ...stop, dispositions };
}
