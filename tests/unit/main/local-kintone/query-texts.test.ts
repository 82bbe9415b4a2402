import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QuerySyntaxError, tokenize } from "../../../../main/local-kintone/query/lexer.ts";
import { matchesLike, words } from "../../../../main/local-kintone/query/like.ts";
import { parseQuery } from "../../../../main/local-kintone/query/parser.ts";
import {
  normalizeDate,
  normalizeDateTime,
  normalizeTime,
} from "../../../../main/local-kintone/values/moment.ts";

describe("tokens (kintone-rest §13.1)", () => {
  it.each([
    ["a = 1", ["word a", "sign =", "number 1"]],
    ["a!=-1.5", ["word a", "sign !=", "number -1.5"]],
    ["a>=1", ["word a", "sign >=", "number 1"]],
    ['受注_No in ("x","y")', ["word 受注_No", "word in", "sign (", "text x", "sign ,", "text y", "sign )"]],
    ["$id\u3000>\t1", ["word $id", "sign >", "number 1"]],
    ["ref.field = 1", ["word ref.field", "sign =", "number 1"]],
    ['"\\"\\\\\\t\\n\\r"', ['text "\\\t\n\r']],
    ["ＡＢ１", ["word ＡＢ１"]],
  ])("%s", (source, expected) => {
    expect(tokenize(source).map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
  });

  it.each(["'a'", '"a', '"a\nb"', '"a\u0001"', '"\\x"', "`a`", "a ~ b", "a; b", "\u00a0"])(
    "%j is none",
    (source) => {
      expect(() => tokenize(source)).toThrow(QuerySyntaxError);
    },
  );

  it("reads back every text it is given in escapes", () => {
    const escaped = (text: string): string =>
      text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t");
    const text = fc.string({ unit: "grapheme" }).filter((value) => ![...value].some((char) => char < " "));
    fc.assert(
      fc.property(text, (value) => {
        expect(tokenize(`"${escaped(value)}"`)).toEqual([{ kind: "text", value }]);
      }),
      { numRuns: 500, seed: 13 },
    );
  });
});

describe("queries (kintone-rest §13.1)", () => {
  it("binds and tighter than or, and keeps brackets", () => {
    const shape = (condition: unknown): unknown =>
      JSON.parse(JSON.stringify(condition, ["kind", "parts", "field"]));
    const leaf = (field: string): object => ({ kind: "compare", field });
    expect(shape(parseQuery("a = 1 or b = 2 and c = 3").condition)).toEqual({
      kind: "or",
      parts: [leaf("a"), { kind: "and", parts: [leaf("b"), leaf("c")] }],
    });
    expect(shape(parseQuery("(a = 1 or b = 2) and c = 3").condition)).toEqual({
      kind: "and",
      parts: [{ kind: "or", parts: [leaf("a"), leaf("b")] }, leaf("c")],
    });
  });

  it("reads sections, functions and lists", () => {
    expect(parseQuery("a in (NOW(), FROM_TODAY(-1, days)) order by b desc, c limit 5 offset 2")).toEqual({
      condition: {
        kind: "compare",
        field: "a",
        operator: "in",
        operands: [
          { kind: "function", name: "NOW", args: [] },
          { kind: "function", name: "FROM_TODAY", args: ["-1", "days"] },
        ],
      },
      sorts: [
        { field: "b", descending: true },
        { field: "c", descending: false },
      ],
      limit: 5,
      offset: 2,
    });
  });

  it("never fails with anything but a syntax error", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."a1 \"=<>(),.$\\'\u3000あ".split("")) }), (source) => {
        try {
          parseQuery(source);
        } catch (error) {
          expect(error).toBeInstanceOf(QuerySyntaxError);
        }
      }),
      { numRuns: 2000, seed: 14 },
    );
  });
});

describe("words (kintone-rest §13.5)", () => {
  it.each([
    ["test-0001", ["test", "0001"]],
    ["ALPHA_BETA C# C++", ["alpha_beta", "c#", "c++"]],
    ["受注データ2026", ["受注データ", "2026"]],
    ["ﾃﾞｰﾀ，ＡＢＣ", ["データ", "abc"]],
    ["（左）・「右」", ["左", "右"]],
    ["-- ()", []],
  ])("%s", (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it.each([
    ["受注 2026", "受注データ 2026", false],
    ["データ 2026", "受注データ 2026", true],
    ["2026 受注", "2026 受注データ", true],
    ["", "anything", false],
  ])("%j in %j: %s", (pattern, text, expected) => {
    expect(matchesLike(text, pattern)).toBe(expected);
  });
});

describe("moments (kintone-rest §8.4)", () => {
  it.each([
    [normalizeDateTime, "2026-09-01T12:59:59Z", "2026-09-01T12:59:00Z"],
    [normalizeDateTime, "2026-09-01T12:59:59.999Z", "2026-09-01T12:59:00Z"],
    [normalizeDateTime, "2026-09-01T00:00:00+09:00", "2026-08-31T15:00:00Z"],
    [normalizeDateTime, "2026-09-01T00:00:00-0330", "2026-09-01T03:30:00Z"],
    [normalizeDateTime, "2026-09-01T12:59Z", "2026-09-01T12:59:00Z"],
    [normalizeDateTime, "2026-09-01", "2026-09-01T00:00:00Z"],
    [normalizeDateTime, "2024-02-29T23:59:59Z", "2024-02-29T23:59:00Z"],
    [normalizeDateTime, "2026-02-29T00:00:00Z", null],
    [normalizeDateTime, "2026-09-01T24:00:00Z", null],
    [normalizeDateTime, "2026-09-01T00:60:00Z", null],
    [normalizeDateTime, "2026-09-01T00:00:00+15:00", null],
    [normalizeDateTime, "2026-09-01T00:00:00", null],
    [normalizeDateTime, "today", null],
    [normalizeDate, "2015", "2015-01-01"],
    [normalizeDate, "2015-7", "2015-07-01"],
    [normalizeDate, "2015-07-31", "2015-07-31"],
    [normalizeDate, "2015-13", null],
    [normalizeDate, "2015-02-30", null],
    [normalizeTime, "9:05", "09:05"],
    [normalizeTime, "09:05:59", "09:05"],
    [normalizeTime, "24:00", null],
    [normalizeTime, "9", null],
  ])("%o %s -> %s", (normalize, input, expected) => {
    expect(normalize(input)).toBe(expected);
  });
});
