import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import { MIGRATIONS } from "../storage/migrations/index.ts";
import { CURRENT_LAYOUT, installSchema } from "../storage/schema.ts";
import { checkStore } from "./check.ts";
import { type ExportHead, exportEndSchema, exportHeadSchema, exportRowSchema } from "./export-format.ts";
import { LinesDamaged, linesOf } from "./lines.ts";
import { removeStore, writeWhole } from "./written-file.ts";

export interface ImportOptions {
  readonly source: string;
  /** The database to make. */
  readonly target: string;
  readonly signal: AbortSignal;
}

export const importResultSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_IMPORTED"),
  formatVersion: z.literal(1),
  path: z.string(),
  databaseId: z.string(),
  apps: z.number(),
  records: z.number(),
  files: z.number(),
  withTokens: z.boolean(),
  /** Of the exported data folder; null where it had none. */
  port: z.number().nullable(),
});
export type ImportResult = z.output<typeof importResultSchema>;

/**
 * Makes a store from an export: every line checked for its shape and its table, the hash over all of them compared,
 * the result taken forward to today's layout and checked as `check` does, and only then given its name. Nobody may
 * serve the target meanwhile. Rejects with `TARGET_NOT_EMPTY`, `EXPORT_INVALID`, `EXPORT_DAMAGED`, `EXPORT_NEWER`.
 */
export async function importStore(options: ImportOptions): Promise<ImportResult> {
  const { source, target, signal } = options;
  clearEmpty(target);
  return writeWhole(target, async (part) => {
    const head = await fill(source, part, signal).catch((error: unknown) => {
      throw error instanceof LinesDamaged ? damaged(source, error.message, error) : error;
    });
    const checked = checkStore(part);
    const [finding] = checked.findings;
    if (finding !== undefined) throw damaged(source, `${finding.rule}: ${finding.text}`);
    const { apps, records, files } = checked;
    const { databaseId, withTokens, port } = head;
    return {
      kind: "LOCAL_KINTONE_IMPORTED",
      formatVersion: 1,
      path: target,
      databaseId,
      apps,
      records,
      files,
      withTokens,
      port,
    };
  });
}

/** A store without apps is as good as none: a server makes it by starting. Anything else stays. */
function clearEmpty(target: string): void {
  if (existsSync(target)) refuseApps(target);
  // A log that outlived its file would be taken for the log of the new one.
  removeStore(target);
}

function refuseApps(target: string): void {
  const handle = new DatabaseSync(target, { readOnly: true });
  try {
    const table = handle.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'apps'").get();
    if (table !== undefined && handle.prepare("SELECT 1 FROM apps LIMIT 1").get() !== undefined) {
      throw new FlowError({
        code: "TARGET_NOT_EMPTY",
        message: "The workspace has apps already; nothing was imported.",
        place: target,
        remedy: "Import into a new data folder, or into a new workspace with --workspace.",
      });
    }
  } finally {
    handle.close();
  }
}

async function fill(source: string, part: string, signal: AbortSignal): Promise<ExportHead> {
  const handle = new DatabaseSync(part);
  try {
    // Only whole files get their name, so nothing has to be safe before the end.
    handle.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536");
    const head = await readInto(handle, source, part, signal);
    installSchema(handle, part, { copy: false });
    return head;
  } finally {
    handle.close();
  }
}

async function readInto(
  handle: DatabaseSync,
  source: string,
  part: string,
  signal: AbortSignal,
): Promise<ExportHead> {
  const hash = createHash("sha256");
  let head: ExportHead | null = null;
  let insert: ((line: unknown) => void) | null = null;
  let rows = 0;
  let ended = false;
  for await (const line of linesOf(source, signal)) {
    if (ended) throw damaged(source, "lines behind its end");
    const value = parseLine(line, source);
    if (insert === null) {
      head = readHead(value, source);
      installSchema(handle, part, { steps: MIGRATIONS.slice(0, head.layout), copy: false });
      handle.exec("BEGIN");
      insert = createInsert(handle, head, source);
    } else if (Array.isArray(value)) {
      insert(value);
      rows += 1;
    } else {
      const end = exportEndSchema.safeParse(value);
      if (!end.success) throw damaged(source, `line ${rows + 2} is neither a row nor the end`);
      if (end.data.rows !== rows) throw damaged(source, `${rows} rows instead of ${end.data.rows}`);
      if (end.data.sha256 !== hash.digest("hex")) throw damaged(source, "its hash differs");
      ended = true;
      continue;
    }
    hash.update(line).update("\n");
  }
  if (head === null || !ended) throw damaged(source, "it ends too early");
  handle.exec("COMMIT");
  return head;
}

function readHead(value: unknown, source: string): ExportHead {
  const head = exportHeadSchema.safeParse(value);
  if (!head.success) {
    throw new FlowError({
      code: "EXPORT_INVALID",
      message: "The file is no export of a local kintone.",
      place: source,
      remedy: "Name a file that `flownet local-kintone export` wrote.",
      details: { issues: z.flattenError(head.error) },
    });
  }
  if (head.data.layout <= CURRENT_LAYOUT) return head.data;
  throw new FlowError({
    code: "EXPORT_NEWER",
    message: `The export has layout ${head.data.layout}, this program reads up to layout ${CURRENT_LAYOUT}.`,
    place: source,
    remedy: "Import it with the program version that wrote it, or a newer one.",
  });
}

/** Prepares one insert a table, after its columns were found to be the ones this layout has. */
function createInsert(handle: DatabaseSync, head: ExportHead, source: string): (line: unknown) => void {
  const tables = head.tables.map(({ name, columns }) => {
    // The identity is made with the first opening, not by a layout step.
    if (name === "identity") handle.exec(IDENTITY);
    const known = handle
      .prepare("SELECT name FROM pragma_table_info(?)")
      .all(name)
      .map((row) => String(row.name));
    // SQLite's own tables are no part of a store, but for the counters that keep ids from being given twice.
    const isInternal = name.toLowerCase().startsWith("sqlite_") && name !== "sqlite_sequence";
    if (isInternal || known.length === 0 || known.join() !== columns.join()) {
      throw damaged(source, `its table "${name}" is not the one of layout ${head.layout}`);
    }
    handle.exec(`DELETE FROM "${name}"`);
    return handle.prepare(`INSERT INTO "${name}" VALUES (${columns.map(() => "?").join(", ")})`);
  });
  return (line) => {
    const row = exportRowSchema.safeParse(line);
    if (!row.success) throw damaged(source, "a row has another shape");
    const [index, ...values] = row.data;
    const statement = tables[index];
    if (statement === undefined || values.length !== head.tables[index]?.columns.length) {
      throw damaged(source, "a row does not fit its table");
    }
    try {
      statement.run(...values.map(toColumn));
    } catch (error) {
      throw damaged(source, error instanceof Error ? error.message : "a row was refused", error);
    }
  };
}

const IDENTITY =
  "CREATE TABLE IF NOT EXISTS identity (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL)";

const toColumn = (value: string | number | null | { readonly base64: string }): SQLInputValue =>
  typeof value === "object" && value !== null ? Buffer.from(value.base64, "base64") : value;

function parseLine(line: string, source: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw damaged(source, "a line is no JSON", error);
  }
}

function damaged(source: string, why: string, cause?: unknown): FlowError {
  return new FlowError(
    {
      code: "EXPORT_DAMAGED",
      message: `The export cannot be used: ${why}. Nothing was imported.`,
      place: source,
      remedy: "Copy it again from where it was written, or export anew.",
    },
    cause,
  );
}
