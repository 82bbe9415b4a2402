import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parseScript } from "../../../../main/job-runner/dialect/parse-script.ts";
import { evaluateBranch } from "../../../../main/job-runner/evaluation/evaluate.ts";
import { createWorkspace } from "../../../../main/job-runner/evaluation/workspace.ts";
import { normalForm } from "../../../../main/job-runner/sources/normal-form.ts";
import {
  compareCodePoints,
  compareNumberCells,
  createComparison,
} from "../../../../main/job-runner/values/compare.ts";
import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  parseDecimal,
} from "../../../../main/job-runner/values/decimal.ts";
import { sortKey } from "../../../../main/job-runner/values/sort-key.ts";
import { ENVIRONMENT, HEADER, type Relation, relationOf, stored, ZONE } from "./helpers.ts";

const decimalText = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, scale]) => formatDecimal({ digits, scale }));
const numberCell = fc.oneof(fc.constant(""), decimalText);
const number = { kind: "number" } as const;

describe("numbers, whatever their digits (job-dialect §3)", () => {
  it("the sort key orders cells as the comparison does", () => {
    fc.assert(
      fc.property(numberCell, numberCell, (left, right) => {
        const keys = Math.sign(compareCodePoints(sortKey(left, number), sortKey(right, number)));
        expect(keys).toBe(Math.sign(compareNumberCells(left, right)));
      }),
    );
  });

  it("text and decimal are two forms of one value, and sums do not depend on their order", () => {
    fc.assert(
      fc.property(fc.array(decimalText, { minLength: 1, maxLength: 20 }), (texts) => {
        const sum = (list: readonly string[]) =>
          list.reduce((total, text) => addDecimals(total, parseDecimal(text) ?? total), {
            digits: 0n,
            scale: 0,
          });
        expect(texts.map((text) => formatDecimal(parseDecimal(text) ?? { digits: -1n, scale: 9 }))).toEqual(
          texts,
        );
        expect(compareDecimals(sum(texts), sum([...texts].reverse()))).toBe(0);
      }),
    );
  });
});

const leaf = fc.constantFrom(
  "n = 5",
  "n != 5",
  "n < 7",
  "n >= 5",
  "t = 'a'",
  "t LIKE 'b'",
  "t IN ('a', '')",
  "n BETWEEN 2 AND 6",
  "t IS EMPTY",
  "t NOT IN ('ab')",
);
const condition = fc.letrec<{ readonly node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc
      .tuple(tie("node"), fc.constantFrom("AND", "OR"), tie("node"))
      .map(([a, word, b]) => `(${a} ${word} ${b})`),
    tie("node").map((inner) => `NOT (${inner})`),
  ),
})).node;

const TABLE: Relation = {
  columns: [
    { name: "n", type: { kind: "number" } },
    { name: "t", type: { kind: "text" } },
  ],
  rows: ["", "2", "5", "5.0", "7"].flatMap((n) => ["", "a", "ab", "b"].map((t) => [n, t])),
};

describe("conditions, however nested", () => {
  const workspace = createWorkspace(createComparison(ZONE));
  const sources = [{ table: stored(workspace, TABLE), name: "x", exact: false, join: null }];
  afterAll(() => workspace.dispose());

  it("find the same rows with every NOT moved into the leaves (job-dialect §3: two-valued logic)", () => {
    fc.assert(
      fc.property(condition, (text) => {
        const body = parseScript(`${HEADER}SELECT n, t FROM #x WHERE ${text}`).statements[0]?.body;
        const branch = body?.kind === "select" ? body.query.branches[0] : undefined;
        if (branch?.where == null) throw new Error(text);
        const rows = (where: typeof branch.where) =>
          relationOf(workspace, evaluateBranch(branch, sources, where, ENVIRONMENT, workspace)).rows;
        expect(rows(normalForm(branch.where))).toEqual(rows(branch.where));
      }),
      { numRuns: 60 },
    );
  });

  it("the parser gives findings for any text and never fails on one", () => {
    const words = fc.constantFrom(
      ..."SELECT FROM WHERE ( ) , ; = 'a' 1 * + AND OR NOT IN LIKE LAPP_a #t @x @NOW() GROUP BY ORDER UNION ALL CREATE TEMP TABLE AS ASSERT EXIT SUCCESS IF SET [ \" ` /* --".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 25 }), (parts) => {
        const script = parseScript(HEADER + parts.join(" "));
        const lines = script.diagnostics.map(({ line, column }) => Math.min(line, column));
        expect(lines.every((place) => place >= 1)).toBe(true);
      }),
    );
  });
});
