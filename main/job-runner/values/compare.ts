import type { ColumnType } from "./column-type.ts";
import { isEmptyCell } from "./column-type.ts";
import { compareDecimals, parseDecimal } from "./decimal.ts";
import { startOfDay } from "./zone.ts";

/** How cells compare, by the type of their column (job-dialect §3). Two-valued: an empty cell is a value. */
export interface Comparison {
  equal(left: string, right: string, type: ColumnType): boolean;
  /** Negative, zero or positive. */
  order(left: string, right: string, type: ColumnType): number;
  /** Equality to one item; for fields of many choices, at least one shared choice. `''` finds empty cells. */
  isIn(cell: string, items: readonly string[], type: ColumnType): boolean;
  /** The cell as days and instants are compared: days with `-`, instants in UTC with milliseconds. */
  normal(cell: string, type: ColumnType): string;
}

/** Unicode code point order, which UTF-16 order is not beyond the basic plane. */
export function compareCodePoints(left: string, right: string): number {
  let at = 0;
  while (at < left.length && at < right.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at > 0 && isLowSurrogate(left.charCodeAt(at)) && isLowSurrogate(right.charCodeAt(at))) at -= 1;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Exact decimal order; the empty cell is below every number, a text that is no number above them. */
export function compareNumberCells(left: string, right: string): number {
  const a = parseDecimal(left);
  const b = parseDecimal(right);
  if (a !== null && b !== null) return compareDecimals(a, b);
  const rank = (text: string, value: unknown): number => (text === "" ? 0 : value === null ? 2 : 1);
  return rank(left, a) - rank(right, b) || compareCodePoints(left, right);
}

const DAY_FORM = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/;
const INSTANT_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** `YYYY-MM-DD` of a day written with `-` or `/`; other texts unchanged. */
export function normalizeDay(text: string): string {
  const match = DAY_FORM.exec(text);
  if (match === null) return text;
  return `${match[1]}-${(match[2] ?? "").padStart(2, "0")}-${(match[3] ?? "").padStart(2, "0")}`;
}

/**
 * ISO UTC with milliseconds of an instant with an offset, or of a day, whose start in the profile's zone
 * counts (job-dialect §12 Q4); other texts unchanged.
 */
export function normalizeInstant(text: string, timeZone: string): string {
  if (INSTANT_FORM.test(text)) {
    const instant = Date.parse(text);
    return Number.isNaN(instant) ? text : new Date(instant).toISOString();
  }
  return startOfDay(normalizeDay(text), timeZone) ?? text;
}

/** The codes in the JSON array text of a field of many choices; any other text is one choice. */
export function choicesOf(cell: string): readonly string[] {
  if (!cell.startsWith("[")) return cell === "" ? [] : [cell];
  try {
    const parsed: unknown = JSON.parse(cell);
    return Array.isArray(parsed) ? parsed.map(String) : [cell];
  } catch {
    return [cell];
  }
}

function compareChoices(left: string, right: string, options: readonly string[]): number {
  const place = (text: string): number => {
    const index = options.indexOf(text);
    return index === -1 ? options.length : index;
  };
  return place(left) - place(right) || compareCodePoints(left, right);
}

/** `timeZone`: IANA name, for DATETIME cells compared with a day. */
export function createComparison(timeZone: string): Comparison {
  const normal = (cell: string, { kind }: ColumnType): string => {
    if (kind === "date") return normalizeDay(cell);
    return kind === "datetime" ? normalizeInstant(cell, timeZone) : cell;
  };
  const order = (left: string, right: string, type: ColumnType): number => {
    if (type.kind === "number") return compareNumberCells(left, right);
    if (type.kind === "choice") return compareChoices(left, right, type.options);
    return compareCodePoints(normal(left, type), normal(right, type));
  };
  const equal = (left: string, right: string, type: ColumnType): boolean => {
    if (left === right) return true;
    if (type.kind === "multi" && (left === "" || right === "")) {
      return isEmptyCell(left, type) && isEmptyCell(right, type);
    }
    return type.kind !== "choice" && type.kind !== "multi" && order(left, right, type) === 0;
  };
  const isIn = (cell: string, items: readonly string[], type: ColumnType): boolean => {
    if (type.kind !== "multi") return items.some((item) => equal(cell, item, type));
    if (isEmptyCell(cell, type)) return items.includes("");
    return choicesOf(cell).some((choice) => items.includes(choice));
  };
  return { equal, order, isIn, normal };
}
