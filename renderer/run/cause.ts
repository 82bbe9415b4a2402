import type { NodeFacts } from "../../shared/api/index.ts";

type Blocked = Pick<NodeFacts, "nodeId" | "status" | "blockedBy">;

/** An edge of the graph by its two ends; the same text wherever an edge is meant. */
export const edgeId = (from: string, to: string): string => JSON.stringify([from, to]);

/**
 * The nodes a blocked node waits for in the end: up through what blocks what blocks it, to the nodes that are not
 * blocked themselves (operator-ux §1.1, cause of a blocked node). In the order they are met; records that contradict
 * themselves in a circle end the walk. Pure.
 */
export function firstCauses(nodes: readonly Blocked[], nodeId: string): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const seen = new Set<string>([nodeId]);
  const causes: string[] = [];
  const open = [...(byId.get(nodeId)?.blockedBy ?? [])];
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = byId.get(id);
    if (node?.status === "BLOCKED" && node.blockedBy.length > 0) open.push(...node.blockedBy);
    else causes.push(id);
  }
  return causes;
}

export interface CausePath {
  readonly nodeIds: ReadonlySet<string>;
  readonly edgeIds: ReadonlySet<string>;
}

const TROUBLE: ReadonlySet<string> = new Set(["FAILED", "UNKNOWN", "CANCELLED"]);

/** What leads from trouble to everything it holds up: those nodes and the edges between them. Pure. */
export function causePath(nodes: readonly Blocked[]): CausePath {
  const nodeIds = new Set<string>();
  const edgeIds = new Set<string>();
  for (const node of nodes) {
    if (TROUBLE.has(node.status)) nodeIds.add(node.nodeId);
    if (node.status !== "BLOCKED") continue;
    nodeIds.add(node.nodeId);
    for (const by of node.blockedBy) {
      nodeIds.add(by);
      edgeIds.add(edgeId(by, node.nodeId));
    }
  }
  return { nodeIds, edgeIds };
}

/** The node to look at first: trouble before what it holds up, in the order of the Run; null when all is well. */
export function firstTrouble(nodes: readonly Blocked[]): string | null {
  const found =
    nodes.find((node) => node.status === "UNKNOWN") ??
    nodes.find((node) => node.status === "FAILED") ??
    nodes.find((node) => node.status === "CANCELLED") ??
    nodes.find((node) => node.status === "BLOCKED");
  return found?.nodeId ?? null;
}
