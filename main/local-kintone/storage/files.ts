import type { Clock, FileValue, IdSource } from "../model.ts";
import { fileNotFound } from "../texts.ts";
import { type Database, integer, text } from "./database.ts";
import { ID_SPAN } from "./render.ts";

export interface UploadedFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** Uploads and attachments: two kinds of key, not interchangeable (kintone-rest §11). */
export interface FileStore {
  /** Stores an upload and returns its single-use upload key. */
  upload(file: UploadedFile): string;
  /**
   * Attached files of a record for the keys a write sent, in order: an upload key attaches, a download key
   * the field already has keeps its file, anything else is 404 `GAIA_BL01`. Runs inside the write.
   */
  attach(record: number, keys: readonly string[], current: readonly FileValue[]): FileValue[];
  /** Forgets the files that a write or a delete took out of a record. */
  drop(downloadKeys: readonly string[]): void;
  /** An attached file by its download key, with its app; null when there is none. */
  open(downloadKey: string): { readonly app: number; readonly file: UploadedFile } | null;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function uuid(ids: IdSource): string {
  const text = hex(ids.random(16));
  const variant = ((Number.parseInt(text.charAt(16), 16) & 3) | 8).toString(16);
  return [
    text.slice(0, 8),
    text.slice(8, 12),
    `4${text.slice(13, 16)}`,
    `${variant}${text.slice(17, 20)}`,
    text.slice(20),
  ].join("-");
}

/** Download keys read `<14 digits of time><hex>`, longer than upload keys (kintone-rest §11). */
function downloadKey(clock: Clock, ids: IdSource): string {
  const time = new Date(clock.now()).toISOString().replace(/\D/g, "").slice(0, 14);
  return time + hex(ids.random(17)).toUpperCase();
}

/** Creates the file store; contents stand in the same SQLite file, so one transaction covers both. */
export function createFileStore(database: Database, clock: Clock, ids: IdSource): FileStore {
  function attachOne(record: number, key: string, current: readonly FileValue[]): FileValue {
    const kept = current.find((file) => file.fileKey === key);
    if (kept !== undefined) return kept;
    const fresh = downloadKey(clock, ids);
    const row = database
      .sql(
        `UPDATE files SET record = ?, download_key = ? WHERE upload_key = ? AND record IS NULL
         RETURNING name, content_type, size`,
      )
      .get(record, fresh, key);
    if (row === undefined) throw fileNotFound(key);
    return {
      contentType: text(row, "content_type"),
      fileKey: fresh,
      name: text(row, "name"),
      size: String(integer(row, "size")),
    };
  }
  return {
    upload(file) {
      const key = uuid(ids);
      const insert = database.sql(
        `INSERT INTO files (upload_key, name, content_type, size, created_at, content)
         VALUES (?, ?, ?, ?, ?, ?)`,
      );
      const at = new Date(clock.now()).toISOString();
      database.write(() =>
        insert.run(key, file.name, file.contentType, file.content.byteLength, at, file.content),
      );
      return key;
    },
    attach: (record, keys, current) => keys.map((key) => attachOne(record, key, current)),
    drop(keys) {
      for (const key of keys) database.sql("DELETE FROM files WHERE download_key = ?").run(key);
    },
    open(key) {
      const row = database
        .sql("SELECT record, name, content_type, content FROM files WHERE download_key = ?")
        .get(key);
      const content = row?.content;
      if (row === undefined || !(content instanceof Uint8Array)) return null;
      return {
        app: Math.floor(integer(row, "record") / ID_SPAN),
        file: { name: text(row, "name"), contentType: text(row, "content_type"), content },
      };
    },
  };
}
