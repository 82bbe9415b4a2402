import { describe, expect, it } from "vitest";
import {
  type AttentionItem,
  attentionItem,
  byUrgency,
  nothingToDo,
} from "../../../../shared/domain/attention.ts";

describe("the order of the list (operator-ux §1.1)", () => {
  const item = (kind: Parameters<typeof attentionItem>[0], id: string, at: string | null): AttentionItem =>
    attentionItem(kind, { id, since: at === null ? null : { at, precision: "minute" }, facts: [] });

  it("is urgency, kind, the longest waiting, the id", () => {
    const items = [
      item("cancelled", "i", "2026-01-01T00:00:00Z"),
      item("lateUnfinished", "h", "2026-01-01T00:00:00Z"),
      item("held", "g", "2026-01-01T00:00:00Z"),
      item("contradictory", "f", null),
      item("failed", "e", "2026-09-02T00:00:00Z"),
      item("failed", "d", "2026-09-02T00:00:00Z"),
      item("failed", "x", "2026-09-01T00:00:00Z"),
      item("retryBrake", "c", null),
      item("interrupted", "b", null),
      item("staleLock", "a", null),
      item("unknown", "z", "2026-09-09T00:00:00Z"),
    ];
    const order = items.toSorted(byUrgency).map(({ id }) => id);
    expect(order).toEqual(["z", "a", "b", "c", "x", "d", "e", "f", "g", "h", "i"]);
  });
});

describe("nothing to do (orchestration: only when all sources were read successfully)", () => {
  const read = { readAt: "2026-09-05T05:00:00Z", failed: false, pending: 0 };
  it.each([
    ["no items and every source read", 0, [read, read], true],
    ["an item", 1, [read], false],
    ["a source never read", 0, [read, { ...read, readAt: null }], false],
    ["a source whose last reading failed", 0, [{ ...read, failed: true }], false],
    ["a source that is not through yet", 0, [{ ...read, pending: 1 }], false],
  ])("%s", (_, items, sources, expected) => {
    expect(nothingToDo(items, sources)).toBe(expected);
  });
});
