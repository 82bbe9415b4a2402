import { byNewest, mergeRun, type RunDiff, type RunRow } from "../../shared/api/index.ts";
import type { RunFilter } from "../app/routes.ts";

/** The list as shown: rows by id, their order on screen, and new ones that wait to be let in. */
export interface RunsList {
  readonly rows: Readonly<Record<string, RunRow>>;
  readonly order: readonly string[];
  /** New Runs above what is shown: announced, not inserted under the operator's hand (operator-ux U6). */
  readonly waiting: readonly string[];
}

export const emptyList: RunsList = { rows: {}, order: [], waiting: [] };

/** Whether a row passes the filter of the address. */
export function passes(row: RunRow, filter: RunFilter): boolean {
  return (
    (filter.networkId === undefined || row.networkId === filter.networkId) &&
    (filter.status === undefined || row.status === filter.status)
  );
}

/** A list from freshly read rows; nothing waits. */
export function listOf(rows: readonly RunRow[]): RunsList {
  const sorted = [...rows].sort(byNewest);
  return {
    rows: Object.fromEntries(sorted.map((row) => [row.runId, row])),
    order: sorted.map((row) => row.runId),
    waiting: [],
  };
}

/** The list with one more page at its end. */
export function appendPage(list: RunsList, rows: readonly RunRow[]): RunsList {
  const fresh = rows.filter((row) => list.rows[row.runId] === undefined);
  return {
    ...list,
    rows: { ...list.rows, ...Object.fromEntries(fresh.map((row) => [row.runId, row])) },
    order: [...list.order, ...fresh.map((row) => row.runId)],
  };
}

/**
 * The list after a batch of diffs. Known rows change in place and never move, even when they no longer pass the filter:
 * what the operator looks at must not vanish by itself. New rows that pass wait at the top.
 */
export function applyDiffs(list: RunsList, diffs: readonly RunDiff[], filter: RunFilter): RunsList {
  const rows = { ...list.rows };
  const waiting = [...list.waiting];
  let changed = false;
  for (const diff of diffs) {
    const known = rows[diff.id];
    const merged = mergeRun(known, diff);
    if (merged === null || (known === undefined && !passes(merged, filter))) continue;
    rows[diff.id] = merged;
    changed = true;
    if (known === undefined) waiting.push(diff.id);
  }
  if (!changed) return list;
  const next = { ...list, rows, waiting };
  // Nothing is on screen that could move: the first Runs come in at once.
  return list.order.length === 0 ? letIn(next) : next;
}

/** The list with the waiting rows let in, newest first. */
export function letIn(list: RunsList): RunsList {
  if (list.waiting.length === 0) return list;
  const ids = [...list.waiting, ...list.order];
  const rows = ids.map((id) => list.rows[id]).filter((row) => row !== undefined);
  return { ...list, order: rows.sort(byNewest).map((row) => row.runId), waiting: [] };
}
