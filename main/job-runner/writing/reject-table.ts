import type { FieldRef } from "../dialect/ast.ts";
import { type Column, NUMBER, TEXT } from "../values/column-type.ts";

/** Why one row of an import was refused. `row` counts the data rows from 1, `field` is "" for the whole row. */
export interface RowError {
  readonly row: number;
  readonly field: string;
  /** `ERR_…` (job-dialect §12 Q5). */
  readonly code: string;
  readonly message: string;
  readonly value: string;
}

const ERROR_COLUMNS: readonly Column[] = [
  { name: "$err_statement", type: NUMBER },
  { name: "$err_operation", type: TEXT },
  { name: "$err_row", type: NUMBER },
  { name: "$err_field", type: TEXT },
  { name: "$err_code", type: TEXT },
  { name: "$err_message", type: TEXT },
  { name: "$err_value", type: TEXT },
  { name: "$err_subtable", type: TEXT },
  { name: "$err_subrow", type: TEXT },
  { name: "$err_subrow_id", type: TEXT },
];

/** Columns of the table of refused rows: the payload, then what was wrong (job-dialect §5.9). */
export function rejectColumns(payload: readonly FieldRef[]): readonly Column[] {
  // The refused value may be anything, so it compares as the text it was.
  return [...payload.map(({ name }) => ({ name, type: TEXT })), ...ERROR_COLUMNS];
}

/** One row of that table. `statement` counts from 1. */
export function rejectRow(
  payload: readonly string[],
  statement: number,
  operation: "INSERT" | "UPSERT",
  error: RowError,
): readonly string[] {
  const { row, field, code, message, value } = error;
  return [...payload, String(statement), operation, String(row), field, code, message, value, "", "", ""];
}
