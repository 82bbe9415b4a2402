import { describe, expect, it } from "vitest";
import { asText, evaluate, NoValue } from "../../../../main/local-kintone/formula/evaluate.ts";
import { FormulaError } from "../../../../main/local-kintone/formula/lexer.ts";
import { fieldsOf, parseFormula } from "../../../../main/local-kintone/formula/parser.ts";
import { parseDecimal } from "../../../../main/local-kintone/values/arithmetic.ts";

const FIELDS: Readonly<Record<string, string>> = { a: "2", b: "3.5", 単価: "100", t: "text", 列: "1" };
const COLUMN = ["1", "2", "3"];

function run(source: string): string {
  const read = (code: string): ReturnType<typeof parseDecimal> | string => {
    const value = FIELDS[code] ?? "";
    return /^[\d.-]+$/.test(value) ? parseDecimal(value) : value;
  };
  const readAll = (code: string): ReturnType<typeof parseDecimal>[] =>
    (code === "列" ? COLUMN : [FIELDS[code] ?? "0"]).map(parseDecimal);
  return asText(evaluate(parseFormula(source), { read, readAll }));
}

describe("formulas (kintone-rest §8.4 CALC)", () => {
  it.each([
    ["1 + 2 * 3", "7"],
    ["(1 + 2) * 3", "9"],
    ["10 - 4 - 3", "3"],
    ["2 ^ 3 ^ 2", "512"],
    ["-2 ^ 2", "-4"],
    ["2 * -3", "-6"],
    ["+a", "2"],
    ["単価 * a + b", "203.5"],
    ["a/4", "0.5"],
    ["SUM(列)", "6"],
    ["sum(列, a, 1 + 1)", "10"],
    ["IF(a > 1, 10, 20)", "10"],
    ['IF(AND(a = 2, b <> 2), "yes", "no")', "yes"],
    ["IF(OR(a > 9, NOT(b != 3.5)), 1, 0)", "1"],
    ["a >= 2", "1"],
    ["a <= 1", "0"],
    ['t & "-" & a * 2', "text-4"],
    ['t = "text"', "1"],
    ['"a\\"b"', 'a"b'],
    ["ROUND(2.5)", "3"],
    ["ROUND(1.234, 2)", "1.23"],
    ["ROUNDUP(1.21, 1)", "1.3"],
    ["ROUNDDOWN(1250, -2)", "1200"],
    ["empty + 1", "1"],
  ])("%s = %s", (source, expected) => {
    expect(run(source)).toBe(expected);
  });

  it.each(["1 / 0", "t + 1", "2 ^ 0.5", "ROUND(1, 0.5)"])("%s has no value", (source) => {
    expect(() => run(source)).toThrow(NoValue);
  });

  it.each([
    "",
    "1 +",
    "(1",
    "1)",
    "1 2",
    "a b",
    "YEN(1)",
    "IF(1, 2)",
    "SUM()",
    "1 % 2",
    "'x'",
    '"open',
    `${"(".repeat(100)}1${")".repeat(100)}`,
    `${"-".repeat(100)}1`,
  ])("%j is refused", (source) => {
    expect(() => parseFormula(source)).toThrow(FormulaError);
  });

  it("names the fields it reads and whether SUM reads them", () => {
    expect(fieldsOf(parseFormula("SUM(列) + IF(a > 1, -b, 2)"))).toEqual([
      { code: "列", inSum: true },
      { code: "a", inSum: false },
      { code: "b", inSum: false },
    ]);
  });
});
