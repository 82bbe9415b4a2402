import type { GraphEdge } from "./graph-model.ts";
import { type Layout, NODE_HEIGHT, NODE_WIDTH, type Place } from "./layout.ts";

/** Where the places of a layout lie, from the first corner to the last; CSS pixels, boxes not counted in. Pure. */
export function boundsOf(layout: Layout): Place & { readonly width: number; readonly height: number } {
  let [left, top, right, bottom] = [0, 0, 0, 0];
  let first = true;
  for (const { x, y } of layout.values()) {
    left = first ? x : Math.min(left, x);
    top = first ? y : Math.min(top, y);
    right = first ? x : Math.max(right, x);
    bottom = first ? y : Math.max(bottom, y);
    first = false;
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The boxes of the named nodes as one shape; those without a place are left out. Pure. */
export function boxesPath(ids: readonly string[], layout: Layout): string {
  return ids
    .map((id) => layout.get(id))
    .filter((place) => place !== undefined)
    .map(({ x, y }) => `M${x} ${y}h${NODE_WIDTH}v${NODE_HEIGHT}h${-NODE_WIDTH}z`)
    .join("");
}

/** Edges as straight lines from the right side of one box to the left side of the other, as one shape. Pure. */
export function linesPath(edges: readonly GraphEdge[], layout: Layout): string {
  const lines: string[] = [];
  for (const { from, to } of edges) {
    const start = layout.get(from);
    const end = layout.get(to);
    if (start === undefined || end === undefined) continue;
    lines.push(`M${start.x + NODE_WIDTH} ${start.y + NODE_HEIGHT / 2}L${end.x} ${end.y + NODE_HEIGHT / 2}`);
  }
  return lines.join("");
}

/** The node whose box holds a point of the drawing; null beside all of them. Pure. */
export function nodeAt(point: Place, ids: Iterable<string>, layout: Layout): string | null {
  for (const id of ids) {
    const place = layout.get(id);
    if (place === undefined) continue;
    const right = point.x - place.x;
    const down = point.y - place.y;
    if (right >= 0 && right <= NODE_WIDTH && down >= 0 && down <= NODE_HEIGHT) return id;
  }
  return null;
}
