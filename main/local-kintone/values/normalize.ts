import type { Issues } from "../errors.ts";
import type { FieldDefinition, NumberPrecision, People } from "../model.ts";
import { above, below, longerThan, notAnOption, shorterThan, TEXT } from "../texts.ts";
import { type CheckedValue, isPending, type PendingFiles } from "./checked.ts";
import { compareDecimals, integerDigits, normalizeDecimal } from "./decimal.ts";
import { normalizeDate, normalizeDateTime, normalizeTime } from "./moment.ts";
import { isPeopleType, normalizePeople } from "./people.ts";

/** Longest MULTI_LINE_TEXT, UTF-16 units: the peers' cap (kintone-rest §8.3). */
const LONG_TEXT_UNITS = 65_535;
/** Longest unique value, UTF-16 units (kintone-rest §8.3). */
const UNIQUE_UNITS = 64;

/** What checking a value needs to know. */
export interface ValueContext {
  readonly issues: Issues;
  readonly precision: NumberPrecision;
  readonly people: People;
  /** Inside a table a bad number is stored as nothing instead of being refused (kintone-rest §8.4). */
  readonly inTable: boolean;
}

function scalarText(raw: unknown): string | null {
  if (raw === null || raw === undefined) return "";
  if (typeof raw === "string") return raw;
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw);
  return null;
}

function checkText(field: FieldDefinition, text: string, key: string, issues: Issues): void {
  const { type } = field;
  if (type === "RICH_TEXT") return;
  if (type === "MULTI_LINE_TEXT") {
    if (text.length > LONG_TEXT_UNITS) issues.add(key, longerThan(LONG_TEXT_UNITS));
    return;
  }
  if (type === "LINK" && text !== "" && field.protocol === "WEB" && !/^(https?|ftp):\/\/\S+$/i.test(text)) {
    issues.add(key, TEXT.badUrl);
  }
  const most = field.maxLength === "" ? null : Number(field.maxLength);
  if (most !== null && text.length > most) issues.add(key, longerThan(most));
  // The wording of this refusal is not established (kintone-rest §8.3).
  else if (field.unique && text.length > UNIQUE_UNITS) issues.add(key, longerThan(UNIQUE_UNITS));
  const least = field.minLength === "" ? null : Number(field.minLength);
  if (least !== null && text.length < least) issues.add(key, shorterThan(least));
}

function normalizeNumber(
  field: FieldDefinition,
  text: string,
  prefix: string,
  { issues, precision, inTable }: ValueContext,
): string {
  if (text.trim() === "") return "";
  const key = `${prefix}.${field.code}.value`;
  const decimal = normalizeDecimal(text);
  if (decimal === null) {
    if (inTable) return "";
    if (field.required) issues.add(key, TEXT.required);
    issues.add(`${prefix}[${field.code}].value`, TEXT.notNumber);
    return "";
  }
  const { digits, decimalPlaces } = precision;
  if (integerDigits(decimal) > digits - decimalPlaces) issues.add(key, TEXT.tooManyDigits);
  if (field.maxValue !== "" && compareDecimals(decimal, field.maxValue) > 0)
    issues.add(key, above(field.maxValue));
  if (field.minValue !== "" && compareDecimals(decimal, field.minValue) < 0)
    issues.add(key, below(field.minValue));
  // Whether the service rounds what is written beyond `decimalPlaces` is not established (kintone-rest §18): it is kept;
  // only calculations are rounded.
  return decimal;
}

function normalizeMoment(field: FieldDefinition, text: string, key: string, issues: Issues): string | null {
  if (text === "") return field.type === "DATETIME" ? "" : null;
  const moment =
    field.type === "DATETIME"
      ? normalizeDateTime(text)
      : field.type === "DATE"
        ? normalizeDate(text)
        : normalizeTime(text);
  if (moment === null) issues.add(key, TEXT.badMoment);
  return moment;
}

function normalizeScalar(
  field: FieldDefinition,
  raw: unknown,
  prefix: string,
  context: ValueContext,
): string | null {
  const { issues } = context;
  const key = `${prefix}.${field.code}.value`;
  const text = scalarText(raw);
  if (text === null) {
    issues.add(key, TEXT.badShape);
    return "";
  }
  switch (field.type) {
    case "NUMBER":
      return normalizeNumber(field, text, prefix, context);
    case "DATETIME":
    case "DATE":
    case "TIME":
      return normalizeMoment(field, text, key, issues);
    case "DROP_DOWN":
    case "RADIO_BUTTON":
      if (text === "") return null;
      if (!Object.hasOwn(field.options, text)) issues.add(key, notAnOption(text));
      return text;
    default:
      checkText(field, text, key, issues);
      return text;
  }
}

function asList(raw: unknown, at: string, issues: Issues): readonly unknown[] {
  if (raw === null || raw === undefined || raw === "") return [];
  if (Array.isArray(raw)) return raw;
  issues.add(at, TEXT.badShape);
  return [];
}

function normalizeChoices(field: FieldDefinition, raw: unknown, prefix: string, issues: Issues): string[] {
  const at = `${prefix}.${field.code}.values`;
  return asList(raw, at, issues).map((item, position) => {
    const text = scalarText(item);
    const key = `${at}[${position}].value`;
    if (text === null) issues.add(key, TEXT.badShape);
    else if (!Object.hasOwn(field.options, text)) issues.add(key, notAnOption(text));
    return text ?? "";
  });
}

function fileKeyOf(item: unknown): string | null {
  if (typeof item !== "object" || item === null || !("fileKey" in item)) return null;
  return typeof item.fileKey === "string" && item.fileKey !== "" ? item.fileKey : null;
}

function normalizeFiles(field: FieldDefinition, raw: unknown, prefix: string, issues: Issues): PendingFiles {
  const at = `${prefix}.${field.code}.values`;
  const keys = asList(raw, at, issues).map((item, position) => {
    const key = fileKeyOf(item);
    if (key === null) issues.add(`${at}[${position}].value`, TEXT.badShape);
    return key ?? "";
  });
  return { keys };
}

/**
 * Checks one written value and brings it into stored form (kintone-rest §8.2-§8.4). `prefix` is `record`,
 * `records[i]` or the path of a table row and shapes the keys of the collected issues (§8.1). Throws 400
 * `GAIA_IL26` for a user nobody is. Not for tables, calculations and fields without a value.
 */
export function normalizeValue(
  field: FieldDefinition,
  raw: unknown,
  prefix: string,
  context: ValueContext,
): Exclude<CheckedValue, readonly { readonly id: string | null }[]> {
  switch (field.type) {
    case "CHECK_BOX":
    case "MULTI_SELECT":
      return normalizeChoices(field, raw, prefix, context.issues);
    case "FILE":
      return normalizeFiles(field, raw, prefix, context.issues);
    case "USER_SELECT":
    case "ORGANIZATION_SELECT":
    case "GROUP_SELECT": {
      const list = asList(raw, `${prefix}.${field.code}.values`, context.issues);
      return normalizePeople(field.type, list, `${prefix}.${field.code}`, context);
    }
    default:
      return normalizeScalar(field, raw, prefix, context);
  }
}

const LIST_TYPES: ReadonlySet<string> = new Set(["CHECK_BOX", "MULTI_SELECT", "FILE", "SUBTABLE"]);
const NULL_TYPES: ReadonlySet<string> = new Set(["DROP_DOWN", "RADIO_BUTTON", "DATE", "TIME"]);

/** The value of a field nobody wrote and that has no default. */
export function emptyValue({ type }: FieldDefinition): "" | null | readonly never[] {
  if (LIST_TYPES.has(type) || isPeopleType(type)) return [];
  return NULL_TYPES.has(type) ? null : "";
}

/** Accepted in definitions, never enforced (kintone-rest §8.3). */
const NEVER_REQUIRED: ReadonlySet<string> = new Set([
  "RADIO_BUTTON",
  "CALC",
  "SUBTABLE",
  "REFERENCE_TABLE",
  "GROUP",
]);

function isEmpty(value: CheckedValue): boolean {
  if (value === null) return true;
  return isPending(value) ? value.keys.length === 0 : value.length === 0;
}

/** Required-ness of a merged record's value, under the key its type asks for (kintone-rest §8.1, §8.3). */
export function checkRequired(
  field: FieldDefinition,
  value: CheckedValue,
  prefix: string,
  issues: Issues,
): void {
  const { type, code } = field;
  if (!field.required || NEVER_REQUIRED.has(type) || !isEmpty(value)) return;
  const suffix = isPeopleType(type) ? "values.value" : LIST_TYPES.has(type) ? "values" : "value";
  const key = `${prefix}.${code}.${suffix}`;
  const known = issues.map.get(key)?.some((text) => text === TEXT.required) ?? false;
  if (!known) issues.add(key, TEXT.required);
}
