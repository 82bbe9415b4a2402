import { edgeId } from "../cause.ts";
import type { GraphEdge, GraphNode, RunGraph } from "./graph-model.ts";

/** A node as drawn: one of the Run, or a chain of successes folded into one. */
export interface DrawnNode {
  /** Of the node, or of the first node of the chain. */
  readonly id: string;
  readonly node: GraphNode;
  /** The ids of a folded chain, in order; empty for a single node. */
  readonly folded: readonly string[];
}
export interface DrawnGraph {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly GraphEdge[];
}

/** A chain shorter than this says as much unfolded. */
const CHAIN_MIN = 3;

/**
 * Folds every chain of successes, one after the other without a branch between them, into one drawn node (operator-ux
 * §1.1). `unfolded` names chains by their first node; with `fold` false nothing is folded. Pure.
 */
export function collapseChains(graph: RunGraph, fold: boolean, unfolded: ReadonlySet<string>): DrawnGraph {
  const chains = fold ? chainsOf(graph).filter(([first]) => first !== undefined && !unfolded.has(first)) : [];
  const headOf = new Map<string, string>();
  const chainOf = new Map<string, readonly string[]>();
  for (const chain of chains) {
    const [head] = chain;
    if (head === undefined) continue;
    chainOf.set(head, chain);
    for (const id of chain) headOf.set(id, head);
  }
  const nodes = graph.nodes
    .filter((node) => (headOf.get(node.id) ?? node.id) === node.id)
    .map((node) => ({ id: node.id, node, folded: chainOf.get(node.id) ?? [] }));
  const edges = new Map<string, GraphEdge>();
  for (const { from, to } of graph.edges) {
    const [start, end] = [headOf.get(from) ?? from, headOf.get(to) ?? to];
    if (start !== end) edges.set(edgeId(start, end), { id: edgeId(start, end), from: start, to: end });
  }
  return { nodes, edges: [...edges.values()] };
}

function chainsOf(graph: RunGraph): readonly (readonly string[])[] {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  /** The only node that follows, when that one follows nothing else and both succeeded. */
  const next = (node: GraphNode): GraphNode | null => {
    const [only] = node.downstream;
    if (node.status !== "SUCCESS" || only === undefined || node.downstream.length !== 1) return null;
    const following = byId.get(only);
    if (following?.status !== "SUCCESS" || new Set(following.upstream).size !== 1) return null;
    return following;
  };
  const followers = new Set(graph.nodes.map((node) => next(node)?.id));
  return graph.nodes
    .filter((node) => node.status === "SUCCESS" && !followers.has(node.id))
    .map((head) => {
      const chain = [head.id];
      for (let node = next(head); node !== null; node = next(node)) chain.push(node.id);
      return chain;
    })
    .filter((chain) => chain.length >= CHAIN_MIN);
}
