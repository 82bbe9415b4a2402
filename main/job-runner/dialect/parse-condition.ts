import type { CompareOperator, Condition, Expression } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { syntaxError, unsupported } from "./diagnostic.ts";
import { parseExpression } from "./parse-expression.ts";

const OPERATORS: Readonly<Record<string, CompareOperator>> = {
  "=": "=",
  "!=": "!=",
  "<>": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

/** The comparison operator at the cursor, consumed; null when there is none. */
export function takeCompareOperator(cursor: Cursor): CompareOperator | null {
  const token = cursor.peek();
  const operator = token.kind === "symbol" ? OPERATORS[token.text] : undefined;
  if (operator === undefined) return null;
  cursor.next();
  return operator;
}

/** A WHERE condition: NOT binds tighter than AND, AND tighter than OR (job-dialect §3). Throws DialectError. */
export function parseCondition(cursor: Cursor): Condition {
  let left = parseConjunction(cursor);
  while (cursor.takeKeyword("OR")) left = { kind: "or", left, right: parseConjunction(cursor) };
  return left;
}

function parseConjunction(cursor: Cursor): Condition {
  let left = parseNegation(cursor);
  while (cursor.takeKeyword("AND")) left = { kind: "and", left, right: parseNegation(cursor) };
  return left;
}

function parseNegation(cursor: Cursor): Condition {
  if (cursor.takeKeyword("NOT")) return { kind: "not", operand: parseNegation(cursor) };
  if (cursor.isKeyword("EXISTS")) throw unsupported("EXISTS", cursor.peek().start);
  if (cursor.isSymbol("(") && opensCondition(cursor)) {
    cursor.next();
    const inner = parseCondition(cursor);
    cursor.expectSymbol(")");
    return inner;
  }
  return parsePredicate(cursor);
}

/**
 * A parenthesis opens either a condition or a value such as `(a + b) * 2 > c`. It is a condition when a
 * comparison stands inside it at its own level.
 */
function opensCondition(cursor: Cursor): boolean {
  let depth = 0;
  for (let ahead = 0; cursor.peek(ahead).kind !== "end" && !cursor.isSymbol(";", ahead); ahead++) {
    if (cursor.isSymbol("(", ahead)) depth += 1;
    else if (cursor.isSymbol(")", ahead)) depth -= 1;
    else if (isComparisonSign(cursor, ahead)) return true;
    if (depth === 0) return false;
  }
  return false;
}

function isComparisonSign(cursor: Cursor, ahead: number): boolean {
  const token = cursor.peek(ahead);
  if (token.kind === "symbol") return OPERATORS[token.text] !== undefined;
  return ["IN", "LIKE", "KLIKE", "BETWEEN", "IS", "NOT"].some((word) => cursor.isKeyword(word, ahead));
}

function parsePredicate(cursor: Cursor): Condition {
  const start = cursor.peek().start;
  const operand = parseExpression(cursor);
  const operator = takeCompareOperator(cursor);
  if (operator !== null) {
    return { kind: "compare", operator, left: operand, right: parseExpression(cursor) };
  }
  if (cursor.takeKeyword("IS")) {
    const negated = cursor.takeKeyword("NOT");
    if (!cursor.takeKeyword("NULL") && !cursor.takeKeyword("EMPTY")) throw cursor.expected("NULL or EMPTY");
    return { kind: "empty", negated, operand };
  }
  const negated = cursor.takeKeyword("NOT");
  if (cursor.takeKeyword("IN")) return { kind: "in", negated, operand, items: parseItems(cursor) };
  if (cursor.takeKeyword("BETWEEN")) {
    const low = parseExpression(cursor);
    cursor.expectKeyword("AND");
    return { kind: "between", negated, operand, low, high: parseExpression(cursor) };
  }
  if (cursor.takeKeyword("LIKE")) return parseLike(cursor, operand, negated);
  if (cursor.isKeyword("KLIKE")) throw unsupported("KLIKE", cursor.peek().start);
  if (negated) throw cursor.expected("IN, LIKE or BETWEEN");
  if (cursor.peek().kind === "end" || cursor.isSymbol(";")) {
    throw syntaxError("A condition needs a comparison; a value alone is not one.", start);
  }
  throw cursor.expected("A comparison");
}

function parseLike(cursor: Cursor, operand: Expression, negated: boolean): Condition {
  const pattern = parseExpression(cursor);
  if (cursor.isKeyword("ESCAPE")) throw unsupported("LIKE … ESCAPE", cursor.peek().start);
  return { kind: "like", negated, operand, pattern };
}

function parseItems(cursor: Cursor): readonly Expression[] {
  cursor.expectSymbol("(");
  if (cursor.isKeyword("SELECT")) throw unsupported("A subquery in WHERE", cursor.peek().start);
  if (cursor.isSymbol(")")) throw syntaxError("IN () needs at least one value.", cursor.peek().start);
  const items = [parseExpression(cursor)];
  while (cursor.takeSymbol(",")) items.push(parseExpression(cursor));
  cursor.expectSymbol(")");
  return items;
}
