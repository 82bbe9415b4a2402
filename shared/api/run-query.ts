import { z } from "zod";
import { ACTIVITIES, NODE_STATUSES, type NodeStatus, RUN_STATUSES } from "../domain/model.ts";
import { identifier, isoTime } from "./result.ts";
import type { RunRow } from "./runs.ts";
import { foldForSearch } from "./search-text.ts";

/**
 * How the Run list may be ordered. Times are no order: they are kept to the minute (wire-format §5); `newest` and
 * `oldest` go by `$id`, and so does whatever else is equal.
 */
export const RUN_SORTS = ["newest", "oldest", "businessKey", "networkId", "status"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

export const runQuery = z.strictObject({
  networkId: identifier.exactOptional(),
  status: z.enum(RUN_STATUSES).exactOptional(),
  activity: z.enum(ACTIVITIES).exactOptional(),
  /** Every word of it must occur, whatever its width, case or kana (operator-ux §5.1). */
  text: z.string().max(200).exactOptional(),
  /** Created at or after, before: instants, ISO-8601 UTC. */
  createdFrom: isoTime.exactOptional(),
  createdBefore: isoTime.exactOptional(),
  sort: z.enum(RUN_SORTS).exactOptional(),
});
export type RunQuery = z.infer<typeof runQuery>;

/** What a Run must come first for in the order by status: trouble, then work, then rest. */
const STATUS_RANK: Readonly<Record<RunRow["status"], number>> = {
  UNKNOWN: 0,
  FAILED: 1,
  RUNNING: 2,
  CREATED: 3,
  CANCELLED: 4,
  SUCCESS: 5,
};

/** Code-point order, the order of identifiers (operator-ux §5.1). */
const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
const byRecord = (left: RunRow, right: RunRow): number => Number(right.recordId) - Number(left.recordId);

/** Compares two rows in an order; equal ones stand newest first. */
export function runOrder(sort: RunSort): (left: RunRow, right: RunRow) => number {
  switch (sort) {
    case "newest":
      return byRecord;
    case "oldest":
      return (left, right) => byRecord(right, left);
    case "status":
      return (left, right) => STATUS_RANK[left.status] - STATUS_RANK[right.status] || byRecord(left, right);
    default:
      return (left, right) => byText(left[sort], right[sort]) || byRecord(left, right);
  }
}

/** Whether a row passes a query: made once, asked for every row. */
export function runFilter(query: RunQuery): (row: RunRow) => boolean {
  const words = foldForSearch(query.text ?? "")
    .split(/\s+/)
    .filter((word) => word !== "");
  const from = query.createdFrom === undefined ? Number.NEGATIVE_INFINITY : Date.parse(query.createdFrom);
  const before =
    query.createdBefore === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.createdBefore);
  const dated = query.createdFrom !== undefined || query.createdBefore !== undefined;
  return (row) => {
    if (query.networkId !== undefined && row.networkId !== query.networkId) return false;
    if (query.status !== undefined && row.status !== query.status) return false;
    if (query.activity !== undefined && row.activity !== query.activity) return false;
    if (dated) {
      const created = Date.parse(row.createdAt);
      if (!(created >= from && created < before)) return false;
    }
    if (words.length === 0) return true;
    const folded = foldForSearch(`${row.businessKey}\n${row.networkId}\n${row.runId}`);
    return words.every((word) => folded.includes(word));
  };
}

/** Fields that decide a row's place in the list; a change of any other moves nothing. */
export function placingFields(query: RunQuery): readonly (keyof RunRow)[] {
  const { sort } = query;
  return [
    ...(query.status !== undefined || sort === "status" ? (["status"] as const) : []),
    ...(query.activity !== undefined ? (["activity"] as const) : []),
  ];
}

export const runOrderAnswer = z.object({
  /** `recordId` of every Run that passes, in order. */
  recordIds: z.array(z.string()).readonly(),
  readAt: isoTime,
});

/** Most rows one question may ask for. */
export const ROWS_MAX = 500;
/** Most Runs side by side in the grid. */
export const GRID_RUNS_MAX = 60;

/** Attempts a cell tells of; more are shown as this many. */
const CELL_ATTEMPTS_MAX = 0xfffff;
const CELL_STATUSES = 16;

/** One node in one Run. */
export interface GridCell {
  readonly status: NodeStatus;
  readonly attemptNo: number;
}

/**
 * A cell as one number: a grid of 500 nodes and 60 Runs has thirty thousand of them, and as records they would take
 * both ends longer than all the rest (operator-ux §3.2). `null`, which is 0: the Run has no such node. Pure.
 */
export const packCell = (cell: GridCell | null): number =>
  cell === null
    ? 0
    : Math.min(CELL_ATTEMPTS_MAX, cell.attemptNo) * CELL_STATUSES + NODE_STATUSES.indexOf(cell.status) + 1;

/** What `packCell` made; null also for a number that is none of its. Pure. */
export function unpackCell(packed: number | undefined): GridCell | null {
  if (packed === undefined || packed <= 0) return null;
  const status = NODE_STATUSES[(packed % CELL_STATUSES) - 1];
  return status === undefined ? null : { status, attemptNo: Math.floor(packed / CELL_STATUSES) };
}

const gridRun = z.object({
  runId: z.string(),
  recordId: z.string(),
  businessKey: z.string(),
  status: z.enum(RUN_STATUSES),
  /** By the order of the grid's `nodeIds`, each a packed cell; what is beyond the end is not in the Run. */
  cells: z.array(z.int().min(0)).readonly(),
});

export const runGrid = z.object({
  networkId: z.string(),
  /** In the order of the newest Run that has them, those of older definitions behind: nothing that ran is hidden. */
  nodeIds: z.array(z.string()).readonly(),
  /** Newest last, so that time runs from left to right. */
  runs: z.array(gridRun).readonly(),
  readAt: isoTime,
});
export type RunGrid = z.infer<typeof runGrid>;
