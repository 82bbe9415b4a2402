import { type Issues, invalid } from "../errors.ts";
import type { AppState, FieldDefinition, FieldValue, RecordValues } from "../model.ts";
import { SYSTEM_FIELDS } from "../model.ts";
import { recordIdNotWritable, TEXT, tokenNotAllowed, unknownField } from "../texts.ts";
import { minuteText } from "../values/moment.ts";
import { checkRequired, emptyValue, type Normalized, normalizeValue } from "../values/normalize.ts";
import { isObject } from "./params.ts";
import type { Call, Services } from "./services.ts";

/** Checked values of a written record. FILE fields stay apart until their keys are attached. */
export interface CheckedRecord {
  readonly values: RecordValues;
  /** File keys per FILE field that was written. */
  readonly files: ReadonlyMap<string, readonly string[]>;
}

const SYSTEM_CODES: ReadonlyMap<string, string> = new Map(
  SYSTEM_FIELDS.map(({ code, type }) => [code, type]),
);

/** The `record` parameter; absent counts as empty (kintone-rest §6). */
export function recordObject(value: unknown, key: string): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw invalid(key, TEXT.badShape);
  return value;
}

function rawValue(entry: unknown): unknown {
  return isObject(entry) ? entry.value : entry;
}

/**
 * Refuses codes that cannot be written: unknown ones, the record id on updates, and the system fields for
 * callers without app management (kintone-rest §6).
 */
function checkCodes(
  app: AppState,
  call: Call,
  record: Readonly<Record<string, unknown>>,
  isUpdate: boolean,
): void {
  for (const code of Object.keys(record)) {
    const system = SYSTEM_CODES.get(code);
    const isId = code === "$id" || system === "RECORD_NUMBER";
    if (isUpdate && isId) throw recordIdNotWritable();
    if (isId || code === "$revision" || app.fields.has(code)) continue;
    if (system === undefined) throw unknownField(code);
    if (!call.actor.holds(app, "manage")) throw tokenNotAllowed();
  }
}

function defaultOf(services: Services, field: FieldDefinition): Normalized {
  if (field.defaultNowValue) {
    const now = services.clock.now();
    const local = new Date(now + services.timeZoneOffsetMinutes * 60_000).toISOString();
    if (field.type === "DATETIME") return minuteText(now);
    if (field.type === "DATE") return local.slice(0, 10);
    if (field.type === "TIME") return local.slice(11, 16);
  }
  if (field.type === "FILE" || field.defaultValue.length === 0) return emptyValue(field);
  return typeof field.defaultValue === "string" ? field.defaultValue : field.defaultValue.map(String);
}

/** What a merge starts from: the stored record, or null on an insert. */
export type Base = { readonly values: RecordValues } | null;

function checkField(
  field: FieldDefinition,
  given: { readonly present: boolean; readonly raw: unknown },
  context: {
    readonly services: Services;
    readonly base: Base;
    readonly prefix: string;
    readonly issues: Issues;
  },
): FieldValue {
  const { services, base, prefix, issues } = context;
  if (given.present) return normalizeValue(field, given.raw, prefix, issues);
  if (base !== null) return base.values[field.code] ?? emptyValue(field);
  // A default is a value like any other: a missing one still violates a minimum length.
  return normalizeValue(field, defaultOf(services, field), prefix, issues);
}

/**
 * Merges a written record over its base and checks it (kintone-rest §8): defaults on inserts only, required
 * on the merged record. Issues are collected, not thrown.
 */
export function checkRecord(
  services: Services,
  call: Call,
  app: AppState,
  record: Readonly<Record<string, unknown>>,
  target: { readonly base: Base; readonly prefix: string; readonly issues: Issues },
): CheckedRecord {
  checkCodes(app, call, record, target.base !== null);
  const values: Record<string, FieldValue> = {};
  const files = new Map<string, readonly string[]>();
  for (const [code, { definition }] of app.fields) {
    if (definition.type === "REFERENCE_TABLE") continue;
    const present = Object.hasOwn(record, code);
    const value = checkField(definition, { present, raw: rawValue(record[code]) }, { services, ...target });
    checkRequired(definition, value, target.prefix, target.issues);
    if (definition.type === "FILE" && present && Array.isArray(value)) {
      files.set(
        code,
        value.filter((key) => typeof key === "string"),
      );
      values[code] = target.base?.values[code] ?? [];
    } else {
      values[code] = value;
    }
  }
  return { values, files };
}
