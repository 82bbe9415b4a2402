import { chmodSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";
import {
  databaseId,
  installSchema,
  layoutOf,
  readDatabaseId,
  refuseNewer,
  requireCurrent,
} from "./schema.ts";

export interface DatabaseOptions {
  readonly path: string;
  /** FULL waits for the disk at every commit; NORMAL may lose the last commits at a power cut, never at a crash. */
  readonly synchronous: "FULL" | "NORMAL";
  /** Upper bound of the file in pages of 4 KiB: the full-disk case without a mount. */
  readonly maxPageCount?: number;
  /** A new random text: the id of a file that has none. */
  readonly freshId: () => string;
}

export type Row = Record<string, SQLOutputValue>;

/** One SQLite file with its statements prepared once each. */
export interface Database {
  /** The prepared statement of this text, from a bounded cache. */
  sql(text: string): StatementSync;
  /** Runs `work` in one immediate transaction; inside another one it simply joins it (kintone-rest §9). */
  write<T>(work: () => T): T;
  defineFunction(name: string, body: (...values: SQLOutputValue[]) => string | number | null): void;
  /** Of the file, as it was opened. */
  readonly path: string;
  /** Of this file, for its whole life. */
  readonly id: string;
  close(): void;
}

const STATEMENT_CACHE = 400;
/** A write touches one leaf per indexed value, so small pages keep the log of a commit small. */
const PAGE_SIZE = 4096;

function openFile(options: DatabaseOptions): DatabaseSync {
  refuseNewer(options.path);
  const handle = new DatabaseSync(options.path);
  try {
    prepareFile(handle, options);
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

function prepareFile(handle: DatabaseSync, options: DatabaseOptions): void {
  handle.exec(`PRAGMA page_size = ${PAGE_SIZE}`);
  handle.exec("PRAGMA journal_mode = WAL");
  handle.exec(`PRAGMA synchronous = ${options.synchronous}`);
  handle.exec(
    "PRAGMA wal_autocheckpoint = 4000; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY",
  );
  // Token texts stand in the file (storage/tokens.ts says why), so nobody else may read it.
  if (options.path !== ":memory:") chmodSync(options.path, 0o600);
  installSchema(handle, options.path);
}

function createStatementCache(handle: DatabaseSync): (text: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (text) => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const fresh = handle.prepare(text);
    if (statements.size >= STATEMENT_CACHE) {
      const oldest = statements.keys().next();
      if (oldest.done !== true) statements.delete(oldest.value);
    }
    statements.set(text, fresh);
    return fresh;
  };
}

/** Opens or creates the file (mode 0600, WAL); throws what SQLite throws. */
export function openDatabase(options: DatabaseOptions): Database {
  const handle = openFile(options);
  const id = databaseId(handle, options.freshId);
  if (options.maxPageCount !== undefined) handle.exec(`PRAGMA max_page_count = ${options.maxPageCount}`);
  return wrap(handle, options.path, id);
}

/**
 * One moment of a file for reading, also while a server writes on: whatever it commits later is not seen. Throws
 * `LAYOUT_NEWER`, `LAYOUT_OLDER` where `layout` is demanded, and what SQLite throws.
 */
export function openSnapshot(path: string, demand: "any-layout" | "current-layout"): Snapshot {
  refuseNewer(path);
  const handle = new DatabaseSync(path, { readOnly: true });
  try {
    handle.exec("PRAGMA busy_timeout = 5000; PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY; BEGIN");
    // The first read is what fixes the moment.
    const layout = layoutOf(handle);
    if (demand === "current-layout") requireCurrent(path, layout);
    return { ...wrap(handle, path, readDatabaseId(handle) ?? ""), handle, layout };
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** A file at one moment, with the connection itself for what works on the whole file. */
export interface Snapshot extends Database {
  readonly handle: DatabaseSync;
  readonly layout: number;
}

function wrap(handle: DatabaseSync, path: string, id: string): Database {
  const sql = createStatementCache(handle);
  function write<T>(work: () => T): T {
    if (handle.isTransaction) return work();
    sql("BEGIN IMMEDIATE").run();
    try {
      const result = work();
      sql("COMMIT").run();
      return result;
    } catch (error) {
      // A full disk may already have rolled back on its own.
      if (handle.isTransaction) handle.exec("ROLLBACK");
      throw error;
    }
  }
  return {
    path,
    id,
    sql,
    write,
    defineFunction: (name, body) => handle.function(name, { deterministic: true, varargs: true }, body),
    close: () => handle.close(),
  };
}

/** A column that the schema declares as text. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`column ${column} is not a text`);
  return value;
}

/** A column that the schema declares as an integer below 2^53. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`column ${column} is not a number`);
  return value;
}

/** True for the error SQLite raises when the disk or the page limit is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 13;
}

/** True for the error of a violated unique or primary key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (error.errcode === 1555 || error.errcode === 2067);
}
