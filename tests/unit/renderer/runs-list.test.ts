import { describe, expect, it } from "vitest";
import { appendPage, applyDiffs, letIn, listOf } from "../../../renderer/state/runs-list.ts";
import { row } from "./support.ts";

const first = row({ runId: "a", recordId: "1" });
const second = row({ runId: "b", recordId: "2" });
const list = listOf([first, second]);

describe("the Run list under news (operator-ux U4–U6)", () => {
  it("stands newest first by record id", () => {
    expect(list.order).toEqual(["b", "a"]);
  });

  it("changes a known row in place", () => {
    const next = applyDiffs(list, [{ id: "a", revision: 2, fields: { status: "SUCCESS" } }], {});
    expect(next.order).toEqual(["b", "a"]);
    expect(next.rows.a).toMatchObject({ status: "SUCCESS", revision: 2 });
    expect(next.rows.b).toBe(list.rows.b);
  });

  it("drops history", () => {
    const newer = applyDiffs(list, [{ id: "a", revision: 5, fields: { status: "FAILED" } }], {});
    const late = applyDiffs(newer, [{ id: "a", revision: 4, fields: { status: "RUNNING" } }], {});
    expect(late).toBe(newer);
  });

  it("keeps a row that no longer passes the filter: it must not vanish under the pointer", () => {
    const next = applyDiffs(list, [{ id: "a", revision: 2, fields: { status: "SUCCESS" } }], {
      status: "RUNNING",
    });
    expect(next.order).toContain("a");
  });

  it("lets new Runs wait at the door, then in, newest first", () => {
    const fresh = row({ runId: "c", recordId: "3" });
    const waiting = applyDiffs(list, [{ id: "c", revision: 1, fields: fresh }], {});
    expect(waiting.order).toEqual(["b", "a"]);
    expect(waiting.waiting).toEqual(["c"]);
    const open = letIn(waiting);
    expect(open.order).toEqual(["c", "b", "a"]);
    expect(open.waiting).toEqual([]);
  });

  it("lets the first Runs of an empty list in at once", () => {
    const next = applyDiffs(listOf([]), [{ id: "a", revision: 1, fields: first }], {});
    expect(next).toMatchObject({ order: ["a"], waiting: [] });
  });

  it("ignores new Runs the filter keeps out, and diffs of Runs it knows nothing of", () => {
    const foreign = row({ runId: "c", networkId: "other", recordId: "3" });
    const diffs = [
      { id: "c", revision: 1, fields: foreign },
      { id: "d", revision: 7, fields: { status: "FAILED" as const } },
    ];
    expect(applyDiffs(list, diffs, { networkId: "monthly_summary" })).toBe(list);
  });

  it("appends a page without doubling what it has", () => {
    const older = row({ runId: "z", recordId: "0" });
    expect(appendPage(list, [first, older]).order).toEqual(["b", "a", "z"]);
  });
});
