import type { Issues } from "../errors.ts";
import type { AppField, AppState, StoredRecord } from "../model.ts";
import type { SearchLag } from "../query/search-lag.ts";
import { TEXT } from "../texts.ts";
import { type IndexEntry, indexEntries, isUnique } from "../values/index-keys.ts";
import { type Database, integer, isUniqueViolation, type Row, text } from "./database.ts";
import { ID_SPAN, readBody, recordKey, renderRecord } from "./render.ts";

/** Rows and their index entries. Every method that writes expects to run inside `database.write`. */
export interface RecordStore {
  /** Next record id of the app: ascending, never reused (kintone-rest §6). */
  nextId(app: AppState): number;
  /** Next row id of the app's tables, text in records (kintone-rest §8.4). */
  nextRowId(app: AppState): number;
  find(app: AppState, id: number): StoredRecord | null;
  hasAny(app: AppState): boolean;
  /** Body of one record as JSON text, or null. */
  findBody(app: AppState, id: number): string | null;
  /** Record id that holds this index key of a unique field, or null. */
  findUnique(field: number, key: string): number | null;
  /** Ids of at most two records that hold this index key of any field. */
  findByKey(field: AppField, key: string): readonly number[];
  /** Unique violations are collected under `prefix` and leave the transaction to be rolled back. */
  insert(app: AppState, record: StoredRecord, prefix: string, issues: Issues): void;
  update(app: AppState, before: StoredRecord, after: StoredRecord, prefix: string, issues: Issues): void;
  /** Stores a row anew under a new form and indexes it; its revision and its times stay. */
  rewrite(app: AppState, row: Row, issues: Issues): StoredRecord;
  remove(app: AppState, record: StoredRecord): void;
  /** The body for today's form: rendered anew when the form changed since it was stored. */
  currentBody(app: AppState, row: Row): string;
}

const COLUMNS = "key, revision, form, created_at, updated_at, body";

function readRecord(app: AppState, row: Row): StoredRecord {
  return {
    id: integer(row, "key") % ID_SPAN,
    revision: integer(row, "revision"),
    createdAt: text(row, "created_at"),
    updatedAt: text(row, "updated_at"),
    ...readBody(app, text(row, "body")),
  };
}

function addEntry(database: Database, entry: IndexEntry, key: number, prefix: string, issues: Issues): void {
  const table = isUnique(entry.field.definition) ? "unique_index" : "field_index";
  try {
    database
      .sql(`INSERT INTO ${table} (field, value, record) VALUES (?, ?, ?)`)
      .run(entry.field.no, entry.key, key);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    issues.add(`${prefix}.${entry.field.definition.code}.value`, TEXT.unique);
  }
}

function dropEntry(database: Database, entry: IndexEntry, key: number): void {
  const table = isUnique(entry.field.definition) ? "unique_index" : "field_index";
  database
    .sql(`DELETE FROM ${table} WHERE field = ? AND value = ? AND record = ?`)
    .run(entry.field.no, entry.key, key);
}

const identity = (entry: IndexEntry): string => `${entry.field.no}\u0000${entry.key}`;

/** Only entries that changed are touched: a heartbeat rewrites three of forty fields. */
function moveEntries(
  database: Database,
  key: number,
  before: readonly IndexEntry[],
  after: readonly IndexEntry[],
  report: { readonly prefix: string; readonly issues: Issues },
): void {
  const kept = new Set(after.map(identity));
  const had = new Set(before.map(identity));
  for (const entry of before) if (!kept.has(identity(entry))) dropEntry(database, entry, key);
  for (const entry of after) {
    if (!had.has(identity(entry))) addEntry(database, entry, key, report.prefix, report.issues);
  }
}

/** Creates the record store over one database. */
export function createRecordStore(database: Database, lag: SearchLag): RecordStore {
  const findRow = (app: AppState, id: number): Row | undefined =>
    database.sql(`SELECT ${COLUMNS} FROM records WHERE key = ?`).get(recordKey(app.id, id));
  const currentBody = (app: AppState, row: Row): string =>
    integer(row, "form") === app.form
      ? text(row, "body")
      : JSON.stringify(renderRecord(app, readRecord(app, row)));
  return {
    currentBody,
    nextId: (app) => nextId(database, app, "last"),
    nextRowId: (app) => nextId(database, app, "rows"),
    find(app, id) {
      const row = findRow(app, id);
      return row === undefined ? null : readRecord(app, row);
    },
    hasAny: (app) =>
      database
        .sql("SELECT 1 FROM records WHERE key > ? AND key < ? LIMIT 1")
        .get(recordKey(app.id, 0), recordKey(app.id + 1, 0)) !== undefined,
    findBody(app, id) {
      const row = findRow(app, id);
      return row === undefined ? null : currentBody(app, row);
    },
    findUnique(field, key) {
      const row = database
        .sql("SELECT record FROM unique_index WHERE field = ? AND value = ?")
        .get(field, key);
      return row === undefined ? null : integer(row, "record") % ID_SPAN;
    },
    findByKey(field, key) {
      const table = isUnique(field.definition) ? "unique_index" : "field_index";
      const rows = database
        .sql(`SELECT record FROM ${table} WHERE field = ? AND value = ? LIMIT 2`)
        .all(field.no, key);
      return rows.map((row) => integer(row, "record") % ID_SPAN);
    },
    insert(app, record, prefix, issues) {
      insertRecord(database, app, record, prefix, issues);
      lag.note(app, recordKey(app.id, record.id), null, record.values);
    },
    update(app, before, after, prefix, issues) {
      updateRecord(database, app, [before, after], { prefix, issues });
      lag.note(app, recordKey(app.id, after.id), before.values, after.values);
    },
    rewrite(app, row, issues) {
      const record = readRecord(app, row);
      const key = integer(row, "key");
      for (const entry of indexEntries(app, record.values)) addEntry(database, entry, key, "record", issues);
      database
        .sql("UPDATE records SET body = ?, form = ? WHERE key = ?")
        .run(JSON.stringify(renderRecord(app, record)), app.form, key);
      return record;
    },
    remove(app, record) {
      const key = recordKey(app.id, record.id);
      for (const entry of indexEntries(app, record.values)) dropEntry(database, entry, key);
      database.sql("DELETE FROM records WHERE key = ?").run(key);
    },
  };
}

function nextId(database: Database, app: AppState, counter: "last" | "rows"): number {
  const row = database
    .sql(`UPDATE record_ids SET ${counter} = ${counter} + 1 WHERE app = ? RETURNING ${counter} AS next`)
    .get(app.id);
  if (row === undefined) throw new Error(`app ${app.id} has no record counter`);
  return integer(row, "next");
}

function insertRecord(
  database: Database,
  app: AppState,
  record: StoredRecord,
  prefix: string,
  issues: Issues,
): void {
  const key = recordKey(app.id, record.id);
  for (const entry of indexEntries(app, record.values)) addEntry(database, entry, key, prefix, issues);
  database
    .sql(
      `INSERT INTO records (key, revision, form, created_at, updated_at, creator, modifier, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      key,
      record.revision,
      app.form,
      record.createdAt,
      record.updatedAt,
      record.creator.code,
      record.modifier.code,
      JSON.stringify(renderRecord(app, record)),
    );
}

function updateRecord(
  database: Database,
  app: AppState,
  [before, after]: readonly [StoredRecord, StoredRecord],
  report: { readonly prefix: string; readonly issues: Issues },
): void {
  const key = recordKey(app.id, after.id);
  moveEntries(database, key, indexEntries(app, before.values), indexEntries(app, after.values), report);
  database
    .sql(
      "UPDATE records SET revision = ?, form = ?, updated_at = ?, modifier = ?, body = ? WHERE key = ? AND revision = ?",
    )
    .run(
      after.revision,
      app.form,
      after.updatedAt,
      after.modifier.code,
      JSON.stringify(renderRecord(app, after)),
      key,
      before.revision,
    );
}
