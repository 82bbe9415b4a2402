import { describe, expect, it } from "vitest";
import { csvCell } from "../../../../../main/console/audit/csv.ts";

describe("a cell of an export (operator-ux §5.1)", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ["-2", "'-2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1+1", "'\t=1+1"],
    ["\r=1+1", '"\'\r=1+1"'],
    ["\n=1+1", '"\'\n=1+1"'],
    ["＝1+1", "'＝1+1"],
    ["－1", "'－1"],
    [" =1+1", "' =1+1"],
    ["\u200b=1+1", "'\u200b=1+1"],
    ["\ufeff=1+1", "'\ufeff=1+1"],
    ["netrun_1 = done", "netrun_1 = done"],
    ['say "no", then', '"say ""no"", then"'],
  ])("is never a formula, whoever wrote it: %j", (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });
});
