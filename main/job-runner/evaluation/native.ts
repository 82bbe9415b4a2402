import type { AggregateName, CompareOperator } from "../dialect/ast.ts";
import type { ColumnType } from "../values/column-type.ts";
import { normalizeDay } from "../values/compare.ts";

/**
 * Comparisons SQLite can do itself with the very result of ours. They matter for large tables: a call back into
 * JavaScript costs memory until its statement ends.
 */

/** At most 11 digits before the point and 4 behind: such a number is exact as a scaled double and 64-bit integer. */
const PLAIN_NUMBER = /^-?\d{1,11}(?:\.\d{1,4})?$/;
const PLAIN_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Types whose cells are equal when their texts are. */
export function comparesAsText({ kind }: ColumnType): boolean {
  return kind === "text" || kind === "time" || kind === "choice";
}

/** Types whose order is that of code points, which is SQLite's order of UTF-8 bytes. */
export function ordersAsText({ kind }: ColumnType): boolean {
  return kind === "text" || kind === "time";
}

/** SQL that counts the cells of `column` that are not plain; 0 means {@link isPlainConstant} holds for all of them. */
export function countOddCells(column: string, { kind }: ColumnType): string | null {
  if (kind === "number") {
    const fraction = `instr(${column}, '.')`;
    const plain = [
      `${column} not glob '*[^0-9.-]*'`,
      `(${column} glob '[0-9]*' or ${column} glob '-[0-9]*')`,
      `${column} not glob '?*-*'`,
      `${column} not glob '*.*.*'`,
      `${column} not glob '*.'`,
      `(${fraction} = 0 or length(${column}) - ${fraction} <= 4)`,
      `length(${column}) <= 17`,
      `abs(cast(${column} as real)) < 1e11`,
    ];
    return `count(*) filter (where ${column} <> '' and not (${plain.join(" and ")}))`;
  }
  if (kind !== "date") return null;
  const day = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]";
  return `count(*) filter (where ${column} <> '' and ${column} not glob '${day}')`;
}

/** True for a constant that may be compared with a plain column without calling back. */
export function isPlainConstant(text: string, { kind }: ColumnType): boolean {
  if (text === "") return kind === "number" || kind === "date";
  if (kind === "number") return PLAIN_NUMBER.test(text);
  return kind === "date" && PLAIN_DAY.test(normalizeDay(text));
}

/** A plain column as SQLite compares it: numbers as doubles with the empty cell lowest, days as their text. */
export function plainOperand(column: string, { kind }: ColumnType): string {
  return kind === "number" ? `case when ${column} = '' then -9e999 else cast(${column} as real) end` : column;
}

/** A plain constant likewise; its text is only digits, signs and points, so it may stand in the SQL. */
export function plainConstant(text: string, { kind }: ColumnType): string {
  if (kind === "number") return text === "" ? "-9e999" : `${text.replace(/^(-?)0+(?=\d)/, "$1")}e0`;
  return `'${normalizeDay(text)}'`;
}

/** What a sum over a JOIN is split at, so that neither half leaves 64 bits however often a row comes. */
export const SUM_SPLIT = 1_000_000;

/**
 * An aggregate over a plain column, or null when only ours can make it. Sums are those of integers scaled by
 * 10,000, hence exact; MIN and MAX carry the cell behind a key of fixed width, for they give back its text.
 * `joined`: a row may come more often than its table holds it.
 */
export function plainAggregate(
  name: AggregateName,
  column: string,
  { kind }: ColumnType,
  joined: boolean,
): string | null {
  const low = name === "MIN" ? "min" : name === "MAX" ? "max" : null;
  if (kind === "date") return low === null ? null : `coalesce(${low}(nullif(${column}, '')), '0')`;
  const number = `cast(${column} as real)`;
  if (low !== null) {
    const keyed = `printf('%020.4f', ${number} + 1e11) || ${column}`;
    return `coalesce(substr(${low}(case when ${column} <> '' then ${keyed} end), 21), '0')`;
  }
  const scaled = `cast(round(${number} * 10000) as integer)`;
  const sum = (part: string): string => `cast(coalesce(sum(${part}), 0) as text)`;
  const halves = joined
    ? `${sum(`${scaled} / ${SUM_SPLIT}`)}, ${sum(`${scaled} % ${SUM_SPLIT}`)}`
    : `'0', ${sum(scaled)}`;
  if (name === "SUM") return `k_unscaled(${halves})`;
  return name === "AVG" ? `k_average(${halves}, count(nullif(${column}, '')))` : null;
}

/** The operator in SQL. */
export const SQL_OPERATORS: Readonly<Record<CompareOperator, string>> = {
  "=": "=",
  "!=": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

/** Longest GLOB pattern that is left to SQLite. */
const LONGEST_GLOB = 1_000;

/** A LIKE pattern as a condition on `value` with its bound text, or null when only ours can decide it. */
export function nativeLike(
  value: string,
  pattern: string,
): { readonly sql: string; readonly text: string } | null {
  if (!/[%_]/.test(pattern)) return { sql: `instr(${value}, ?) > 0`, text: pattern };
  if (pattern.length > LONGEST_GLOB) return null;
  const text = pattern.replace(/[*?[]/g, "[$&]").replaceAll("%", "*").replaceAll("_", "?");
  return { sql: `${value} glob ?`, text };
}
