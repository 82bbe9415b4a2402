import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EVENT_ID, type Facts } from "./cases/model.ts";
import { errorCode } from "./child/sqlite-codes.ts";
import type { ReadBack } from "./documents/observation-schema.ts";
import type { StoredCase } from "./documents/plan-schema.ts";

export const DATABASE_FILE = "observations.sqlite";
export const RECEIVER_FILE = "receiver.sqlite";
export const OUTSIDE_FILE = "outside.log";

/** A read-only connection cannot repair a hot journal (RB-3). */
const SQLITE_READONLY_ROLLBACK = 776;

type Rows = ReadBack["rows"][string];
/** Thousands of rows without meaning: case N and S only need their number. */
const TABLE_NOT_LISTED = "filler";

interface Seen {
  readonly rows: ReadBack["rows"];
  readonly integrity: string;
  readonly journalMode: string;
  readonly facts: Facts;
}

/**
 * Reads one case's folder back through connections of its own (retry-boundaries §4, RB-1 to RB-4): both tables
 * in full, the counts, the integrity check, then the file outside. Every connection is closed on return.
 * Throws what SQLite or the file system says.
 */
export function readBack(folder: string, definition: StoredCase): ReadBack {
  const path = join(folder, DATABASE_FILE);
  const journalPresent = existsSync(`${path}-journal`);
  const { seen, recovered } = readDatabase(path, definition.queries);
  const receiver = definition.receiver ? readDatabase(join(folder, RECEIVER_FILE), {}).seen : null;
  const outside = readOutside(join(folder, OUTSIDE_FILE));
  const received = receiver?.rows.received ?? [];
  const counts = [seen.rows.processed?.length ?? 0, ledgerTotal(seen.rows.effects ?? []), outside.lines];
  const extended = definition.stages.some((stage) => stage.counts.length > counts.length);
  return {
    counts: extended ? [...counts, received.length] : counts,
    rows: receiver === null ? seen.rows : { ...seen.rows, received },
    integrity_check: receiver === null ? seen.integrity : worse(seen.integrity, receiver.integrity),
    journal_mode: seen.journalMode,
    journal_present: journalPresent,
    hot_journal_recovery: recovered,
    facts: { ...seen.facts, partial_line: outside.partial, other_lines: outside.others },
  };
}

function readDatabase(
  path: string,
  queries: Readonly<Record<string, string>>,
): { readonly seen: Seen; readonly recovered: boolean } {
  try {
    return { seen: readThrough(path, true, queries), recovered: false };
  } catch (error) {
    if (errorCode(error) !== SQLITE_READONLY_ROLLBACK) throw error;
    return { seen: readThrough(path, false, queries), recovered: true };
  }
}

function readThrough(path: string, readOnly: boolean, queries: Readonly<Record<string, string>>): Seen {
  const database = new DatabaseSync(path, { readOnly, timeout: 0 });
  try {
    database.exec("PRAGMA busy_timeout=0");
    if (!readOnly) database.exec("PRAGMA query_only=ON");
    const journalMode = single(database, "PRAGMA journal_mode");
    database.exec("BEGIN");
    const rows = Object.fromEntries(tables(database).map((name) => [name, rowsOf(database, name)]));
    const facts = Object.entries(queries).map(([name, sql]) => [name, single(database, sql)] as const);
    const integrity = database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => String(row.integrity_check));
    database.exec("COMMIT");
    return {
      rows,
      integrity: integrity.join("; "),
      journalMode: String(journalMode),
      facts: Object.fromEntries(facts),
    };
  } finally {
    database.close();
  }
}

function tables(database: DatabaseSync): readonly string[] {
  return database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> ? ORDER BY name",
    )
    .all(TABLE_NOT_LISTED)
    .map((row) => String(row.name));
}

function rowsOf(database: DatabaseSync, table: string): Rows {
  const rows = database.prepare(`SELECT * FROM "${table.replaceAll('"', '""')}" ORDER BY rowid`).all();
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plain(value)])),
  );
}

function single(database: DatabaseSync, sql: string): string | number | null {
  const row = database.prepare(sql).get();
  return row === undefined ? null : plain(Object.values(row)[0]);
}

function plain(value: unknown): string | number | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  return String(value);
}

function ledgerTotal(effects: Rows): number {
  return effects.reduce((total, row) => total + Number(row.delta), 0);
}

function worse(own: string, receivers: string): string {
  return own === "ok" ? receivers : own;
}

/** Only whole lines that are the event id count; a torn line is evidence, not an effect (§10, case O). */
function readOutside(path: string): {
  readonly lines: number;
  readonly others: number;
  readonly partial: boolean;
} {
  if (!existsSync(path)) return { lines: 0, others: 0, partial: false };
  const parts = readFileSync(path, "utf8").split("\n");
  const whole = parts.slice(0, -1);
  const lines = whole.filter((line) => line === EVENT_ID).length;
  return { lines, others: whole.length - lines, partial: parts.at(-1) !== "" };
}
