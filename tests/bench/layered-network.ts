import type { LargeNode } from "../support/large-workspace.ts";

const LAYER = 20;

/** A network of layers of twenty, most edges to the layer before, a few further back; the same one every time. */
export function layeredNodes(nodes: number, edges: number): readonly LargeNode[] {
  let seed = 1;
  const below = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * limit);
  };
  const upstream = Array.from({ length: nodes }, () => new Set<number>());
  let made = 0;
  while (made < edges) {
    const node = LAYER + (made < nodes - LAYER ? made : below(nodes - LAYER));
    const layer = Math.floor(node / LAYER);
    const back = below(10) < 8 ? 1 : 1 + below(Math.min(layer, 4));
    const known = upstream[node];
    const from = (layer - back) * LAYER + below(LAYER);
    if (known === undefined || from < 0 || known.has(from)) continue;
    known.add(from);
    made += 1;
  }
  return upstream.map((from, at) => ({ id: `n${at}`, dependsOn: [...from].map((each) => `n${each}`) }));
}
