import type { Branch, NameRef, OrderKey, Query, SelectItem, Source } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { syntaxError, unsupported } from "./diagnostic.ts";
import { isReserved } from "./keywords.ts";
import { refuseTooMany } from "./limits.ts";
import { parseCondition } from "./parse-condition.ts";
import { parseExpression } from "./parse-expression.ts";

const LOGICAL_APP = /^LAPP_(.*)$/is;
const LOGICAL_NAME =
  /^[A-Za-z\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60][A-Za-z0-9_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]{0,63}$/;
const PHYSICAL_APP = /^APP([1-9][0-9]*)$/i;
const JOINS = ["JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL"];

/** A SELECT or a UNION ALL of SELECTs (job-dialect §5.1). Throws DialectError. */
export function parseQuery(cursor: Cursor): Query {
  if (cursor.isKeyword("WITH")) throw unsupported("WITH (a common table expression)", cursor.peek().start);
  const branches = [parseBranch(cursor)];
  while (cursor.isKeyword("UNION")) {
    const union = cursor.next();
    if (!cursor.takeKeyword("ALL")) throw unsupported("UNION without ALL", union.start);
    branches.push(parseBranch(cursor));
  }
  for (const word of ["INTERSECT", "EXCEPT"]) {
    if (cursor.isKeyword(word)) throw unsupported(word, cursor.peek().start);
  }
  return closeUnion(branches);
}

/** ORDER BY after the last branch of a union belongs to the union (job-dialect §5.1). */
function closeUnion(branches: readonly Branch[]): Query {
  const last = branches.at(-1);
  if (branches.length === 1 || last === undefined) return { branches, orderBy: [] };
  return { branches: [...branches.slice(0, -1), { ...last, orderBy: [] }], orderBy: last.orderBy };
}

function parseBranch(cursor: Cursor): Branch {
  const { start } = cursor.expectKeyword("SELECT");
  if (cursor.isKeyword("DISTINCT")) throw unsupported("DISTINCT", cursor.peek().start);
  const items = [parseItem(cursor)];
  while (cursor.takeSymbol(",")) {
    refuseTooMany(items.length + 1, cursor.peek().start);
    items.push(parseItem(cursor));
  }
  const source = cursor.takeKeyword("FROM") ? parseSource(cursor) : null;
  refuseJoins(cursor);
  const where = cursor.takeKeyword("WHERE") ? parseCondition(cursor) : null;
  const groupBy = takeBy(cursor, "GROUP") ? parseNames(cursor) : [];
  if (cursor.isKeyword("HAVING")) throw unsupported("HAVING", cursor.peek().start);
  const orderBy = takeBy(cursor, "ORDER") ? parseOrder(cursor) : [];
  for (const word of ["LIMIT", "OFFSET"]) {
    if (cursor.isKeyword(word)) throw unsupported(word, cursor.peek().start);
  }
  return { items, source, where, groupBy, orderBy, at: start };
}

function takeBy(cursor: Cursor, word: string): boolean {
  if (!cursor.takeKeyword(word)) return false;
  cursor.expectKeyword("BY");
  return true;
}

function parseItem(cursor: Cursor): SelectItem {
  const { start } = cursor.peek();
  if (cursor.takeSymbol("*")) return { kind: "star", at: start };
  const value = parseExpression(cursor);
  const text = cursor.slice(start, cursor.lastEnd());
  if (cursor.takeKeyword("AS")) {
    return { kind: "value", value, name: parseName(cursor).name, aliased: true, at: start };
  }
  const next = cursor.peek();
  const bareAlias = next.kind === "quoted" || (next.kind === "word" && !isReserved(next.text.toUpperCase()));
  if (bareAlias) throw syntaxError("An alias needs AS.", next.start);
  const name = value.kind === "column" ? value.name : text;
  return { kind: "value", value, name, aliased: false, at: start };
}

/** A bare or backquoted name. */
export function parseName(cursor: Cursor): NameRef {
  const token = cursor.peek();
  const bare = token.kind === "word" && !isReserved(token.text.toUpperCase());
  if (!bare && token.kind !== "quoted") throw cursor.expected("A name");
  cursor.next();
  return { name: token.text, at: token.start };
}

function parseNames(cursor: Cursor): readonly NameRef[] {
  const names = [parseName(cursor)];
  while (cursor.takeSymbol(",")) {
    refuseTooMany(names.length + 1, cursor.peek().start);
    names.push(parseName(cursor));
  }
  if (cursor.isSymbol("(")) throw unsupported("GROUP BY over an expression", cursor.peek().start);
  return names;
}

function parseOrder(cursor: Cursor): readonly OrderKey[] {
  const keys: OrderKey[] = [];
  do {
    refuseTooMany(keys.length + 1, cursor.peek().start);
    const name = parseName(cursor);
    if (cursor.isSymbol("(")) throw unsupported("ORDER BY over an expression", name.at);
    const descending = cursor.takeKeyword("DESC");
    if (!descending) cursor.takeKeyword("ASC");
    keys.push({ ...name, descending });
  } while (cursor.takeSymbol(","));
  return keys;
}

function parseSource(cursor: Cursor): Source {
  const token = cursor.peek();
  if (cursor.isSymbol("(")) throw unsupported("A subquery in FROM", token.start);
  if (token.kind === "temp") {
    cursor.next();
    return { kind: "temp", name: token.text, at: token.start };
  }
  const { name, at } = parseName(cursor);
  const physical = PHYSICAL_APP.exec(name);
  if (physical !== null) return { kind: "app", appId: Number(physical[1]), at };
  const logical = LOGICAL_APP.exec(name);
  if (logical === null) return { kind: "temp", name, at };
  const logicalName = logical[1] ?? "";
  if (logicalName.includes("$")) throw unsupported("A subtable as a table (LAPP_x$code)", at);
  if (!LOGICAL_NAME.test(logicalName)) {
    throw syntaxError(`"${name}" is not a valid reference to a logical app.`, at);
  }
  return { kind: "logicalApp", name: logicalName, at };
}

function refuseJoins(cursor: Cursor): void {
  const token = cursor.peek();
  if (cursor.isSymbol(",")) throw unsupported("A comma join", token.start);
  if (token.kind === "variable") throw unsupported("An app of another profile (…@profile)", token.start);
  if (JOINS.some((word) => cursor.isKeyword(word))) throw unsupported("JOIN", token.start);
  const alias = token.kind === "word" && !isReserved(token.text.toUpperCase());
  if (cursor.isKeyword("AS") || alias) throw unsupported("A table alias", token.start);
}
