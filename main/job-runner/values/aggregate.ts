import type { AggregateName } from "../dialect/ast.ts";
import { type ColumnType, isEmptyCell } from "./column-type.ts";
import type { Comparison } from "./compare.ts";
import { addDecimals, type Decimal, formatDecimal, parseDecimal, ZERO } from "./decimal.ts";

export interface Tally {
  readonly count: number;
  /** Null once a cell was not a number: the sum is then NaN, as with the peer's doubles. */
  readonly sum: Decimal | null;
  /** Lowest and highest cell so far; null before the first. */
  readonly low: string | null;
  readonly high: string | null;
}

export const EMPTY_TALLY: Tally = { count: 0, sum: ZERO, low: null, high: null };

/** Takes one cell into the tally; empty cells are ignored (job-dialect §3). */
export function tallyCell(tally: Tally, cell: string, type: ColumnType, comparison: Comparison): Tally {
  if (isEmptyCell(cell, type)) return tally;
  const value = parseDecimal(cell);
  const { low, high } = tally;
  return {
    count: tally.count + 1,
    sum: tally.sum === null || value === null ? null : addDecimals(tally.sum, value),
    low: low === null || comparison.order(cell, low, type) < 0 ? cell : low,
    high: high === null || comparison.order(cell, high, type) > 0 ? cell : high,
  };
}

/**
 * The aggregate's value; over no cells everything is 0. SUM is exact and printed shortest (job-dialect §13);
 * AVG divides that sum as a double.
 */
export function tallyResult(tally: Tally, name: AggregateName): string {
  if (name === "COUNT") return String(tally.count);
  if (tally.count === 0) return "0";
  if (name === "MIN") return tally.low ?? "0";
  if (name === "MAX") return tally.high ?? "0";
  if (tally.sum === null) return "NaN";
  const sum = formatDecimal(tally.sum);
  return name === "SUM" ? sum : String(Number(sum) / tally.count);
}
