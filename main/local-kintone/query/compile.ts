import { invalid } from "../errors.ts";
import type { AppState } from "../model.ts";
import { ID_SPAN, recordKey } from "../storage/render.ts";
import { TEXT } from "../texts.ts";
import { compileComparison, type Fragment } from "./comparison.ts";
import type { CompileContext, CompileEnvironment } from "./context.ts";
import { chooseDriver, type Driver } from "./driver.ts";
import { limitTooLarge, offsetTooLarge, operatorNotAllowed, syntaxError } from "./errors.ts";
import { QuerySyntaxError } from "./lexer.ts";
import { type Condition, parseQuery, type Query } from "./parser.ts";
import { resolveField } from "./query-field.ts";

/** A query bound to an app: SQL texts and parameters, ready to run. */
export interface CompiledQuery {
  readonly select: string;
  readonly count: string;
  /** Parameters of `count`; `select` takes `limit` and `offset` behind them. */
  readonly params: readonly (string | number)[];
  readonly limit: number;
  readonly offset: number;
  /** True when the meaning depends on the clock or the caller: not to be cached. */
  readonly volatile: boolean;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_OFFSET = 10_000;
/** SQLite takes 32,766 parameters and a statement of a million bytes; no real query comes near. */
const MAX_COMPARISONS = 4_000;
const MAX_PARAMETERS = 30_000;

/** SQLite limits the depth of an expression; a balanced tree keeps long chains shallow. */
function joinBalanced(parts: readonly Fragment[], word: "AND" | "OR"): Fragment {
  const [first] = parts;
  if (first === undefined) return { sql: "1", params: [] };
  if (parts.length === 1) return first;
  const middle = parts.length >> 1;
  const left = joinBalanced(parts.slice(0, middle), word);
  const right = joinBalanced(parts.slice(middle), word);
  return { sql: `(${left.sql} ${word} ${right.sql})`, params: [...left.params, ...right.params] };
}

function compileCondition(condition: Condition, context: CompileContext): Fragment {
  if (condition.kind === "compare") return compileComparison(condition, context);
  const parts = condition.parts.map((part) => compileCondition(part, context));
  return joinBalanced(parts, condition.kind === "and" ? "AND" : "OR");
}

function compileSorts(query: Query, context: CompileContext): string {
  const terms = query.sorts.map(({ field, descending }) => {
    const column = resolveField(field, context).sort;
    if (column === null) throw operatorNotAllowed(field, "order by");
    return `${column} ${descending ? "DESC" : "ASC"}`;
  });
  // The default order is the record id descending; it also breaks ties (kintone-rest §13.1).
  if (!query.sorts.some(({ field }) => field === "$id")) terms.push(`${context.keyColumn} DESC`);
  return terms.join(", ");
}

function checkPaging(query: Query): { readonly limit: number; readonly offset: number } {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const offset = query.offset ?? 0;
  if (limit < 0 || offset < 0) throw invalid("query", TEXT.querySyntax);
  if (limit > MAX_LIMIT) throw limitTooLarge();
  if (offset > MAX_OFFSET) throw offsetTooLarge();
  return { limit, offset };
}

function parse(source: string): Query {
  try {
    return parseQuery(source);
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw syntaxError();
    throw error;
  }
}

function countComparisons(condition: Condition | null): number {
  if (condition === null) return 0;
  if (condition.kind === "compare") return 1;
  return condition.parts.reduce((sum, part) => sum + countComparisons(part), 0);
}

function conjuncts(condition: Condition | null): readonly Condition[] {
  if (condition === null) return [];
  if (condition.kind !== "and") return [condition];
  return condition.parts.flatMap(conjuncts);
}

/**
 * The app's range of keys. A `$id > N` of the query becomes its lower end, because SQLite seeks by one lower
 * end only and would otherwise walk through everything before N: keyset paging would be quadratic.
 */
function keyRange(app: AppState, parts: readonly Condition[]): Fragment {
  const base = recordKey(app.id, 0);
  let after = 0;
  for (const part of parts) {
    if (part.kind !== "compare" || part.field !== "$id" || part.operator !== ">") continue;
    const [operand] = part.operands;
    if (operand?.kind === "literal" && /^\d{1,10}$/.test(operand.text)) {
      after = Math.max(after, Math.min(Number(operand.text), ID_SPAN - 1));
    }
  }
  return { sql: "r.key > ? AND r.key < ?", params: [base + after, base + ID_SPAN] };
}

function sourceOf(driver: Driver | null): string {
  // CROSS JOIN keeps the order written here; SQLite has no statistics to know better.
  return driver === null ? "records r" : `${driver.table} i CROSS JOIN records r ON r.key = i.record`;
}

/**
 * Compiles a query for one app (kintone-rest §13). Throws the errors of §13.4. The most selective top-level
 * `and` part that an index can answer drives the read; the others are tested on the rows it finds.
 */
export function compileQuery(app: AppState, source: string, environment: CompileEnvironment): CompiledQuery {
  const query = parse(source);
  const { limit, offset } = checkPaging(query);
  if (countComparisons(query.condition) > MAX_COMPARISONS) throw syntaxError();
  const parts = conjuncts(query.condition);
  const driver = chooseDriver(app, parts);
  const context: CompileContext = {
    app,
    environment,
    keyColumn: driver === null ? "r.key" : "i.record",
    notes: { volatile: false },
  };
  const rest = parts.filter((part) => part !== driver?.condition);
  // The driver is compiled too, for its checks alone.
  if (driver !== null) compileCondition(driver.condition, context);
  const filter = joinBalanced(
    rest.map((part) => compileCondition(part, context)),
    "AND",
  );
  const lead = driver?.fragment ?? keyRange(app, rest);
  if (lead.params.length + filter.params.length > MAX_PARAMETERS) throw syntaxError();
  const where = `FROM ${sourceOf(driver)} WHERE ${lead.sql} AND ${filter.sql}`;
  const order = compileSorts(query, context);
  return {
    select: `SELECT r.key, r.revision, r.form, r.created_at, r.updated_at, r.body ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    count: `SELECT COUNT(*) AS total ${where}`,
    params: [...lead.params, ...filter.params],
    limit,
    offset,
    volatile: context.notes.volatile,
  };
}
