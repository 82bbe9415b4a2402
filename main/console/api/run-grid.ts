import type { GridRun, RunGrid, RunRow } from "../../../shared/api/index.ts";
import { isTerminalRunStatus } from "../../../shared/domain/run-status.ts";
import type { FlowReads } from "../../store/index.ts";
import { createBoundedCache } from "./bounded-cache.ts";

/** Node states of one Run are asked for this many Runs at a time: a kintone takes 100 requests at once from all. */
const AT_ONCE = 4;
/** Finished Runs whose columns are kept; a column of 500 nodes is small. */
const KEPT = 500;

export interface GridReader {
  /** The columns of the given Runs, in their order. Throws `FlowError` when the store cannot be read. */
  read(rows: readonly RunRow[], signal: AbortSignal | undefined): Promise<readonly GridRun[]>;
}

/**
 * Reads grid columns within the request budget (operator-ux U2): a finished Run does not change without its record's
 * revision, so its column is read once.
 */
export function createGridReader(reads: FlowReads): GridReader {
  const kept = createBoundedCache<GridRun["cells"]>(KEPT);

  const cellsOf = async (row: RunRow, signal: AbortSignal | undefined): Promise<GridRun["cells"]> => {
    const key = `${row.runId} ${row.revision}`;
    const settled = isTerminalRunStatus(row.status) && row.activity !== "LIVE";
    const known = settled ? kept.get(key) : undefined;
    if (known !== undefined) return known;
    const states = await reads.listNodeStates(row.runId, signal);
    const cells = states.map(({ nodeId, status, latestAttemptNo }) => ({
      nodeId,
      status,
      attemptNo: latestAttemptNo,
    }));
    if (settled) kept.set(key, cells);
    return cells;
  };
  return {
    async read(rows, signal) {
      const columns: GridRun[] = [];
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        const some = rows.slice(at, at + AT_ONCE);
        columns.push(
          ...(await Promise.all(some.map(async (row) => columnOf(row, await cellsOf(row, signal))))),
        );
      }
      return columns;
    },
  };
}

const columnOf = ({ runId, recordId, businessKey, status }: RunRow, cells: GridRun["cells"]): GridRun => ({
  runId,
  recordId,
  businessKey,
  status,
  cells,
});

/** The last Runs of a network out of rows that stand newest first; the newest last, as time runs. */
export function lastRuns(rows: readonly RunRow[], networkId: string, count: number): readonly RunRow[] {
  return rows
    .filter((row) => row.networkId === networkId)
    .slice(0, count)
    .reverse();
}

/** The answer of the grid. */
export const gridOf = (networkId: string, runs: readonly GridRun[], readAt: string): RunGrid => ({
  networkId,
  runs,
  readAt,
});
