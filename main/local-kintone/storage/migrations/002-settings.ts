import type { Migration } from "./migration.ts";

/**
 * - `apps.settings` is everything of an app that is neither its form nor its name, as one JSON document: it is always
 *   read and written whole. `deployed` is 0 for an app that so far exists in the preview environment only.
 * - `app_previews` holds a row for an app whose preview differs from what is live; `origins` says which live field each
 *   preview field stems from, so that a changed field code moves values instead of losing them.
 * - `deploys` is the last deploy of an app; a batch succeeds or fails as a whole.
 */
export const settings: Migration = {
  layout: 2,
  name: "settings",
  statements: `
ALTER TABLE apps ADD COLUMN deployed INTEGER NOT NULL DEFAULT 1;
ALTER TABLE apps ADD COLUMN form INTEGER NOT NULL DEFAULT 0;
UPDATE apps SET form = revision;
ALTER TABLE apps ADD COLUMN space INTEGER;
ALTER TABLE apps ADD COLUMN thread INTEGER;
ALTER TABLE apps ADD COLUMN creator TEXT NOT NULL DEFAULT '{"code":"Administrator","name":"Administrator"}';
ALTER TABLE apps ADD COLUMN modifier TEXT NOT NULL DEFAULT '{"code":"Administrator","name":"Administrator"}';
ALTER TABLE apps ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE apps ADD COLUMN system TEXT NOT NULL DEFAULT '';
CREATE TABLE app_previews (
  app INTEGER PRIMARY KEY, revision INTEGER NOT NULL, name TEXT NOT NULL,
  definitions TEXT NOT NULL, system TEXT NOT NULL,
  origins TEXT NOT NULL, settings TEXT NOT NULL
);
CREATE TABLE deploys (
  app INTEGER PRIMARY KEY, batch INTEGER NOT NULL, status TEXT NOT NULL, due INTEGER NOT NULL,
  revert INTEGER NOT NULL, person TEXT NOT NULL
);
CREATE TABLE spaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, guest INTEGER NOT NULL, creator TEXT NOT NULL,
  thread INTEGER NOT NULL
);
ALTER TABLE users ADD COLUMN profile TEXT NOT NULL DEFAULT '{}';
CREATE INDEX files_unattached ON files (created_at) WHERE record IS NULL;
CREATE TABLE comments (
  record INTEGER NOT NULL, id INTEGER NOT NULL, text TEXT NOT NULL, mentions TEXT NOT NULL,
  created_at TEXT NOT NULL, creator TEXT NOT NULL, PRIMARY KEY (record, id)
) WITHOUT ROWID;
CREATE TABLE comment_ids (record INTEGER PRIMARY KEY, last INTEGER NOT NULL);
CREATE TABLE organizations (code TEXT PRIMARY KEY, name TEXT NOT NULL, parent TEXT) WITHOUT ROWID;
CREATE TABLE user_groups (code TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
`,
};
