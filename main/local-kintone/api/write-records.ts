import { requireFields, requireRecord } from "../access/enforce.ts";
import { createIssues, type Issues, invalid } from "../errors.ts";
import type { AppState, Person, StoredRecord } from "../model.ts";
import { recordKey } from "../storage/render.ts";
import { TEXT, unknownPerson } from "../texts.ts";
import type { CheckedValues } from "../values/checked.ts";
import { minuteText, normalizeDateTime } from "../values/moment.ts";
import { isObject, rawValue } from "./params.ts";
import { checkRecord } from "./record-input.ts";
import type { Call, Services } from "./services.ts";
import { filesOf, settleValues } from "./settle.ts";

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

type SystemType = AppState["system"][number]["type"];

function givenValue(app: AppState, record: Insertion["record"], type: SystemType): unknown {
  const code = app.system.find((field) => field.type === type)?.code ?? "";
  return Object.hasOwn(record, code) ? rawValue(record[code]) : undefined;
}

/** System fields of a new record that the caller sets: with app management only, see record-input.ts (kintone-rest §6). */
function givenPerson(
  services: Services,
  app: AppState,
  row: Insertion,
  type: SystemType,
  actor: Person,
): Person {
  const value = givenValue(app, row.record, type);
  if (!isObject(value) || typeof value.code !== "string" || value.code === "") return actor;
  const name = services.people.nameOf("USER", value.code);
  if (name === null) throw unknownPerson("USER", value.code);
  return { code: value.code, name };
}

function givenTime(app: AppState, row: Insertion, type: SystemType, now: string): string {
  const value = givenValue(app, row.record, type);
  const time = typeof value === "string" && value !== "" ? normalizeDateTime(value) : now;
  const code = app.system.find((field) => field.type === type)?.code ?? "";
  if (time === null) throw invalid(`${row.prefix}.${code}.value`, TEXT.badMoment);
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
  for (const { record } of rows) requireFields(call, app, record, null);
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
  row: Insertion & { readonly checked: CheckedValues },
  issues: Issues,
): Written {
  const id = services.records.nextId(app);
  const now = minuteText(services.clock.now());
  const record: StoredRecord = {
    id,
    revision: 1,
    createdAt: givenTime(app, row, "CREATED_TIME", now),
    updatedAt: givenTime(app, row, "UPDATED_TIME", now),
    creator: givenPerson(services, app, row, "CREATOR", call.actor.person),
    modifier: givenPerson(services, app, row, "MODIFIER", call.actor.person),
    values: settleValues(services, app, { id, before: null }, row.checked),
    state: app.process === null ? null : { status: app.process.initial, assignees: [] },
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
  for (const { before, record } of changes) {
    requireRecord(services, call, app, before, "editable");
    requireFields(call, app, record, before);
  }
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
      values: settleValues(services, app, { id: before.id, before: before.values }, row),
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
  services.comments.drop(recordKey(app.id, record.id));
  services.files.drop(filesOf(record.values).map((file) => file.fileKey));
}
