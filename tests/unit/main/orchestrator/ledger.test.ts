import { describe, expect, it } from "vitest";
import {
  committed,
  type Ledger,
  nextState,
  runChange,
  stateChange,
} from "../../../../main/orchestrator/ledger.ts";
import type { NodeStatus } from "../../../../shared/domain/model.ts";
import { ref, storedInvocation, storedRun, storedState } from "../../../support/entities.ts";

const AT = "2026-09-01T00:05:00.000Z";
const ledgerOf = (statuses: Readonly<Record<string, NodeStatus>>, run = storedRun()): Ledger => ({
  run,
  invocation: storedInvocation(),
  states: new Map(Object.entries(statuses).map(([id, status]) => [id, storedState(id, status)])),
});

describe("the ledger of a driven Run", () => {
  it("gives a Node State the business revision that its record revision will have (wire-format section 1.1)", () => {
    const before = storedState("a", "WAITING", { ref: ref("9", 4), revision: 4 });
    expect(nextState(before, { status: "RUNNING" }, AT)).toMatchObject({
      status: "RUNNING",
      revision: 5,
      updatedAt: AT,
    });
    expect(nextState(before, {}, AT)).not.toHaveProperty("ref");
  });

  it("takes over references in the order of the changes, a batch of Node States counting one each", () => {
    const ledger = ledgerOf({ a: "WAITING", b: "WAITING" });
    const a = storedState("a");
    const change = stateChange(a, nextState(a, { status: "SUCCESS" }, AT));
    const after = committed(
      ledger,
      [{ kind: "nodeStates.insert", states: [storedState("x"), storedState("y")] }, change],
      [ref("10", 1), ref("11", 1), ref("9", 2)],
    );
    expect(after.states.get("a")).toMatchObject({ status: "SUCCESS", ref: { recordId: "9", revision: 2 } });
    expect(ledger.states.get("a")?.status).toBe("WAITING");
  });

  it("refuses to guess a revision that did not come back", () => {
    const a = storedState("a");
    const change = stateChange(a, nextState(a, {}, AT));
    expect(() => committed(ledgerOf({ a: "WAITING" }), [change], [])).toThrow(/no reference/);
  });
});

describe("the Run record is written only if it changes (fenced-writes section 3, W-06)", () => {
  const started = storedRun({ status: "RUNNING", startedAt: AT });
  const failed = storedRun({ status: "FAILED", startedAt: AT, finishedAt: AT });
  const cases: readonly (readonly [
    string,
    Ledger,
    Readonly<Record<string, NodeStatus>>,
    boolean,
    object | null,
  ])[] = [
    [
      "first start",
      ledgerOf({ a: "WAITING" }),
      { a: "RUNNING" },
      true,
      { status: "RUNNING", startedAt: AT, finishedAt: null },
    ],
    [
      "second start",
      ledgerOf({ a: "SUCCESS", b: "WAITING" }, started),
      { a: "SUCCESS", b: "RUNNING" },
      true,
      null,
    ],
    [
      "an end with more to come",
      ledgerOf({ a: "RUNNING", b: "WAITING" }, started),
      { a: "SUCCESS", b: "WAITING" },
      false,
      null,
    ],
    [
      "the last end",
      ledgerOf({ a: "RUNNING" }, started),
      { a: "SUCCESS" },
      false,
      { status: "SUCCESS", finishedAt: AT },
    ],
    [
      "a failure",
      ledgerOf({ a: "RUNNING", b: "WAITING" }, started),
      { a: "FAILED", b: "WAITING" },
      false,
      { status: "FAILED", finishedAt: AT },
    ],
    [
      "an independent branch after a failure",
      ledgerOf({ a: "FAILED", b: "WAITING" }, failed),
      { a: "FAILED", b: "RUNNING" },
      true,
      { status: "RUNNING", finishedAt: null },
    ],
    [
      "a failure that was already told",
      ledgerOf({ a: "FAILED", b: "WAITING" }, failed),
      { a: "FAILED", b: "BLOCKED" },
      false,
      null,
    ],
    ["a Run that never started", ledgerOf({ a: "WAITING" }), { a: "WAITING" }, false, null],
  ];
  it.each(cases)("%s", (_what, ledger, after, starting, expected) => {
    const states = new Map(Object.entries(after).map(([id, status]) => [id, { status }]));
    const change = runChange(ledger, states, AT, { starting });
    if (expected === null) expect(change).toBeNull();
    else expect(change).toMatchObject(expected);
  });
});
