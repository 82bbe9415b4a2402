import {
  type AppField,
  type AppState,
  ASSIGNEE_CODE,
  type FieldValue,
  type Person,
  type RecordState,
  type RecordValues,
  STATUS_CODE,
  type StoredRecord,
  type TableRow,
} from "../model.ts";
import { isFiles, isPeople, isRows } from "../values/checked.ts";
import { emptyValue } from "../values/normalize.ts";

/** Record ids stay below this within one app; see migrations/001-records.ts for the combined key. */
export const ID_SPAN = 2 ** 32;

/** Combined key of a record. */
export const recordKey = (app: number, id: number): number =>
  // A number beyond the span would name a record of the next app; the last key of a span never is one.
  app * ID_SPAN + Math.min(id, ID_SPAN - 1);

interface Shown {
  readonly type: string;
  readonly value: unknown;
}

/** `CODE-7` when the app has a code, else `7` (kintone-rest §8.4). */
export const recordNumber = (app: AppState, id: number): string =>
  app.code === "" ? String(id) : `${app.code}-${id}`;

/** Types that records do not show. */
const HIDDEN: ReadonlySet<string> = new Set(["REFERENCE_TABLE", "GROUP"]);
/** True for a field that records answer with a value. */
export const isShown = ({ definition }: AppField): boolean => !HIDDEN.has(definition.type);

function renderFields(fields: ReadonlyMap<string, AppField>, values: RecordValues): Record<string, Shown> {
  const shown: Record<string, Shown> = {};
  for (const [code, field] of fields) {
    if (!isShown(field)) continue;
    const { definition, columns } = field;
    const value = values[code] ?? emptyValue(definition);
    shown[code] = {
      type: definition.type,
      value:
        columns.size > 0 && isRows(value)
          ? value.map((row) => ({ id: row.id, value: renderFields(columns, row.values) }))
          : value,
    };
  }
  return shown;
}

function renderSystem(app: AppState, record: StoredRecord): Record<string, Shown> {
  const values = {
    RECORD_NUMBER: recordNumber(app, record.id),
    CREATOR: record.creator,
    MODIFIER: record.modifier,
    CREATED_TIME: record.createdAt,
    UPDATED_TIME: record.updatedAt,
  };
  return Object.fromEntries(app.system.map(({ code, type }) => [code, { type, value: values[type] }]));
}

/** A record as GET answers it, every field as `{type, value}` (kintone-rest §8.4). */
export function renderRecord(app: AppState, record: StoredRecord): Record<string, Shown> {
  const shown = { ...renderFields(app.fields, record.values), ...renderSystem(app, record) };
  if (app.process !== null) {
    const state = record.state ?? { status: app.process.initial, assignees: [] };
    shown[STATUS_CODE] = { type: "STATUS", value: state.status };
    shown[ASSIGNEE_CODE] = { type: "STATUS_ASSIGNEE", value: state.assignees };
  }
  shown.$id = { type: "__ID__", value: String(record.id) };
  shown.$revision = { type: "__REVISION__", value: String(record.revision) };
  return shown;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function entryValue(parsed: object, code: string): unknown {
  const entry: unknown = Reflect.get(parsed, code);
  return isObject(entry) && "value" in entry ? entry.value : undefined;
}

function toRow(columns: AppField["columns"], item: unknown): readonly TableRow[] {
  if (!isObject(item) || !("id" in item) || !("value" in item) || !isObject(item.value)) return [];
  return [{ id: String(item.id), values: readFields(columns, item.value) }];
}

/** Stored bodies are this program's own; a value of another shape than its field has reads as empty. */
function toFieldValue({ columns }: AppField, value: unknown): FieldValue | undefined {
  if (typeof value === "string" || value === null) return value;
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  if (columns.size > 0) return items.flatMap((item) => toRow(columns, item));
  if (items.every((item) => typeof item === "string")) return items;
  return isFiles(value) || isPeople(value) ? value : undefined;
}

function readFields(fields: ReadonlyMap<string, AppField>, parsed: object): RecordValues {
  const values: Record<string, FieldValue> = {};
  for (const [code, field] of fields) {
    if (!isShown(field)) continue;
    values[code] = toFieldValue(field, entryValue(parsed, code)) ?? emptyValue(field.definition);
  }
  return values;
}

function readPerson(app: AppState, parsed: object, type: "CREATOR" | "MODIFIER"): Person {
  const code = app.system.find((field) => field.type === type)?.code ?? "";
  const value = entryValue(parsed, code) ?? entryOfType(parsed, type);
  if (isObject(value) && "code" in value && "name" in value) {
    return { code: String(value.code), name: String(value.name) };
  }
  throw new TypeError(`a stored record has no ${type}`);
}

/** A system field whose code changed since the body was stored. */
function entryOfType(parsed: object, type: string): unknown {
  const entries: readonly unknown[] = Object.values(parsed);
  const found = entries.find((entry) => isObject(entry) && "type" in entry && entry.type === type);
  return isObject(found) && "value" in found ? found.value : undefined;
}

function readState(parsed: object): RecordState | null {
  const status = entryValue(parsed, STATUS_CODE);
  const assignees = entryValue(parsed, ASSIGNEE_CODE);
  if (typeof status !== "string" || !Array.isArray(assignees) || !isPeople(assignees)) return null;
  return { status, assignees };
}

/** What a stored body holds, read once. A code it lacks reads as empty: the field is younger than the record. */
export function readBody(
  app: AppState,
  body: string,
): {
  readonly values: RecordValues;
  readonly creator: Person;
  readonly modifier: Person;
  readonly state: RecordState | null;
} {
  const parsed: unknown = JSON.parse(body);
  if (!isObject(parsed)) throw new TypeError("a stored record is not an object");
  return {
    values: readFields(app.fields, parsed),
    creator: readPerson(app, parsed, "CREATOR"),
    modifier: readPerson(app, parsed, "MODIFIER"),
    state: readState(parsed),
  };
}
