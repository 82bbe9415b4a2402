import { describe, expect, it } from "vitest";
import {
  type Attempt,
  excludedSet,
  type NodeStatus,
  planRerunFrom,
  prepareResume,
  rerunExcludedRoots,
  resumeInvocationLists,
} from "../../../../shared/domain/index.ts";

const state = (nodeId: string, status: NodeStatus, idempotent = true, latestAttemptNo = 1) => ({
  nodeId,
  status,
  idempotent,
  latestAttemptNo,
});
const attempt = (nodeId: string, attemptNo: number, resultCode: string): Attempt => ({
  attemptId: `${nodeId}${attemptNo}`,
  runId: "netrun_1",
  nodeId,
  jobId: nodeId,
  invocationId: "invoke_1",
  attemptNo,
  stateRevisionBefore: attemptNo,
  status: "FAILED",
  resultCode,
  executionStartedAt: null,
  runnerExecutionStartedAt: null,
  finishedAt: null,
  executionId: null,
  durationSec: null,
  readCount: 0,
  writtenCount: 0,
  lastSuccessfulChunkNo: null,
  lastWrittenKey: null,
  errorMessage: null,
});

describe("before a RESUME walks (orchestration §4.1 step 4)", () => {
  it("keeps, resets, excludes and brakes", () => {
    const states = [
      state("z", "SUCCESS"),
      state("y", "BLOCKED", false),
      state("x", "WAITING"),
      state("w", "UNKNOWN"),
      state("v", "FAILED"),
      state("u", "CANCELLED"),
      state("t", "FAILED", false),
      state("s", "CANCELLED", false),
      state("r", "FAILED"),
    ];
    const attempts = [1, 2, 3].flatMap((no) => [
      attempt("r", no, "SQL_ERROR"),
      attempt("t", no, "SQL_ERROR"),
    ]);
    expect(prepareResume(states, attempts)).toEqual({
      reset: ["y", "v", "u"],
      excludedRoots: ["w", "t", "s", "r"],
      braked: [{ nodeId: "r", streak: { code: "SQL_ERROR", count: 3 } }],
    });
    expect(resumeInvocationLists(states)).toEqual({
      preserved: ["z"],
      blocked: ["s", "t", "w"],
      selected: ["r", "u", "v", "x", "y"],
    });
  });

  it("excludes everything behind a root", () => {
    const nodes = [
      { id: "a", dependsOn: [] },
      { id: "b", dependsOn: ["a"] },
      { id: "c", dependsOn: ["b"] },
      { id: "d", dependsOn: [] },
    ];
    expect([...excludedSet(nodes, ["b"])]).toEqual(["b", "c"]);
    expect(excludedSet(nodes, []).size).toBe(0);
  });
});

describe("RERUN_FROM (orchestration §4.9)", () => {
  const nodes = [
    { id: "a", dependsOn: [] },
    { id: "b", dependsOn: ["a"] },
    { id: "c", dependsOn: ["b"] },
  ];
  const states = [state("a", "SUCCESS"), state("b", "FAILED"), state("c", "BLOCKED", false, 0)];
  const base = { nodes, nodeId: "b", runStatus: "FAILED", states } as const;
  const replaced = (other: ReturnType<typeof state>) =>
    states.map((known) => (known.nodeId === other.nodeId ? other : known));

  it("selects the node and what follows; a non-idempotent node that never ran may be among them", () => {
    expect(planRerunFrom(base)).toEqual({ ok: true, value: ["b", "c"] });
  });

  it.each([
    ["unknown node", { nodeId: "x" }, "RERUN_FROM_NODE_NOT_FOUND"],
    ["no state of a selected node", { states: states.slice(0, 2) }, "RERUN_FROM_NODE_NOT_FOUND"],
    ["cycle", { nodes: [{ id: "b", dependsOn: ["b"] }] }, "RERUN_FROM_DAG_INVALID"],
    ["succeeded Run", { runStatus: "SUCCESS" as const }, "RERUN_FROM_SUCCESS_RUN"],
    ["unknown outcome selected", { states: replaced(state("c", "UNKNOWN")) }, "RERUN_FROM_UNKNOWN_STATE"],
    [
      "non-idempotent node that ran",
      { states: replaced(state("c", "FAILED", false, 1)) },
      "RERUN_FROM_NON_IDEMPOTENT",
    ],
  ])("refuses: %s", (_, more, code) => {
    expect(planRerunFrom({ ...base, ...more })).toMatchObject({ ok: false, error: { code } });
  });

  it("leaves out failures outside the selection that nobody may repeat", () => {
    const all = [
      state("a", "UNKNOWN"),
      state("b", "FAILED", false),
      state("c", "FAILED"),
      state("d", "CANCELLED", false),
    ];
    expect(rerunExcludedRoots(all, new Set(["d"]))).toEqual(["a", "b"]);
  });
});
