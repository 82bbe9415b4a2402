import type { Assignment, Condition, Expression, FieldRef, Payload, WriteBody } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { syntaxError, unsupported } from "./diagnostic.ts";
import { refuseTooMany } from "./limits.ts";
import { parseCondition } from "./parse-condition.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseQuery } from "./parse-query.ts";
import { parseName, parseTarget } from "./parse-source.ts";
import { refuseRowValues } from "./row-values.ts";

/** Names in parentheses, each once. Throws DialectError. */
export function parseFieldList(cursor: Cursor): readonly FieldRef[] {
  cursor.expectSymbol("(");
  const fields: FieldRef[] = [];
  do {
    refuseTooMany(fields.length + 1, cursor.peek().start);
    const { name, at } = parseName(cursor);
    if (fields.some((field) => field.name === name)) throw syntaxError(`"${name}" is named twice.`, at);
    fields.push({ name, at });
  } while (cursor.takeSymbol(","));
  cursor.expectSymbol(")");
  return fields;
}

/** INSERT and UPSERT (job-dialect §5.5, §5.7), the word itself still ahead. Throws DialectError. */
export function parseInsert(cursor: Cursor, kind: "insert" | "upsert"): WriteBody {
  const { start } = cursor.next();
  cursor.expectKeyword("INTO");
  const target = parseTarget(cursor);
  const fields = parseFieldList(cursor);
  const payload = parsePayload(cursor, fields.length);
  if (cursor.isKeyword("CHECK")) throw unsupported("CHECK", cursor.peek().start);
  const key = kind === "upsert" ? parseKey(cursor) : [];
  return { kind, target, fields, payload, key, at: start };
}

function parseKey(cursor: Cursor): readonly FieldRef[] {
  if (!cursor.takeKeyword("KEY")) {
    if (!cursor.takeKeyword("ON")) throw cursor.expected("KEY (field)");
    cursor.expectKeyword("DUPLICATE");
  }
  return parseFieldList(cursor);
}

function parsePayload(cursor: Cursor, width: number): Payload {
  if (cursor.isKeyword("SELECT") || cursor.isKeyword("WITH")) {
    return { kind: "query", query: parseQuery(cursor) };
  }
  if (!cursor.takeKeyword("VALUES")) throw cursor.expected("VALUES or SELECT");
  const rows: (readonly Expression[])[] = [];
  do {
    rows.push(parseRow(cursor, width));
  } while (cursor.takeSymbol(","));
  return { kind: "values", rows };
}

function parseRow(cursor: Cursor, width: number): readonly Expression[] {
  const { start } = cursor.expectSymbol("(");
  const values = [parseConstant(cursor, "VALUES")];
  while (cursor.takeSymbol(",")) values.push(parseConstant(cursor, "VALUES"));
  cursor.expectSymbol(")");
  if (values.length === width) return values;
  throw syntaxError(`The row has ${values.length} values for ${width} fields.`, start);
}

function parseConstant(cursor: Cursor, place: string): Expression {
  const value = parseExpression(cursor);
  refuseRowValues(value, place);
  return value;
}

/** UPDATE … SET … WHERE (job-dialect §5.6), the word itself still ahead. Throws DialectError. */
export function parseUpdate(cursor: Cursor): WriteBody {
  const { start } = cursor.next();
  const target = parseTarget(cursor);
  cursor.expectKeyword("SET");
  const assignments: Assignment[] = [];
  do {
    const { name, at } = parseName(cursor);
    if (assignments.some(({ field }) => field.name === name))
      throw syntaxError(`"${name}" is set twice.`, at);
    cursor.expectSymbol("=");
    assignments.push({ field: { name, at }, value: parseConstant(cursor, "SET") });
  } while (cursor.takeSymbol(","));
  if (cursor.isKeyword("FROM")) throw unsupported("UPDATE … FROM", cursor.peek().start);
  return { kind: "update", target, assignments, where: parseWhere(cursor, "UPDATE", start), at: start };
}

/** DELETE FROM … WHERE (job-dialect §5.8), the word itself still ahead. Throws DialectError. */
export function parseDelete(cursor: Cursor): WriteBody {
  const { start } = cursor.next();
  cursor.expectKeyword("FROM");
  const target = parseTarget(cursor);
  return { kind: "delete", target, where: parseWhere(cursor, "DELETE", start), at: start };
}

function parseWhere(cursor: Cursor, word: string, start: number): Condition {
  if (cursor.takeKeyword("WHERE")) return parseCondition(cursor);
  if (cursor.peek().kind !== "end" && !cursor.isSymbol(";")) throw cursor.expected("WHERE");
  throw syntaxError(`${word} needs a WHERE; without one it would change every record.`, start);
}
