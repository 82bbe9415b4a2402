import { describe, expect, it } from "vitest";
import type { NodeState, Stored } from "../../../../../shared/domain/model.ts";
import {
  planResumeOperation,
  planStartOperation,
  type ResumeOperationFacts,
  type StartFacts,
} from "../../../../../shared/domain/operations/index.ts";
import { fail, ok } from "../../../../../shared/domain/problem.ts";
import { profileDifferences } from "../../../../../shared/domain/profile-difference.ts";
import { aHold, storedLock } from "../run-records.ts";
import {
  AT,
  aRun,
  attempt,
  codes,
  consequences,
  fates,
  invocation,
  NOW,
  node,
  state,
  writes,
} from "./facts.ts";

const NODES = [node("a"), node("b", ["a"]), node("c", ["b"]), node("d", ["a"])];
const ORDER = ["a", "b", "c", "d"];
const FAILED_B = [
  state("a", "SUCCESS"),
  state("b", "FAILED"),
  state("c", "BLOCKED", { latestAttemptNo: 0 }),
  state("d", "SUCCESS"),
];
const ATTEMPTS = [
  attempt("a", { status: "SUCCESS", resultCode: "OK" }),
  attempt("b"),
  attempt("d", { status: "SUCCESS", resultCode: "OK" }),
];

function facts(change: Partial<ResumeOperationFacts> = {}): ResumeOperationFacts {
  return {
    run: aRun(),
    hold: null,
    lock: null,
    differences: ok([]),
    definition: ok({ nodes: NODES, order: ORDER }),
    judged: ok({ orphans: new Map(), unknownToLog: new Set<string>() }),
    records: { states: FAILED_B, attempts: ATTEMPTS, resolutions: [], invocations: [invocation()] },
    rerunFrom: null,
    bySchedule: false,
    inputs: null,
    requestedBy: "ops1",
    now: NOW,
    readAt: AT,
    ...change,
  };
}
const records = (states: readonly Stored<NodeState>[], attempts = ATTEMPTS) => ({
  states,
  attempts,
  resolutions: [],
  invocations: [invocation()],
});

/** A Run whose failed node must not run twice, as the last Invocation left it. */
function stuck(over: Parameters<typeof invocation>[0] = {}) {
  const nodes = [node("a"), node("b", ["a"], { idempotent: false }), node("c", ["b"]), node("d", ["a"])];
  const states = FAILED_B.map((each) => (each.nodeId === "b" ? { ...each, idempotent: false } : each));
  const last = {
    status: "FAILED",
    resultCode: "NODE_FAILED_OR_BLOCKED",
    selectedNodeIds: [],
    ...over,
  } as const;
  const told = { ...records(states), invocations: [invocation(last)] };
  return facts({ definition: ok({ nodes, order: ORDER }), records: told, bySchedule: true });
}

describe("the plan of a resume that would only repeat the last Invocation (orchestration §4.6, W-31)", () => {
  it("writes nothing but the lock, for a schedule", () => {
    expect(writes(planResumeOperation(stuck()))).toEqual(["insert lock monthly_jobs RUNNING"]);
  });

  it.each<[string, ResumeOperationFacts]>([
    ["a person asks", { ...stuck(), bySchedule: false }],
    ["the last Invocation executed something", stuck({ selectedNodeIds: ["b"] })],
    ["the last Invocation ended otherwise", stuck({ status: "CANCELLED", resultCode: "STOP_REQUESTED" })],
    ["the last Invocation was left open", stuck({ status: "RUNNING", resultCode: "PENDING" })],
    ["the Run says something else than its nodes", { ...stuck(), run: aRun({ status: "RUNNING" }) }],
    ["a node would run", facts({ bySchedule: true })],
  ])("writes an Invocation when %s", (_, asked) => {
    expect(writes(planResumeOperation(asked))).toContain("insert invocation new RUNNING");
  });
});

describe("the plan of a RESUME (orchestration §4.1, §11.3)", () => {
  it("runs what failed and what waits for it, and keeps what succeeded", () => {
    const plan = planResumeOperation(facts());
    expect(codes(plan)).toEqual([]);
    expect(fates(plan)).toEqual(["a: keep/succeeded", "b: run/retry", "c: run/waiting", "d: keep/succeeded"]);
    expect(plan.counts).toMatchObject({ run: 2, keep: 2, blocked: 0, refused: 0, writes: 5 });
    expect(writes(plan)).toEqual([
      "insert lock monthly_jobs RUNNING",
      "insert invocation new RUNNING",
      `update run ${plan.subject.runId} FAILED->RUNNING`,
      "update nodeState b FAILED->WAITING",
      "update nodeState c BLOCKED->WAITING",
    ]);
    expect(plan).toMatchObject({ operation: "RESUME", danger: "L2" });
  });

  it("names the node that keeps another from running, and why it is refused itself (orchestration §4.6)", () => {
    const thrice = [1, 2, 3].map((attemptNo) => attempt("b", { attemptNo }));
    const states = FAILED_B.map((each) => (each.nodeId === "b" ? { ...each, latestAttemptNo: 3 } : each));
    const plan = planResumeOperation(
      facts({ records: records(states, [...ATTEMPTS.filter(({ nodeId }) => nodeId !== "b"), ...thrice]) }),
    );
    expect(fates(plan)).toContain("b: refused/retryBrake");
    expect(fates(plan)).toContain("c: blocked/upstream by b");
    expect(plan.nodes[1]?.streak).toEqual({ code: "SQL_ERROR", count: 3 });
    expect(consequences(plan)).toContain("nothingWouldRun");
  });

  it.each([
    ["an unknown outcome", state("b", "UNKNOWN"), "b: refused/unknownOutcome"],
    [
      "a failure of what must not run twice",
      state("b", "FAILED", { idempotent: false }),
      "b: refused/ranOnce",
    ],
  ])("leaves %s to a person, with what depends on it", (_, stuck, told) => {
    const once = !stuck.idempotent;
    const nodes = NODES.map((each) => (each.id === "b" && once ? { ...each, idempotent: false } : each));
    const states = FAILED_B.map((each) => (each.nodeId === "b" ? stuck : each));
    const attempts = ATTEMPTS.map((each) =>
      each.nodeId === "b"
        ? { ...each, status: stuck.status === "UNKNOWN" ? ("UNKNOWN" as const) : each.status }
        : each,
    );
    const plan = planResumeOperation(
      facts({
        run: aRun({ status: stuck.status === "UNKNOWN" ? "UNKNOWN" : "FAILED" }),
        definition: ok({ nodes, order: ORDER }),
        records: records(states, attempts),
      }),
    );
    expect(fates(plan)).toContain(told);
    expect(fates(plan)).toContain("c: blocked/upstream by b");
  });

  it.each<[string, Partial<ResumeOperationFacts>, readonly string[]]>([
    ["a succeeded Run", { run: aRun({ status: "SUCCESS" }) }, ["NOOP_ALREADY_SUCCESS"]],
    ["a closed Run", { run: aRun({ lifecycle: "ARCHIVED" }) }, ["RUN_NOT_RESUMABLE"]],
    ["a held Run", { hold: { ...aHold(), ref: { recordId: "5", revision: 1 } } }, ["RUN_ON_HOLD"]],
    ["a lock that is held", { lock: storedLock() }, ["LOCK_CONFLICT"]],
    [
      "a bundle that cannot be used",
      { definition: fail({ code: "BUNDLE_HASH_MISMATCH", message: "other" }) },
      ["BUNDLE_HASH_MISMATCH"],
    ],
    [
      "a child that still runs (W-03)",
      { judged: fail({ code: "ORPHAN_STILL_RUNNING", message: "alive" }) },
      ["ORPHAN_STILL_RUNNING"],
    ],
    ["a node the Run has no state of", { rerunFrom: "nowhere" }, ["RERUN_FROM_NODE_NOT_FOUND"]],
  ])("is refused for %s, and then writes nothing", (_, change, expected) => {
    const plan = planResumeOperation(facts(change));
    expect(codes(plan)).toEqual(expected);
    expect([plan.available, plan.writes, plan.consequences]).toEqual([false, [], []]);
  });

  it("tells every reason at once, so that nobody repairs one to meet the next (operator-ux D11)", () => {
    const { profileSnapshot } = aRun();
    const moved = profileDifferences(profileSnapshot, { ...profileSnapshot, baseUrl: "http://elsewhere" });
    const judged = fail({ code: "ORPHAN_STILL_RUNNING", message: "alive" });
    const plan = planResumeOperation(facts({ lock: storedLock(), differences: ok(moved), judged }));
    expect(codes(plan)).toEqual(["LOCK_CONFLICT", "PROFILE_SNAPSHOT_MISMATCH", "ORPHAN_STILL_RUNNING"]);
  });

  it("a changed limit is told and refuses nothing (W-18)", () => {
    const { profileSnapshot } = aRun();
    const now = { ...profileSnapshot, limits: { ...profileSnapshot.limits, maxApiCalls: 5 } };
    const plan = planResumeOperation(facts({ differences: ok(profileDifferences(profileSnapshot, now)) }));
    expect(codes(plan)).toEqual([]);
    expect(plan.consequences).toContainEqual({
      name: "profileDiffers",
      params: { fields: "limits.maxApiCalls" },
    });
  });

  it("rests on every record it read: any of them moving makes another fingerprint", () => {
    const plan = planResumeOperation(facts());
    const names = Object.keys(plan.seen);
    expect(names).toEqual(expect.arrayContaining(["run", "hold", "node b", "attempt b-1"]));
    const moved = FAILED_B.map((each) =>
      each.nodeId === "d" ? { ...each, revision: 4, ref: { ...each.ref, revision: 4 } } : each,
    );
    expect(planResumeOperation(facts({ records: records(moved) })).fingerprint).not.toBe(plan.fingerprint);
  });
});

describe("the plan of a RERUN_FROM (orchestration §4.9)", () => {
  it("runs the node and all after it, without the brake, and touches nothing beside them", () => {
    const plan = planResumeOperation(facts({ rerunFrom: "b" }));
    expect(fates(plan)).toEqual([
      "a: keep/succeeded",
      "b: run/selected",
      "c: run/selected",
      "d: keep/succeeded",
    ]);
    expect(consequences(plan)).toContain("noRetryBrake");
    expect(plan).toMatchObject({ operation: "RERUN_FROM", danger: "L2" });
  });

  it("is of level 3 when a node among them must not run twice (operator-ux §2.1)", () => {
    const nodes = NODES.map((each) => (each.id === "c" ? { ...each, idempotent: false } : each));
    const states = FAILED_B.map((each) => (each.nodeId === "c" ? { ...each, idempotent: false } : each));
    const plan = planResumeOperation(
      facts({ rerunFrom: "b", definition: ok({ nodes, order: ORDER }), records: records(states) }),
    );
    expect(plan.danger).toBe("L3");
    expect(plan.consequences).toContainEqual({ name: "runsOnceOnlyNodes", params: { nodes: "c" } });
  });
});

function start(change: Partial<StartFacts> = {}): StartFacts {
  return {
    profile: "prod",
    networkId: "monthly_jobs",
    businessKey: "monthly_jobs@2026-09",
    maxActiveRuns: 1,
    nodes: NODES,
    order: ORDER,
    definitionSha256: "d".repeat(64),
    existing: null,
    runs: [],
    lock: null,
    preparation: [],
    inputs: null,
    requestedBy: "ops1",
    now: NOW,
    readAt: AT,
    ...change,
  };
}

describe("the plan of a START (orchestration §2.1)", () => {
  it("runs every node and inserts Run, Invocation and Node States", () => {
    const plan = planStartOperation(start());
    expect(plan.counts).toMatchObject({ run: 4, writes: 7 });
    expect(fates(plan)).toContain("c: run/new");
  });

  it.each<[string, Partial<StartFacts>, readonly string[]]>([
    ["a Run of this key", { existing: aRun() }, ["RUN_ALREADY_EXISTS"]],
    ["one that succeeded", { existing: aRun({ status: "SUCCESS" }) }, ["NOOP_ALREADY_SUCCESS"]],
    ["an unfinished Run of another key", { runs: [aRun({ businessKey: "other" })] }, ["MAX_ACTIVE_RUNS"]],
    [
      "a held lock and a job that is refused",
      { lock: storedLock(), preparation: [{ code: "JOB_SQL_INVALID", message: "x" }] },
      ["LOCK_CONFLICT", "JOB_SQL_INVALID"],
    ],
  ])("is refused for %s", (_, change, expected) => {
    expect(codes(planStartOperation(start(change)))).toEqual(expected);
  });

  it("another definition under the same name is another plan", () => {
    const other = planStartOperation(start({ definitionSha256: "e".repeat(64) }));
    expect(other.fingerprint).not.toBe(planStartOperation(start()).fingerprint);
  });
});
