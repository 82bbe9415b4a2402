import {
  mergeRun,
  placingFields,
  type RunDiff,
  type RunQuery,
  type RunRow,
  runFilter,
} from "../../shared/api/index.ts";

/** The list as shown: its order on screen, the rows fetched so far, and what waits to be let in. */
export interface RunsList {
  /** By Run id; only what was on screen or came as news. */
  readonly rows: Readonly<Record<string, RunRow>>;
  /** Run id by `recordId`. */
  readonly runOf: Readonly<Record<string, string>>;
  /** `recordId`s, as main put them; they change only when the operator lets them (operator-ux U5). */
  readonly order: readonly string[];
  readonly known: ReadonlySet<string>;
  /** New Runs: announced, not inserted under the operator's hand (operator-ux U6). */
  readonly waiting: readonly string[];
  /** Runs whose place would be another one now. */
  readonly moved: readonly string[];
}

export const emptyList: RunsList = {
  rows: {},
  runOf: {},
  order: [],
  known: new Set(),
  waiting: [],
  moved: [],
};

/** How many changes wait for 「並べ替えを更新」. */
export const pending = (list: RunsList): number => list.waiting.length + list.moved.length;

/** The row of a place in the list, once it was fetched. */
export function rowAt(list: RunsList, recordId: string): RunRow | undefined {
  const runId = list.runOf[recordId];
  return runId === undefined ? undefined : list.rows[runId];
}

/** The list in a new order; rows already fetched are kept, nothing waits any more. */
export function ordered(list: RunsList, order: readonly string[]): RunsList {
  return { ...list, order, known: new Set(order), waiting: [], moved: [] };
}

/**
 * The list beside an order read again, which is not shown yet: what it would bring waits. An order that is the shown
 * one brings nothing.
 */
export function compared(list: RunsList, order: readonly string[]): RunsList {
  const next = new Set(order);
  const gone = list.order.filter((recordId) => !next.has(recordId));
  const fresh = order.filter((recordId) => !list.known.has(recordId));
  const same = gone.length + fresh.length === 0 && order.every((recordId, at) => recordId === list.order[at]);
  if (same) return pending(list) === 0 ? list : { ...list, waiting: [], moved: [] };
  const nothingNew = gone.length + fresh.length === 0;
  return { ...list, waiting: fresh, moved: nothingNew ? order.slice(0, 1) : gone };
}

/** The list with freshly read rows; a row that is older than the known one is history. */
export function withRows(list: RunsList, fresh: readonly RunRow[]): RunsList {
  const rows = { ...list.rows };
  const runOf = { ...list.runOf };
  for (const row of fresh) {
    const known = rows[row.runId];
    if (known !== undefined && known.revision > row.revision) continue;
    rows[row.runId] = row;
    runOf[row.recordId] = row.runId;
  }
  return { ...list, rows, runOf };
}

/** The list without the rows that are not in sight: they are fetched again when they are. */
export function onlyRows(list: RunsList, recordIds: ReadonlySet<string>): RunsList {
  const kept = Object.values(list.rows).filter((row) => recordIds.has(row.recordId));
  return {
    ...list,
    rows: Object.fromEntries(kept.map((row) => [row.runId, row])),
    runOf: Object.fromEntries(kept.map((row) => [row.recordId, row.runId])),
  };
}

/**
 * The list with rows read again after changes may have been missed. They are the truth, also where they are older than
 * what is known: a database put back from its backup (operator-ux U7).
 */
export function withRowsAgain(list: RunsList, fresh: readonly RunRow[]): RunsList {
  const again = new Set(fresh.map((row) => row.recordId));
  const others = Object.keys(list.runOf).filter((recordId) => !again.has(recordId));
  return withRows(onlyRows(list, new Set(others)), fresh);
}

/**
 * The list after a batch of diffs. Known rows change in place and never move, even when they no longer pass the filter:
 * what the operator looks at must not vanish by itself. What would change the order is counted.
 */
export function applyDiffs(list: RunsList, diffs: readonly RunDiff[], query: RunQuery): RunsList {
  const passes = runFilter(query);
  const placing = placingFields(query);
  const rows = { ...list.rows };
  const runOf = { ...list.runOf };
  const waiting = new Set(list.waiting);
  const moved = new Set(list.moved);
  let changed = false;
  for (const diff of diffs) {
    const known = rows[diff.id];
    const merged = mergeRun(known, diff);
    if (merged === null) {
      if (known !== undefined || !entersBy(diff, query)) continue;
      moved.add(diff.id);
      changed = true;
      continue;
    }
    const shown = list.known.has(merged.recordId);
    if (!shown && !passes(merged)) continue;
    rows[diff.id] = merged;
    runOf[merged.recordId] = diff.id;
    changed = true;
    if (!shown) waiting.add(merged.recordId);
    else if (known !== undefined && placing.some((field) => known[field] !== merged[field])) {
      moved.add(diff.id);
    }
  }
  return changed ? { ...list, rows, runOf, waiting: [...waiting], moved: [...moved] } : list;
}

/** Whether a change of a Run that was never on screen may bring it into the list. */
function entersBy({ fields }: RunDiff, query: RunQuery): boolean {
  if (query.sort === "status" && fields.status !== undefined) return true;
  if (query.status !== undefined && fields.status === query.status) return true;
  return query.activity !== undefined && fields.activity === query.activity;
}
