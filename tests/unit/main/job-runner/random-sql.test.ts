import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COLUMNS, randomSelect, rowsArbitrary } from "../../../support/random-sql.ts";
import { select } from "./helpers.ts";

describe("random queries over random rows (job-dialect §3, §5.1)", () => {
  it("give the rows the rules say, worked out a second time", () => {
    fc.assert(
      fc.property(rowsArbitrary, randomSelect, (rows, { sql, expected }) => {
        const cells = rows.map((row) => COLUMNS.map(({ name }) => row[name] ?? ""));
        expect(select(sql, { columns: COLUMNS, rows: cells }).rows, sql).toEqual(expected(rows));
      }),
      { numRuns: 200 },
    );
  });
});
