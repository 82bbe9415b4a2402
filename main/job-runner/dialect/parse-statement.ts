import type { Check, Operand, StatementBody } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { CODES, DialectError, syntaxError, unsupported } from "./diagnostic.ts";
import type { Token } from "./lexer.ts";
import { takeCompareOperator } from "./parse-condition.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseImport } from "./parse-import.ts";
import { parseQuery } from "./parse-query.ts";
import { parseDelete, parseInsert, parseUpdate } from "./parse-write.ts";
import { refuseRowValues } from "./row-values.ts";

const REFUSED: readonly string[] = "MERGE APPLY VALIDATE REORDER EXPLAIN WITH".split(" ");
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** One statement up to its `;` (job-dialect §5). `dialect` 0 refuses dialect 1 forms. Throws DialectError. */
export function parseStatement(cursor: Cursor, dialect: 0 | 1): StatementBody {
  const token = cursor.peek();
  const word = token.kind === "word" ? token.text.toUpperCase() : "";
  if (REFUSED.includes(word)) {
    throw unsupported(word === "WITH" ? "WITH (a common table expression)" : word, token.start);
  }
  switch (word) {
    case "SELECT":
      return { kind: "select", query: parseQuery(cursor) };
    case "CREATE":
      return parseCreate(cursor);
    case "DROP":
      return parseDrop(cursor);
    case "ASSERT":
      return parseAssert(cursor, dialect);
    case "EXIT":
      return parseExit(cursor, dialect);
    case "SET":
    case "DECLARE":
      return parseSet(cursor);
    case "INSERT":
      return parseInsert(cursor, "insert");
    case "UPSERT":
      return parseInsert(cursor, "upsert");
    case "UPDATE":
      return parseUpdate(cursor);
    case "DELETE":
      return parseDelete(cursor);
    case "IMPORT":
      return parseImport(cursor);
    default:
      throw cursor.expected("SELECT, CREATE TEMP TABLE, ASSERT, EXIT SUCCESS IF, SET or a write");
  }
}

function parseDrop(cursor: Cursor): StatementBody {
  const { start } = cursor.next();
  if (!cursor.takeKeyword("TEMP")) throw unsupported("DROP other than DROP TEMP TABLE", start);
  cursor.expectKeyword("TABLE");
  const { text, start: at } = takeTableName(cursor);
  return { kind: "dropTemp", name: text, at };
}

function takeTableName(cursor: Cursor): Token {
  const token = cursor.peek();
  const isName = token.kind === "temp" || token.kind === "word" || token.kind === "quoted";
  if (!isName) throw cursor.expected("The name of the temp table");
  return cursor.next();
}

function parseCreate(cursor: Cursor): StatementBody {
  const { start } = cursor.next();
  if (!cursor.isKeyword("TEMP")) throw unsupported("CREATE other than CREATE TEMP TABLE", start);
  cursor.next();
  cursor.expectKeyword("TABLE");
  const token = takeTableName(cursor);
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
  refuseRowValues(expression, place === "check" ? "an ASSERT or EXIT condition" : "SET");
  return { kind: "expression", expression, at: start };
}
