import { describe, expect, it } from "vitest";
import { type Relation, select } from "./helpers.ts";

const ORDERS: Relation = {
  columns: [
    { name: "番号", type: { kind: "text" } },
    { name: "得意先", type: { kind: "text" } },
    { name: "数", type: { kind: "number" } },
  ],
  rows: [
    ["o1", "A", "1.10"],
    ["o2", "B", "2"],
    ["o3", "A", ""],
    ["o4", "", "1.1"],
  ],
};
const CUSTOMERS: Relation = {
  columns: [
    { name: "得意先", type: { kind: "text" } },
    { name: "地域", type: { kind: "text" } },
    { name: "数", type: { kind: "number" } },
  ],
  rows: [
    ["A", "東", "1.1"],
    ["A", "西", "5"],
    ["C", "北", ""],
    ["", "空", "7"],
  ],
};

const joined = (sql: string) => select(sql, ORDERS, false, [CUSTOMERS]).rows;

describe("JOIN over equal columns (job-dialect §3 equality, §9)", () => {
  it("gives every pair of equal cells in the order of the left and then the right rows; '' equals ''", () => {
    expect(joined("SELECT o.番号, c.地域 FROM #o AS o JOIN #c AS c ON o.得意先 = c.得意先")).toEqual([
      ["o1", "東"],
      ["o1", "西"],
      ["o3", "東"],
      ["o3", "西"],
      ["o4", "空"],
    ]);
  });

  it("LEFT JOIN keeps rows without a partner, whose missing cells are empty texts", () => {
    expect(
      joined(
        "SELECT o.番号, c.地域, c.数 + 1 AS n FROM #o o LEFT JOIN #c c ON o.得意先 = c.得意先 WHERE c.地域 IS EMPTY",
      ),
    ).toEqual([["o2", "", "1"]]);
  });

  it("compares numbers as decimals: 1.10 joins 1.1", () => {
    expect(joined("SELECT o.番号, c.地域 FROM #o o JOIN #c c ON o.数 = c.数")).toEqual([
      ["o1", "東"],
      ["o3", "北"],
      ["o4", "東"],
    ]);
  });

  it("sums exactly where rows come so often that their sum leaves 64 bits", () => {
    const amounts: Relation = {
      columns: [
        { name: "k", type: { kind: "text" } },
        { name: "n", type: { kind: "number" } },
      ],
      rows: [
        ["x", "99999999999.9999"],
        ["x", "-0.0001"],
      ],
    };
    const partners: Relation = {
      columns: [{ name: "j", type: { kind: "text" } }],
      rows: Array.from({ length: 10_000 }, () => ["x"]),
    };
    const sql = "SELECT SUM(a.n), AVG(a.n) FROM #a a JOIN #b b ON b.j = a.k";
    expect(select(sql, amounts, false, [partners]).rows).toEqual([["999999999999998", "49999999999.9999"]]);
  });

  it("groups and orders by qualified names, and needs them where a name is in both sources", () => {
    expect(
      joined(
        "SELECT c.得意先, COUNT(*) AS n, SUM(o.数) AS s FROM #o o JOIN #c c ON o.得意先 = c.得意先 GROUP BY c.得意先 ORDER BY n DESC, c.得意先",
      ),
    ).toEqual([
      ["A", "4", "2.2"],
      ["", "1", "1.1"],
    ]);
  });

  it.each([
    ["SELECT 得意先 FROM #o o JOIN #c c ON o.得意先 = c.得意先", "ArgumentError", "ambiguous name: 得意先"],
    [
      "SELECT x.番号 FROM #o o JOIN #c c ON o.得意先 = c.得意先",
      "ArgumentError",
      "unknown field code(s): x.番号",
    ],
    ["SELECT 番号 FROM #o o JOIN #c c ON o.得意先 < c.得意先", "KSQL1202", "equal columns"],
    ["SELECT 番号 FROM #o o JOIN #c c ON o.得意先 = 'A'", "KSQL1202", "equal columns"],
    ["SELECT 番号 FROM #o o JOIN #c c ON o.得意先 = o.番号", "KSQL1202", "tie the joined source"],
  ])("%s is %s", (sql, code, words) => {
    expect(() => joined(sql)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
    );
  });
});

describe("what SQLite decides itself decides like ours (job-dialect §3)", () => {
  const plain = ["", "-5", "0", "0.5", "1.10", "7", "99999999999.9999", "1e3", "+3", "123456789012345678"];
  const table = (cells: readonly string[]): Relation => ({
    columns: [{ name: "n", type: { kind: "number" } }],
    rows: cells.map((cell) => [cell]),
  });
  // The first seven cells are plain, so that SQLite compares them; all of them together are not.
  const both = (sql: string) => {
    const native = select(sql, table(plain.slice(0, 7))).rows;
    const ours = select(sql, table(plain)).rows;
    return [native, ours.filter(([cell = ""]) => plain.slice(0, 7).includes(cell))];
  };

  it.each(
    ["=", "!=", "<", "<=", ">", ">="].flatMap((operator) =>
      ["''", "0", "0.50", "1.1", "-5", "1e1", "'x'", "99999999999.9999"].map(
        (right) => `n ${operator} ${right}`,
      ),
    ),
  )("WHERE %s", (where) => {
    const [native, ours] = both(`SELECT n FROM #t WHERE ${where}`);
    expect(native).toEqual(ours);
  });

  it("ORDER BY and SUM", () => {
    const [native, ours] = both("SELECT n FROM #t ORDER BY n DESC");
    expect(native).toEqual(ours);
    const sum = (cells: readonly string[]) => select("SELECT SUM(n), AVG(n) FROM #t", table(cells)).rows;
    expect(sum(["0.1", "0.2", "", "-0.0001", "99999999999.9999"])).toEqual([
      ["100000000000.2998", "25000000000.07495"],
    ]);
    expect(sum(["0.1", "0.2", "1e-5"])).toEqual([["0.30001", "0.10000333333333333"]]);
    expect(sum(["1", "abc"])).toEqual([["NaN", "NaN"]]);
  });

  it.each([
    ["number", ["0.5", "", "-5", "-5.0", "99999999999.9999", "7"], "1e-9"],
    ["number", ["-0.0001", "-99999999999.9999", "-1"], "-1e-9"],
    ["number", [""], "+0"],
    ["date", ["2026-04-01", "", "2025-12-31"], "2026/1/1"],
  ] as const)("MIN, MAX and AVG of %s %j", (kind, cells, odd) => {
    const of = (more: readonly string[]) => {
      const relation: Relation = {
        columns: [{ name: "n", type: { kind } }],
        rows: more.map((cell) => [cell]),
      };
      return select(
        "SELECT MIN(n), MAX(n), AVG(n) FROM #t WHERE n != '1e-9' AND n != '-1e-9' AND n != '+0' AND n != '2026/1/1'",
        relation,
      ).rows;
    };
    expect(of(cells)).toEqual(of([...cells, odd]));
  });

  it("sums a million of the largest plain numbers without overflow", () => {
    const cells = Array.from({ length: 20_000 }, () => "99999999999.9999");
    expect(select("SELECT SUM(n) FROM #t", table(cells)).rows).toEqual([["1999999999999998"]]);
  });

  it.each([
    ["contains", "a[b", "x a[b y", "x ab y"],
    ["%", "a%c", "abbc", "abbd"],
    ["_", "a_c", "a𠮷c", "abbc"],
    ["* and ? as themselves", "a*?%", "a*?b", "abcb"],
    ["[ as itself", "[a]%", "[a]b", "ab"],
    ["case", "ABC%", "ABCd", "abcd"],
    ["line breaks under %", "a%b", "a\nb", "a\nc"],
  ])("LIKE: %s", (_, pattern, hit, miss) => {
    const texts: Relation = { columns: [{ name: "t", type: { kind: "text" } }], rows: [[hit], [miss]] };
    expect(select(`SELECT t FROM #x WHERE t LIKE '${pattern}'`, texts).rows).toEqual([[hit]]);
  });
});
