import type { AppField, FieldDefinition } from "../model.ts";
import { TEXT, unknownField } from "../texts.ts";
import { type CheckedRow, type CheckedValue, type CheckedValues, isRows } from "../values/checked.ts";
import { minuteText } from "../values/moment.ts";
import { emptyValue, normalizeValue, type ValueContext } from "../values/normalize.ts";
import { defaultPeople, isPeopleType } from "../values/people.ts";
import { copyLookups } from "./lookup.ts";
import { isObject, rawValue } from "./params.ts";
import type { Call, Services } from "./services.ts";

/** What checking a record needs to know. */
export interface InputContext extends ValueContext {
  readonly services: Services;
  readonly call: Call;
}

/** Types without a value of their own in a record. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(["REFERENCE_TABLE", "GROUP"]);
/** Raw value of a field nobody wrote, on an insert or in a new row; `defaultNowValue` wins (kintone-rest §8.3). */
function defaultOf({ services, call }: InputContext, field: FieldDefinition): unknown {
  if (field.defaultNowValue) {
    const now = services.clock.now();
    const local = new Date(now + services.timeZoneOffsetMinutes * 60_000).toISOString();
    if (field.type === "DATETIME") return minuteText(now);
    if (field.type === "DATE") return local.slice(0, 10);
    if (field.type === "TIME") return local.slice(11, 16);
  }
  if (isPeopleType(field.type)) return defaultPeople(field, services.people, call.actor.person.code);
  if (field.type === "FILE" || field.defaultValue.length === 0) return emptyValue(field);
  return field.defaultValue;
}

/** One record, or one row of a table, as it was written. */
export interface Written {
  readonly fields: ReadonlyMap<string, AppField>;
  readonly record: Readonly<Record<string, unknown>>;
  /** Values of the stored record or row this one changes; null for a new one. */
  readonly base: CheckedValues | null;
  readonly prefix: string;
}

function checkField(
  { definition, formula, columns }: AppField,
  written: Written,
  raw: { readonly present: boolean; readonly value: unknown },
  context: InputContext,
): CheckedValue {
  const { base, prefix } = written;
  // Calculated afterwards; what a request sends for it is passed over.
  if (formula !== null) return "";
  const before = base?.[definition.code];
  if (!raw.present && base !== null) return before ?? emptyValue(definition);
  if (columns.size > 0) {
    const rows = isRows(before) ? before : [];
    return checkTable({ definition, columns }, raw.value, { rows, prefix }, context);
  }
  // A default is a value like any other: a missing one still violates a minimum length.
  return normalizeValue(
    definition,
    raw.present ? raw.value : defaultOf(context, definition),
    prefix,
    context,
  );
}

/** Merges what was written over its base, field by field (kintone-rest §8); issues are collected, not thrown. */
export function checkFields(written: Written, context: InputContext): CheckedValues {
  const { fields, record } = written;
  const copies = copyLookups(context.services, context.call, fields, record);
  const values: Record<string, CheckedValue> = {};
  for (const [code, field] of fields) {
    if (WITHOUT_VALUE.has(field.definition.type)) continue;
    const copied = copies.values.has(code);
    const present = copied || (Object.hasOwn(record, code) && !copies.targets.has(code));
    const value = copied ? copies.values.get(code) : rawValue(record[code]);
    values[code] = checkField(field, written, { present, value }, context);
  }
  return values;
}

/** Most rows of one table: a bound of ours against a request that never ends. */
const MAX_ROWS = 10_000;

interface Before {
  /** Rows the record has so far. */
  readonly rows: readonly CheckedRow[];
  readonly prefix: string;
}

function rowObject(
  columns: AppField["columns"],
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const cells = isObject(raw.value) ? raw.value : {};
  for (const code of Object.keys(cells)) if (!columns.has(code)) throw unknownField(code);
  return cells;
}

/**
 * Checks a written table (kintone-rest §8.4): a row with a known `id` is merged with the stored one, any other row is
 * new, stored rows that were not sent are gone. Error keys name the row (§8.1).
 */
function checkTable(
  { definition, columns }: Pick<AppField, "definition" | "columns">,
  raw: unknown,
  { rows, prefix }: Before,
  context: InputContext,
): readonly CheckedRow[] {
  const at = `${prefix}.${definition.code}.value`;
  if (raw === undefined || raw === null || raw === "") return [];
  if (!Array.isArray(raw) || raw.length > MAX_ROWS) {
    context.issues.add(at, TEXT.badShape);
    return [];
  }
  const known = new Map<string | null, CheckedRow>(rows.map((row) => [row.id, row]));
  return raw.map((entry: unknown, index) => {
    const place = `${at}[${index}].value`;
    if (!isObject(entry)) {
      context.issues.add(place, TEXT.badShape);
      return { id: null, values: {} };
    }
    const id = typeof entry.id === "string" || typeof entry.id === "number" ? String(entry.id) : "";
    const before = known.get(id) ?? null;
    // A second row with the same id is a new one.
    known.delete(id);
    const written = {
      fields: columns,
      record: rowObject(columns, entry),
      base: before?.values ?? null,
      prefix: place,
    };
    return { id: before?.id ?? null, values: checkFields(written, { ...context, inTable: true }) };
  });
}
