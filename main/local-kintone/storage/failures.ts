import type { Problem } from "../../../shared/domain/problem.ts";
import type { Text } from "../errors.ts";

/** What is wrong with the place the records are kept in. Never part of kintone itself. */
export interface StorageFailure {
  /** Stable, in kintone's place of an error code. */
  readonly code: string;
  readonly text: Text;
  readonly remedy: string;
}

const FULL: StorageFailure = {
  code: "LOCAL_DISK_FULL",
  text: {
    ja: "ディスクがいっぱいのため保存できませんでした。何も変更されていません。",
    en: "The disk is full; nothing was stored.",
  },
  remedy: "Free space on the disk of this folder; nothing has to be started again.",
};
const IO: StorageFailure = {
  code: "LOCAL_DISK_FAILED",
  text: {
    ja: "ディスクの読み書きに失敗しました。何も変更されていません。",
    en: "The disk could not be read or written; nothing was stored.",
  },
  remedy: "Check the disk of this folder, and the connection to it where it is a network drive.",
};
const NOT_WRITABLE: StorageFailure = {
  code: "LOCAL_FOLDER_NOT_WRITABLE",
  text: {
    ja: "データフォルダーに書き込めません。何も変更されていません。",
    en: "The data folder cannot be written; nothing was stored.",
  },
  remedy: "Give this account the right to write there, or name another data folder with --data-dir.",
};
const DAMAGED: StorageFailure = {
  code: "LOCAL_DATABASE_DAMAGED",
  text: {
    ja: "データベースのファイルが壊れています。",
    en: "The database file is damaged or is no database.",
  },
  remedy:
    "End every FlowNet program and put the file back from a backup, with -wal and -shm if they are there.",
};

/** Primary result codes of SQLite; its extended codes have them in their low byte. */
const BY_SQLITE: ReadonlyMap<number, StorageFailure> = new Map([
  [8, NOT_WRITABLE], // READONLY
  [10, IO], // IOERR
  [11, DAMAGED], // CORRUPT
  [13, FULL], // FULL
  [14, NOT_WRITABLE], // CANTOPEN
  [26, DAMAGED], // NOTADB
]);
const BY_SYSTEM: ReadonlyMap<string, StorageFailure> = new Map([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EIO", IO],
  ["EACCES", NOT_WRITABLE],
  ["EPERM", NOT_WRITABLE],
  ["EROFS", NOT_WRITABLE],
  ["EISDIR", NOT_WRITABLE],
  ["ENOTDIR", NOT_WRITABLE],
]);

/** The failure behind an error of SQLite or of the file system; null for any other error. */
export function storageFailure(error: unknown): StorageFailure | null {
  if (!(error instanceof Error)) return null;
  if ("errcode" in error && typeof error.errcode === "number") {
    return BY_SQLITE.get(error.errcode & 0xff) ?? null;
  }
  return "code" in error && typeof error.code === "string" ? (BY_SYSTEM.get(error.code) ?? null) : null;
}

/** The same as a problem at `place`: a file or folder. Null for any other error. */
export function storageProblem(error: unknown, place: string): Problem | null {
  const failure = storageFailure(error);
  if (failure === null) return null;
  const cause = error instanceof Error ? error.message : "";
  const named =
    error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : null;
  return {
    code: failure.code,
    message: `${failure.text.en} (${cause})`,
    place: named ?? place,
    remedy: failure.remedy,
    details: { cause },
  };
}
