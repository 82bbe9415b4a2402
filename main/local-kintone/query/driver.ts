import type { AppField, AppState } from "../model.ts";
import { decimalKey, normalizeDecimal } from "../values/decimal.ts";
import { indexKey, isIndexed } from "../values/index-keys.ts";
import { isTokenMatched } from "./comparison.ts";
import type { CompileContext, IndexRange } from "./context.ts";
import { marks } from "./fragment.ts";
import { isMoment, momentBound, momentRange } from "./moments.ts";
import type { Comparison, Condition } from "./parser.ts";
import { peopleCodes, peopleKind } from "./people.ts";
import { type QueryField, resolveField } from "./query-field.ts";

/** The index rows a read starts from. */
export interface Driver {
  readonly condition: Comparison;
  readonly range: IndexRange;
  /** True when these rows are all the condition asks for; else it is tested on them again. */
  readonly exact: boolean;
}

interface Candidate extends Driver {
  /** Smaller is more selective: a unique value, a free value, one of a few options, a range. */
  readonly rank: number;
}

/** A range of more index rows is read in the order of the records instead, which needs no sorting. */
const RANGE_ROWS = 5_000;
const OPTION_TYPES: ReadonlySet<string> = new Set(["DROP_DOWN", "RADIO_BUTTON", "CHECK_BOX", "MULTI_SELECT"]);
const LIST_TYPES: ReadonlySet<string> = new Set([
  "CHECK_BOX",
  "MULTI_SELECT",
  "USER_SELECT",
  "ORGANIZATION_SELECT",
  "GROUP_SELECT",
]);

function tableOf(field: AppField): IndexRange["table"] {
  return field.definition.unique ? "unique_index" : "field_index";
}

/** Index keys the operands stand for; null when one is empty or has no key of its own. */
function keysOf(found: QueryField, condition: Comparison, context: CompileContext): readonly string[] | null {
  const { type, field } = found;
  if (field === null) return null;
  const kind = peopleKind(type);
  if (kind !== null) {
    const codes = peopleCodes(kind, condition, context);
    return codes === null || codes.includes("") ? null : codes;
  }
  const keys = new Set<string>();
  for (const operand of condition.operands) {
    if (operand.kind !== "literal" || operand.text === "" || isMoment(type)) return null;
    const numeric = type === "NUMBER" || type === "CALC";
    const text = numeric ? normalizeDecimal(operand.text) : operand.text;
    if (text === null) return null;
    keys.add(indexKey(field.definition.type, text));
  }
  return [...keys];
}

function byValue(found: QueryField, condition: Comparison, context: CompileContext): Candidate | null {
  const { field, table, type } = found;
  if (field === null || isTokenMatched(found, context)) return null;
  const keys = keysOf(found, condition, context);
  if (keys === null || keys.length === 0) return null;
  // With several keys a record with several values would come several times.
  if (keys.length > 1 && (table !== null || LIST_TYPES.has(type))) return null;
  // One value is written as an equality so that the index itself delivers the `$id` order.
  const test = keys.length === 1 ? "= ?" : `IN ${marks(keys)}`;
  return {
    condition,
    range: { table: tableOf(field), sql: `i.field = ? AND i.value ${test}`, params: [field.no, ...keys] },
    exact: table === null,
    rank: field.definition.unique ? 0 : OPTION_TYPES.has(type) ? 2 : 1,
  };
}

function rangeTest(
  found: QueryField,
  condition: Comparison,
  context: CompileContext,
): Omit<IndexRange, "table"> | null {
  const [operand] = condition.operands;
  const { type, field } = found;
  if (operand === undefined || field === null) return null;
  const { operator } = condition;
  if (isMoment(type)) {
    if (operator !== "=" && momentBound(operator, { first: "", last: "", wide: false }) === null) return null;
    const range = momentRange(type, operand, context);
    if (range.first === "") return null;
    const bound = momentBound(operator, range);
    if (bound === null) return { sql: "i.value BETWEEN ? AND ?", params: [range.first, range.last] };
    return { sql: `i.value ${bound.sql}`, params: [bound.text] };
  }
  if (type !== "NUMBER" && type !== "CALC") return null;
  if (operand.kind !== "literal" || ![">", "<", ">=", "<="].includes(operator)) return null;
  const decimal = operand.text === "" ? null : normalizeDecimal(operand.text);
  return decimal === null ? null : { sql: `i.value ${operator} ?`, params: [decimalKey(decimal)] };
}

function byRange(found: QueryField, condition: Comparison, context: CompileContext): Candidate | null {
  const { field, table } = found;
  // A record whose rows have several values of the range would come several times.
  if (field === null || table !== null) return null;
  const test = rangeTest(found, condition, context);
  if (test === null) return null;
  const range = {
    table: tableOf(field),
    sql: `i.field = ? AND ${test.sql}`,
    params: [field.no, ...test.params],
  };
  // What is few today may be many tomorrow: such a plan is not kept.
  context.notes.volatile = true;
  const rows = context.environment.estimate(range, RANGE_ROWS);
  return rows < RANGE_ROWS ? { condition, range, exact: true, rank: 3 } : null;
}

function candidate(app: AppState, part: Condition, context: CompileContext): Candidate | null {
  if (part.kind !== "compare") return null;
  const known =
    app.fields.has(part.field) || [...app.fields.values()].some(({ columns }) => columns.has(part.field));
  if (!known) return null;
  const found = resolveField(part.field, context);
  if (found.field === null || !isIndexed(found.field.definition)) return null;
  if (part.operator === "=" || part.operator === "in") {
    const value = byValue(found, part, context);
    if (value !== null) return value;
  }
  return byRange(found, part, context);
}

/** Picks the top-level part that should drive the read; null reads the app's key range. */
export function chooseDriver(
  app: AppState,
  parts: readonly Condition[],
  context: CompileContext,
): Driver | null {
  // A read by record id is already the narrowest there is.
  const byId = parts.some(
    (part) => part.kind === "compare" && part.field === "$id" && ["=", "in"].includes(part.operator),
  );
  if (byId) return null;
  let best: Candidate | null = null;
  for (const part of parts) {
    const found = candidate(app, part, context);
    if (found !== null && (best === null || found.rank < best.rank)) best = found;
  }
  return best;
}
