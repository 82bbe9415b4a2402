import type { AppSource, Join, NameRef, Source } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { CODES, DialectError, syntaxError, unsupported } from "./diagnostic.ts";
import { isReserved } from "./keywords.ts";
import { parseCondition } from "./parse-condition.ts";

const LOGICAL_APP = /^LAPP_(.*)$/is;
const LOGICAL_NAME =
  /^[A-Za-z\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60][A-Za-z0-9_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]{0,63}$/;
const PHYSICAL_APP = /^APP([1-9][0-9]*)$/i;
const REFUSED_JOINS = ["RIGHT", "FULL", "CROSS", "NATURAL"];

/** A bare or backquoted name without a qualifier. Throws DialectError. */
export function parseName(cursor: Cursor): NameRef {
  const token = cursor.peek();
  const bare = token.kind === "word" && !isReserved(token.text.toUpperCase());
  if (!bare && token.kind !== "quoted") throw cursor.expected("A name");
  cursor.next();
  return { name: token.text, table: null, at: token.start };
}

/** A column, possibly behind the alias of its source (`a.b`). Throws DialectError. */
export function parseColumnName(cursor: Cursor): NameRef {
  const first = parseName(cursor);
  if (!cursor.takeSymbol(".")) return first;
  return { ...parseName(cursor), table: first.name, at: first.at };
}

/** What follows FROM or JOIN, without its alias (job-dialect §2.3). Throws DialectError. */
export function parseSource(cursor: Cursor): Source {
  const token = cursor.peek();
  if (cursor.isSymbol("(")) throw unsupported("A subquery in FROM", token.start);
  if (token.kind === "temp") {
    cursor.next();
    return { kind: "temp", name: token.text, at: token.start };
  }
  const { name, at } = parseName(cursor);
  const app = appReference(name, at);
  if (app === null) return { kind: "temp", name, at };
  if (app === "subtable") throw unsupported("A subtable as a table (LAPP_x$code)", at);
  return app;
}

/** The app a write goes to. Throws DialectError, KSQL1304 for a subtable (job-dialect §7). */
export function parseTarget(cursor: Cursor): AppSource {
  const token = cursor.peek();
  if (token.kind === "temp") throw syntaxError("A temp table cannot be written to.", token.start);
  const { name, at } = parseName(cursor);
  const app = appReference(name, at);
  if (app === "subtable") {
    throw new DialectError(CODES.subtableWrite, `The subtable ${name} is read-only; write its app.`, at);
  }
  if (app === null) throw syntaxError(`A write needs an app (LAPP_… or APP…), and "${name}" is none.`, at);
  refuseOtherProfile(cursor);
  return app;
}

/** Null when the name is no reference to an app. */
function appReference(name: string, at: number): AppSource | "subtable" | null {
  const physical = PHYSICAL_APP.exec(name);
  if (physical !== null) return { kind: "app", appId: Number(physical[1]), at };
  const logical = LOGICAL_APP.exec(name);
  if (logical === null) return /^APP[1-9][0-9]*\$/i.test(name) ? "subtable" : null;
  const logicalName = logical[1] ?? "";
  if (logicalName.includes("$")) return "subtable";
  if (LOGICAL_NAME.test(logicalName)) return { kind: "logicalApp", name: logicalName, at };
  throw syntaxError(`"${name}" is not a valid reference to a logical app.`, at);
}

function refuseOtherProfile(cursor: Cursor): void {
  const token = cursor.peek();
  if (token.kind === "variable") throw unsupported("An app of another profile (…@profile)", token.start);
}

/** `KEY (…)` ends the query of an UPSERT; everywhere else KEY is an ordinary name. */
export function isKeyClause(cursor: Cursor): boolean {
  return cursor.isKeyword("KEY") && cursor.isSymbol("(", 1);
}

/** The alias behind a source, consumed; null when there is none. Throws DialectError. */
export function parseAlias(cursor: Cursor): string | null {
  refuseOtherProfile(cursor);
  if (cursor.takeKeyword("AS")) return parseName(cursor).name;
  const token = cursor.peek();
  const bare = token.kind === "word" && !isReserved(token.text.toUpperCase()) && !isKeyClause(cursor);
  return bare ? parseName(cursor).name : null;
}

/** `[INNER | LEFT [OUTER]] JOIN source [AS alias] ON condition`, as many as there are. Throws DialectError. */
export function parseJoins(cursor: Cursor): readonly Join[] {
  const joins: Join[] = [];
  for (;;) {
    const { start } = cursor.peek();
    if (cursor.isSymbol(",")) throw unsupported("A comma join", start);
    const refused = REFUSED_JOINS.find((word) => cursor.isKeyword(word));
    if (refused !== undefined) throw unsupported(`${refused} JOIN`, start);
    const left = cursor.takeKeyword("LEFT");
    if (left) cursor.takeKeyword("OUTER");
    else cursor.takeKeyword("INNER");
    if (!left && !cursor.isKeyword("JOIN")) return joins;
    cursor.expectKeyword("JOIN");
    const source = parseSource(cursor);
    const alias = parseAlias(cursor);
    if (!cursor.takeKeyword("ON")) throw unsupported("A JOIN without ON", cursor.peek().start);
    joins.push({ source, alias, left, on: parseCondition(cursor), at: start });
  }
}
