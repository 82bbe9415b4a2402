import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { FlowError } from "../../../shared/domain/problem.ts";
import { MIGRATIONS, type Migration } from "./migrations/index.ts";

const CURRENT = MIGRATIONS.length;

/** The layout number a file has; 0 for an empty one. */
export function layoutOf(handle: DatabaseSync): number {
  return Number(handle.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

/**
 * Brings a file to the layout of this program: creates the tables of an empty file, takes an older file forward step
 * by step after a copy of it was written beside it. Throws FlowError `LAYOUT_NEWER` for a file of a newer program;
 * such a file is not touched.
 */
export function installSchema(handle: DatabaseSync, path: string): void {
  const found = layoutOf(handle);
  if (found === CURRENT) return;
  if (found > CURRENT) throw newerLayout(path, found);
  if (found > 0 && path !== ":memory:") copyBefore(handle, path, found);
  for (const step of MIGRATIONS.slice(found)) applyStep(handle, step);
}

function applyStep(handle: DatabaseSync, step: Migration): void {
  handle.exec("BEGIN IMMEDIATE");
  try {
    handle.exec(`${step.statements} PRAGMA user_version = ${step.layout}`);
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
  handle.prepare("VACUUM INTO ?").run(copy);
}

function newerLayout(path: string, found: number): FlowError {
  return new FlowError({
    code: "LAYOUT_NEWER",
    message: `The store has layout ${found}, this program reads up to layout ${CURRENT}; the file was not touched.`,
    place: path,
    remedy: "Open it with the program version that wrote it, or a newer one.",
  });
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
