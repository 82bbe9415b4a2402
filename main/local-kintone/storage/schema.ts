import { chmodSync, closeSync, existsSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { FlowError } from "../../../shared/domain/problem.ts";
import { MIGRATIONS, type Migration } from "./migrations/index.ts";

/** The layout this program writes. */
export const CURRENT_LAYOUT = MIGRATIONS.length;

/** How every SQLite file begins. */
const MAGIC = "SQLite format 3";

/** The layout number a file has; 0 for an empty one. */
export function layoutOf(handle: DatabaseSync): number {
  return Number(handle.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

/**
 * Throws FlowError `LAYOUT_NEWER` for a file of a newer program before anything opens it for writing: opening alone
 * would already set its journal mode and settle its log. The file and its log keep every byte and their times.
 */
export function refuseNewer(path: string, current: number = CURRENT_LAYOUT): void {
  if (path === ":memory:" || !existsSync(path)) return;
  const inFile = layoutInHeader(path);
  if (inFile > current) throw newerLayout(path, inFile, current);
  // A newer program that died may have left its number in the log alone.
  if (!existsSync(`${path}-wal`)) return;
  const handle = new DatabaseSync(path, { readOnly: true });
  try {
    const found = layoutOf(handle);
    if (found > current) throw newerLayout(path, found, current);
  } finally {
    handle.close();
  }
}

/** SQLite keeps `user_version` as four bytes at offset 60 of the file, most significant first. */
function layoutInHeader(path: string): number {
  const header = Buffer.alloc(64);
  const file = openSync(path, "r");
  try {
    const isStore = readSync(file, header, 0, 64, 0) === 64 && header.toString("latin1", 0, 15) === MAGIC;
    return isStore ? header.readUInt32BE(60) : 0;
  } finally {
    closeSync(file);
  }
}

export interface InstallOptions {
  /** Layout steps from 1 on; those of this program by default. */
  readonly steps?: readonly Migration[];
  /** False for a file that is itself only a copy. */
  readonly copy?: boolean;
}

/**
 * Brings a file to the layout of this program: creates the tables of an empty file, takes an older file forward in
 * one transaction after a copy of it was written beside it. A step that fails leaves the file as it was.
 */
export function installSchema(
  handle: DatabaseSync,
  path: string,
  { steps = MIGRATIONS, copy = true }: InstallOptions = {},
): void {
  const found = layoutOf(handle);
  if (found === steps.length) return;
  if (found > steps.length) throw newerLayout(path, found, steps.length);
  if (copy && found > 0 && path !== ":memory:") copyBefore(handle, path, found);
  handle.exec("BEGIN IMMEDIATE");
  try {
    for (const step of steps.slice(found)) {
      handle.exec(`${step.statements} PRAGMA user_version = ${step.layout}`);
    }
    handle.exec("COMMIT");
  } catch (error) {
    if (handle.isTransaction) handle.exec("ROLLBACK");
    throw error;
  }
}

/** Whoever finds a defect in a step goes back to this copy; one that exists is older still and is kept. */
function copyBefore(handle: DatabaseSync, path: string, layout: number): void {
  const copy = `${path}.layout-${layout}.bak`;
  if (existsSync(copy)) return;
  // Under another name until it is whole: a copy cut short must never pass for the way back.
  const part = `${copy}.part`;
  rmSync(part, { force: true });
  try {
    handle.prepare("VACUUM INTO ?").run(part);
    chmodSync(part, 0o600);
    renameSync(part, copy);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function newerLayout(path: string, found: number, current: number): FlowError {
  return new FlowError({
    code: "LAYOUT_NEWER",
    message: `The store has layout ${found}, this program reads up to layout ${current}; the file was not touched.`,
    place: path,
    remedy: "Open it with the program version that wrote it, or a newer one.",
  });
}

/** Throws FlowError `LAYOUT_OLDER` for a file that was not yet taken forward to the layout of this program. */
export function requireCurrent(path: string, found: number): void {
  if (found === CURRENT_LAYOUT) return;
  throw new FlowError({
    code: "LAYOUT_OLDER",
    message: `The store has layout ${found}; this program works on layout ${CURRENT_LAYOUT}.`,
    place: path,
    remedy: "Start the local kintone once on this data folder: that takes the file forward, after a copy.",
  });
}

/** The id of a file, or null before it got one. */
export function readDatabaseId(handle: DatabaseSync): string | null {
  const table = handle.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'identity'").get();
  if (table === undefined) return null;
  const id = handle.prepare("SELECT id FROM identity").get()?.id;
  return typeof id === "string" ? id : null;
}

/**
 * The id of this file: made once and kept in it, so that an empty file in the place of a lost one is told from the
 * one that held the Runs. A file of before ids gets its own at the first opening.
 */
export function databaseId(handle: DatabaseSync, fresh: () => string): string {
  handle.exec(
    "CREATE TABLE IF NOT EXISTS identity (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL)",
  );
  const known = readDatabaseId(handle);
  if (known !== null) return known;
  handle.prepare("INSERT OR IGNORE INTO identity (one, id) VALUES (1, ?)").run(fresh());
  return readDatabaseId(handle) ?? "";
}
