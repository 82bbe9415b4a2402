import { createIssues, type Issues, invalid } from "../errors.ts";
import type { AppState, FieldValue, FileValue, Person, RecordValues, StoredRecord } from "../model.ts";
import { recordKey } from "../storage/render.ts";
import { TEXT } from "../texts.ts";
import { minuteText, normalizeDateTime } from "../values/moment.ts";
import { isObject } from "./params.ts";
import { type CheckedRecord, checkRecord } from "./record-input.ts";
import type { Call, Services } from "./services.ts";

export interface Insertion {
  readonly record: Readonly<Record<string, unknown>>;
  /** `record` or `records[i]`: how error keys name this row (kintone-rest §8.1). */
  readonly prefix: string;
}
export interface Change extends Insertion {
  readonly before: StoredRecord;
}
/** What became of one row. */
export interface Written {
  readonly id: number;
  readonly revision: number;
}

const isFileList = (value: FieldValue | undefined): value is readonly FileValue[] =>
  Array.isArray(value) && value.every((item) => typeof item === "object");

/** Attaches written file keys and forgets the files they replace (kintone-rest §11). */
function attachFiles(services: Services, app: AppState, id: number, checked: CheckedRecord): RecordValues {
  if (checked.files.size === 0) return checked.values;
  const values: Record<string, FieldValue> = { ...checked.values };
  for (const [code, keys] of checked.files) {
    const current = values[code];
    const had = isFileList(current) ? current : [];
    const now = services.files.attach(recordKey(app.id, id), keys, had);
    const kept = new Set(now.map((file) => file.fileKey));
    services.files.drop(had.map((file) => file.fileKey).filter((key) => !kept.has(key)));
    values[code] = now;
  }
  return values;
}

function givenPerson(record: Readonly<Record<string, unknown>>, code: string, actor: Person): Person {
  const entry = record[code];
  const value = isObject(entry) ? entry.value : undefined;
  if (!isObject(value) || typeof value.code !== "string" || value.code === "") return actor;
  return { code: value.code, name: typeof value.name === "string" ? value.name : value.code };
}

function givenTime(record: Readonly<Record<string, unknown>>, code: string, now: string): string {
  const entry = record[code];
  const value = isObject(entry) ? entry.value : undefined;
  const time = typeof value === "string" && value !== "" ? normalizeDateTime(value) : now;
  if (time === null) throw invalid(`record.${code}.value`, TEXT.badMoment);
  return time;
}

/**
 * Inserts rows, all or none; runs inside a write. All rows are checked before the first is stored, then
 * uniqueness is decided row by row (kintone-rest §6, §8).
 */
export function insertRows(
  services: Services,
  call: Call,
  app: AppState,
  rows: readonly Insertion[],
): Written[] {
  const issues = createIssues();
  const checked = rows.map(({ record, prefix }) => ({
    record,
    prefix,
    checked: checkRecord(services, call, app, record, { base: null, prefix, issues }),
  }));
  issues.throwIfAny();
  const written = checked.map((row) => insertRow(services, call, app, row, issues));
  issues.throwIfAny();
  return written;
}

function insertRow(
  services: Services,
  call: Call,
  app: AppState,
  row: Insertion & { readonly checked: CheckedRecord },
  issues: Issues,
): Written {
  const id = services.records.nextId(app);
  const now = minuteText(services.clock.now());
  const record: StoredRecord = {
    id,
    revision: 1,
    createdAt: givenTime(row.record, "作成日時", now),
    updatedAt: givenTime(row.record, "更新日時", now),
    creator: givenPerson(row.record, "作成者", call.actor.person),
    modifier: givenPerson(row.record, "更新者", call.actor.person),
    values: attachFiles(services, app, id, row.checked),
    state: null,
  };
  services.records.insert(app, record, row.prefix, issues);
  return { id, revision: 1 };
}

/** Updates rows, all or none; runs inside a write, revisions already checked (kintone-rest §7). */
export function updateRows(
  services: Services,
  call: Call,
  app: AppState,
  changes: readonly Change[],
): Written[] {
  const issues = createIssues();
  const checked = changes.map((change) => ({
    change,
    checked: checkRecord(services, call, app, change.record, {
      base: change.before,
      prefix: change.prefix,
      issues,
    }),
  }));
  issues.throwIfAny();
  const written = checked.map(({ change, checked: row }) => {
    const { before } = change;
    const after: StoredRecord = {
      ...before,
      revision: before.revision + 1,
      updatedAt: minuteText(services.clock.now()),
      modifier: call.actor.person,
      values: attachFiles(services, app, before.id, row),
    };
    services.records.update(app, before, after, change.prefix, issues);
    return { id: after.id, revision: after.revision };
  });
  issues.throwIfAny();
  return written;
}

/** Removes a record with its files. */
export function removeRow(services: Services, app: AppState, record: StoredRecord): void {
  services.records.remove(app, record);
  for (const value of Object.values(record.values)) {
    if (isFileList(value)) services.files.drop(value.map((file) => file.fileKey));
  }
}
