import { describe, expect, it } from "vitest";
import { foldForSearch, type RunQuery, runFilter, runOrder, runQuery } from "../../../../shared/api/index.ts";
import { row } from "../../../support/run-rows.ts";

describe("finding Runs (operator-ux §5.1, search)", () => {
  it.each([
    ["ＡＢＣ１２", "abc12"],
    ["ｶﾞｲｼｬ", "がいしゃ"],
    ["カタカナ", "かたかな"],
    ["売上Ⅳ", "売上iv"],
    ["plain", "plain"],
  ])("%s reads as %s", (text, folded) => {
    expect(foldForSearch(text)).toBe(folded);
  });

  const run = row({
    businessKey: "売上トリコミ@2026-09",
    runId: "netrun_9AB",
    createdAt: "2026-09-05T05:00:00Z",
  });
  it.each<[RunQuery, boolean]>([
    [{}, true],
    [{ text: "とりこみ ２０２６" }, true],
    [{ text: "NETRUN_9ab" }, true],
    [{ text: "monthly" }, true],
    [{ text: "とりこみ 2027" }, false],
    [{ text: "   " }, true],
    [{ networkId: "other" }, false],
    [{ status: "RUNNING" }, true],
    [{ status: "FAILED" }, false],
    [{ activity: "LIVE" }, false],
    [{ createdFrom: "2026-09-05T05:00:00Z" }, true],
    [{ createdBefore: "2026-09-05T05:00:00Z" }, false],
    [{ createdFrom: "2026-09-05T05:01:00Z" }, false],
  ])("%j lets it through: %s", (query, passes) => {
    expect(runFilter(query)(run)).toBe(passes);
  });

  it("refuses an order by a time: times are kept to the minute (wire-format §5)", () => {
    expect(runQuery.safeParse({ sort: "updatedAt" }).success).toBe(false);
  });
});

describe("the order of Runs (wire-format §5)", () => {
  const rows = [
    row({ recordId: "9", businessKey: "b", status: "SUCCESS", createdAt: "2026-09-09T00:00:00Z" }),
    row({ recordId: "10", businessKey: "a", status: "UNKNOWN", createdAt: "2026-09-01T00:00:00Z" }),
    row({ recordId: "100", businessKey: "b", status: "FAILED", createdAt: "2026-09-05T00:00:00Z" }),
  ];
  it.each([
    ["newest", ["100", "10", "9"]],
    ["oldest", ["9", "10", "100"]],
    ["businessKey", ["10", "100", "9"]],
    ["status", ["10", "100", "9"]],
    ["networkId", ["100", "10", "9"]],
  ] as const)("%s goes by record id where all else is equal, never by a time", (sort, expected) => {
    expect([...rows].sort(runOrder(sort)).map((each) => each.recordId)).toEqual(expected);
  });
});
