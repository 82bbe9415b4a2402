import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { AggregateName } from "../dialect/ast.ts";
import { EMPTY_TALLY, type Tally, tallyCell, tallyResult } from "../values/aggregate.ts";
import type { ColumnType } from "../values/column-type.ts";
import type { Comparison } from "../values/compare.ts";
import { formatDecimal } from "../values/decimal.ts";
import { joinText } from "../values/join-text.ts";
import { sortKey } from "../values/sort-key.ts";
import { arithmetic, likeMatches } from "../values/text.ts";
import { SUM_SPLIT } from "./native.ts";

const AGGREGATES = ["SUM", "AVG", "MIN", "MAX"] as const satisfies readonly AggregateName[];

/** Decimals behind which `k_unscaled` sets the point; the scale of sums SQLite makes itself. */
const SCALE = 4;

/**
 * Our comparison, aggregates and arithmetic as functions of `database` (job-dialect §9.1). `typeAt` gives the
 * column type a number in the SQL stands for. `forgetLists` drops the IN lists of the last statement.
 */
export function defineFunctions(
  database: DatabaseSync,
  typeAt: (index: number) => ColumnType,
  comparison: Comparison,
): { readonly forgetLists: () => void } {
  const text = (value: SQLOutputValue): string => String(value);
  const type = (index: SQLOutputValue): ColumnType => typeAt(Number(index));
  const options = { deterministic: true };
  const lists = new Map<string, readonly string[]>();
  database.function("k_eq", options, (left, right, number) =>
    Number(comparison.equal(text(left), text(right), type(number))),
  );
  database.function("k_cmp", options, (left, right, number) =>
    Math.sign(comparison.order(text(left), text(right), type(number))),
  );
  database.function("k_in", options, (cell, list, number) => {
    const items = lists.get(text(list)) ?? parseItems(text(list));
    lists.set(text(list), items);
    return Number(comparison.isIn(text(cell), items, type(number)));
  });
  database.function("k_like", options, (cell, pattern) => Number(likeMatches(text(cell), text(pattern))));
  database.function("k_key", options, (cell, number) => sortKey(text(cell), type(number)));
  // A row without a partner (LEFT JOIN) has no cell at all, which equals nothing.
  database.function("k_join", options, (cell, number) =>
    cell === null ? null : joinText(text(cell), type(number), comparison),
  );
  database.function("k_arithmetic", options, (operator, left, right) =>
    arithmetic(text(operator), text(left), text(right)),
  );
  const unscaled = (high: SQLOutputValue, low: SQLOutputValue): string =>
    formatDecimal({ digits: BigInt(text(high)) * BigInt(SUM_SPLIT) + BigInt(text(low)), scale: SCALE });
  database.function("k_unscaled", options, unscaled);
  database.function("k_average", options, (high, low, count) =>
    count === 0 ? "0" : String(Number(unscaled(high, low)) / Number(count)),
  );
  for (const name of AGGREGATES) defineAggregate(database, name, type, comparison);
  return { forgetLists: () => lists.clear() };
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
