import { describe, expect, it } from "vitest";
import { MAX_COLUMNS, MAX_OPERATORS, MAX_TERMS } from "../../../../main/job-runner/dialect/limits.ts";
import { parseScript } from "../../../../main/job-runner/dialect/parse-script.ts";
import { checkReferences } from "../../../../main/job-runner/plan/check-references.ts";
import { findings, firstMessage, HEADER, type Relation, select } from "./helpers.ts";

const ONE: Relation = { columns: [{ name: "a", type: { kind: "number" } }], rows: [["1"]] };
const repeat = (count: number, text: (index: number) => string, between: string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);
const codes = (sql: string): readonly string[] => [
  ...new Set(findings(HEADER + sql).map((finding) => finding.split(" ")[0] ?? "")),
];

const columns = (count: number): string =>
  `SELECT ${repeat(count, (index) => `a AS c${index}`, ", ")} FROM t`;
const names = (count: number): string => repeat(count, () => "a", ", ");

describe("the size of a statement (job-dialect §10)", () => {
  it.each([
    ["AND", `SELECT a FROM t WHERE 1=1 ${"AND a != 5 ".repeat(50_000)}`, /AND and OR/],
    ["OR", `SELECT a FROM t WHERE 1=1 ${"OR a = 5 ".repeat(MAX_TERMS + 1)}`, /AND and OR/],
    ["NOT", `SELECT a FROM t WHERE ${"NOT ".repeat(50_000)} a = 1`, /operators/],
    ["+", `SELECT ${repeat(50_000, () => "a", " + ")} AS s FROM t`, /operators/],
    ["||", `SELECT ${repeat(MAX_OPERATORS + 2, () => "a", " || ")} AS s FROM t`, /operators/],
    ["signs", `SELECT ${"- ".repeat(50_000)} 1 AS s`, /operators/],
    [
      "operators over nested parentheses",
      `SELECT ${"(a + a + a + ".repeat(80)}a${")".repeat(80)} AS s FROM t`,
      /operators/,
    ],
    [
      "operators behind nested parentheses",
      `SELECT ${"(".repeat(80)}a${" + a + a + a)".repeat(80)} AS s FROM t`,
      /operators/,
    ],
    ["columns", columns(5_000), /columns/],
    ["names of GROUP BY", `SELECT a FROM t GROUP BY ${names(MAX_COLUMNS + 1)}`, /columns/],
    ["names of ORDER BY", `SELECT a FROM t ORDER BY ${names(MAX_COLUMNS + 1)}`, /columns/],
  ])("too many %s are a finding of the inspection, KSQL1202", (_what, sql, message) => {
    expect(codes(sql)).toEqual(["KSQL1202"]);
    expect(firstMessage(HEADER + sql)).toMatch(message);
  });

  it("goes on behind the statement that is too large", () => {
    const { statements } = parseScript(`${HEADER}${columns(5_000)};\nSELECT 1 AS one`);
    expect(statements).toHaveLength(1);
  });

  it.each([
    ["terms", `SELECT a FROM t WHERE 1=1 ${"AND a != 5 ".repeat(MAX_TERMS)}`, 1],
    ["columns", columns(MAX_COLUMNS), MAX_COLUMNS],
    ["sums", `SELECT ${repeat(MAX_OPERATORS + 1, () => "a", " + ")} AS s FROM t`, 1],
    ["joined texts", `SELECT ${repeat(MAX_OPERATORS + 1, () => "a", " || ")} AS s FROM t`, 1],
    ["NOTs", `SELECT a FROM t WHERE ${"NOT ".repeat(MAX_OPERATORS)} a = 1`, 1],
    [
      "operators in each of many columns",
      `SELECT ${repeat(300, (index) => `a + a * a AS c${index}`, ", ")} FROM t`,
      300,
    ],
    [
      "operators in each of many terms",
      `SELECT a FROM t WHERE ${repeat(500, () => "a + 1 = 2", " AND ")}`,
      1,
    ],
  ])("as many %s as are allowed can be checked and evaluated", (_what, sql, width) => {
    const script = parseScript(HEADER + sql);
    expect(script.diagnostics).toEqual([]);
    expect(() => checkReferences(script, [])).not.toThrow();
    const { rows } = select(sql, ONE);
    expect(rows[0]).toHaveLength(width);
  });
});
