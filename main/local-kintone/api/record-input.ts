import { type Issues, invalid } from "../errors.ts";
import { calculate } from "../formula/calculate.ts";
import {
  type AppField,
  type AppState,
  ASSIGNEE_CODE,
  CATEGORY_CODE,
  STATUS_CODE,
  type StoredRecord,
} from "../model.ts";
import { recordIdNotWritable, TEXT, tokenNotAllowed, unknownField } from "../texts.ts";
import { type CheckedValues, isRows } from "../values/checked.ts";
import { checkRequired } from "../values/normalize.ts";
import { checkFields, type InputContext } from "./field-input.ts";
import { isObject } from "./params.ts";
import type { Call, Services } from "./services.ts";

/** Shown in records, changed by their own endpoints; a record that was read may be sent back with them. */
const PROCESS_CODES: ReadonlySet<string> = new Set([STATUS_CODE, ASSIGNEE_CODE, CATEGORY_CODE]);

/** The `record` parameter; absent counts as empty (kintone-rest §6). */
export function recordObject(value: unknown, key: string): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw invalid(key, TEXT.badShape);
  return value;
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
    if (app.fields.has(code)) continue;
    const system = app.system.find((field) => field.code === code)?.type;
    const isId = code === "$id" || system === "RECORD_NUMBER";
    if (isUpdate && isId) throw recordIdNotWritable();
    if (isId || code === "$revision" || PROCESS_CODES.has(code)) continue;
    if (system === undefined) throw unknownField(code);
    if (!call.actor.holds(app, "manage")) throw tokenNotAllowed();
  }
}

function requireFields(
  fields: ReadonlyMap<string, AppField>,
  values: CheckedValues,
  prefix: string,
  issues: Issues,
): void {
  for (const [code, { definition, columns }] of fields) {
    const value = values[code];
    if (value === undefined) continue;
    checkRequired(definition, value, prefix, issues);
    if (columns.size === 0 || !isRows(value)) continue;
    value.forEach((row, index) => {
      requireFields(columns, row.values, `${prefix}.${code}.value[${index}].value`, issues);
    });
  }
}

/**
 * Merges a written record over its base and checks it (kintone-rest §8): lookups copied, defaults on inserts
 * only, calculations done, required on the merged record. Issues are collected, not thrown.
 */
export function checkRecord(
  services: Services,
  call: Call,
  app: AppState,
  record: Readonly<Record<string, unknown>>,
  target: { readonly base: StoredRecord | null; readonly prefix: string; readonly issues: Issues },
): CheckedValues {
  const { base, prefix, issues } = target;
  checkCodes(app, call, record, base !== null);
  const context: InputContext = {
    services,
    call,
    issues,
    precision: app.numberPrecision,
    people: services.people,
    inTable: false,
  };
  const written = { fields: app.fields, record, base: base?.values ?? null, prefix };
  const values = calculate(app, checkFields(written, context));
  requireFields(app.fields, values, prefix, issues);
  return values;
}
