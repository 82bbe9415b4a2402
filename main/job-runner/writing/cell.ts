import type { SourceField } from "../sources/form.ts";
import { choicesOf, normalizeDay } from "../values/compare.ts";
import { compareDecimals, parseDecimal } from "../values/decimal.ts";
import { instantOfText, isRealDay } from "../values/zone.ts";

/** A cell in the form kintone takes, or why it has none. */
export type CellResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

const good = (value: unknown): CellResult => ({ ok: true, value });
const bad = (code: string, message: string): CellResult => ({ ok: false, code, message });

const TIME = /^([01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
const CHOICES = ["CHECK_BOX", "MULTI_SELECT"];
const PEOPLE = ["USER_SELECT", "ORGANIZATION_SELECT", "GROUP_SELECT"];

/** `["a","b"]` and `a,b` alike (job-dialect §6, "Value conversion on write"). */
function listOf(text: string): readonly string[] {
  if (text.startsWith("[")) return choicesOf(text);
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function dayValue(text: string): CellResult {
  const day = normalizeDay(text);
  return isRealDay(day) ? good(day) : bad("ERR_DATE", "is not a date (YYYY-MM-DD)");
}

function instantValue(text: string, timeZone: string): CellResult {
  const instant = instantOfText(text, timeZone);
  if (instant === null) return bad("ERR_DATETIME", "is not a date with time");
  return good(`${instant.slice(0, 19)}Z`);
}

/**
 * A cell as kintone takes it for a field (job-dialect §6): lists for fields of many choices and of people, days
 * with `-`, instants in UTC with local ones read in `timeZone`. An error has a code `ERR_…` and a message that
 * begins behind the value.
 */
export function kintoneValue(text: string, field: SourceField, timeZone: string): CellResult {
  const { fieldType } = field;
  if (CHOICES.includes(fieldType)) return good(listOf(text));
  if (PEOPLE.includes(fieldType)) return good(listOf(text).map((code) => ({ code })));
  if (text === "") return good("");
  if (fieldType === "NUMBER") {
    return parseDecimal(text) === null ? bad("ERR_NUMBER", "is not a number") : good(text);
  }
  if (fieldType === "DATE") return dayValue(text);
  if (fieldType === "TIME") return TIME.test(text) ? good(text) : bad("ERR_TIME", "is not a time (HH:MM)");
  return fieldType === "DATETIME" ? instantValue(text, timeZone) : good(text);
}

/** Digits kintone holds at most (kintone-rest §8.4). */
const MAX_DIGITS = 30;

function numberRule(text: string, { write }: SourceField): CellResult | null {
  const value = parseDecimal(text);
  if (value === null) return null;
  const whole = (value.digits < 0n ? -value.digits : value.digits) / 10n ** BigInt(value.scale);
  if (whole.toString().length > MAX_DIGITS) {
    return bad("ERR_NUMBER_INTEGER_DIGITS", `has more than ${MAX_DIGITS} digits before the point`);
  }
  const low = parseDecimal(write?.minValue ?? "");
  const high = parseDecimal(write?.maxValue ?? "");
  if (low !== null && compareDecimals(value, low) < 0) {
    return bad("ERR_NUMBER_RANGE", `is below ${write?.minValue}`);
  }
  if (high !== null && compareDecimals(value, high) > 0) {
    return bad("ERR_NUMBER_RANGE", `is above ${write?.maxValue}`);
  }
  return null;
}

function lengthRule(text: string, { write }: SourceField): CellResult | null {
  const { minLength = null, maxLength = null } = write ?? {};
  if (maxLength !== null && text.length > maxLength) {
    return bad("ERR_LENGTH", `is longer than ${maxLength} characters`);
  }
  if (minLength !== null && text.length < minLength) {
    return bad("ERR_LENGTH", `is shorter than ${minLength} characters`);
  }
  return null;
}

function choiceRule(text: string, { fieldType, options }: SourceField): CellResult | null {
  const single = fieldType === "DROP_DOWN" || fieldType === "RADIO_BUTTON";
  const chosen = single ? [text].filter((item) => item !== "") : listOf(text);
  const unknown =
    single || CHOICES.includes(fieldType) ? chosen.find((item) => !options.includes(item)) : undefined;
  return unknown === undefined ? null : bad("ERR_CHOICE", `is not among the options (${unknown})`);
}

/** {@link kintoneValue} after the checks an import makes of each cell (job-dialect §5.9, "Row checks"). */
export function checkedValue(text: string, field: SourceField, timeZone: string): CellResult {
  const value = kintoneValue(text, field, timeZone);
  if (!value.ok) return value;
  const empty = text === "" || (Array.isArray(value.value) && value.value.length === 0);
  if (empty && field.write?.required === true) return bad("ERR_REQUIRED", "is required");
  const rule =
    field.fieldType === "NUMBER"
      ? numberRule(text, field)
      : (lengthRule(text, field) ?? choiceRule(text, field));
  return rule ?? value;
}
