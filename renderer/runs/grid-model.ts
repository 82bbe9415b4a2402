import type { GridRun } from "../../shared/api/index.ts";

export type GridCell = GridRun["cells"][number];

export interface GridModel {
  readonly networkId: string;
  readonly runs: readonly GridRun[];
  readonly nodeIds: readonly string[];
  /** The cell of a node in a Run; undefined when that Run has no such node. */
  cell(nodeId: string, column: number): GridCell | undefined;
}

/**
 * Nodes by Runs. A node stands where the newest Run that has it puts it; nodes of older definitions follow, so that
 * nothing that once ran is hidden. Pure.
 */
export function gridModel(networkId: string, runs: readonly GridRun[]): GridModel {
  const nodeIds = new Set<string>();
  for (const run of [...runs].reverse()) for (const cell of run.cells) nodeIds.add(cell.nodeId);
  const cells = runs.map((run) => new Map(run.cells.map((cell) => [cell.nodeId, cell])));
  return { networkId, runs, nodeIds: [...nodeIds], cell: (nodeId, column) => cells[column]?.get(nodeId) };
}

/** A business key without what all keys of its network begin with; the whole key stays in its name. Pure. */
export function shortKey(businessKey: string, networkId: string): string {
  const prefix = `${networkId}@`;
  return businessKey.startsWith(prefix) && businessKey !== prefix
    ? businessKey.slice(prefix.length)
    : businessKey;
}

export interface GridPlace {
  /** 0 is the header with the business keys. */
  readonly row: number;
  readonly column: number;
}

/** Where a key moves to in the grid, or null when the key is not for it. Rows and columns count from 0. */
export function placeToFocus(
  key: string,
  at: GridPlace,
  size: { readonly rows: number; readonly columns: number; readonly page: number },
): GridPlace | null {
  const within = (row: number, column: number): GridPlace => ({
    row: Math.max(0, Math.min(size.rows - 1, row)),
    column: Math.max(0, Math.min(size.columns - 1, column)),
  });
  switch (key) {
    case "ArrowRight":
      return within(at.row, at.column + 1);
    case "ArrowLeft":
      return within(at.row, at.column - 1);
    case "ArrowDown":
      return within(at.row + 1, at.column);
    case "ArrowUp":
      return within(at.row - 1, at.column);
    case "PageDown":
      return within(at.row + size.page, at.column);
    case "PageUp":
      return within(at.row - size.page, at.column);
    case "Home":
      return within(at.row, 0);
    case "End":
      return within(at.row, size.columns - 1);
    default:
      return null;
  }
}
