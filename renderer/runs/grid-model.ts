import { type GridCell, type RunGrid, unpackCell } from "../../shared/api/index.ts";

/** The cell of a node in a Run, by their places; null when that Run has no such node. Pure. */
export const cellAt = ({ runs }: RunGrid, row: number, column: number): GridCell | null =>
  unpackCell(runs[column]?.cells[row]);

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
