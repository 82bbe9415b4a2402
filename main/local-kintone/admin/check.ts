import { z } from "zod";
import { checkCode } from "../fields/index.ts";
import type { AppState } from "../model.ts";
import { readApp } from "../storage/app-rows.ts";
import { integer, openSnapshot, type Row, type Snapshot, text } from "../storage/database.ts";
import { storageFailure } from "../storage/failures.ts";
import { ID_SPAN, readBody } from "../storage/render.ts";
import { indexEntries, isUnique } from "../values/index-keys.ts";
import { countAll } from "./counts.ts";

const findingSchema = z.object({
  /** Stable name of the rule that is broken. */
  rule: z.string(),
  /** What was found, in words, without any value of a record. */
  text: z.string(),
});
export const checkResultSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_CHECK"),
  formatVersion: z.literal(1),
  path: z.string(),
  databaseId: z.string(),
  layout: z.number(),
  apps: z.number(),
  records: z.number(),
  files: z.number(),
  /** Empty for a sound store; at most 100 are told. */
  findings: z.array(findingSchema),
});
export type Finding = z.output<typeof findingSchema>;
export type CheckResult = z.output<typeof checkResultSchema>;

const MOST_FINDINGS = 100;

/**
 * Checks a store, served or not, at one moment: SQLite's own integrity check; every record has its app, its place
 * below the app's counter and a body that tells its id and revision; the index tables hold exactly the entries the
 * records demand; every attached file has its record and is shown by it. Throws `LAYOUT_NEWER`, `LAYOUT_OLDER`.
 */
export function checkStore(path: string): CheckResult {
  const store = openSnapshot(path, "current-layout");
  try {
    const findings = [...integrity(store)];
    // A file SQLite itself finds damaged is not read any further: every other finding would follow from that.
    if (findings.length === 0) findings.push(...take(rules(store), MOST_FINDINGS));
    return {
      kind: "LOCAL_KINTONE_CHECK",
      formatVersion: 1,
      path,
      databaseId: store.id,
      layout: store.layout,
      ...countAll(store),
      findings,
    };
  } finally {
    store.close();
  }
}

function* take<T>(items: Iterable<T>, most: number): Iterable<T> {
  let taken = 0;
  for (const item of items) {
    if (taken === most) return;
    taken += 1;
    yield item;
  }
}

function* integrity(store: Snapshot): Iterable<Finding> {
  for (const row of store.sql(`PRAGMA integrity_check(${MOST_FINDINGS})`).iterate()) {
    const found = String(row.integrity_check);
    if (found !== "ok") yield { rule: "sqlite-integrity", text: found };
  }
}

/** Rows that cannot be read at all are what a check is for; only a failing disk ends it. */
function* readable(rule: string, place: string, found: Iterable<Finding>): Iterable<Finding> {
  try {
    yield* found;
  } catch (error) {
    if (storageFailure(error) !== null) throw error;
    // Without the cause: it would show values of records.
    yield { rule, text: `${place} cannot be read` };
  }
}

function* rules(store: Snapshot): Iterable<Finding> {
  const apps = new Map<number, AppState>();
  yield* readable("app-row", "the apps", readApps(store, apps));
  yield* readable("record-row", "the records", records(store, apps));
  yield* readable("record-counter", "the counters", counters(store));
  yield* readable("file-row", "the files", files(store));
}

function* readApps(store: Snapshot, apps: Map<number, AppState>): Iterable<Finding> {
  for (const row of store.sql("SELECT * FROM apps ORDER BY id").all()) {
    const id = integer(row, "id");
    yield* readable("app-row", `app ${id}`, fields(id, store, row, apps));
  }
}

/** A field without a number would share its index rows with others; a code with quotes would end up in SQL. */
function* fields(id: number, store: Snapshot, row: Row, apps: Map<number, AppState>): Iterable<Finding> {
  const app = readApp(store, row);
  apps.set(id, app);
  const all = [...app.fields.values()].flatMap((field) => [field, ...field.columns.values()]);
  for (const { no, definition } of all) {
    if (no < 1) {
      yield { rule: "field-number", text: `app ${id}: field "${definition.code}" has no index number` };
    }
  }
  const codes = [...app.system, ...all.map(({ definition }) => definition)].map(({ code }) => code);
  if (codes.some((code) => checkCode(code).length > 0)) {
    yield { rule: "field-code", text: `app ${id}: a field code is not valid` };
  }
}

/**
 * Every entry a record demands is looked up, and the tables hold no more rows than were demanded: together that says
 * they are the same set.
 */
function* records(store: Snapshot, apps: ReadonlyMap<number, AppState>): Iterable<Finding> {
  const demanded = { field_index: 0, unique_index: 0 };
  let unread = false;
  for (const row of store.sql("SELECT key, revision, body FROM records ORDER BY key").iterate()) {
    const key = integer(row, "key");
    const place = `app ${Math.floor(key / ID_SPAN)}, record ${key % ID_SPAN}`;
    const app = apps.get(Math.floor(key / ID_SPAN));
    if (app === undefined) {
      yield { rule: "record-app", text: `${place}: there is no such app` };
      unread = true;
      continue;
    }
    for (const finding of readable("record-body", place, record(store, app, row, demanded))) {
      yield finding;
      unread = true;
    }
  }
  // What an unreadable record demands is not known.
  if (unread) return;
  for (const [table, count] of Object.entries(demanded)) {
    const found = store.sql(`SELECT count(*) AS n FROM ${table}`).get();
    const held = found === undefined ? 0 : integer(found, "n");
    if (held > count)
      yield { rule: "index-surplus", text: `${table} holds ${held} rows, the records ${count}` };
  }
}

function* record(
  store: Snapshot,
  app: AppState,
  row: Row,
  demanded: { field_index: number; unique_index: number },
): Iterable<Finding> {
  const key = integer(row, "key");
  const place = `app ${app.id}, record ${key % ID_SPAN}`;
  const body = text(row, "body");
  const told = shownNumbers(body);
  if (told.id !== String(key % ID_SPAN) || told.revision !== String(integer(row, "revision"))) {
    yield { rule: "record-body", text: `${place}: the stored body tells another id or revision` };
  }
  for (const entry of indexEntries(app, readBody(app, body).values)) {
    const table = isUnique(entry.field.definition) ? "unique_index" : "field_index";
    demanded[table] += 1;
    const found = store
      .sql(`SELECT 1 FROM ${table} WHERE field = ? AND value = ? AND record = ?`)
      .get(entry.field.no, entry.key, key);
    if (found !== undefined) continue;
    yield { rule: "index-missing", text: `${place}: "${entry.field.definition.code}" is not in ${table}` };
  }
}

function shownNumbers(body: string): { readonly id: unknown; readonly revision: unknown } {
  const parsed: unknown = JSON.parse(body);
  const shown = (code: string): unknown => {
    const entry: unknown = typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, code) : null;
    return typeof entry === "object" && entry !== null && "value" in entry ? entry.value : null;
  };
  return { id: shown("$id"), revision: shown("$revision") };
}

/** Ids are never given twice (kintone-rest §6), so every app counts, and no record stands above its counter. */
function* counters(store: Snapshot): Iterable<Finding> {
  const missing = store.sql("SELECT id FROM apps WHERE id NOT IN (SELECT app FROM record_ids)");
  for (const row of missing.iterate()) {
    yield { rule: "record-counter", text: `app ${integer(row, "id")} has no counter` };
  }
  const beyond = store.sql(
    `SELECT app, last, (SELECT max(key) % ${ID_SPAN} FROM records
       WHERE key > app * ${ID_SPAN} AND key < (app + 1) * ${ID_SPAN}) AS highest
     FROM record_ids WHERE highest > last`,
  );
  for (const row of beyond.iterate()) {
    const text = `app ${integer(row, "app")}: record ${integer(row, "highest")} stands above the counter ${integer(row, "last")}`;
    yield { rule: "record-counter", text };
  }
}

function* files(store: Snapshot): Iterable<Finding> {
  const orphans = store.sql(
    `SELECT files.no AS no FROM files LEFT JOIN records ON records.key = files.record
     WHERE files.record IS NOT NULL AND (records.key IS NULL OR instr(records.body, files.download_key) = 0)`,
  );
  for (const row of orphans.iterate()) {
    yield {
      rule: "file-record",
      text: `file ${integer(row, "no")} is attached to a record that does not show it`,
    };
  }
  const lengths = store.sql("SELECT no FROM files WHERE length(content) <> size");
  for (const row of lengths.iterate()) {
    yield { rule: "file-size", text: `file ${integer(row, "no")} is not as long as it says` };
  }
}
