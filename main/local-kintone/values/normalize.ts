import type { Issues } from "../errors.ts";
import type { FieldDefinition } from "../model.ts";
import { above, below, longerThan, notAnOption, shorterThan, TEXT } from "../texts.ts";
import { compareDecimals, integerDigits, normalizeDecimal } from "./decimal.ts";
import { normalizeDate, normalizeDateTime, normalizeTime } from "./moment.ts";

/** Longest MULTI_LINE_TEXT, UTF-16 units: the peers' cap (kintone-rest §8.3). */
const LONG_TEXT_UNITS = 65_535;
/** Longest unique value, UTF-16 units (kintone-rest §8.3). */
const UNIQUE_UNITS = 64;
/** `numberPrecision` default: 16 digits of which 4 decimals (kintone-rest §8.4). */
const INTEGER_DIGITS = 12;

/** A checked value: text, choice, list, or the file keys of a FILE field still to be attached. */
export type Normalized = string | null | readonly string[];

function scalarText(raw: unknown): string | null {
  if (raw === null || raw === undefined) return "";
  if (typeof raw === "string") return raw;
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw);
  return null;
}

function checkText(field: FieldDefinition, text: string, key: string, issues: Issues): void {
  const { type } = field;
  if (type === "MULTI_LINE_TEXT") {
    if (text.length > LONG_TEXT_UNITS) issues.add(key, longerThan(LONG_TEXT_UNITS));
    return;
  }
  if (type === "LINK" && text !== "" && field.protocol === "WEB" && !/^(https?|ftp):\/\/\S+$/i.test(text)) {
    issues.add(key, TEXT.badUrl);
  }
  const most = field.maxLength === "" ? null : Number(field.maxLength);
  if (most !== null && text.length > most) issues.add(key, longerThan(most));
  else if (field.unique && text.length > UNIQUE_UNITS) issues.add(key, longerThan(UNIQUE_UNITS));
  const least = field.minLength === "" ? null : Number(field.minLength);
  if (least !== null && text.length < least) issues.add(key, shorterThan(least));
}

function normalizeNumber(field: FieldDefinition, text: string, prefix: string, issues: Issues): string {
  if (text.trim() === "") return "";
  const key = `${prefix}.${field.code}.value`;
  const decimal = normalizeDecimal(text);
  if (decimal === null) {
    if (field.required) issues.add(key, TEXT.required);
    issues.add(`${prefix}[${field.code}].value`, TEXT.notNumber);
    return "";
  }
  if (integerDigits(decimal) > INTEGER_DIGITS) issues.add(key, TEXT.tooManyDigits);
  if (field.maxValue !== "" && compareDecimals(decimal, field.maxValue) > 0)
    issues.add(key, above(field.maxValue));
  if (field.minValue !== "" && compareDecimals(decimal, field.minValue) < 0)
    issues.add(key, below(field.minValue));
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

function normalizeScalar(field: FieldDefinition, raw: unknown, prefix: string, issues: Issues): Normalized {
  const key = `${prefix}.${field.code}.value`;
  const text = scalarText(raw);
  if (text === null) {
    issues.add(key, TEXT.badShape);
    return "";
  }
  switch (field.type) {
    case "NUMBER":
      return normalizeNumber(field, text, prefix, issues);
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

function normalizeList(field: FieldDefinition, raw: unknown, prefix: string, issues: Issues): string[] {
  const at = `${prefix}.${field.code}.values`;
  if (raw === null || raw === undefined || raw === "") return [];
  if (!Array.isArray(raw)) {
    issues.add(at, TEXT.badShape);
    return [];
  }
  return raw.map((item: unknown, position) => {
    const text = field.type === "FILE" ? fileKeyOf(item) : scalarText(item);
    if (text === null) {
      issues.add(`${at}[${position}].value`, TEXT.badShape);
      return "";
    }
    if (field.type !== "FILE" && !Object.hasOwn(field.options, text)) {
      issues.add(`${at}[${position}].value`, notAnOption(text));
    }
    return text;
  });
}

function fileKeyOf(item: unknown): string | null {
  if (typeof item !== "object" || item === null || !("fileKey" in item)) return null;
  return typeof item.fileKey === "string" && item.fileKey !== "" ? item.fileKey : null;
}

const LIST_TYPES: ReadonlySet<string> = new Set(["CHECK_BOX", "MULTI_SELECT", "FILE"]);

/**
 * Checks one written value and brings it into stored form (kintone-rest §8.2-§8.4). `prefix` is `record`
 * or `records[i]` and shapes the keys of the collected issues (§8.1). Not for REFERENCE_TABLE.
 */
export function normalizeValue(
  field: FieldDefinition,
  raw: unknown,
  prefix: string,
  issues: Issues,
): Normalized {
  return LIST_TYPES.has(field.type)
    ? normalizeList(field, raw, prefix, issues)
    : normalizeScalar(field, raw, prefix, issues);
}

/** The value of a field nobody wrote and that has no default. */
export function emptyValue(field: FieldDefinition): Normalized {
  if (LIST_TYPES.has(field.type)) return [];
  return ["DROP_DOWN", "RADIO_BUTTON", "DATE", "TIME"].includes(field.type) ? null : "";
}

/**
 * Required-ness of a merged record's value; RADIO_BUTTON is accepted in definitions but never enforced
 * (kintone-rest §8.3).
 */
export function checkRequired(
  field: FieldDefinition,
  value: string | null | readonly unknown[],
  prefix: string,
  issues: Issues,
): void {
  if (!field.required || field.type === "RADIO_BUTTON" || field.type === "REFERENCE_TABLE") return;
  const empty = value === null || value.length === 0;
  if (!empty) return;
  const list = LIST_TYPES.has(field.type);
  const key = `${prefix}.${field.code}.${list ? "values" : "value"}`;
  const known = issues.map.get(key)?.some((text) => text === TEXT.required) ?? false;
  if (!known) issues.add(key, TEXT.required);
}
