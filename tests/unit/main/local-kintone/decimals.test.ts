import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  add,
  compare,
  decimalText,
  divide,
  multiply,
  parseDecimal,
  power,
  type Rounding,
  round,
} from "../../../../main/local-kintone/values/arithmetic.ts";
import {
  compareDecimals,
  decimalKey,
  integerDigits,
  normalizeDecimal,
} from "../../../../main/local-kintone/values/decimal.ts";

describe("decimal texts (kintone-rest §8.4 NUMBER)", () => {
  it.each([
    ["1.5e1", "15"],
    ["15e-1", "1.5"],
    ["-1.2E+3", "-1200"],
    [" 12 ", "12"],
    ["+7", "7"],
    ["007.50", "7.50"],
    [".5", "0.5"],
    ["5.", "5"],
    ["-0", "0"],
    ["-0.00", "0.00"],
    ["12345678901234567890", "12345678901234567890"],
    ["1,000", null],
    ["12abc", null],
    ["", null],
    [".", null],
    ["1e", null],
    ["--1", null],
    ["１２", null],
  ])("%j is %j", (input, expected) => {
    expect(normalizeDecimal(input)).toBe(expected);
  });

  it.each([
    ["0.99", 0],
    ["9", 1],
    ["-123456789012.5", 12],
  ])("%s has %i digits before the point", (text, digits) => {
    expect(integerDigits(text)).toBe(digits);
  });

  it("has keys that order like the numbers and are equal for equal ones", () => {
    const number = fc.tuple(fc.bigInt(-(10n ** 15n), 10n ** 15n), fc.integer({ min: 0, max: 6 }));
    const text = number.map(([digits, scale]) => decimalText({ digits, scale }));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const exact = compare(parseDecimal(left), parseDecimal(right));
        expect(compareDecimals(left, right)).toBe(exact);
        expect(decimalKey(left) === decimalKey(right)).toBe(exact === 0);
      }),
      { numRuns: 2000, seed: 8 },
    );
  });
});

describe("exact arithmetic (kintone-rest §8.4 CALC)", () => {
  const d = parseDecimal;
  it.each([
    ["0.1 + 0.2", add(d("0.1"), d("0.2")), "0.3"],
    ["1.50 - 1.5", add(d("1.50"), d("-1.5")), "0"],
    ["0.1 * 0.1", multiply(d("0.1"), d("0.1")), "0.01"],
    ["1 / 4", divide(d("1"), d("4")), "0.25"],
    ["-7 / 2", divide(d("-7"), d("2")), "-3.5"],
    ["2 ^ 70", power(d("2"), d("70")), "1180591620717411303424"],
    ["2 ^ -2", power(d("2"), d("-2")), "0.25"],
    ["1.1 ^ 2", power(d("1.1"), d("2")), "1.21"],
  ])("%s", (_, result, expected) => {
    expect(result === null ? null : decimalText(result)).toBe(expected);
  });

  it.each([
    ["1 / 0", divide(d("1"), d("0"))],
    ["2 ^ 0.5", power(d("2"), d("0.5"))],
    ["2 ^ 101", power(d("2"), d("101"))],
    ["0 ^ -1", power(d("0"), d("-1"))],
  ])("%s has no result", (_, result) => {
    expect(result).toBeNull();
  });

  const CASES: readonly (readonly [string, number, Rounding, string])[] = [
    ["0.5", 0, "HALF_EVEN", "0"],
    ["1.5", 0, "HALF_EVEN", "2"],
    ["2.5", 0, "HALF_EVEN", "2"],
    ["2.51", 0, "HALF_EVEN", "3"],
    ["-2.5", 0, "HALF_EVEN", "-2"],
    ["2.5", 0, "HALF_UP", "3"],
    ["-2.5", 0, "HALF_UP", "-3"],
    ["2.01", 0, "UP", "3"],
    ["-2.01", 0, "UP", "-3"],
    ["2.99", 0, "DOWN", "2"],
    ["-2.99", 0, "DOWN", "-2"],
    ["1.23456", 4, "HALF_EVEN", "1.2346"],
    ["1250", -2, "HALF_EVEN", "1200"],
    ["1.2", 4, "UP", "1.2"],
  ];
  it.each(CASES)("%s to %i places, %s: %s", (value, places, mode, expected) => {
    expect(decimalText(round(d(value), places, mode))).toBe(expected);
  });
});
