import type { ImportEncoding } from "../dialect/ast.ts";
import { RunFailure } from "../run/failure.ts";
import { parseCsv } from "./csv-read.ts";
import { decodeText } from "./encoding.ts";

/** A decoded source: its header and data rows. */
export interface ImportRows {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const refused = (code: string, name: string, message: string): RunFailure =>
  new RunFailure("SQL_ERROR", code, `The import source ${name}: ${message}. Nothing was written.`);

/** L3:C5 and not 3:5: bare numbers are hidden from results (execution-contract §5.3). */
export const placeText = (line: number, column: number): string => `L${line}:C${column}`;

/**
 * Bytes of a source as rows (job-dialect §5.9). Throws RunFailure: `ImportSourceError` with line and column for bytes that are not what `encoding` says, for a broken CSV and
 * for a bad header, `FetchAllLimitError` beyond `maxRows` data rows.
 */
export function readImportRows(
  name: string,
  bytes: Uint8Array,
  encoding: ImportEncoding,
  maxRows: number,
): ImportRows {
  const decoded = decodeText(bytes, encoding);
  if (!decoded.ok) {
    const { line, column } = decoded.fault;
    throw refused("ImportSourceError", name, `${placeText(line, column)} is not ${encoding}`);
  }
  const parsed = parseCsv(decoded.text);
  if (!parsed.ok) {
    const place = placeText(parsed.line, parsed.column);
    throw refused("ImportSourceError", name, `${place}: ${parsed.message}`);
  }
  const [header, ...rows] = parsed.rows;
  if (header === undefined) throw refused("ImportSourceError", name, "it is empty; a header row is needed");
  checkHeader(name, header);
  if (rows.length === 0) throw refused("ImportSourceError", name, "it has a header but no data row");
  if (rows.length > maxRows) {
    const message = `it has ${rows.length} rows, more than limits.maxReadRows (${maxRows})`;
    throw refused("FetchAllLimitError", name, message);
  }
  return { header, rows };
}

function checkHeader(name: string, header: readonly string[]): void {
  for (const [place, title] of header.entries()) {
    if (title === "")
      throw refused("ImportSourceError", name, `column ${place + 1} of the header has no name`);
    if (header.indexOf(title) < place) {
      throw refused("ImportSourceError", name, `column ${place + 1} of the header repeats the name ${title}`);
    }
  }
}
