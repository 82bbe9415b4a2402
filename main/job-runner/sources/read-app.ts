import { keysetPage } from "../../../shared/records/index.ts";
import { getRecords, type RawRecord, READ_RECORDS_MAX, recordIdOf } from "../../kintone-client/index.ts";
import type { Calls } from "../run/calls.ts";
import { RunFailure } from "../run/failure.ts";
import { cellText } from "./form.ts";

/** One read of one app for one branch. */
export interface AppRead {
  readonly appId: number;
  /** The app as the script calls it, for messages. */
  readonly label: string;
  /** Field codes to fetch, in the order of the columns. */
  readonly fields: readonly string[];
  /** Condition in kintone's query language, "" for all records. */
  readonly query: string;
  readonly maxRows: number;
}

export interface ReadDeps {
  readonly calls: Calls;
  /** Throws when the run has to end; asked before every page (job-dialect §8). */
  readonly check: () => void;
  /** Told how many rows arrived. */
  readonly onRows: (rows: number) => void;
}

function limitError(read: AppRead): RunFailure {
  return new RunFailure(
    "SQL_ERROR",
    "FetchAllLimitError",
    `${read.label} (app ${read.appId}) has more than ${read.maxRows} matching records, the limit of limits.maxReadRows. ` +
      "Narrow the WHERE, or raise the limit (and limits.maxTempRows if the rows go into a temp table).",
  );
}

/**
 * All matching records by `$id`, never by offset, in pages of at most 500: one page is held at a time, so the
 * size of an app costs no memory (job-dialect §6, §8). A page's cells stand in the order of `fields`. Throws
 * RunFailure: `FetchAllLimitError` only when one record more than `maxRows` exists, `ArgumentError` when the
 * form lost a field meanwhile, and what the calls throw.
 */
export async function* readPages(
  read: AppRead,
  deps: ReadDeps,
): AsyncGenerator<readonly (readonly string[])[], void, void> {
  const fields = [...new Set([...read.fields, "$id"])];
  const condition = read.query === "" ? "" : `(${read.query})`;
  let after = "0";
  let count = 0;
  for (;;) {
    deps.check();
    const limit = Math.min(READ_RECORDS_MAX, read.maxRows - count + 1);
    const page = await deps.calls.read(
      getRecords(read.appId, keysetPage(condition, after, limit), fields),
      `read ${read.label}`,
    );
    deps.onRows(page.length);
    count += page.length;
    const rows: (readonly string[])[] = [];
    for (const record of page) {
      const id = recordIdOf(record);
      if (id === null || BigInt(id) <= BigInt(after)) throw unordered(read);
      after = id;
      rows.push(read.fields.map((field) => cellOf(read, record, field)));
    }
    if (count > read.maxRows) throw limitError(read);
    if (rows.length > 0) yield rows;
    if (page.length < limit) return;
  }
}

/** kintone leaves a removed field out without a word; an empty cell instead would be a wrong value. */
function cellOf(read: AppRead, record: RawRecord, field: string): string {
  const cell = record[field];
  if (cell !== undefined) return cellText(cell);
  const message = `${read.label} (app ${read.appId}) has no field ${field} any more: its form changed while the job ran.`;
  throw new RunFailure("SQL_ERROR", "ArgumentError", message);
}

function unordered(read: AppRead): RunFailure {
  const message = `The records of ${read.label} do not ascend by $id; the list cannot be known to be complete.`;
  return new RunFailure("API_ERROR", "API_ERROR", message);
}
