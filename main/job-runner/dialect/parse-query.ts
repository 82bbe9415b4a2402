import type { Branch, NameRef, OrderKey, Query, SelectItem } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { syntaxError, unsupported } from "./diagnostic.ts";
import { isReserved } from "./keywords.ts";
import { refuseTooMany } from "./limits.ts";
import { parseCondition } from "./parse-condition.ts";
import { parseExpression } from "./parse-expression.ts";
import {
  isKeyClause,
  parseAlias,
  parseColumnName,
  parseJoins,
  parseName,
  parseSource,
} from "./parse-source.ts";

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
  const alias = source === null ? null : parseAlias(cursor);
  const joins = source === null ? [] : parseJoins(cursor);
  const where = cursor.takeKeyword("WHERE") ? parseCondition(cursor) : null;
  const groupBy = takeBy(cursor, "GROUP") ? parseNames(cursor) : [];
  if (cursor.isKeyword("HAVING")) throw unsupported("HAVING", cursor.peek().start);
  const orderBy = takeBy(cursor, "ORDER") ? parseOrder(cursor) : [];
  for (const word of ["LIMIT", "OFFSET"]) {
    if (cursor.isKeyword(word)) throw unsupported(word, cursor.peek().start);
  }
  return { items, source, alias, joins, where, groupBy, orderBy, at: start };
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
  if (bareAlias && !isKeyClause(cursor)) throw syntaxError("An alias needs AS.", next.start);
  const name = value.kind === "column" ? value.name : text;
  return { kind: "value", value, name, aliased: false, at: start };
}

function parseNames(cursor: Cursor): readonly NameRef[] {
  const names = [parseColumnName(cursor)];
  while (cursor.takeSymbol(",")) {
    refuseTooMany(names.length + 1, cursor.peek().start);
    names.push(parseColumnName(cursor));
  }
  if (cursor.isSymbol("(")) throw unsupported("GROUP BY over an expression", cursor.peek().start);
  return names;
}

function parseOrder(cursor: Cursor): readonly OrderKey[] {
  const keys: OrderKey[] = [];
  do {
    refuseTooMany(keys.length + 1, cursor.peek().start);
    const name = parseColumnName(cursor);
    if (cursor.isSymbol("(")) throw unsupported("ORDER BY over an expression", name.at);
    const descending = cursor.takeKeyword("DESC");
    if (!descending) cursor.takeKeyword("ASC");
    keys.push({ ...name, descending });
  } while (cursor.takeSymbol(","));
  return keys;
}
