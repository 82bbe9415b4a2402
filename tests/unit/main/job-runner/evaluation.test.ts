import { describe, expect, it } from "vitest";
import { type Relation, select } from "./helpers.ts";

const ORDERS: Relation = {
  columns: [
    { name: "$id", type: { kind: "number" } },
    { name: "得意先", type: { kind: "text" } },
    { name: "金額", type: { kind: "number" } },
    { name: "納期", type: { kind: "date" } },
    { name: "優先", type: { kind: "choice", options: ["高", "中", "低"] } },
    { name: "印", type: { kind: "multi" } },
  ],
  rows: [
    ["1", "青空", "0.1", "2026-04-01", "中", '["x","y"]'],
    ["2", "海", "0.2", "2026-03-31", "高", "[]"],
    ["3", "青空", "", "", "低", '["y"]'],
    ["4", "海", "100", "2026-05-01", "", '["z"]'],
    ["5", "", "20", "2026-04-30", "高", "[]"],
  ],
};
const EMPTY: Relation = { columns: ORDERS.columns, rows: [] };

const rowsOf = (sql: string, relation: Relation = ORDERS) => select(sql, relation).rows;
const ids = (where: string) => rowsOf(`SELECT $id FROM #t WHERE ${where}`).map(([id]) => Number(id));

describe("WHERE (job-dialect §3)", () => {
  it.each([
    ["金額 = 0.10", [1]],
    ["金額 < 20", [1, 2, 3]],
    ["金額 > 20", [4]],
    ["得意先 != '青空'", [2, 4, 5]],
    ["得意先 = ''", [5]],
    ["得意先 IS NULL", [5]],
    ["得意先 IS NOT EMPTY", [1, 2, 3, 4]],
    ["得意先 LIKE '空'", [1, 3]],
    ["得意先 NOT LIKE '青%'", [2, 4, 5]],
    ["得意先 IN ('海', '')", [2, 4, 5]],
    ["得意先 NOT IN ('海', '')", [1, 3]],
    ["納期 >= @MONTH_START() AND 納期 < @NEXT_MONTH_START()", [1, 5]],
    ["納期 BETWEEN '2026-03-31' AND '2026/4/1'", [1, 2]],
    ["納期 NOT BETWEEN '2026-03-31' AND '2026-04-01'", [3, 4, 5]],
    ["優先 < '中'", [2, 5]],
    ["優先 >= '低'", [3, 4]],
    ["印 IN ('y')", [1, 3]],
    ["印 IN ('')", [2, 5]],
    ["印 NOT IN ('y')", [2, 4, 5]],
    ["印 IS EMPTY", [2, 5]],
    ["NOT 得意先 = '海' AND 金額 = 20 OR $id = 2", [2, 5]],
    ["NOT (得意先 = '海' OR 金額 = 20)", [1, 3]],
    ["金額 * 2 + 1 > 200", [4]],
    ["'20' > '100' AND $id = 1", [1]],
    ["20 > 100", []],
  ] as const)("%s finds %j", (where, expected) => {
    expect(ids(where)).toEqual(expected);
  });
});

describe("long conditions", () => {
  it.each(["OR", "AND"])("a chain of 3,000 %s is evaluated", (word) => {
    const chain = Array.from({ length: 3000 }, (_, n) =>
      word === "OR" ? `$id = ${n + 5}` : `$id != ${n + 5}`,
    );
    expect(ids(chain.join(` ${word} `))).toEqual(word === "OR" ? [5] : [1, 2, 3, 4]);
  });
});

describe("aggregates (job-dialect §3, §13)", () => {
  it("counts rows and filled cells, sums exactly, and averages the exact sum as a double", () => {
    expect(
      rowsOf("SELECT COUNT(*), COUNT(金額), SUM(金額), MIN(金額), MAX(金額), AVG(金額), COUNT(印) FROM t"),
    ).toEqual([["5", "4", "120.3", "0.1", "100", "30.075", "3"]]);
  });

  it("gives one row of zeros over no rows, and no row with GROUP BY", () => {
    expect(rowsOf("SELECT COUNT(*), SUM(金額), AVG(金額), MIN(納期), MAX(得意先) FROM t", EMPTY)).toEqual([
      ["0", "0", "0", "0", "0"],
    ]);
    expect(rowsOf("SELECT 得意先, COUNT(*) FROM t GROUP BY 得意先", EMPTY)).toEqual([]);
  });

  it("groups by the raw text in the order of first appearance", () => {
    expect(rowsOf("SELECT 得意先, COUNT(*) AS n, SUM(金額) AS s FROM t GROUP BY 得意先")).toEqual([
      ["青空", "2", "0.1"],
      ["海", "2", "100.2"],
      ["", "1", "20"],
    ]);
  });

  it("groups by an alias when no column has the name", () => {
    expect(rowsOf("SELECT CONCAT(得意先, '様') AS 宛名, COUNT(*) FROM t GROUP BY 宛名")).toEqual([
      ["青空様", "2"],
      ["海様", "2"],
      ["様", "1"],
    ]);
  });

  it.each([
    "SELECT 得意先, COUNT(*) FROM t",
    "SELECT $id FROM t GROUP BY 得意先",
    "SELECT COUNT(*) FROM t ORDER BY 得意先",
    "SELECT COUNT(*) AS n FROM t GROUP BY n",
  ])("refuses %s", (sql) => {
    expect(() => rowsOf(sql)).toThrow(expect.objectContaining({ code: "KSQL1202" }));
  });
});

describe("SELECT (job-dialect §5.1)", () => {
  it("makes one row without FROM", () => {
    expect(rowsOf("SELECT 1 AS one, 'a' || 'b', @TODAY(), @NOW(), 1/2, 0.1+0.2")).toEqual([
      ["1", "ab", "2026-04-01", "2026-03-31T16:00:00.000Z", "0.5", "0.30000000000000004"],
    ]);
  });

  it("names columns by alias, field code or expression text, and types them", () => {
    const { columns } = select(
      "SELECT 得意先, 金額 AS Betrag, COUNT( * ) FROM t GROUP BY 得意先, 金額",
      ORDERS,
    );
    expect(columns).toEqual([
      { name: "得意先", type: { kind: "text" } },
      { name: "Betrag", type: { kind: "number" } },
      { name: "COUNT( * )", type: { kind: "number" } },
    ]);
  });

  it("orders by the alias first, numbers numerically with the empty cell lowest, ties in input order", () => {
    expect(rowsOf("SELECT $id FROM t ORDER BY 金額 DESC").map(([id]) => id)).toEqual([
      "4",
      "5",
      "2",
      "1",
      "3",
    ]);
    expect(rowsOf("SELECT $id, 得意先 AS 金額 FROM t ORDER BY 金額, $id DESC").map(([id]) => id)).toEqual([
      "5",
      "4",
      "2",
      "3",
      "1",
    ]);
    expect(rowsOf("SELECT $id FROM t ORDER BY 得意先").map(([id]) => id)).toEqual(["5", "2", "4", "1", "3"]);
  });

  it("keeps WHERE on the column when an alias has its name", () => {
    expect(rowsOf("SELECT CONCAT('x', 得意先) AS 得意先 FROM t WHERE 得意先 = '海'")).toEqual([
      ["x海"],
      ["x海"],
    ]);
  });

  it("unites branches by position under the names of the first and orders the whole", () => {
    const { columns, rows } = select(
      "SELECT 得意先 AS a, 1 AS n FROM t WHERE $id = 1 UNION ALL SELECT '月', 2 UNION ALL SELECT '一', 3 ORDER BY a",
      ORDERS,
    );
    expect(columns.map(({ name }) => name)).toEqual(["a", "n"]);
    expect(rows).toEqual([
      ["一", "3"],
      ["月", "2"],
      ["青空", "1"],
    ]);
  });

  it("expands * and resolves temp-table columns without regard to ASCII case", () => {
    const table: Relation = { columns: [{ name: "Total", type: { kind: "number" } }], rows: [["1"]] };
    expect(select("SELECT * FROM t WHERE total = 1", table)).toEqual(table);
    expect(() => select("SELECT total FROM t", table, true)).toThrow("unknown field code(s): total");
  });

  it("says which field is unknown", () => {
    expect(() => rowsOf("SELECT a FROM t WHERE 無い = 1")).toThrow("unknown field code(s)");
    expect(() => rowsOf("SELECT $id FROM t ORDER BY 無い")).toThrow(
      expect.objectContaining({ code: "ArgumentError" }),
    );
  });

  it("never passes job text to SQLite: quotes, semicolons and bind marks are only values", () => {
    const hostile = `'); drop table t0; -- ? $id @x "`;
    const table: Relation = { columns: [{ name: hostile, type: { kind: "text" } }], rows: [[hostile]] };
    expect(
      select(`SELECT \`${hostile}\` FROM t WHERE \`${hostile}\` = '${hostile.replaceAll("'", "''")}'`, table),
    ).toEqual(table);
  });
});
