import { describe, expect, it } from "vitest";
import {
  applyDiffs,
  compared,
  emptyList,
  ordered,
  pending,
  rowAt,
  withRows,
  withRowsAgain,
} from "../../../renderer/state/runs-list.ts";
import type { RunQuery } from "../../../shared/api/index.ts";
import { row } from "../../support/run-rows.ts";

const first = row({ runId: "a", recordId: "1" });
const second = row({ runId: "b", recordId: "2" });
const list = withRows(ordered(emptyList, ["2", "1"]), [first, second]);

describe("the Run list under news (operator-ux U4–U6)", () => {
  it("knows the row of a place once it was fetched", () => {
    expect(rowAt(list, "1")).toEqual(first);
    expect(rowAt(ordered(emptyList, ["1"]), "1")).toBeUndefined();
  });

  it("changes a known row in place", () => {
    const next = applyDiffs(list, [{ id: "a", revision: 2, fields: { status: "SUCCESS" } }], {});
    expect(next.order).toBe(list.order);
    expect(next.rows.a).toMatchObject({ status: "SUCCESS", revision: 2 });
    expect(next.rows.b).toBe(list.rows.b);
    expect(pending(next)).toBe(0);
  });

  it("drops history, from the stream and from a late answer", () => {
    const newer = applyDiffs(list, [{ id: "a", revision: 5, fields: { status: "FAILED" } }], {});
    expect(applyDiffs(newer, [{ id: "a", revision: 4, fields: { status: "RUNNING" } }], {})).toBe(newer);
    expect(withRows(newer, [first]).rows.a).toMatchObject({ status: "FAILED" });
  });

  it("believes rows read again, also older ones: the database was put back from its backup (operator-ux U7)", () => {
    const newer = applyDiffs(list, [{ id: "a", revision: 5, fields: { status: "FAILED" } }], {});
    const other = row({ runId: "c", recordId: "2" });
    const again = withRowsAgain(newer, [first, other]);
    expect(again.rows).toEqual({ a: first, c: other });
    expect(rowAt(again, "2")).toEqual(other);
    expect(
      applyDiffs(again, [{ id: "a", revision: 2, fields: { status: "SUCCESS" } }], {}).rows.a,
    ).toMatchObject({
      status: "SUCCESS",
    });
  });

  it.each<[string, RunQuery, number]>([
    ["the filter asks for another status", { status: "RUNNING" }, 1],
    ["the order is by status", { sort: "status" }, 1],
    ["neither looks at the status", { networkId: "monthly_summary" }, 0],
  ])("a row stays where it is; its move is offered when %s", (_, query, count) => {
    const next = applyDiffs(list, [{ id: "a", revision: 2, fields: { status: "SUCCESS" } }], query);
    expect(next.order).toEqual(["2", "1"]);
    expect(pending(next)).toBe(count);
  });

  it("lets new Runs wait at the door until the operator lets them in", () => {
    const fresh = row({ runId: "c", recordId: "3" });
    const waiting = applyDiffs(list, [{ id: "c", revision: 1, fields: fresh }], {});
    expect(waiting.order).toEqual(["2", "1"]);
    expect(waiting.waiting).toEqual(["3"]);
    expect(pending(ordered(waiting, ["3", "2", "1"]))).toBe(0);
  });

  it("offers what a Run that was never on screen may bring", () => {
    const diff = { id: "z", revision: 7, fields: { status: "FAILED" as const } };
    expect(applyDiffs(list, [diff], {})).toBe(list);
    expect(pending(applyDiffs(list, [diff], { status: "FAILED" }))).toBe(1);
    expect(applyDiffs(list, [diff], { status: "UNKNOWN" })).toBe(list);
  });

  it("ignores new Runs the filter keeps out", () => {
    const foreign = row({ runId: "c", networkId: "other", recordId: "3" });
    const diffs = [{ id: "c", revision: 1, fields: foreign }];
    expect(applyDiffs(list, diffs, { networkId: "monthly_summary" })).toBe(list);
  });

  it.each<[string, readonly string[], number]>([
    ["the same order brings nothing", ["2", "1"], 0],
    ["one more Run", ["3", "2", "1"], 1],
    ["one Run is gone", ["2"], 1],
    ["only the places changed", ["1", "2"], 1],
  ])("compares an order read again beside the shown one: %s", (_, order, count) => {
    const next = compared(list, order);
    expect(next.order).toEqual(["2", "1"]);
    expect(pending(next)).toBe(count);
  });
});
