import type { Clock, FileValue, IdSource } from "../model.ts";
import { fileNotFound } from "../texts.ts";
import { uuid } from "./cursors.ts";
import { type Database, integer, text } from "./database.ts";
import { ID_SPAN } from "./render.ts";

export interface UploadedFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface AttachedFile {
  readonly app: number;
  readonly record: number;
  readonly file: UploadedFile;
}

/** Uploads and attachments: two kinds of key, not interchangeable (kintone-rest §11). */
export interface FileStore {
  /** Stores an upload and returns its single-use upload key; sweeps those that nobody took in time. */
  upload(file: UploadedFile): string;
  /**
   * Attached files of a record for the keys a write sent, in order: an upload key attaches, a download key
   * the field already has keeps its file, anything else is 404 `GAIA_BL01`. Runs inside the write.
   */
  attach(record: number, keys: readonly string[], current: readonly FileValue[]): FileValue[];
  /** Forgets the files that a write or a delete took out of a record. */
  drop(downloadKeys: readonly string[]): void;
  /** An attached file by its download key, with its app and record; null when there is none. */
  open(downloadKey: string): AttachedFile | null;
  /** Forgets uploads that no record took in their lifetime; answers how many (kintone-rest §11). */
  sweep(): number;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Download keys read `<14 digits of time><hex>`, longer than upload keys (kintone-rest §11). */
function downloadKey(clock: Clock, ids: IdSource): string {
  const time = new Date(clock.now()).toISOString().replace(/\D/g, "").slice(0, 14);
  return time + hex(ids.random(17)).toUpperCase();
}

/**
 * Creates the file store; contents stand in the same SQLite file, so one transaction covers both. `lifetime` is how
 * long an upload waits for a record, in milliseconds; it is asked at each use, because drills shorten it.
 */
export function createFileStore(
  database: Database,
  clock: Clock,
  ids: IdSource,
  lifetime: () => number,
): FileStore {
  const oldest = (): string => new Date(clock.now() - lifetime()).toISOString();
  const sweep = (): number =>
    Number(
      database.write(() =>
        database.sql("DELETE FROM files WHERE record IS NULL AND created_at <= ?").run(oldest()),
      ).changes,
    );
  function attachOne(record: number, key: string, current: readonly FileValue[]): FileValue {
    const kept = current.find((file) => file.fileKey === key);
    if (kept !== undefined) return kept;
    const fresh = downloadKey(clock, ids);
    const row = database
      .sql(
        `UPDATE files SET record = ?, download_key = ? WHERE upload_key = ? AND record IS NULL
           AND created_at > ? RETURNING name, content_type, size`,
      )
      .get(record, fresh, key, oldest());
    if (row === undefined) throw fileNotFound(key);
    return {
      contentType: text(row, "content_type"),
      fileKey: fresh,
      name: text(row, "name"),
      size: String(integer(row, "size")),
    };
  }
  return {
    sweep,
    upload(file) {
      sweep();
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
        record: integer(row, "record") % ID_SPAN,
        file: { name: text(row, "name"), contentType: text(row, "content_type"), content },
      };
    },
  };
}
