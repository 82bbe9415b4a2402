import type { Table, Workspace } from "../evaluation/workspace.ts";
import { RunFailure } from "../run/failure.ts";
import type { ExportContent, ExportRequest } from "../run/result-outputs.ts";
import { serializeCsv } from "./csv-write.ts";

export interface ExportOptions {
  readonly encoding: "utf8" | "sjis";
  /** IANA zone DATETIME cells are written in; null = UTC as stored. */
  readonly timeZone: string | null;
  /** Leaves out a sink whose table no statement made, as after EXIT; else it is an error. */
  readonly skipMissing: boolean;
}

/**
 * Every export of a run as bytes, before the first file is touched (execution-contract §4.4). `tableOf` gives
 * the rows of a request, null when they were never made. Throws RunFailure with an `ExportSink…` code.
 */
export function serializeExports(
  requests: readonly ExportRequest[],
  tableOf: (request: ExportRequest) => Table | null,
  workspace: Workspace,
  options: ExportOptions,
): readonly ExportContent[] {
  const { encoding, timeZone } = options;
  return requests.flatMap((request) => {
    const { name, target } = request;
    const table = tableOf(request);
    if (table === null && options.skipMissing) return [];
    if (table === null) {
      const message = `The temp table #${name} does not exist at the end of the script.`;
      throw new RunFailure("SQL_ERROR", "ExportSinkNotMaterializedError", message);
    }
    const csv = serializeCsv(name, table.columns, workspace.rows(table), {
      encoding: encoding === "sjis" ? "SJIS" : "UTF8",
      timeZone,
    });
    return [{ name, target, encoding, ...csv }];
  });
}
