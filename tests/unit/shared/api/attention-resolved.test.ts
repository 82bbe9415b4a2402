import { describe, expect, it } from "vitest";
import { type AttentionPicture, resolvedIn } from "../../../../shared/api/index.ts";
import { attentionItem } from "../../../../shared/domain/attention.ts";

describe("which items are over (operator-ux §1.1: a row leaves only when resolved)", () => {
  const source = {
    source: "state" as const,
    readAt: "2026-09-05T05:03:20Z",
    problem: null,
    pending: 0,
    absent: false,
  };
  const base: AttentionPicture = { items: [], total: 0, sources: [source], calm: true, judgedAt: "" };
  it("is each that a list read to its end does not hold", () => {
    const open = attentionItem("failed", { id: "open", since: null, facts: [] });
    const over = resolvedIn({ ...base, items: [open], total: 1 });
    expect(["open", "gone"].map((id) => over?.(id))).toEqual([false, true]);
  });
  it.each<[string, Partial<AttentionPicture>, boolean]>([
    ["a list read to its end", {}, true],
    ["a source that was never read", { sources: [{ ...source, readAt: null }] }, false],
    ["a source that failed", { sources: [{ ...source, problem: { code: "X", message: "x" } }] }, false],
    ["a source that is half read", { sources: [{ ...source, pending: 3 }] }, false],
    ["a source that does not exist", { sources: [{ ...source, readAt: null, absent: true }] }, true],
    ["a list that was cut", { total: 1 }, false],
  ])("%s", (_name, change, expected) => {
    expect(resolvedIn({ ...base, ...change }) !== null).toBe(expected);
  });
});
