import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { AggregateName } from "../dialect/ast.ts";
import { EMPTY_TALLY, type Tally, tallyCell, tallyResult } from "../values/aggregate.ts";
import { type ColumnType, isEmptyCell, type Relation, TEXT } from "../values/column-type.ts";
import type { Comparison } from "../values/compare.ts";
import { sortKey } from "../values/sort-key.ts";
import { arithmetic, likeMatches } from "../values/text.ts";
import type { EmittedSelect } from "./emit.ts";

const AGGREGATES = ["COUNT", "SUM", "AVG", "MIN", "MAX"] as const satisfies readonly AggregateName[];

/**
 * Runs emitted SQL over `relation` in a fresh in-memory SQLite with our functions (job-dialect §9.1) and
 * gives the rows back as texts, in the order of the statement. The database ends with the call.
 */
export function runSelect(
  relation: Relation,
  select: EmittedSelect,
  comparison: Comparison,
): readonly (readonly string[])[] {
  const database = new DatabaseSync(":memory:");
  try {
    defineFunctions(database, select.types, comparison);
    fillTable(database, relation);
    const statement = database.prepare(select.sql);
    statement.setReturnArrays(true);
    const rows = statement.all(...select.parameters);
    return rows.map((row) => Object.values(row).map((cell: SQLOutputValue) => String(cell)));
  } finally {
    database.close();
  }
}

function fillTable(database: DatabaseSync, relation: Relation): void {
  const columns = relation.columns.map((_, index) => `, c${index} text not null`);
  database.exec(`create table t0(pos integer primary key${columns.join("")})`);
  const marks = relation.columns.map(() => ", ?");
  const insert = database.prepare(`insert into t0 values (null${marks.join("")})`);
  database.exec("begin");
  for (const row of relation.rows) insert.run(...row);
  database.exec("commit");
}

function defineFunctions(database: DatabaseSync, types: readonly ColumnType[], comparison: Comparison): void {
  const text = (value: SQLOutputValue): string => String(value);
  const typeAt = (index: SQLOutputValue): ColumnType => types[Number(index)] ?? TEXT;
  const options = { deterministic: true };
  database.function("k_eq", options, (left, right, type) =>
    Number(comparison.equal(text(left), text(right), typeAt(type))),
  );
  database.function("k_cmp", options, (left, right, type) =>
    Math.sign(comparison.order(text(left), text(right), typeAt(type))),
  );
  const lists = new Map<string, readonly string[]>();
  database.function("k_in", options, (cell, list, type) => {
    const items = lists.get(text(list)) ?? parseItems(text(list));
    lists.set(text(list), items);
    return Number(comparison.isIn(text(cell), items, typeAt(type)));
  });
  database.function("k_like", options, (cell, pattern) => Number(likeMatches(text(cell), text(pattern))));
  database.function("k_empty", options, (cell, type) => Number(isEmptyCell(text(cell), typeAt(type))));
  database.function("k_key", options, (cell, type) => sortKey(text(cell), typeAt(type)));
  database.function("k_arithmetic", options, (operator, left, right) =>
    arithmetic(text(operator), text(left), text(right)),
  );
  for (const name of AGGREGATES) defineAggregate(database, name, typeAt, comparison);
}

function parseItems(list: string): readonly string[] {
  const parsed: unknown = JSON.parse(list);
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

function defineAggregate(
  database: DatabaseSync,
  name: AggregateName,
  typeAt: (index: SQLOutputValue) => ColumnType,
  comparison: Comparison,
): void {
  // The accumulator is ours: SQLite hands back what the last step returned.
  const tallies = new Map<number, Tally>();
  let next = 0;
  database.aggregate(`k_${name.toLowerCase()}`, {
    start: () => {
      next += 1;
      tallies.set(next, EMPTY_TALLY);
      return next;
    },
    step: (handle: SQLOutputValue, cell: SQLOutputValue, type: SQLOutputValue) => {
      const key = Number(handle);
      tallies.set(key, tallyCell(tallies.get(key) ?? EMPTY_TALLY, String(cell), typeAt(type), comparison));
      return key;
    },
    result: (handle: SQLOutputValue) => {
      const key = Number(handle);
      const result = tallyResult(tallies.get(key) ?? EMPTY_TALLY, name);
      tallies.delete(key);
      return result;
    },
  });
}
