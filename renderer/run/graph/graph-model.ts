import type { DefinitionNode, NodeFacts } from "../../../shared/api/index.ts";
import type { NodeStatus } from "../../../shared/domain/model.ts";
import { edgeId } from "../cause.ts";

export interface GraphNode {
  readonly id: string;
  readonly jobId: string;
  /** Null when the Run has no state of the node. */
  readonly status: NodeStatus | null;
  readonly attemptNo: number;
  readonly upstream: readonly string[];
  readonly downstream: readonly string[];
}
export interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}
export interface RunGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/**
 * The graph of a Run: its edges from the Run's own definition, its statuses from its records. A state without a node in
 * the definition is shown unconnected, never left out. Pure.
 */
export function graphOf(definition: readonly DefinitionNode[], states: readonly NodeFacts[]): RunGraph {
  const stateOf = new Map(states.map((state) => [state.nodeId, state]));
  const known = new Set(definition.map((node) => node.id));
  const downstream = new Map<string, string[]>(definition.map((node) => [node.id, []]));
  const edges: GraphEdge[] = [];
  for (const node of definition) {
    for (const from of new Set(node.dependsOn)) {
      if (!known.has(from)) continue;
      downstream.get(from)?.push(node.id);
      edges.push({ id: edgeId(from, node.id), from, to: node.id });
    }
  }
  const nodes = definition.map((node): GraphNode => {
    const state = stateOf.get(node.id);
    return {
      id: node.id,
      jobId: node.jobId,
      status: state?.status ?? null,
      attemptNo: state?.latestAttemptNo ?? 0,
      upstream: node.dependsOn,
      downstream: downstream.get(node.id) ?? [],
    };
  });
  const strangers = states
    .filter((state) => !known.has(state.nodeId))
    .map(
      (state): GraphNode => ({
        id: state.nodeId,
        jobId: state.jobId,
        status: state.status,
        attemptNo: state.latestAttemptNo,
        upstream: [],
        downstream: [],
      }),
    );
  return { nodes: [...nodes, ...strangers], edges };
}
