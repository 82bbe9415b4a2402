import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { openSnapshot, type Row, type Snapshot, text } from "../storage/database.ts";
import { countAll } from "./counts.ts";
import { type ExportHead, type ExportResult, SECRET_TABLES } from "./export-format.ts";
import { writeWhole } from "./written-file.ts";

export interface ExportOptions {
  readonly source: string;
  readonly target: string;
  /** API tokens, users and their password hashes as well. */
  readonly withTokens: boolean;
  readonly port: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Bytes gathered before they are handed on: a line each would cost more than its work. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Writes a whole store, served or not, as it is at one moment, into one new file: apps, records with their ids and
 * revisions, attachments. Rejects with `TARGET_EXISTS`, `LAYOUT_NEWER`, the reason of the signal, and what SQLite or
 * the file system reject with; no part of the file is left then.
 */
export async function exportStore(options: ExportOptions): Promise<ExportResult> {
  const { source, target, withTokens, signal } = options;
  const store = openSnapshot(source, "any-layout");
  try {
    return await writeWhole(target, async (part) => {
      const file = createWriteStream(part, { flags: "wx", mode: 0o600 });
      await pipeline(Readable.from(chunks(lines(store, headOf(store, options)))), createGzip(), file, {
        signal,
      });
      return {
        kind: "LOCAL_KINTONE_EXPORTED",
        formatVersion: 1,
        path: target,
        databaseId: store.id,
        ...countAll(store),
        withTokens,
      };
    });
  } finally {
    store.close();
  }
}

function headOf(store: Snapshot, { withTokens, port, now }: ExportOptions): ExportHead {
  // The counters of AUTOINCREMENT come last: filling the other tables moves them.
  const names = store
    .sql(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = 'sqlite_sequence')
       ORDER BY name = 'sqlite_sequence', name`,
    )
    .all()
    .map((row) => text(row, "name"))
    .filter((name) => withTokens || !SECRET_TABLES.has(name));
  return {
    kind: "LOCAL_KINTONE_EXPORT",
    formatVersion: 1,
    layout: store.layout,
    databaseId: store.id,
    port,
    exportedAt: new Date(now).toISOString(),
    withTokens,
    tables: names.map((name) => ({ name, columns: columnsOf(store, name) })),
  };
}

/** Columns of a table in their order; sqlite_sequence tells its own like any other. */
export function columnsOf(store: Pick<Snapshot, "sql">, table: string): string[] {
  return store
    .sql(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map((row) => text(row, "name"));
}

function* lines(store: Snapshot, head: ExportHead): Generator<string> {
  yield JSON.stringify(head);
  for (const [index, { name, columns }] of head.tables.entries()) {
    const select = `SELECT ${columns.map((column) => `"${column}"`).join(", ")} FROM "${name}"`;
    // Not from the cache: an iterator holds its statement for as long as it runs.
    for (const row of store.handle.prepare(select).iterate()) yield rowLine(index, columns, row);
  }
}

function rowLine(index: number, columns: readonly string[], row: Row): string {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
  });
  return JSON.stringify([index, ...values]);
}

/** The lines as bytes, and the end that vouches for them. */
function* chunks(source: Iterable<string>): Generator<Buffer> {
  const hash = createHash("sha256");
  let gathered: string[] = [];
  let length = 0;
  // The head is no row.
  let rows = -1;
  const flush = (): Buffer => {
    const bytes = Buffer.from(gathered.join(""), "utf8");
    hash.update(bytes);
    gathered = [];
    length = 0;
    return bytes;
  };
  for (const line of source) {
    gathered.push(line, "\n");
    length += line.length;
    rows += 1;
    if (length >= CHUNK_BYTES) yield flush();
  }
  yield flush();
  yield Buffer.from(`${JSON.stringify({ kind: "END", rows, sha256: hash.digest("hex") })}\n`, "utf8");
}
