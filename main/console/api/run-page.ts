import type { RunPage, RunRow } from "../../../shared/api/index.ts";
import type { RunStatus } from "../../../shared/domain/model.ts";

export interface RunQuery {
  readonly networkId?: string | undefined;
  readonly statuses?: readonly RunStatus[] | undefined;
  /** `recordId` of the last row of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * One page of rows that are ordered newest first. The cursor is a record id, not an offset: Runs that appear while
 * one pages shift nothing. `total` counts what the filter lets through.
 */
export function pageOf(rows: readonly RunRow[], query: RunQuery): Omit<RunPage, "readAt"> {
  const wanted = rows.filter(
    (row) =>
      (query.networkId === undefined || row.networkId === query.networkId) &&
      (query.statuses === undefined || query.statuses.includes(row.status)),
  );
  const { cursor } = query;
  const rest = cursor === undefined ? wanted : wanted.filter((row) => Number(row.recordId) < Number(cursor));
  const page = rest.slice(0, query.limit);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rest.length > page.length && last !== undefined ? last.recordId : null,
    total: wanted.length,
  };
}
