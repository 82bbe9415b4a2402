import type { RecordBody } from "../../kintone-client/index.ts";
import { RunFailure } from "../run/failure.ts";
import type { SourceField } from "../sources/form.ts";
import { checkedValue } from "./cell.ts";
import type { RowError } from "./reject-table.ts";
import { keyIdentity } from "./upsert.ts";

/** Rows of an import, parted before anything is written. */
export interface CheckedRows {
  readonly good: readonly RecordBody[];
  readonly bad: readonly { readonly cells: readonly string[]; readonly error: RowError }[];
}

/**
 * Checks every row of an import (job-dialect §5.9, "Row checks"): form rules cell by cell, then the key, which
 * must be filled and must not come twice; of two rows with one key the later one is refused.
 */
export function checkRows(
  rows: readonly (readonly string[])[],
  fields: readonly SourceField[],
  key: SourceField | null,
  timeZone: string,
): CheckedRows {
  const good: RecordBody[] = [];
  const bad: { cells: readonly string[]; error: RowError }[] = [];
  const keys = new Set<string>();
  for (const [index, cells] of rows.entries()) {
    const checked = checkRow(cells, fields, timeZone);
    const error = checked.error ?? (key === null ? null : checkKey(cells, fields, key, keys));
    if (error === null) good.push(checked.body);
    else bad.push({ cells, error: { row: index + 1, ...error } });
  }
  return { good, bad };
}

type CellError = Omit<RowError, "row">;

function checkRow(
  cells: readonly string[],
  fields: readonly SourceField[],
  timeZone: string,
): { readonly body: RecordBody; readonly error: CellError | null } {
  const body: Record<string, { value: unknown }> = {};
  for (const [place, field] of fields.entries()) {
    const value = cells[place] ?? "";
    const result = checkedValue(value, field, timeZone);
    if (!result.ok) {
      const { code, message } = result;
      return { body, error: { field: field.name, code, message: `${field.name} ${message}`, value } };
    }
    body[field.name] = { value: result.value };
  }
  return { body, error: null };
}

function checkKey(
  cells: readonly string[],
  fields: readonly SourceField[],
  key: SourceField,
  keys: Set<string>,
): CellError | null {
  const value = cells[fields.indexOf(key)] ?? "";
  const error = (code: string, message: string): CellError => ({
    field: key.name,
    code,
    message: `${key.name} ${message}`,
    value,
  });
  if (value === "") return error("ERR_KEY_EMPTY", "is the key and is empty");
  const identity = keyIdentity(value, key);
  if (keys.has(identity)) return error("ERR_KEY_REPEATED", "is the key and stands in an earlier row already");
  keys.add(identity);
  return null;
}

/**
 * Decides whether refused rows end the statement: the first one does without ON ERROR SKIP, one more than
 * REJECT LIMIT with it. Throws RunFailure; nothing has been written then.
 */
export function refuseBadRows({ bad }: CheckedRows, skips: boolean, limit: number | null): void {
  const [first] = bad;
  if (first === undefined || (skips && (limit === null || bad.length <= limit))) return;
  const { row, code, message } = first.error;
  const count = skips ? `${bad.length} rows are refused, more than REJECT LIMIT ${limit}; the first: ` : "";
  const text = `${count}row R${row}: ${code} ${message}. Nothing was written.`;
  throw new RunFailure("SQL_ERROR", skips ? "RejectLimitError" : code, text);
}
