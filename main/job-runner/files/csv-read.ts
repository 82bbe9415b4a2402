/** A CSV file cut into cells, or the first place where it is not one. Lines and columns count from 1. */
export type CsvResult =
  | { readonly ok: true; readonly rows: readonly (readonly string[])[] }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly message: string };

interface Position {
  at: number;
  line: number;
  lineStart: number;
}

class CsvError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(position: Position, message: string) {
    super(message);
    this.line = position.line;
    this.column = position.at - position.lineStart + 1;
  }
}

const BARE_END = /[",\r\n]/g;

/**
 * Strict RFC 4180 with CRLF or LF (job-dialect §5.9): a quote opens a cell only at its start, and nothing but a
 * comma or a line end follows one that closes it. The line end of the last record adds no row; an empty line
 * does, of one empty cell. Every row must be as wide as the first.
 */
export function parseCsv(text: string): CsvResult {
  const position: Position = { at: 0, line: 1, lineStart: 0 };
  const rows: (readonly string[])[] = [];
  try {
    while (position.at < text.length) {
      const { line } = position;
      const row = readRow(text, position);
      const width = rows[0]?.length ?? row.length;
      if (row.length !== width) {
        const message = `the row has ${row.length} cells, the header has ${width}`;
        return { ok: false, line, column: 1, message };
      }
      rows.push(row);
    }
    return { ok: true, rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { ok: false, line: error.line, column: error.column, message: error.message };
  }
}

function readRow(text: string, position: Position): readonly string[] {
  const cells = [readCell(text, position)];
  while (text[position.at] === ",") {
    position.at += 1;
    cells.push(readCell(text, position));
  }
  if (text[position.at] === "\r") {
    if (text[position.at + 1] !== "\n") throw new CsvError(position, "a carriage return stands alone");
    position.at += 1;
  }
  if (text[position.at] === "\n") newLine(position);
  return cells;
}

function newLine(position: Position): void {
  position.at += 1;
  position.line += 1;
  position.lineStart = position.at;
}

function readCell(text: string, position: Position): string {
  if (text[position.at] === '"') return readQuoted(text, position);
  BARE_END.lastIndex = position.at;
  const end = BARE_END.exec(text)?.index ?? text.length;
  const cell = text.slice(position.at, end);
  position.at = end;
  if (text[end] === '"')
    throw new CsvError(position, "a quote stands inside a cell that does not begin with one");
  return cell;
}

function readQuoted(text: string, position: Position): string {
  const opened = { ...position };
  let cell = "";
  position.at += 1;
  for (;;) {
    const close = text.indexOf('"', position.at);
    if (close === -1) throw new CsvError(opened, "the quote opened here is never closed");
    const part = text.slice(position.at, close);
    cell += part;
    countLines(part, position);
    position.at = close + 1;
    if (text[position.at] !== '"') break;
    cell += '"';
    position.at += 1;
  }
  const next = text[position.at];
  if (next !== undefined && !",\r\n".includes(next)) {
    throw new CsvError(position, "only a comma or a line end may follow a closing quote");
  }
  return cell;
}

function countLines(part: string, position: Position): void {
  for (let feed = part.indexOf("\n"); feed !== -1; feed = part.indexOf("\n", feed + 1)) {
    position.line += 1;
    position.lineStart = position.at + feed + 1;
  }
}
