import { describe, expect, it } from "vitest";
import { planParts } from "../../../../main/store/kintone/changes/plan.ts";
import { witnessOf } from "../../../../main/store/kintone/changes/witness.ts";
import type { Change } from "../../../../main/store/ports.ts";
import { freshInvocation, freshRun, freshState } from "../../../support/store-entities.ts";

const apps = { state: 1, audit: 2, jobLog: 3 };
const run = freshRun();
const states = (count: number): Change => ({
  kind: "nodeStates.insert",
  states: Array.from({ length: count }, (_, index) => freshState(run.runId, `n${index}`)),
});
const creation = (count: number): readonly Change[] => [
  states(count),
  { kind: "run.insert", run },
  { kind: "invocation.insert", invocation: freshInvocation(run.runId) },
];

describe("splitting a change set (fenced-writes R9, §3)", () => {
  const table: readonly (readonly [number, readonly number[]])[] = [
    [1, [3]],
    [100, [3]],
    [101, [4]],
    [1_700, [19]],
    [1_701, [19, 1]],
    [4_000, [19, 19, 4]],
  ];
  it.each(table)("%i Node States: sub-requests behind the lock %j", (count, sizes) => {
    const parts = planParts(creation(count), apps);
    expect(parts.map((part) => part.subRequests.length)).toEqual(sizes);
    expect(parts.flatMap((part) => part.subRequests.flatMap((sub) => sub.slots))).toHaveLength(count + 2);
  });

  it("puts Run and Invocation first, whatever order they were given in", () => {
    const [part] = planParts(creation(3), apps);
    expect(part?.subRequests.map(({ slots }) => slots[0]?.kind)).toEqual([
      "run.insert",
      "invocation.insert",
      "nodeStates.insert",
    ]);
  });

  it("gives every part a witness of its own", () => {
    const marks = planParts(creation(1_701), apps).map((part) => witnessOf(part.changes, apps)?.mark);
    expect(new Set(marks).size).toBe(2);
    expect(marks).not.toContain(undefined);
  });

  it("sends updates of one kind together", () => {
    const reset = Array.from(
      { length: 250 },
      (_, index): Change => ({
        kind: "nodeState.update",
        ref: { recordId: String(index + 1), revision: 4 },
        next: freshState(run.runId, `n${index}`, { revision: 5 }),
      }),
    );
    const [part, ...more] = planParts(reset, apps);
    expect(more).toEqual([]);
    expect(part?.subRequests.map(({ slots }) => slots.length)).toEqual([100, 100, 50]);
  });

  it("refuses the same record twice, and a Node State whose revision does not follow", () => {
    const update = (revision: number): Change => ({
      kind: "nodeState.update",
      ref: { recordId: "7", revision: 1 },
      next: freshState(run.runId, "a", { revision }),
    });
    expect(() => planParts([update(2), update(2)], apps)).toThrow(/same record twice/);
    expect(() => planParts([update(3)], apps)).toThrow(/revision 3 on a record at 1/);
  });

  it("no change at all is one empty part without witness: a beat", () => {
    expect(planParts([], apps)).toEqual([{ subRequests: [], changes: [] }]);
    expect(witnessOf([], apps)).toBeNull();
  });
});
