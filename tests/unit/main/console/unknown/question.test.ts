import { describe, expect, it } from "vitest";
import { changedSince, checkedCondition, pageQuery } from "../../../../../main/console/unknown/question.ts";

describe("a condition an operator types (screens, 業務データ)", () => {
  it.each([
    ['  案件番号 = "A-1" ', '案件番号 = "A-1"'],
    ['状態 in ("受注") and (金額 > 10 or 金額 < 5)', '状態 in ("受注") and (金額 > 10 or 金額 < 5)'],
    ['メモ like "order by limit )"', 'メモ like "order by limit )"'],
    ['メモ = "a \\" limit 1"', 'メモ = "a \\" limit 1"'],
    ["limit_amount > 1", "limit_amount > 1"],
  ])("passes %s", (typed, expected) => {
    expect(checkedCondition(typed)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ["   ", "CONDITION_EMPTY"],
    ['状態 = "x" order by 金額', "CONDITION_CLAUSE"],
    ["金額 > 1 LIMIT 500", "CONDITION_CLAUSE"],
    ["(金額 > 1)limit 1", "CONDITION_CLAUSE"],
    ["金額 > 1 offset\t10", "CONDITION_CLAUSE"],
    ["金額 > 1) or (金額 < 2", "CONDITION_UNBALANCED"],
    ["(金額 > 1", "CONDITION_UNBALANCED"],
    ['状態 = "x', "CONDITION_UNBALANCED"],
  ])("refuses %s by %s", (typed, code) => {
    expect(checkedCondition(typed)).toMatchObject({ ok: false, error: { code } });
  });

  it("asks for the whole minute of the start, newest change first and bounded", () => {
    const wish = changedSince("更新日時", "2026-09-02T05:01:42.5Z");
    expect(pageQuery(wish, "更新日時")).toBe(
      '更新日時 >= "2026-09-02T05:01:00.000Z" order by 更新日時 desc, $id desc limit 50',
    );
    expect(pageQuery("$id > 0", null)).toBe("$id > 0 order by $id desc limit 50");
  });
});
