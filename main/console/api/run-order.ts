import { type RunQuery, type RunRow, runFilter, runOrder } from "../../../shared/api/index.ts";

/** Ids of the rows that pass, in the order asked for: small enough for a list of any length. */
export function orderOf(rows: readonly RunRow[], query: RunQuery): readonly string[] {
  return rows
    .filter(runFilter(query))
    .sort(runOrder(query.sort ?? "newest"))
    .map((row) => row.recordId);
}

/** The rows of the named records, in the order of the names; what is gone is left out. */
export function rowsNamed(rows: readonly RunRow[], recordIds: readonly string[]): readonly RunRow[] {
  const wanted = new Set(recordIds);
  const found = new Map(rows.filter((row) => wanted.has(row.recordId)).map((row) => [row.recordId, row]));
  return recordIds.map((recordId) => found.get(recordId)).filter((row) => row !== undefined);
}
