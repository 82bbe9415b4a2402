import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { RECEIVER_SCHEMA } from "../cases/extended.ts";
import type { JournalMode } from "../cases/model.ts";
import type { StoredCase } from "../documents/plan-schema.ts";
import { DATABASE_FILE, RECEIVER_FILE } from "../read-back.ts";

/**
 * Makes the folder and the empty database of one case. This is the only time the controller opens a database
 * for writing, and the connection is closed before the first child starts (retry-boundaries §3, §4).
 */
export function prepareCase(
  folder: string,
  definition: StoredCase,
  schema: readonly string[],
  mode: JournalMode,
): void {
  mkdirSync(folder);
  createDatabase(join(folder, DATABASE_FILE), [...schema, ...definition.schema], mode);
  if (definition.receiver) createDatabase(join(folder, RECEIVER_FILE), RECEIVER_SCHEMA, mode);
}

function createDatabase(path: string, statements: readonly string[], mode: JournalMode): void {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    const answer = database.prepare(`PRAGMA journal_mode=${mode}`).get()?.journal_mode;
    if (answer !== mode) throw new Error(`SQLite chose journal mode ${String(answer)} instead of ${mode}`);
    database.exec("PRAGMA synchronous=FULL");
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}
