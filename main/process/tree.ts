import type { ProcessRow } from "./inspector/proc-stat.ts";

/**
 * The living relatives of `root` in a process table, without itself: descendants by the parent chain and
 * whoever stands in its group or session. A row older than its parent is not a child: the parent's number was
 * reused. When the root's own number belongs to another process by now, its group and session are not ours.
 */
export function relativesOf(
  table: readonly ProcessRow[],
  root: { readonly pid: number; readonly startTicks: number | null },
): readonly ProcessRow[] {
  const holder = table.find((row) => row.pid === root.pid);
  if (holder !== undefined && root.startTicks !== null && holder.startTicks !== root.startTicks) return [];
  const children = Map.groupBy(table, (row) => row.parentPid);
  const found = new Map<number, ProcessRow>();
  const queue = table.filter((row) => row.groupId === root.pid || row.sessionId === root.pid);
  if (holder !== undefined) queue.push(holder);
  for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    const { startTicks } = row;
    queue.push(...(children.get(row.pid) ?? []).filter((child) => child.startTicks >= startTicks));
  }
  return [...found.values()].filter((row) => row.pid !== root.pid && !row.defunct);
}
