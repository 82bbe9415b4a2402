import type { AppField } from "../model.ts";
import { recordKey } from "../storage/render.ts";
import { decimalKey, normalizeDecimal } from "../values/decimal.ts";
import { indexKey } from "../values/index-keys.ts";
import { minuteText, normalizeDate, normalizeDateTime, normalizeTime } from "../values/moment.ts";
import type { CompileContext } from "./context.ts";
import { operatorNotAllowed, optionNotFound, syntaxError, unknownUser } from "./errors.ts";
import { isAllowed } from "./operators.ts";
import type { Comparison, Operand, Operator } from "./parser.ts";
import { resolvePeriod } from "./periods.ts";
import { type QueryField, resolveField } from "./query-field.ts";

export interface Fragment {
  readonly sql: string;
  readonly params: readonly (string | number)[];
}

function literal(operand: Operand): string {
  if (operand.kind !== "literal") throw syntaxError();
  return operand.text;
}

/** Rows with one of these index keys. */
function indexTest(field: AppField, keys: readonly string[], context: CompileContext): Fragment {
  const table = field.definition.unique ? "unique_index" : "field_index";
  return {
    sql: `EXISTS (SELECT 1 FROM ${table} x WHERE x.field = ? AND x.value IN (${keys
      .map(() => "?")
      .join(", ")}) AND x.record = ${context.keyColumn})`,
    params: [field.no, ...keys],
  };
}

const emptyTest = (column: string): string => `(${column} IS NULL OR ${column} IN ('', '[]'))`;

/** `=`, `in` and their negations over index keys; an empty value is looked for in the body. */
function memberTest(
  found: QueryField,
  texts: readonly string[],
  negative: boolean,
  context: CompileContext,
): Fragment {
  if (found.field === null) throw syntaxError();
  const { field } = found;
  const filled = texts.filter((text) => text !== "");
  const tests: Fragment[] = [];
  if (filled.length > 0) {
    const keys = filled.map((text) => indexKey(field.definition.type, text));
    tests.push(indexTest(field, keys, context));
  }
  if (filled.length < texts.length) tests.push({ sql: emptyTest(found.column), params: [] });
  const sql = `(${tests.map((test) => test.sql).join(" OR ")})`;
  return { sql: negative ? `NOT ${sql}` : sql, params: tests.flatMap((test) => test.params) };
}

function idValue(text: string, found: QueryField, context: CompileContext): number {
  const prefix = `${context.app.code}-`;
  const bare =
    found.type === "RECORD_NUMBER" && context.app.code !== "" && text.startsWith(prefix)
      ? text.slice(prefix.length)
      : text;
  const decimal = normalizeDecimal(bare);
  if (decimal === null) throw syntaxError();
  const base = recordKey(context.app.id, 0);
  return base + Math.min(Math.max(Number(decimal), 0), 2 ** 32 - 1);
}

const SQL_OPERATOR: Readonly<Record<string, string>> = {
  "=": "=",
  "!=": "<>",
  ">": ">",
  "<": "<",
  ">=": ">=",
  "<=": "<=",
  in: "IN",
  "not in": "NOT IN",
};

function listTest(column: string, operator: Operator, values: readonly (string | number)[]): Fragment {
  const word = SQL_OPERATOR[operator] ?? "=";
  const marks = values.map(() => "?").join(", ");
  const right = operator === "in" || operator === "not in" ? `(${marks})` : "?";
  return { sql: `${column} ${word} ${right}`, params: values };
}

function compareNumber(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const texts = condition.operands.map((operand) => {
    const text = literal(operand);
    const decimal = text === "" ? "" : normalizeDecimal(text);
    if (decimal === null) throw syntaxError();
    return decimal;
  });
  const { operator } = condition;
  if (operator === "=" || operator === "in") return memberTest(found, texts, false, context);
  if (operator === "!=" || operator === "not in") return memberTest(found, texts, true, context);
  const [text = ""] = texts;
  // An empty field compares with nothing; an empty literal finds nothing.
  if (text === "") return { sql: "0", params: [] };
  return {
    sql: `(kintone_number(${found.column}) <> '' AND kintone_number(${found.column}) ${operator} ?)`,
    params: [decimalKey(text)],
  };
}

/** Texts `[first, last]` a moment operand covers in the stored form of the type, and whether it is wide. */
function momentRange(
  found: QueryField,
  operand: Operand,
  context: CompileContext,
): { readonly first: string; readonly last: string; readonly wide: boolean } {
  const { type } = found;
  if (operand.kind === "function") {
    if (type === "TIME") throw syntaxError();
    context.notes.volatile = true;
    const { now, timeZoneOffsetMinutes: offset } = context.environment;
    const period = resolvePeriod(operand.name, operand.args, now(), offset);
    const show = (time: number): string =>
      type === "DATE" ? new Date(time + offset * 60_000).toISOString().slice(0, 10) : minuteText(time);
    return { first: show(period.start), last: show(period.end - 1), wide: period.wide };
  }
  if (operand.text === "") return { first: "", last: "", wide: false };
  const text =
    type === "DATE"
      ? normalizeDate(operand.text)
      : type === "TIME"
        ? normalizeTime(operand.text)
        : normalizeDateTime(operand.text);
  if (text === null) throw syntaxError();
  return { first: text, last: text, wide: false };
}

function compareMoment(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const [operand] = condition.operands;
  if (operand === undefined) throw syntaxError();
  const { first, last, wide } = momentRange(found, operand, context);
  const column = `COALESCE(${found.column}, '')`;
  const filled = (test: string, ...params: string[]): Fragment => ({
    sql: first === "" ? "0" : `(${column} <> '' AND ${test})`,
    params: first === "" ? [] : params,
  });
  switch (condition.operator) {
    case "=":
      return { sql: `${column} BETWEEN ? AND ?`, params: [first, last] };
    case "!=":
      return { sql: `${column} NOT BETWEEN ? AND ?`, params: [first, last] };
    case ">":
      return filled(`${column} > ?`, last);
    case "<":
      return filled(`${column} < ?`, first);
    // Weeks, months and years compare to their far end, single days to their near one (kintone-rest §13.3).
    case ">=":
      return filled(`${column} >= ?`, wide ? last : first);
    default:
      return filled(`${column} <= ?`, wide ? first : last);
  }
}

function compareText(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const { operator } = condition;
  if (operator === "is empty" || operator === "is not empty") {
    const test = `kintone_blank(${found.column})`;
    return { sql: `${test} = ${operator === "is empty" ? 1 : 0}`, params: [] };
  }
  const texts = condition.operands.map(literal);
  if (operator === "like" || operator === "not like") {
    const test = `kintone_like(${found.column}, ?) = ${operator === "like" ? 1 : 0}`;
    return { sql: test, params: texts };
  }
  return memberTest(found, texts, operator === "!=" || operator === "not in", context);
}

function compareChoice(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const texts = condition.operands.map(literal);
  return memberTest(found, texts, condition.operator === "not in", context);
}

function comparePerson(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const { loginUser, userExists } = context.environment;
  const codes = condition.operands.map((operand) => {
    if (operand.kind === "function") {
      if (operand.name !== "LOGINUSER") throw syntaxError();
      context.notes.volatile = true;
      return loginUser;
    }
    if (operand.text !== "" && !userExists(operand.text)) throw unknownUser(operand.text);
    return operand.text;
  });
  return listTest(found.column, condition.operator, codes);
}

/** Options are checked before the operator (kintone-rest §13.4). */
function checkAllowed(found: QueryField, condition: Comparison): void {
  const options = found.field?.definition.options ?? {};
  const isChoice = ["DROP_DOWN", "RADIO_BUTTON", "CHECK_BOX", "MULTI_SELECT"].includes(found.type);
  if (isChoice) {
    for (const operand of condition.operands) {
      if (operand.kind === "literal" && operand.text !== "" && !Object.hasOwn(options, operand.text)) {
        throw optionNotFound(found.code, operand.text);
      }
    }
  }
  if (!isAllowed(found.type, condition.operator)) throw operatorNotAllowed(found.code, condition.operator);
}

/** SQL of one comparison on row `r` (kintone-rest §13.2); throws the errors of §13.4. */
export function compileComparison(condition: Comparison, context: CompileContext): Fragment {
  const found = resolveField(condition.field, context);
  checkAllowed(found, condition);
  switch (found.type) {
    case "__ID__":
    case "RECORD_NUMBER": {
      const values = condition.operands.map((operand) => idValue(literal(operand), found, context));
      return listTest(found.column, condition.operator, values);
    }
    case "NUMBER":
      return compareNumber(found, condition, context);
    case "DATE":
    case "TIME":
    case "DATETIME":
    case "CREATED_TIME":
    case "UPDATED_TIME":
      return compareMoment(found, condition, context);
    case "CREATOR":
    case "MODIFIER":
      return comparePerson(found, condition, context);
    case "DROP_DOWN":
    case "RADIO_BUTTON":
    case "CHECK_BOX":
    case "MULTI_SELECT":
      return compareChoice(found, condition, context);
    default:
      return compareText(found, condition, context);
  }
}
