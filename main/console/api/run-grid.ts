import { type GridCell, packCell, type RunGrid, type RunRow } from "../../../shared/api/index.ts";
import type { NodeState } from "../../../shared/domain/model.ts";
import { isTerminalRunStatus } from "../../../shared/domain/run-status.ts";
import { inLists } from "../../../shared/records/index.ts";
import type { FlowReads } from "../../store/index.ts";
import { createBoundedCache } from "./bounded-cache.ts";

/** Parts a large grid is asked for in at once: a kintone takes 100 requests at once from all. */
const LANES = 4;
/** States one answer holds; below that, one question costs one request however many Runs it names. */
const STATES_AT_ONCE = 500;
/** Finished Runs whose columns are kept; a column of 500 nodes is small. */
const KEPT = 500;

/** A Run of the grid as it was read. */
export interface GridColumn {
  readonly runId: string;
  readonly recordId: string;
  readonly businessKey: string;
  readonly status: RunRow["status"];
  readonly cells: readonly (GridCell & { readonly nodeId: string })[];
}

export interface GridReader {
  /** The columns of the given Runs, in their order. Throws `FlowError` when the store cannot be read. */
  read(rows: readonly RunRow[], signal: AbortSignal | undefined): Promise<readonly GridColumn[]>;
}

type Cells = GridColumn["cells"];

/**
 * Reads grid columns within the request budget (operator-ux U2): a finished Run does not change without its record's
 * revision, so its column is read once; all others are asked for together.
 */
export function createGridReader(reads: Pick<FlowReads, "listNodeStatesOfRuns">): GridReader {
  const kept = createBoundedCache<Cells>(KEPT);

  const ask = async (runIds: readonly string[], signal: AbortSignal | undefined) => {
    const states = await reads.listNodeStatesOfRuns(runIds, signal);
    return runIds.map((runId) => [runId, cellsOf(states.get(runId) ?? [])] as const);
  };
  return {
    async read(rows, signal) {
      const known = new Map<string, Cells>();
      for (const row of rows) {
        const cells = isSettled(row) ? kept.get(keyOf(row)) : undefined;
        if (cells !== undefined) known.set(row.runId, cells);
      }
      const wanted = rows.filter(({ runId }) => !known.has(runId)).map(({ runId }) => runId);
      // How many nodes the network has is learnt from its newest Run, where no column is known yet.
      const first = known.size === 0 && wanted.length > 1 ? wanted.splice(-1) : [];
      for (const [runId, cells] of await ask(first, signal)) known.set(runId, cells);
      const nodes = Math.max(1, ...[...known.values()].map((cells) => cells.length));
      const parts = gridParts(wanted, nodes).map((runIds) => ask(runIds, signal));
      for (const [runId, cells] of (await Promise.all(parts)).flat()) known.set(runId, cells);
      for (const row of rows) {
        const cells = known.get(row.runId);
        if (cells !== undefined && isSettled(row)) kept.set(keyOf(row), cells);
      }
      return rows.map((row) => columnOf(row, known.get(row.runId) ?? []));
    },
  };
}

/** The Runs in as few questions as their states fit in, and in no more than are asked at once. */
export function gridParts(runIds: readonly string[], nodesOfRun: number): readonly (readonly string[])[] {
  if (runIds.length === 0) return [];
  const lanes = Math.min(LANES, runIds.length, Math.ceil((runIds.length * nodesOfRun) / STATES_AT_ONCE));
  return inLists(runIds, Math.ceil(runIds.length / lanes));
}

const isSettled = ({ status, activity }: RunRow): boolean =>
  isTerminalRunStatus(status) && activity !== "LIVE";
const keyOf = ({ runId, revision }: RunRow): string => `${runId} ${revision}`;
const cellsOf = (states: readonly NodeState[]): Cells =>
  states.map(({ nodeId, status, latestAttemptNo }) => ({ nodeId, status, attemptNo: latestAttemptNo }));

const columnOf = ({ runId, recordId, businessKey, status }: RunRow, cells: Cells): GridColumn => ({
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

/** The answer of the grid: what the columns share is said once, their cells are packed. Pure. */
export function gridOf(networkId: string, columns: readonly GridColumn[], readAt: string): RunGrid {
  const places = new Map<string, number>();
  for (const { cells } of columns.toReversed()) {
    for (const { nodeId } of cells) if (!places.has(nodeId)) places.set(nodeId, places.size);
  }
  const runs = columns.map(({ cells, ...run }) => {
    const packed = new Array<number>(places.size).fill(0);
    for (const { nodeId, ...cell } of cells) packed[places.get(nodeId) ?? 0] = packCell(cell);
    return { ...run, cells: packed };
  });
  return { networkId, nodeIds: [...places.keys()], runs, readAt };
}
