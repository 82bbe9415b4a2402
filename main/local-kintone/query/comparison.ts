import { recordKey } from "../storage/render.ts";
import { decimalKey, normalizeDecimal } from "../values/decimal.ts";
import { indexKey } from "../values/index-keys.ts";
import type { CompileContext } from "./context.ts";
import { operatorInTable, operatorNotAllowed, optionNotFound, syntaxError } from "./errors.ts";
import { EVERYTHING, type Fragment, joinBalanced, marks, NOTHING, not } from "./fragment.ts";
import { momentBound, momentRange } from "./moments.ts";
import { isAllowed } from "./operators.ts";
import type { Comparison, Operand } from "./parser.ts";
import { peopleCodes, peopleKind } from "./people.ts";
import { type QueryField, valuePath } from "./query-field.ts";

function literal(operand: Operand): string {
  if (operand.kind !== "literal") throw syntaxError();
  return operand.text;
}

const isNegative = ({ operator }: Comparison): boolean =>
  operator === "!=" || operator.startsWith("not ") || operator === "is not empty";

const emptyTest = (column: string): Fragment => ({
  sql: `(${column} IS NULL OR ${column} IN ('', '[]'))`,
  params: [],
});

const LISTS: ReadonlySet<string> = new Set(["CHECK_BOX", "MULTI_SELECT"]);

/** One of these texts, in a field of the record (through its index) or of the table row `t`. */
function filledTest(found: QueryField, texts: readonly string[], context: CompileContext): Fragment {
  const { field, table, column, type, code } = found;
  if (field === null) return { sql: `${column} IN ${marks(texts)}`, params: texts };
  const keys = texts.map((text) => indexKey(field.definition.type, text));
  if (table === null) {
    const index = field.definition.unique ? "unique_index" : "field_index";
    return {
      sql: `EXISTS (SELECT 1 FROM ${index} x WHERE x.field = ? AND x.value IN ${marks(keys)} AND x.record = ${context.keyColumn})`,
      params: [field.no, ...keys],
    };
  }
  const path = `'$.value.${valuePath(code).slice(2)}'`;
  if (LISTS.has(type)) {
    const sql = `EXISTS (SELECT 1 FROM json_each(t.value, ${path}) e WHERE e.value IN ${marks(texts)})`;
    return { sql, params: texts };
  }
  if (peopleKind(type) !== null) {
    const code = "json_extract(e.value, '$.code')";
    const sql = `EXISTS (SELECT 1 FROM json_each(t.value, ${path}) e WHERE ${code} IN ${marks(texts)})`;
    return { sql, params: texts };
  }
  if (type === "NUMBER" || type === "CALC") {
    return { sql: `kintone_number(${column}) IN ${marks(keys)}`, params: keys };
  }
  return { sql: `${column} IN ${marks(texts)}`, params: texts };
}

/** `=`, `in` and their negations; an empty value is looked for in the body. */
function memberTest(
  found: QueryField,
  condition: Comparison,
  texts: readonly string[],
  context: CompileContext,
): Fragment {
  const filled = texts.filter((text) => text !== "");
  const tests: Fragment[] = [];
  if (filled.length > 0) tests.push(filledTest(found, filled, context));
  if (filled.length < texts.length) tests.push(emptyTest(found.column));
  const test = joinBalanced(tests, "OR");
  return isNegative(condition) ? not(test) : test;
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

function compareId(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const values = condition.operands.map((operand) => idValue(literal(operand), found, context));
  const { operator } = condition;
  if (operator === "in" || operator === "not in") {
    return { sql: `${found.column} ${operator} ${marks(values)}`, params: values };
  }
  return { sql: `${found.column} ${operator === "!=" ? "<>" : operator} ?`, params: values };
}

function compareNumber(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const texts = condition.operands.map((operand) => {
    const text = literal(operand);
    const decimal = text === "" ? "" : normalizeDecimal(text);
    if (decimal === null) throw syntaxError();
    return decimal;
  });
  const { operator } = condition;
  if (["=", "in", "!=", "not in"].includes(operator)) return memberTest(found, condition, texts, context);
  const [text = ""] = texts;
  // An empty field compares with nothing; an empty literal finds nothing.
  if (text === "") return NOTHING;
  const column = `kintone_number(${found.column})`;
  return { sql: `(${column} <> '' AND ${column} ${operator} ?)`, params: [decimalKey(text)] };
}

function compareMoment(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const column = `COALESCE(${found.column}, '')`;
  const ranges = condition.operands.map((operand) => momentRange(found.type, operand, context));
  const [first] = ranges;
  if (first === undefined) throw syntaxError();
  const bound = momentBound(condition.operator, first);
  if (bound !== null) {
    if (bound.text === "") return NOTHING;
    return { sql: `(${column} <> '' AND ${column} ${bound.sql})`, params: [bound.text] };
  }
  const tests = ranges.map((range) => ({
    sql: `${column} BETWEEN ? AND ?`,
    params: [range.first, range.last],
  }));
  const test = joinBalanced(tests, "OR");
  return isNegative(condition) ? not(test) : test;
}

/** Text a search runs over: formatted text without its tags. */
const searched = ({ type, column }: QueryField): string =>
  type === "RICH_TEXT" ? `kintone_plain(${column})` : column;

/** A word search; inside tables without index lag, for which rows would need names of their own. */
function searchTest(found: QueryField, text: string, context: CompileContext): Fragment {
  const { field, table } = found;
  const column = searched(found);
  if (field === null || table !== null) return { sql: `kintone_like(${column}, ?) = 1`, params: [text] };
  return { sql: `kintone_like(${column}, ?, ?, ${context.keyColumn}) = 1`, params: [text, field.no] };
}

/** `=` and `in` on a text that is not unique may be a token match: a superset of equality (kintone-rest §13.5). */
function tokenTest(
  found: QueryField,
  condition: Comparison,
  texts: readonly string[],
  context: CompileContext,
): Fragment {
  const exact = memberTest(found, { ...condition, operator: "in" }, texts, context);
  const searches = texts.filter((text) => text !== "").map((text) => searchTest(found, text, context));
  const test = joinBalanced([exact, ...searches], "OR");
  return isNegative(condition) ? not(test) : test;
}

/** True where equality may be a token match. */
export const isTokenMatched = (found: QueryField, context: CompileContext): boolean =>
  context.environment.textEquality === "token" &&
  found.type === "SINGLE_LINE_TEXT" &&
  found.field?.definition.unique === false;

function compareText(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const { operator } = condition;
  if (operator === "is empty" || operator === "is not empty") {
    return { sql: `kintone_blank(${searched(found)}) = ${operator === "is empty" ? 1 : 0}`, params: [] };
  }
  const texts = condition.operands.map(literal);
  if (operator === "like" || operator === "not like") {
    const test = searchTest(found, texts[0] ?? "", context);
    return operator === "like" ? test : not(test);
  }
  return isTokenMatched(found, context)
    ? tokenTest(found, condition, texts, context)
    : memberTest(found, condition, texts, context);
}

function assigneeTest(found: QueryField, codes: readonly string[]): Fragment {
  const filled = codes.filter((code) => code !== "");
  const each = `json_each(COALESCE(${found.column}, '[]'))`;
  const tests: Fragment[] = [];
  if (filled.length > 0) {
    const sql = `EXISTS (SELECT 1 FROM ${each} e WHERE json_extract(e.value, '$.code') IN ${marks(filled)})`;
    tests.push({ sql, params: filled });
  }
  if (filled.length < codes.length) tests.push(emptyTest(found.column));
  return joinBalanced(tests, "OR");
}

function comparePeople(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  const kind = peopleKind(found.type);
  const codes = kind === null ? null : peopleCodes(kind, condition, context);
  if (codes === null) return EVERYTHING;
  if (found.type !== "STATUS_ASSIGNEE") return memberTest(found, condition, codes, context);
  const test = assigneeTest(found, codes);
  return isNegative(condition) ? not(test) : test;
}

/** Options are checked before the operator, the operator of a table before the type's (kintone-rest §13.4). */
export function checkAllowed(found: QueryField, condition: Comparison): void {
  const options = found.field?.definition.options ?? {};
  const isChoice = ["DROP_DOWN", "RADIO_BUTTON", "CHECK_BOX", "MULTI_SELECT"].includes(found.type);
  if (isChoice) {
    for (const operand of condition.operands) {
      if (operand.kind === "literal" && operand.text !== "" && !Object.hasOwn(options, operand.text)) {
        throw optionNotFound(found.code, operand.text);
      }
    }
  }
  const { operator } = condition;
  if (found.table !== null && (operator === "=" || operator === "!=")) {
    throw operatorInTable(found.code, operator);
  }
  if (!isAllowed(found.type, operator)) throw operatorNotAllowed(found.code, operator);
}

/** SQL of one comparison on the row of the context, or on the table row `t` (kintone-rest §13.2). */
export function compileTest(found: QueryField, condition: Comparison, context: CompileContext): Fragment {
  if (peopleKind(found.type) !== null) return comparePeople(found, condition, context);
  switch (found.type) {
    case "__ID__":
    case "RECORD_NUMBER":
      return compareId(found, condition, context);
    case "NUMBER":
    case "CALC":
      return compareNumber(found, condition, context);
    case "DATE":
    case "TIME":
    case "DATETIME":
    case "CREATED_TIME":
    case "UPDATED_TIME":
      return compareMoment(found, condition, context);
    case "DROP_DOWN":
    case "RADIO_BUTTON":
    case "CHECK_BOX":
    case "MULTI_SELECT":
    case "STATUS":
      return memberTest(found, condition, condition.operands.map(literal), context);
    default:
      return compareText(found, condition, context);
  }
}

/** True for an operator that holds when something is absent. */
export { isNegative };
