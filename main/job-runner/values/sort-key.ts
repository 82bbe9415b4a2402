import type { ColumnType } from "./column-type.ts";
import { parseDecimal } from "./decimal.ts";

const EXPONENT_BIAS = 5000;

function complement(text: string): string {
  return text.replace(/[0-9]/g, (digit) => String(9 - Number(digit)));
}

/**
 * A text whose byte order is the ORDER BY order of the cell (job-dialect §3): numbers numerically with the
 * empty cell lowest, everything else by code point. SQLite compares UTF-8 bytes, which is code point order.
 */
export function sortKey(cell: string, type: ColumnType): string {
  if (type.kind !== "number") return cell;
  if (cell === "") return "0";
  const value = parseDecimal(cell);
  if (value === null) return `9${cell}`;
  if (value.digits === 0n) return "2";
  const negative = value.digits < 0n;
  const digits = (negative ? -value.digits : value.digits).toString();
  const magnitude = String(digits.length - value.scale + EXPONENT_BIAS).padStart(5, "0");
  const body = magnitude + digits.replace(/0+$/, "");
  // A longer number is the larger one; among negatives the smaller one, hence the closing "~".
  return negative ? `1${complement(body)}~` : `3${body}`;
}
