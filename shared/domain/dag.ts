import { fail, ok, type Result } from "./problem.ts";

export interface DagNode {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/** Indices kept ascending; takes the smallest first. A binary heap, because a network may have 1,700 nodes. */
function createReadySet(): { push(index: number): void; pop(): number | undefined } {
  const heap: number[] = [];
  const at = (i: number): number => heap[i] ?? Number.POSITIVE_INFINITY;
  const swap = (a: number, b: number): void => {
    const kept = at(a);
    heap[a] = at(b);
    heap[b] = kept;
  };
  const sink = (from: number): void => {
    let i = from;
    for (;;) {
      const smaller = at(2 * i + 1) <= at(2 * i + 2) ? 2 * i + 1 : 2 * i + 2;
      if (smaller >= heap.length || at(smaller) >= at(i)) return;
      swap(i, smaller);
      i = smaller;
    }
  };
  return {
    push(index) {
      heap.push(index);
      for (let i = heap.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1;
        if (at(parent) <= at(i)) return;
        swap(parent, i);
        i = parent;
      }
    },
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length > 0 && last !== undefined) {
        heap[0] = last;
        sink(0);
      }
      return first;
    },
  };
}

/** For each node, the indices of the nodes that name it as a dependency, in definition order, each once. */
function dependents(nodes: readonly DagNode[]): ReadonlyMap<string, readonly number[]> {
  const map = new Map<string, number[]>(nodes.map((node) => [node.id, []]));
  nodes.forEach((node, index) => {
    for (const dependency of new Set(node.dependsOn)) map.get(dependency)?.push(index);
  });
  return map;
}

/**
 * The order in which nodes run: of the ready nodes always the one that stands first in the file
 * (orchestration §1.3). Unknown dependencies count as never satisfied. Error `CYCLE_DETECTED`, with the
 * nodes left over in definition order in `details.nodeIds`.
 */
export function stableOrder(nodes: readonly DagNode[]): Result<readonly string[]> {
  const followers = dependents(nodes);
  const open = nodes.map((node) => new Set(node.dependsOn).size);
  const ready = createReadySet();
  open.forEach((count, index) => {
    if (count === 0) ready.push(index);
  });
  const order: string[] = [];
  const placed = new Set<number>();
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    const node = nodes[index];
    if (node === undefined) break;
    order.push(node.id);
    placed.add(index);
    for (const follower of followers.get(node.id) ?? []) {
      open[follower] = (open[follower] ?? 0) - 1;
      if (open[follower] === 0) ready.push(follower);
    }
  }
  if (order.length === nodes.length) return ok(order);
  const nodeIds = nodes.filter((_, index) => !placed.has(index)).map((node) => node.id);
  return fail({
    code: "CYCLE_DETECTED",
    message: `These nodes wait for each other and can never start: ${nodeIds.join(", ")}.`,
    place: "$.nodes",
    details: { nodeIds },
  });
}

/**
 * A node and everything that transitively depends on it, in definition order: what RERUN_FROM selects
 * (orchestration §1.3). Errors `DESCENDANTS_NODE_NOT_FOUND`, `DESCENDANTS_DAG_INVALID`.
 */
export function descendants(nodes: readonly DagNode[], nodeId: string): Result<readonly string[]> {
  if (!nodes.some((node) => node.id === nodeId)) {
    const message = `The network has no node "${nodeId}".`;
    return fail({ code: "DESCENDANTS_NODE_NOT_FOUND", message, place: nodeId });
  }
  const order = stableOrder(nodes);
  if (!order.ok) {
    const message = `What follows "${nodeId}" cannot be told: ${order.error.message}`;
    return fail({ code: "DESCENDANTS_DAG_INVALID", message, place: nodeId });
  }
  const followers = dependents(nodes);
  const selected = new Set<string>([nodeId]);
  // A Set grows while it is walked: each node added is visited once.
  for (const id of selected) {
    for (const index of followers.get(id) ?? []) selected.add(nodes[index]?.id ?? id);
  }
  return ok(nodes.filter((node) => selected.has(node.id)).map((node) => node.id));
}
