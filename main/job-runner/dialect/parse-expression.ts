import type { AggregateName, AsOfName, Expression } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { syntaxError, unsupported } from "./diagnostic.ts";
import { isReserved } from "./keywords.ts";
import type { Token } from "./lexer.ts";
import { isServerFunction, parseServerFunction } from "./server-functions.ts";

const AGGREGATES: readonly string[] = ["COUNT", "SUM", "AVG", "MIN", "MAX"] satisfies AggregateName[];
const AS_OF: readonly string[] = ["NOW", "TODAY", "MONTH_START", "NEXT_MONTH_START"] satisfies AsOfName[];

function isAggregate(name: string): name is AggregateName {
  return AGGREGATES.includes(name);
}

function isAsOf(name: string): name is AsOfName {
  return AS_OF.includes(name);
}

/** value = term { ("+" | "-" | "||") term } (job-dialect §5.1, §9.1). Throws DialectError. */
export function parseExpression(cursor: Cursor): Expression {
  let left = parseTerm(cursor);
  for (;;) {
    const { start } = cursor.peek();
    if (cursor.takeSymbol("||")) {
      left = { kind: "concat", parts: [left, parseTerm(cursor)], at: start };
    } else if (cursor.isSymbol("+") || cursor.isSymbol("-")) {
      const operator = cursor.next().text === "+" ? "+" : "-";
      left = { kind: "arithmetic", operator, left, right: parseTerm(cursor), at: start };
    } else {
      return left;
    }
  }
}

function parseTerm(cursor: Cursor): Expression {
  let left = parseFactor(cursor);
  while (cursor.isSymbol("*") || cursor.isSymbol("/")) {
    const sign = cursor.next();
    const operator = sign.text === "*" ? "*" : "/";
    left = { kind: "arithmetic", operator, left, right: parseFactor(cursor), at: sign.start };
  }
  return left;
}

function parseFactor(cursor: Cursor): Expression {
  const token = cursor.peek();
  if (token.kind === "symbol") return parseSigned(cursor, token);
  if (token.kind === "string") {
    cursor.next();
    return { kind: "literal", type: "text", text: token.text, at: token.start };
  }
  if (token.kind === "number") {
    cursor.next();
    return { kind: "literal", type: "number", text: token.text, at: token.start };
  }
  if (token.kind === "variable") return parseAtName(cursor);
  if (token.kind === "quoted") {
    cursor.next();
    return qualified(cursor, token);
  }
  if (token.kind === "word") return parseWord(cursor, token);
  throw cursor.expected("A value");
}

function parseSigned(cursor: Cursor, token: Token): Expression {
  if (token.text === "(") {
    if (cursor.isKeyword("SELECT", 1)) throw unsupported("A subquery inside a value", token.start);
    cursor.next();
    const inner = parseExpression(cursor);
    cursor.expectSymbol(")");
    return inner;
  }
  if (token.text !== "-" && token.text !== "+") throw cursor.expected("A value");
  cursor.next();
  const operand = parseFactor(cursor);
  if (token.text === "+") return operand;
  if (operand.kind === "literal" && operand.type === "number") {
    return { ...operand, text: operand.text.startsWith("-") ? operand.text.slice(1) : `-${operand.text}` };
  }
  const zero: Expression = { kind: "literal", type: "number", text: "0", at: token.start };
  return { kind: "arithmetic", operator: "-", left: zero, right: operand, at: token.start };
}

function parseAtName(cursor: Cursor): Expression {
  const token = cursor.next();
  if (!cursor.isSymbol("(")) return { kind: "variable", name: token.text, at: token.start };
  const name = token.text.toUpperCase();
  if (!isAsOf(name)) throw unsupported(`The function @${token.text}()`, token.start);
  cursor.expectSymbol("(");
  cursor.expectSymbol(")");
  return { kind: "asOf", name, at: token.start };
}

function parseWord(cursor: Cursor, token: Token): Expression {
  const upper = token.text.toUpperCase();
  if (cursor.isSymbol("(", 1)) return parseCall(cursor, token, upper);
  if (upper === "CASE") throw unsupported("CASE", token.start);
  if (upper === "NULL") throw syntaxError("There is no NULL; write '' or IS NULL.", token.start);
  if (isReserved(upper)) throw cursor.expected("A value");
  cursor.next();
  return qualified(cursor, token);
}

/** A column named by the token just consumed, or by the one behind the dot that follows it. */
function qualified(cursor: Cursor, token: Token): Expression {
  if (!cursor.takeSymbol(".")) return { kind: "column", name: token.text, table: null, at: token.start };
  const name = cursor.peek();
  if (name.kind !== "word" && name.kind !== "quoted") throw cursor.expected("The name of a column");
  cursor.next();
  return { kind: "column", name: name.text, table: token.text, at: token.start };
}

function parseCall(cursor: Cursor, token: Token, name: string): Expression {
  if (isServerFunction(name)) return parseServerFunction(cursor);
  if (name !== "CONCAT" && !isAggregate(name)) {
    throw unsupported(name === "EXISTS" ? "EXISTS" : `The function ${token.text}()`, token.start);
  }
  cursor.next();
  cursor.expectSymbol("(");
  const call = isAggregate(name) ? parseAggregate(cursor, token, name) : parseConcat(cursor, token);
  cursor.expectSymbol(")");
  if (cursor.isKeyword("OVER")) throw unsupported("A window function (OVER)", cursor.peek().start);
  return call;
}

function parseAggregate(cursor: Cursor, token: Token, name: AggregateName): Expression {
  if (cursor.isKeyword("DISTINCT")) throw unsupported(`${name}(DISTINCT …)`, cursor.peek().start);
  if (cursor.isSymbol("*")) {
    if (name !== "COUNT") throw syntaxError(`${name}(*) does not exist; only COUNT(*) does.`, token.start);
    cursor.next();
    return { kind: "aggregate", name, argument: null, at: token.start };
  }
  const argument = parseExpression(cursor);
  if (containsAggregate(argument)) {
    throw syntaxError("An aggregate cannot stand inside another aggregate.", token.start);
  }
  return { kind: "aggregate", name, argument, at: token.start };
}

function parseConcat(cursor: Cursor, token: Token): Expression {
  const parts = [parseExpression(cursor)];
  while (cursor.takeSymbol(",")) parts.push(parseExpression(cursor));
  return { kind: "concat", parts, at: token.start };
}

/** Direct parts of an expression. */
export function expressionParts(expression: Expression): readonly Expression[] {
  if (expression.kind === "concat") return expression.parts;
  if (expression.kind === "arithmetic") return [expression.left, expression.right];
  if (expression.kind === "aggregate") return expression.argument === null ? [] : [expression.argument];
  return [];
}

/** True when an aggregate stands anywhere in the expression. */
export function containsAggregate(expression: Expression): boolean {
  return expression.kind === "aggregate" || expressionParts(expression).some(containsAggregate);
}
