import type { Migration } from "./migration.ts";

/**
 * - `records.key` = app id * 2^32 + record id: one integer key, so paging by `$id` is a range of the table
 *   itself and no second index has to be kept.
 * - `records.body` is the record as the API answers it, so reading needs no SQL and no assembly per field;
 *   `form` is the app revision it was rendered for.
 * - `field_index` and `unique_index` hold one row per non-empty value; `field` is the number in `app_fields`
 *   and thereby also says the app. A unique field has its rows in `unique_index` only.
 */
export const records: Migration = {
  layout: 1,
  name: "records",
  statements: `
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
`,
};
