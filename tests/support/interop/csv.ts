/** One row of a CSV file by column name. */
export type CsvRow = Readonly<Record<string, string>>;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A CSV text with every value in quotes and a line feed between records. */
export function csvText(columns: readonly string[], rows: readonly CsvRow[]): string {
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? "")).join(","));
  return `${[columns.map(quoted).join(","), ...lines].join("\n")}\n`;
}

/** Cells of a CSV text, in quotes or not, record by record (RFC 4180). */
function cellsOf(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const [, raw = "", end = ""] = cell.exec(text) ?? [];
    record.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end !== ",") {
      records.push(record);
      record = [];
    }
  }
  return records;
}

/** Rows of a CSV text, after a byte order mark when there is one. */
export function csvRows(text: string): readonly CsvRow[] {
  const [columns = [], ...rows] = cellsOf(text.replace(/^\uFEFF/, ""));
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ""])));
}
