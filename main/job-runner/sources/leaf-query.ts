import type { CompareOperator, Expression, Predicate } from "../dialect/ast.ts";
import { constantOf, type Environment } from "../evaluation/scope.ts";
import { normalizeDay, normalizeInstant } from "../values/compare.ts";
import { formatDecimal, parseDecimal } from "../values/decimal.ts";
import type { SourceField } from "./form.ts";

/** A kintone condition; `exact` false means it may let more rows through and must be checked again locally. */
export interface Pushed {
  readonly query: string;
  readonly exact: boolean;
}

export interface LeafContext {
  readonly fields: readonly SourceField[];
  readonly environment: Environment;
  /** IANA zone of the profile. */
  readonly timeZone: string;
}

const NUMERIC = ["NUMBER", "CALC", "__ID__"];
const PLAIN_TEXT = ["SINGLE_LINE_TEXT", "LINK"];
const SINGLE_CHOICE = ["DROP_DOWN", "RADIO_BUTTON"];
const MANY_CHOICE = ["CHECK_BOX", "MULTI_SELECT"];
const INSTANT = ["DATETIME", "CREATED_TIME", "UPDATED_TIME"];
/** Types whose empty cell kintone finds with `= ""`. */
const EMPTY_BY_EQUALITY = ["NUMBER", "SINGLE_LINE_TEXT", "LINK", "DATE", "TIME", "DATETIME"];

const FIELD =
  /^[A-Za-z_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60][A-Za-z0-9_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]*$/;
const QUERY_WORDS = "and or not in like is empty order by asc desc limit offset".split(" ");
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}$/;
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < " ");
}

/** A field a kintone query can name at all: it has no quoting form (kintone-rest §13.1). */
function addressable(expression: Expression, context: LeafContext): SourceField | null {
  if (expression.kind !== "column") return null;
  const field = context.fields.find((candidate) => candidate.name === expression.name);
  if (field === undefined || field.name === "$id") return field ?? null;
  return FIELD.test(field.name) && !QUERY_WORDS.includes(field.name.toLowerCase()) ? field : null;
}

const exactly = (query: string): Pushed => ({ query, exact: true });
const roughly = (query: string): Pushed => ({ query, exact: false });

/**
 * DATETIME cells hold whole minutes, so a bound inside a minute is moved to its start: `< 16:00:30` is
 * `<= 16:00`, `>= 16:00:30` is `> 16:00`. Equality with a part of a minute can only be decided locally.
 */
function instantQuery(
  field: SourceField,
  operator: CompareOperator,
  text: string,
  zone: string,
): Pushed | null {
  const instant = normalizeInstant(text, zone);
  if (!ISO_UTC.test(instant)) return null;
  const minute = `${instant.slice(0, 17)}00Z`;
  const whole = instant.endsWith(":00.000Z");
  if (whole) return exactly(`${field.name} ${operator} "${minute}"`);
  if (operator === "<" || operator === "<=") return exactly(`${field.name} <= "${minute}"`);
  if (operator === ">" || operator === ">=") return exactly(`${field.name} > "${minute}"`);
  return null;
}

function textQuery(field: SourceField, operator: CompareOperator, text: string): Pushed | null {
  if (hasControl(text)) return null;
  if (operator === "=") return roughly(`${field.name} = ${quote(text)}`);
  // Matching by words would leave out rows that differ: only a unique field is compared as a whole.
  if (operator === "!=" && field.unique) return exactly(`${field.name} != ${quote(text)}`);
  return null;
}

function choiceQuery(field: SourceField, operator: CompareOperator, text: string): Pushed | null {
  // A value outside the options is refused by kintone (GAIA_IQ10); locally it simply matches nothing.
  const known = field.options.includes(text) || (text === "" && field.fieldType === "DROP_DOWN");
  if (!known || (operator !== "=" && operator !== "!=")) return null;
  return exactly(`${field.name} ${operator === "=" ? "in" : "not in"} (${quote(text)})`);
}

function compareConstant(
  field: SourceField,
  operator: CompareOperator,
  text: string,
  context: LeafContext,
): Pushed | null {
  const { fieldType, name } = field;
  if (text === "" && EMPTY_BY_EQUALITY.includes(fieldType)) {
    return operator === "=" || operator === "!=" ? exactly(`${name} ${operator} ""`) : null;
  }
  if (NUMERIC.includes(fieldType) && field.type.kind === "number") {
    const value = parseDecimal(text);
    return value === null ? null : exactly(`${name} ${operator} "${formatDecimal(value)}"`);
  }
  if (PLAIN_TEXT.includes(fieldType)) return textQuery(field, operator, text);
  if (SINGLE_CHOICE.includes(fieldType)) return choiceQuery(field, operator, text);
  if (INSTANT.includes(fieldType)) return instantQuery(field, operator, text, context.timeZone);
  const day = normalizeDay(text);
  if (fieldType === "DATE" && DAY.test(day)) return exactly(`${name} ${operator} "${day}"`);
  if (fieldType === "TIME" && TIME.test(text)) return exactly(`${name} ${operator} "${text}"`);
  return null;
}

const FLIPPED: Readonly<Record<CompareOperator, CompareOperator>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

function compareQuery(
  left: Expression,
  operator: CompareOperator,
  right: Expression,
  context: LeafContext,
): Pushed | null {
  const field = addressable(left, context);
  if (field === null) {
    return right.kind === "column" && left.kind !== "column"
      ? compareQuery(right, FLIPPED[operator], left, context)
      : null;
  }
  if (right.kind === "serverTime") {
    const dated = field.fieldType === "DATE" || INSTANT.includes(field.fieldType);
    return dated ? exactly(`${field.name} ${operator} ${right.query}`) : null;
  }
  const constant = constantOf(right, context.environment);
  return constant === null ? null : compareConstant(field, operator, constant.text, context);
}

function listQuery(field: SourceField, items: readonly string[], negated: boolean): Pushed | null {
  const word = negated ? "not in" : "in";
  const list = (values: readonly string[]): string =>
    `${field.name} ${word} (${values.map(quote).join(", ")})`;
  if (items.some(hasControl)) return null;
  if (NUMERIC.includes(field.fieldType) && field.type.kind === "number") {
    const values = items.map(parseDecimal);
    return values.includes(null)
      ? null
      : exactly(list(values.map((value) => (value === null ? "" : formatDecimal(value)))));
  }
  if (PLAIN_TEXT.includes(field.fieldType)) {
    if (!negated) return roughly(list(items));
    return field.unique ? exactly(list(items)) : null;
  }
  if ([...SINGLE_CHOICE, ...MANY_CHOICE].includes(field.fieldType)) {
    if (items.includes("") && field.fieldType !== "DROP_DOWN") return null;
    const known = items.filter((item) => item === "" || field.options.includes(item));
    return known.length === 0 ? null : exactly(list(known));
  }
  return null;
}

/** A leaf as a kintone condition, or null when it can only be decided locally (job-dialect §6, kintone-rest §13.2). */
export function leafQuery(leaf: Predicate, context: LeafContext): Pushed | null {
  if (leaf.kind === "compare") return compareQuery(leaf.left, leaf.operator, leaf.right, context);
  if (leaf.kind === "in") {
    const field = addressable(leaf.operand, context);
    const items = leaf.items.map((item) => constantOf(item, context.environment)?.text ?? null);
    const known = items.filter((item) => item !== null);
    return field === null || known.length < items.length ? null : listQuery(field, known, leaf.negated);
  }
  if (leaf.kind === "empty") {
    const field = addressable(leaf.operand, context);
    return field === null ? null : compareConstant(field, leaf.negated ? "!=" : "=", "", context);
  }
  return null;
}
