import { describe, expect, it } from "vitest";
import {
  type Disposition,
  NODE_STATUSES,
  type NodeStatus,
  nextStep,
  stableOrder,
  type WalkState,
} from "../../../../shared/domain/index.ts";

function nodeStatus(word: string): NodeStatus {
  const status = NODE_STATUSES.find((known) => known === word);
  if (status === undefined) throw new Error(`${word} is no status`);
  return status;
}

/** `a:SUCCESS b:WAITING<a` is a network with its states. */
function walk(text: string, more: Partial<WalkState> = {}): WalkState {
  const states = new Map<string, { status: NodeStatus }>();
  const nodes = text.split(" ").map((entry) => {
    const [head = "", dependencies] = entry.split("<");
    const [id = "", status = "WAITING"] = head.split(":");
    states.set(id, { status: nodeStatus(status) });
    return { id, dependsOn: dependencies?.split(",") ?? [] };
  });
  const order = stableOrder(nodes);
  if (!order.ok) throw new Error(order.error.message);
  return { definition: { nodes }, order: order.value, states, tried: new Set(), ...more };
}
const told = (state: WalkState): string => {
  const step = nextStep(state);
  switch (step.kind) {
    case "execute":
      return `execute ${step.nodeId}`;
    case "block":
      return `block ${step.nodeId} by ${step.by.join(",")}`;
    case "stop":
      return `stop ${step.reason} at ${step.nodeId}`;
    case "done":
      return `done ${[...step.dispositions].map(([id, disposition]) => `${id}=${disposition}`).join(" ")}`;
  }
};

describe("the next step of a walk (orchestration §4.1 step 5)", () => {
  it.each<[string, string, Partial<WalkState>, string]>([
    ["first ready node of the file", "c:WAITING<b a b<a", {}, "execute a"],
    ["after a success", "a:SUCCESS b<a", {}, "execute b"],
    ["a failure blocks what follows", "a:FAILED b<a c", {}, "block b by a"],
    ["…in the order of depends_on", "a:FAILED b:CANCELLED c:SUCCESS d<b,c,a", {}, "block d by b,a"],
    ["an unknown outcome blocks", "a:UNKNOWN b<a", {}, "block b by a"],
    ["blocking goes on along the branch", "a:FAILED b:BLOCKED<a c<b", {}, "block c by b"],
    ["independent branches continue", "a:FAILED b:BLOCKED<a c", {}, "execute c"],
    [
      "all disposed of",
      "a:SUCCESS b:FAILED<a c:BLOCKED<b",
      { tried: new Set(["b"]) },
      "done a=PRESERVED b=EXECUTED c=BLOCKED",
    ],
    [
      "a node that went back to waiting gets no second turn",
      "a b<a",
      { tried: new Set(["a"]) },
      "done a=EXECUTED b=DEFERRED",
    ],
    ["a running dependency defers", "a:RUNNING b<a", {}, "done a=EXCLUDED b=DEFERRED"],
    ["a reserved status opens no way", "a:SKIPPED b<a", {}, "done a=EXCLUDED b=DEFERRED"],
    ["a hold stops before the next start", "a:SUCCESS b<a c", { held: true }, "stop hold at b"],
    ["a hold does not keep a failure from blocking", "a:FAILED b<a c", { held: true }, "block b by a"],
    [
      "a hold with nothing to start is no stop",
      "a:SUCCESS b:SUCCESS<a",
      { held: true },
      "done a=PRESERVED b=PRESERVED",
    ],
    ["a lost lease stops before the next start", "a b", { leaseHeld: false }, "stop lease at a"],
    ["an excluded root rests", "a:FAILED b", { excluded: new Set(["a"]), mode: "RESUME" }, "execute b"],
    [
      "what follows an excluded root is blocked",
      "a:FAILED b<a",
      { excluded: new Set(["a", "b"]), mode: "RESUME" },
      "block b by a",
    ],
    [
      "…even behind a success",
      "a:FAILED b:SUCCESS<a c<b",
      { excluded: new Set(["a", "b", "c"]), mode: "RESUME" },
      "block c by ",
    ],
    [
      "a rerun leaves alone what it did not select",
      "a:SUCCESS b:FAILED c<b d<a",
      { mode: "RERUN_FROM", selected: new Set(["d"]) },
      "execute d",
    ],
    [
      "…and says so",
      "a:SUCCESS b:FAILED c<b",
      { mode: "RERUN_FROM", selected: new Set() },
      "done a=PRESERVED b=EXCLUDED c=EXCLUDED",
    ],
  ])("%s", (_, text, more, expected) => {
    expect(told(walk(text, more))).toBe(expected);
  });

  it("defers everything behind a stop, and keeps what was disposed of", () => {
    const step = nextStep(walk("a:SUCCESS b<a c d:FAILED e<d", { held: true, tried: new Set(["d"]) }));
    const expected: Readonly<Record<string, Disposition>> = {
      a: "PRESERVED",
      b: "DEFERRED",
      c: "DEFERRED",
      d: "EXECUTED",
      e: "DEFERRED",
    };
    expect(step).toMatchObject({ kind: "stop", nodeId: "b" });
    expect(step.kind === "stop" && Object.fromEntries(step.dispositions)).toEqual(expected);
  });

  it("defers a node that has no state yet", () => {
    const state = walk("a b");
    expect(told({ ...state, states: new Map([["b", { status: "SUCCESS" }]]) })).toBe(
      "done a=DEFERRED b=PRESERVED",
    );
  });
});
