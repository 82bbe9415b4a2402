import type { RecordBody } from "../../kintone-client/index.ts";
import { RunFailure } from "../run/failure.ts";
import type { SourceField } from "../sources/form.ts";
import { kintoneValue } from "./cell.ts";

/**
 * One row as a record body. Throws RunFailure `ArgumentError` naming row and field for a value the field cannot
 * hold; `row` counts from 1 and is written R1, because bare numbers are hidden from results (execution-contract
 * §5.3).
 */
export function recordBody(
  cells: readonly string[],
  fields: readonly SourceField[],
  row: number,
  timeZone: string,
): RecordBody {
  return Object.fromEntries(
    fields.map((field, place) => {
      const cell = cells[place] ?? "";
      const result = kintoneValue(cell, field, timeZone);
      if (result.ok) return [field.name, { value: result.value }];
      const message = `row R${row}, ${field.name}: '${cell}' ${result.message}. The row was not written.`;
      throw new RunFailure("SQL_ERROR", "ArgumentError", message);
    }),
  );
}

/** Groups of at most `size` in order, one at a time. */
export function* chunksOf<T>(items: Iterable<T>, size: number): Generator<readonly T[], void, void> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
