import { invalid } from "../errors.ts";
import type { AppState } from "../model.ts";
import { ID_SPAN, recordKey } from "../storage/render.ts";
import { TEXT } from "../texts.ts";
import { compileCondition, conjuncts } from "./condition.ts";
import type { CompileContext, CompileEnvironment } from "./context.ts";
import { chooseDriver, type Driver } from "./driver.ts";
import { limitTooLarge, offsetTooLarge, operatorNotAllowed, syntaxError } from "./errors.ts";
import type { Fragment } from "./fragment.ts";
import { QuerySyntaxError } from "./lexer.ts";
import { type Condition, parseQuery, type Query } from "./parser.ts";
import { resolveField } from "./query-field.ts";

/** A query bound to an app: SQL texts and parameters, ready to run. */
export interface CompiledQuery {
  readonly select: string;
  readonly count: string;
  /** `key` and `body` of every row that meets the condition, in no order; parameters as for `count`. */
  readonly source: string;
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

/** Comparisons and values of a condition, counted before any work is done with them. */
function sizeOf(condition: Condition | null): { readonly comparisons: number; readonly values: number } {
  if (condition === null) return { comparisons: 0, values: 0 };
  if (condition.kind === "compare") return { comparisons: 1, values: condition.operands.length };
  const sizes = condition.parts.map(sizeOf);
  return {
    comparisons: sizes.reduce((sum, size) => sum + size.comparisons, 0),
    values: sizes.reduce((sum, size) => sum + size.values, 0),
  };
}

const isRecordId = (app: AppState, code: string): boolean =>
  code === "$id" || app.system.some((field) => field.type === "RECORD_NUMBER" && field.code === code);

/** Record ids a top-level part on the id or the record number leaves, both ends included; null for any other part. */
function idBounds(app: AppState, part: Condition): readonly [number, number] | null {
  if (part.kind !== "compare" || !isRecordId(app, part.field)) return null;
  const ids = part.operands.map((operand) =>
    operand.kind === "literal" && /^\d{1,10}$/.test(operand.text) ? Number(operand.text) : Number.NaN,
  );
  const [id = Number.NaN] = ids;
  if (ids.some(Number.isNaN)) return null;
  switch (part.operator) {
    case "=":
    case "in":
      return [Math.min(...ids), Math.max(...ids)];
    case ">":
      return [id + 1, ID_SPAN];
    case ">=":
      return [id, ID_SPAN];
    case "<":
      return [0, id - 1];
    case "<=":
      return [0, id];
    default:
      return null;
  }
}

/**
 * The app's range of keys, narrowed by what the query says of record ids: SQLite seeks by one lower and one upper end only
 * and would otherwise walk through everything before them, so that keyset paging were quadratic.
 */
function keyRange(app: AppState, parts: readonly Condition[]): Fragment {
  let [first, last] = [1, ID_SPAN - 1];
  for (const part of parts) {
    const [low, high] = idBounds(app, part) ?? [first, last];
    first = Math.min(Math.max(first, low), ID_SPAN - 1);
    last = Math.max(Math.min(last, high), 0);
  }
  const base = recordKey(app.id, 0);
  return { sql: "r.key >= ? AND r.key <= ?", params: [base + first, base + last] };
}

function sourceOf(driver: Driver | null): string {
  // CROSS JOIN keeps the order written here; SQLite has no statistics to know better.
  return driver === null ? "records r" : `${driver.range.table} i CROSS JOIN records r ON r.key = i.record`;
}

/**
 * Compiles a query for one app (kintone-rest §13). Throws the errors of §13.4. The most selective top-level
 * `and` part that an index can answer drives the read; the others are tested on the rows it finds.
 */
export function compileQuery(app: AppState, source: string, environment: CompileEnvironment): CompiledQuery {
  const query = parse(source);
  const { limit, offset } = checkPaging(query);
  const size = sizeOf(query.condition);
  if (size.comparisons > MAX_COMPARISONS || size.values > MAX_PARAMETERS) throw syntaxError();
  const parts = conjuncts(query.condition);
  const notes = { volatile: false };
  const probe: CompileContext = { app, environment, row: "r", keyColumn: "r.key", notes };
  // The whole of it first: the checks come in the order of the query, whatever drives the read.
  const whole = compileCondition({ kind: "and", parts }, probe);
  const driver = chooseDriver(app, parts, probe);
  const context: CompileContext = { ...probe, keyColumn: driver === null ? "r.key" : "i.record" };
  const rest = parts.filter((part) => part !== driver?.condition || !driver.exact);
  const filter = driver === null ? whole : compileCondition({ kind: "and", parts: rest }, context);
  const lead = driver?.range ?? keyRange(app, rest);
  if (lead.params.length + filter.params.length > MAX_PARAMETERS) throw syntaxError();
  const where = `FROM ${sourceOf(driver)} WHERE ${lead.sql} AND ${filter.sql}`;
  const order = compileSorts(query, context);
  return {
    select: `SELECT r.key, r.revision, r.form, r.created_at, r.updated_at, r.body ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    count: `SELECT COUNT(*) AS total ${where}`,
    source: `SELECT r.key AS key, r.body AS body ${where}`,
    params: [...lead.params, ...filter.params],
    limit,
    offset,
    volatile: context.notes.volatile,
  };
}
