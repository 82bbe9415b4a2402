import type { ReferenceTable } from "../model.ts";
import { recordKey } from "../storage/render.ts";
import { checkAllowed, compileTest, isNegative } from "./comparison.ts";
import type { CompileContext } from "./context.ts";
import { notReference, syntaxError } from "./errors.ts";
import { type Fragment, joinBalanced } from "./fragment.ts";
import { QuerySyntaxError } from "./lexer.ts";
import { type Comparison, type Condition, parseQuery } from "./parser.ts";
import { relatedName, resolveField, valuePath } from "./query-field.ts";

/** The parts of the `and` a condition is, those of nested ones included. */
export function conjuncts(condition: Condition | null): readonly Condition[] {
  if (condition === null) return [];
  return condition.kind === "and" ? condition.parts.flatMap(conjuncts) : [condition];
}

const rowsOf = (table: string, context: CompileContext): string =>
  `json_each(${context.row}.body, '${valuePath(table)}') t`;

/** Rows where all of these hold at once: conditions on one table are about the same row (kintone-rest §13.2). */
function sameRow(table: string, tests: readonly Fragment[], context: CompileContext): Fragment {
  const { sql, params } = joinBalanced(tests, "AND");
  return { sql: `EXISTS (SELECT 1 FROM ${rowsOf(table, context)} WHERE ${sql})`, params };
}

/** A negative condition: there is a row, and every row satisfies it. */
function everyRow(table: string, test: Fragment, context: CompileContext): Fragment {
  const rows = rowsOf(table, context);
  return {
    sql: `(EXISTS (SELECT 1 FROM ${rows}) AND NOT EXISTS (SELECT 1 FROM ${rows} WHERE NOT (${test.sql})))`,
    params: test.params,
  };
}

/** Related records of the row: those of the other app whose field has the value of this one. */
function compileRelated(
  related: NonNullable<ReturnType<typeof relatedName>>,
  condition: Comparison,
  context: CompileContext,
): Fragment {
  const reference = related.field.definition.referenceTable;
  const app = reference === null ? null : context.environment.findApp(reference.relatedApp);
  if (reference === null || app === null) throw notReference(related.field.definition.code);
  // The other form may change without this one.
  context.notes.volatile = true;
  if (context.row === "s") throw syntaxError();
  const inner: CompileContext = { ...context, app, row: "s", keyColumn: "s.key" };
  const tests = [compileCondition({ ...condition, field: related.inner }, inner)];
  const filter = parseCondition(reference.filterCond);
  if (filter !== null) tests.push(compileCondition(filter, inner));
  const { sql, params } = joinBalanced(tests, "AND");
  const joined = joinRelated(reference, context, inner);
  return {
    sql: `EXISTS (SELECT 1 FROM ${joined.sql} AND ${sql})`,
    params: [...joined.params, ...params],
  };
}

/** The records of the other app, reached through its index, or by id where its record number is the key. */
function joinRelated(
  { condition }: ReferenceTable,
  context: CompileContext,
  inner: CompileContext,
): Fragment {
  const here = resolveField(condition.field, context).column;
  const field = inner.app.fields.get(condition.relatedField);
  if (field === undefined) {
    const base = recordKey(inner.app.id, 0);
    if (resolveField(condition.relatedField, inner).type !== "RECORD_NUMBER") throw syntaxError();
    return { sql: `records s WHERE s.key = ? + CAST(${here} AS INTEGER) AND ${here} <> ''`, params: [base] };
  }
  const { type, unique } = field.definition;
  const table = unique ? "unique_index" : "field_index";
  return {
    sql: `${table} j CROSS JOIN records s ON s.key = j.record WHERE j.field = ? AND j.value = kintone_key(?, ${here})`,
    params: [field.no, type],
  };
}

function parseCondition(source: string): Condition | null {
  try {
    return parseQuery(source).condition;
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw syntaxError();
    throw error;
  }
}

function compileAnd(parts: readonly Condition[], context: CompileContext): Fragment {
  const fragments: Fragment[] = [];
  const tables = new Map<string, Fragment[]>();
  for (const part of parts) {
    const inTable = part.kind === "compare" ? tableTest(part, context) : null;
    if (inTable === null) {
      fragments.push(compileCondition(part, context));
    } else if (inTable.negative) {
      fragments.push(everyRow(inTable.table, inTable.test, context));
    } else {
      const tests = tables.get(inTable.table);
      if (tests === undefined) tables.set(inTable.table, [inTable.test]);
      else tests.push(inTable.test);
    }
  }
  for (const [table, tests] of tables) fragments.push(sameRow(table, tests, context));
  return joinBalanced(fragments, "AND");
}

interface TableTest {
  readonly table: string;
  readonly test: Fragment;
  readonly negative: boolean;
}

/** The test on the row `t` for a field inside a table; null for every other field. */
function tableTest(condition: Comparison, context: CompileContext): TableTest | null {
  if (relatedName(condition.field, context) !== null) return null;
  const found = resolveField(condition.field, context);
  if (found.table === null) return null;
  checkAllowed(found, condition);
  return {
    table: found.table.definition.code,
    test: compileTest(found, condition, context),
    negative: isNegative(condition),
  };
}

function compileComparison(condition: Comparison, context: CompileContext): Fragment {
  const related = relatedName(condition.field, context);
  if (related !== null) return compileRelated(related, condition, context);
  const found = resolveField(condition.field, context);
  if (found.table !== null) return compileAnd([condition], context);
  checkAllowed(found, condition);
  return compileTest(found, condition, context);
}

/** SQL of a condition on the row of the context (kintone-rest §13.1, §13.2); throws the errors of §13.4. */
export function compileCondition(condition: Condition, context: CompileContext): Fragment {
  if (condition.kind === "compare") return compileComparison(condition, context);
  if (condition.kind === "and") return compileAnd(conjuncts(condition), context);
  return joinBalanced(
    condition.parts.map((part) => compileCondition(part, context)),
    "OR",
  );
}
