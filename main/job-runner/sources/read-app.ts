import { keysetPage } from "../../../shared/records/index.ts";
import { getRecords, READ_RECORDS_MAX, recordIdOf } from "../../kintone-client/index.ts";
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
 * Reads all matching records by `$id`, never by offset, in pages of at most 500 (job-dialect §6, §8). Throws
 * RunFailure: `FetchAllLimitError` only when one record more than `maxRows` exists, and what the calls throw.
 */
export async function readApp(read: AppRead, deps: ReadDeps): Promise<readonly (readonly string[])[]> {
  const rows: string[][] = [];
  const fields = [...new Set([...read.fields, "$id"])];
  const condition = read.query === "" ? "" : `(${read.query})`;
  let after = "0";
  for (;;) {
    deps.check();
    const limit = Math.min(READ_RECORDS_MAX, read.maxRows - rows.length + 1);
    const page = await deps.calls.read(
      getRecords(read.appId, keysetPage(condition, after, limit), fields),
      `read ${read.label}`,
    );
    deps.onRows(page.length);
    for (const record of page) {
      const id = recordIdOf(record);
      if (id === null || BigInt(id) <= BigInt(after)) throw unordered(read);
      after = id;
      rows.push(read.fields.map((field) => cellText(record[field])));
    }
    if (rows.length > read.maxRows) throw limitError(read);
    if (page.length < limit) return rows;
  }
}

function unordered(read: AppRead): RunFailure {
  const message = `The records of ${read.label} do not ascend by $id; the list cannot be known to be complete.`;
  return new RunFailure("API_ERROR", "API_ERROR", message);
}
