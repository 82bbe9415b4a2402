import { type ColumnType, isEmptyCell } from "./column-type.ts";
import type { Comparison } from "./compare.ts";
import { sortKey } from "./sort-key.ts";

/** A text that two cells of one type share exactly when they are equal (job-dialect §3). */
export function joinText(cell: string, type: ColumnType, comparison: Comparison): string {
  if (type.kind === "number") return sortKey(cell, type);
  if (type.kind === "multi") return isEmptyCell(cell, type) ? "" : cell;
  return comparison.normal(cell, type);
}
