import type { ImportEncoding } from "../dialect/ast.ts";
import { RunFailure } from "../run/failure.ts";
import type { Column } from "../values/column-type.ts";
import { choicesOf } from "../values/compare.ts";
import { formatDecimal, parseDecimal } from "../values/decimal.ts";
import { offsetInstant } from "../values/zone.ts";
import { encodeText } from "./encoding.ts";
import { placeText } from "./import-text.ts";

export interface CsvOptions {
  readonly encoding: ImportEncoding;
  /** IANA zone DATETIME cells are written in; null = UTC as stored. */
  readonly timeZone: string | null;
}

/** A file as it will be written. */
export interface SerializedCsv {
  readonly bytes: Uint8Array;
  /** Records below the header. */
  readonly rows: number;
}

const exportError = (code: string, message: string): RunFailure => new RunFailure("SQL_ERROR", code, message);

const cellText = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function valueText(text: string, column: Column, options: CsvOptions): string {
  switch (column.type.kind) {
    case "number":
      return /[eE]/.test(text) ? plainNumber(text, column) : text;
    case "datetime":
      return options.timeZone === null || text === ""
        ? text
        : (offsetInstant(text, options.timeZone) ?? text);
    case "multi":
      return choicesOf(text).join("\n");
    default:
      return text;
  }
}

/** A number in exponent form as a plain decimal, without rounding. */
function plainNumber(text: string, column: Column): string {
  const value = parseDecimal(text);
  if (value !== null) return formatDecimal(value);
  throw exportError(
    "ExportSinkInvalidValueError",
    `The column ${column.name} holds ${text}, which is no decimal.`,
  );
}

/**
 * CSV of a table (job-dialect §5.10): a header of the column names, CRLF after every record, quotes only where
 * needed, no byte order mark. Throws RunFailure with an `ExportSink…` code; a character the encoding lacks is
 * told by code point and place, never replaced.
 */
export function serializeCsv(
  sink: string,
  columns: readonly Column[],
  rows: Iterable<readonly string[]>,
  options: CsvOptions,
): SerializedCsv {
  refuseRepeatedHeader(sink, columns);
  const records = [columns.map(({ name }) => cellText(name)).join(",")];
  for (const row of rows) {
    records.push(
      columns.map((column, place) => cellText(valueText(row[place] ?? "", column, options))).join(","),
    );
  }
  const encoded = encodeText(`${records.join("\r\n")}\r\n`, options.encoding);
  if (!encoded.ok) {
    const point = `U+${encoded.codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
    const { line, column } = encoded.fault;
    throw exportError(
      "ExportSinkEncodingError",
      `${point} at ${placeText(line, column)} has no place in the encoding of ${sink}.`,
    );
  }
  return { bytes: encoded.bytes, rows: records.length - 1 };
}

function refuseRepeatedHeader(sink: string, columns: readonly Column[]): void {
  const names = columns.map(({ name }) => name);
  const repeated = names.find((name, place) => names.indexOf(name) < place);
  if (repeated === undefined) return;
  const message = `The export ${sink} has two columns "${repeated}"; name them apart with AS.`;
  throw exportError("ExportSinkDuplicateHeaderError", message);
}
