import type { AppState, FieldValue, FileValue, Person, RecordValues, StoredRecord } from "../model.ts";
import { emptyValue } from "../values/normalize.ts";

/** Record ids stay below this within one app; see storage/schema.ts for the combined key. */
export const ID_SPAN = 2 ** 32;

/** Combined key of a record. */
export const recordKey = (app: number, id: number): number => app * ID_SPAN + id;

interface Shown {
  readonly type: string;
  readonly value: unknown;
}

/** `CODE-7` when the app has a code, else `7` (kintone-rest §8.4). */
export const recordNumber = (app: AppState, id: number): string =>
  app.code === "" ? String(id) : `${app.code}-${id}`;

/** A record as GET answers it, every field as `{type, value}` (kintone-rest §8.4). */
export function renderRecord(app: AppState, record: StoredRecord): Record<string, Shown> {
  const shown: Record<string, Shown> = {};
  for (const [code, field] of app.fields) {
    const { definition } = field;
    if (definition.type === "REFERENCE_TABLE") continue;
    shown[code] = { type: definition.type, value: record.values[code] ?? emptyValue(definition) };
  }
  shown.レコード番号 = { type: "RECORD_NUMBER", value: recordNumber(app, record.id) };
  shown.作成者 = { type: "CREATOR", value: record.creator };
  shown.更新者 = { type: "MODIFIER", value: record.modifier };
  shown.作成日時 = { type: "CREATED_TIME", value: record.createdAt };
  shown.更新日時 = { type: "UPDATED_TIME", value: record.updatedAt };
  shown.$id = { type: "__ID__", value: String(record.id) };
  shown.$revision = { type: "__REVISION__", value: String(record.revision) };
  return shown;
}

function isFile(item: unknown): item is FileValue {
  return typeof item === "object" && item !== null && "fileKey" in item && "name" in item;
}

function toFieldValue(value: unknown): FieldValue | undefined {
  if (typeof value === "string" || value === null) return value;
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  if (items.every((item) => typeof item === "string")) return items;
  return items.every(isFile) ? items : undefined;
}

function entryValue(parsed: object, code: string): unknown {
  const entry: unknown = Reflect.get(parsed, code);
  return typeof entry === "object" && entry !== null && "value" in entry ? entry.value : undefined;
}

/** What a stored body holds, read once. A code it lacks reads as empty: the field is younger than the record. */
export function readBody(
  app: AppState,
  body: string,
): { readonly values: RecordValues; readonly creator: Person; readonly modifier: Person } {
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== "object" || parsed === null) throw new TypeError("a stored record is not an object");
  const values: Record<string, FieldValue> = {};
  for (const [code, field] of app.fields) {
    if (field.definition.type === "REFERENCE_TABLE") continue;
    values[code] = toFieldValue(entryValue(parsed, code)) ?? emptyValue(field.definition);
  }
  return { values, creator: readPerson(parsed, "作成者"), modifier: readPerson(parsed, "更新者") };
}

function readPerson(parsed: object, code: string): Person {
  const value = entryValue(parsed, code);
  if (typeof value === "object" && value !== null && "code" in value && "name" in value) {
    return { code: String(value.code), name: String(value.name) };
  }
  throw new TypeError(`a stored record has no ${code}`);
}
