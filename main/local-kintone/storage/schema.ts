import type { DatabaseSync } from "node:sqlite";

/** Layout number kept in `user_version`; a file of another layout is refused, never guessed at. */
const LAYOUT = 1;

/**
 * - `records.key` = app id * 2^32 + record id: one integer key, so paging by `$id` is a range of the table
 *   itself and no second index has to be kept.
 * - `records.body` is the record as the API answers it, so reading needs no SQL and no assembly per field;
 *   `form` is the app revision it was rendered for.
 * - `field_index` and `unique_index` hold one row per non-empty value; `field` is the number in `app_fields`
 *   and thereby also says the app. A unique field has its rows in `unique_index` only.
 */
const STATEMENTS = `
CREATE TABLE apps (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, code TEXT NOT NULL, revision INTEGER NOT NULL,
  guest_space INTEGER, created_at TEXT NOT NULL, modified_at TEXT NOT NULL, definitions TEXT NOT NULL
);
CREATE UNIQUE INDEX apps_code ON apps (code) WHERE code <> '';
CREATE TABLE app_fields (
  no INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, code TEXT NOT NULL, UNIQUE (app, code)
);
CREATE TABLE record_ids (app INTEGER PRIMARY KEY, last INTEGER NOT NULL);
CREATE TABLE records (
  key INTEGER PRIMARY KEY, revision INTEGER NOT NULL, form INTEGER NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, creator TEXT NOT NULL, modifier TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE TABLE field_index (
  field INTEGER NOT NULL, value TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (field, value, record)
) WITHOUT ROWID;
CREATE TABLE unique_index (
  field INTEGER NOT NULL, value TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (field, value)
) WITHOUT ROWID;
CREATE TABLE files (
  no INTEGER PRIMARY KEY AUTOINCREMENT, upload_key TEXT NOT NULL UNIQUE, download_key TEXT UNIQUE,
  record INTEGER, name TEXT NOT NULL, content_type TEXT NOT NULL, size INTEGER NOT NULL,
  created_at TEXT NOT NULL, content BLOB NOT NULL
);
CREATE INDEX files_record ON files (record) WHERE record IS NOT NULL;
CREATE TABLE tokens (
  hash TEXT PRIMARY KEY, token TEXT NOT NULL, app INTEGER NOT NULL, rights TEXT NOT NULL, label TEXT NOT NULL,
  UNIQUE (app, label)
) WITHOUT ROWID;
CREATE TABLE users (
  code TEXT PRIMARY KEY, name TEXT NOT NULL, salt TEXT NOT NULL, hash TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE usage (
  app INTEGER NOT NULL, day TEXT NOT NULL, requests INTEGER NOT NULL, PRIMARY KEY (app, day)
) WITHOUT ROWID;
`;

/** Creates the tables of an empty file; throws when the file has another layout. */
export function installSchema(handle: DatabaseSync): void {
  const found = Number(handle.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (found === LAYOUT) return;
  if (found !== 0) {
    throw new Error(`the store has layout ${found}, this program reads layout ${LAYOUT}`);
  }
  handle.exec(`BEGIN IMMEDIATE; ${STATEMENTS} PRAGMA user_version = ${LAYOUT}; COMMIT`);
}

/**
 * The id of this file: made once and kept in it, so that an empty file in the place of a lost one is told from the
 * one that held the Runs. A file of before ids gets its own at the first opening.
 */
export function databaseId(handle: DatabaseSync, fresh: () => string): string {
  const read = (): string | null => {
    const id = handle.prepare("SELECT id FROM identity").get()?.id;
    return typeof id === "string" ? id : null;
  };
  handle.exec(
    "CREATE TABLE IF NOT EXISTS identity (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL)",
  );
  const known = read();
  if (known !== null) return known;
  handle.prepare("INSERT OR IGNORE INTO identity (one, id) VALUES (1, ?)").run(fresh());
  return read() ?? "";
}
