import { describe, expect, it } from "vitest";
import { asOfValues } from "../../../../main/job-runner/values/as-of.ts";
import type { ColumnType } from "../../../../main/job-runner/values/column-type.ts";
import { createComparison } from "../../../../main/job-runner/values/compare.ts";
import { compareOperands } from "../../../../main/job-runner/values/condition.ts";
import { addDecimals, formatDecimal, parseDecimal } from "../../../../main/job-runner/values/decimal.ts";
import { sortKey } from "../../../../main/job-runner/values/sort-key.ts";
import { arithmetic, likeMatches } from "../../../../main/job-runner/values/text.ts";
import { startOfDay } from "../../../../main/job-runner/values/zone.ts";

const comparison = createComparison("Asia/Tokyo");
const number: ColumnType = { kind: "number" };
const text: ColumnType = { kind: "text" };
const multi: ColumnType = { kind: "multi" };
const choice: ColumnType = { kind: "choice", options: ["高", "中", "低"] };

describe("comparison by type (job-dialect §3)", () => {
  it.each([
    ["1.10", "1.1", number, true],
    ["12345678901234567890.1", "12345678901234567890.2", number, false],
    ["1e2", "100", number, true],
    ["", "0", number, false],
    ["", "", number, true],
    ["1.10", "1.1", text, false],
    ["a", "A", text, false],
    ["2026-03-31T16:00:00Z", "2026-03-31T16:00:00.000Z", { kind: "datetime" }, true],
    ["2026-03-31T15:00:00Z", "2026-04-01", { kind: "datetime" }, true],
    ["2026-04-05", "2026/4/5", { kind: "date" }, true],
    ['["a"]', '["a"]', multi, true],
    ["[]", "", multi, true],
  ] as const)("%j = %j as %j is %j", (left, right, type, expected) => {
    expect(comparison.equal(left, right, type)).toBe(expected);
  });

  it.each([
    ["9", "10", number],
    ["", "-5", number],
    ["-2", "-1.5", number],
    ["100", "20", text],
    ["", "a", text],
    ["\uff5e", "𠮷", text],
    ["2026-03-31", "2026-04-01", { kind: "date" }],
    ["2026-03-31T14:59:00Z", "2026-04-01", { kind: "datetime" }],
    ["高", "低", choice],
    ["低", "その他", choice],
  ] as const)("%j < %j as %j", (left, right, type) => {
    expect(comparison.order(left, right, type)).toBeLessThan(0);
    expect(comparison.order(right, left, type)).toBeGreaterThan(0);
  });

  it.each([
    ['["a","b"]', ["b", "c"], multi, true],
    ['["a"]', ["b"], multi, false],
    ["[]", [""], multi, true],
    ["a", ["a"], text, true],
    ["1.0", ["1"], number, true],
  ] as const)("%j IN %j as %j is %j", (cell, items, type, expected) => {
    expect(comparison.isIn(cell, items, type)).toBe(expected);
  });
});

describe("LIKE (job-dialect §3)", () => {
  it.each([
    ["abc", "b", true],
    ["abc", "B", false],
    ["abc", "b%", false],
    ["abc", "a%", true],
    ["abc", "_b_", true],
    ["a.c", "a.c", true],
    ["abc", "a.%", false],
    ["a\nb", "a%b", true],
    ["𠮷x", "_x", true],
    ["", "%", true],
  ])("%j LIKE %j is %j", (cell, pattern, expected) => {
    expect(likeMatches(cell, pattern)).toBe(expected);
  });
});

describe("ASSERT and EXIT operands (job-dialect §3)", () => {
  it.each([
    ["1500", "=", "1500.0", true],
    ["a", "=", "a", true],
    ["", "=", "0", false],
    ["", "<", "-100", true],
    ["", ">=", "0", false],
    ["9", "<", "10", true],
    ["9a", "<", "10", false],
    ["1", "!=", "1.0", false],
  ] as const)("%j %s %j is %j", (left, operator, right, expected) => {
    expect(compareOperands(operator, left, right)).toBe(expected);
  });
});

describe("numbers (job-dialect §3, §13)", () => {
  it.each([
    ["+", "0.1", "0.2", "0.30000000000000004"],
    ["/", "1", "2", "0.5"],
    ["/", "1", "0", "NaN"],
    ["+", "", "5", "5"],
    ["*", "2", "3", "6"],
  ])("%s of %j and %j is %s", (operator, left, right, expected) => {
    expect(arithmetic(operator, left, right)).toBe(expected);
  });

  it.each([
    ["0.1", "0.2", "0.3"],
    ["99999999999999999999", "1", "100000000000000000000"],
    ["-0.5", "0.5", "0"],
    ["1.50", "0", "1.5"],
    ["-0.25", "0", "-0.25"],
  ])("%s + %s is exactly %s", (left, right, expected) => {
    const [a, b] = [parseDecimal(left), parseDecimal(right)];
    expect(a !== null && b !== null && formatDecimal(addDecimals(a, b))).toBe(expected);
  });

  it("takes no other text for a number", () => {
    expect(["", " 1", "1,000", "0x10", "NaN", ".5", "1e99999"].map(parseDecimal)).toEqual(
      Array.from({ length: 7 }, () => null),
    );
  });

  it("sorts keys as it compares numbers", () => {
    const ascending = ["", "-100", "-12.5", "-12", "-0.5", "0", "0.05", "0.5", "9", "10", "10.5", "1000"];
    const keys = ascending.map((cell) => sortKey(cell, number));
    expect([...keys].sort()).toEqual(keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("as-of functions (job-dialect §4)", () => {
  it.each([
    ["2026-03-31T16:00:00Z", "Asia/Tokyo", "2026-04-01", "2026-04-01", "2026-05-01"],
    ["2026-03-31T16:00:00Z", "UTC", "2026-03-31", "2026-03-01", "2026-04-01"],
    ["2026-01-01T02:00:00Z", "America/New_York", "2025-12-31", "2025-12-01", "2026-01-01"],
    ["2026-12-31T23:59:59.999Z", "UTC", "2026-12-31", "2026-12-01", "2027-01-01"],
  ])("at %s in %s today is %s", (instant, zone, today, monthStart, nextMonthStart) => {
    expect(asOfValues(Date.parse(instant), zone)).toEqual({
      NOW: new Date(instant).toISOString(),
      TODAY: today,
      MONTH_START: monthStart,
      NEXT_MONTH_START: nextMonthStart,
    });
  });

  it.each([
    ["2026-04-01", "Asia/Tokyo", "2026-03-31T15:00:00.000Z"],
    ["2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z"],
    ["2026-03-09", "America/New_York", "2026-03-09T04:00:00.000Z"],
    ["2026-11-02", "America/New_York", "2026-11-02T05:00:00.000Z"],
    ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
  ])("%s begins in %s at %s (Q4)", (day, zone, expected) => {
    expect(startOfDay(day, zone)).toBe(expected);
  });
});
