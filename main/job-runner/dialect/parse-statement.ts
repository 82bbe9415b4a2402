import type { Check, Expression, Operand, StatementBody } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { CODES, DialectError, syntaxError, unsupported } from "./diagnostic.ts";
import { takeCompareOperator } from "./parse-condition.ts";
import { expressionParts, parseExpression } from "./parse-expression.ts";
import { parseQuery } from "./parse-query.ts";

const REFUSED: readonly string[] =
  "INSERT UPDATE UPSERT DELETE MERGE IMPORT APPLY VALIDATE REORDER EXPLAIN DROP WITH".split(" ");
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** One statement up to its `;` (job-dialect §5). `dialect` 0 refuses dialect 1 forms. Throws DialectError. */
export function parseStatement(cursor: Cursor, dialect: 0 | 1): StatementBody {
  const token = cursor.peek();
  const word = token.kind === "word" ? token.text.toUpperCase() : "";
  if (REFUSED.includes(word)) {
    const construct = word === "WITH" ? "WITH (a common table expression)" : refusedName(cursor, word);
    throw unsupported(construct, token.start);
  }
  if (word === "SELECT") return { kind: "select", query: parseQuery(cursor) };
  if (word === "CREATE") return parseCreate(cursor);
  if (word === "ASSERT") return parseAssert(cursor, dialect);
  if (word === "EXIT") return parseExit(cursor, dialect);
  if (word === "SET" || word === "DECLARE") return parseSet(cursor);
  throw cursor.expected("SELECT, CREATE TEMP TABLE, ASSERT, EXIT SUCCESS IF or SET");
}

function refusedName(cursor: Cursor, word: string): string {
  if (word === "DROP") return "DROP TEMP TABLE";
  return word === "IMPORT" && cursor.isKeyword("JSON", 1) ? "IMPORT JSON" : word;
}

function parseCreate(cursor: Cursor): StatementBody {
  const { start } = cursor.next();
  if (!cursor.isKeyword("TEMP")) throw unsupported("CREATE other than CREATE TEMP TABLE", start);
  cursor.next();
  cursor.expectKeyword("TABLE");
  const token = cursor.peek();
  const isName = token.kind === "temp" || token.kind === "word" || token.kind === "quoted";
  if (!isName) throw cursor.expected("The name of the temp table");
  cursor.next();
  cursor.expectKeyword("AS");
  return { kind: "createTemp", name: token.text, query: parseQuery(cursor), at: token.start };
}

function requireDialectOne(dialect: 0 | 1, form: string, at: number): void {
  if (dialect === 1) return;
  throw new DialectError(CODES.dialectOneForm, `${form} needs the header "-- @ksql dialect: 1".`, at);
}

function parseAssert(cursor: Cursor, dialect: 0 | 1): StatementBody {
  cursor.next();
  const { start } = cursor.peek();
  const warn = cursor.takeKeyword("WARN");
  if (warn) requireDialectOne(dialect, "ASSERT WARN", start);
  const check = parseCheck(cursor);
  return { kind: "assert", warn, check, message: cursor.takeSymbol(",") ? parseMessage(cursor) : null };
}

function parseExit(cursor: Cursor, dialect: 0 | 1): StatementBody {
  const { start } = cursor.next();
  cursor.expectKeyword("SUCCESS");
  cursor.expectKeyword("IF");
  requireDialectOne(dialect, "EXIT SUCCESS IF", start);
  const check = parseCheck(cursor);
  cursor.expectSymbol(",");
  return { kind: "exit", check, message: parseMessage(cursor) };
}

function parseMessage(cursor: Cursor): string {
  const token = cursor.peek();
  if (token.kind !== "string") throw cursor.expected("The message in single quotes");
  cursor.next();
  return token.text;
}

function parseSet(cursor: Cursor): StatementBody {
  const declare = cursor.next().text.toUpperCase() === "DECLARE";
  const token = cursor.peek();
  if (token.kind !== "variable") throw cursor.expected("A variable (@name)");
  if (!VARIABLE.test(token.text)) throw syntaxError(`"@${token.text}" is not a variable name.`, token.start);
  cursor.next();
  cursor.expectSymbol("=");
  const value = parseOperand(cursor, "set");
  return { kind: "set", declare, name: token.text, value, at: token.start };
}

/** The condition of ASSERT and EXIT: exactly one comparison or BETWEEN (job-dialect §5.3). */
function parseCheck(cursor: Cursor): Check {
  const { start } = cursor.peek();
  const left = parseOperand(cursor, "check");
  const text = (): string => cursor.slice(start, cursor.lastEnd());
  if (cursor.takeKeyword("BETWEEN")) {
    const low = parseOperand(cursor, "check");
    cursor.expectKeyword("AND");
    const high = parseOperand(cursor, "check");
    refuseLogic(cursor);
    return { kind: "between", operand: left, low, high, text: text() };
  }
  const operator = takeCompareOperator(cursor);
  if (operator === null) {
    refuseLogic(cursor);
    throw cursor.expected("A comparison (ASSERT and EXIT compare two values)");
  }
  const right = parseOperand(cursor, "check");
  refuseLogic(cursor);
  return { kind: "compare", operator, left, right, text: text() };
}

function refuseLogic(cursor: Cursor): void {
  for (const word of ["AND", "OR"]) {
    if (cursor.isKeyword(word))
      throw unsupported(`${word} in an ASSERT or EXIT condition`, cursor.peek().start);
  }
}

function parseOperand(cursor: Cursor, place: "check" | "set"): Operand {
  const { start } = cursor.peek();
  if (cursor.isKeyword("NOT")) throw unsupported("NOT in an ASSERT or EXIT condition", start);
  if (cursor.isSymbol("(") && cursor.isKeyword("SELECT", 1)) {
    cursor.next();
    const query = parseQuery(cursor);
    cursor.expectSymbol(")");
    return { kind: "query", query, at: start };
  }
  const expression = parseExpression(cursor);
  refuseRowValues(expression, place);
  return { kind: "expression", expression, at: start };
}

/** Outside a SELECT there is no row: fields, aggregates and server functions have no value there. */
function refuseRowValues(expression: Expression, place: "check" | "set"): void {
  const where = place === "check" ? "an ASSERT or EXIT condition" : "SET";
  if (expression.kind === "column") {
    throw unsupported(`A field ("${expression.name}") directly in ${where}`, expression.at);
  }
  if (expression.kind === "aggregate") throw unsupported(`An aggregate directly in ${where}`, expression.at);
  if (expression.kind === "serverTime") throw unsupported(`A function directly in ${where}`, expression.at);
  for (const part of expressionParts(expression)) refuseRowValues(part, place);
}
