import { describe, expect, it } from "vitest";
import type { Attempt, Invocation, NodeState, Run, Stored } from "../../../../shared/domain/model.ts";
import type { NodeDefinition } from "../../../../shared/domain/network-definition.ts";
import { checkSeen, fingerprintOf } from "../../../../shared/domain/operations/seen.ts";
import { profileDifferences } from "../../../../shared/domain/profile-difference.ts";
import type { OrphanEnd } from "../../../../shared/domain/resume-drafts.ts";
import { attemptsToLookUp, planResume, type ResumeFacts } from "../../../../shared/domain/resume-plan.ts";
import { storedRun } from "../../../support/entities.ts";
import { storedAttempt, storedState } from "./run-records.ts";

const AT = "2026-09-02T00:00:00.000Z";
const ME = "invoke_me";

const node = (id: string, dependsOn: readonly string[] = [], idempotent = true): NodeDefinition => ({
  id,
  jobId: id,
  sql: `${id}.sql`,
  dependsOn,
  triggerRule: "all_success",
  idempotent,
  inputs: {},
  outputs: {},
});

const state = (nodeId: string, change: Partial<NodeState>): Stored<NodeState> => {
  const made = storedState({
    nodeId,
    jobId: nodeId,
    nodeStateId: `STATE:${nodeId}`,
    activeAttemptId: null,
    ...change,
  });
  return { ...made, ref: { recordId: `s-${nodeId}`, revision: made.revision } };
};
const attempt = (nodeId: string, change: Partial<Attempt>): Stored<Attempt> => ({
  ...storedAttempt({ attemptId: `${nodeId}-1`, nodeId, jobId: nodeId, ...change }),
  ref: { recordId: `a-${nodeId}`, revision: 2 },
});
const invocation = (change: Partial<Invocation>): Stored<Invocation> => ({
  invocationId: "invoke_1",
  runId: "netrun_1",
  mode: "NEW",
  requestedBy: "ops1",
  host: "HOST-A",
  startedAt: AT,
  finishedAt: AT,
  selectedNodeIds: [],
  preservedNodeIds: [],
  blockedNodeIds: [],
  reason: "new business run",
  status: "FAILED",
  resultCode: "NODE_FAILED_OR_BLOCKED",
  ...change,
  ref: { recordId: "i-1", revision: 2 },
});

function facts(change: Partial<ResumeFacts> & { readonly runChange?: Partial<Run> }): ResumeFacts {
  const { runChange, ...rest } = change;
  return {
    run: storedRun({ status: "FAILED", startedAt: AT, ...runChange }),
    nodes: [node("a"), node("b", ["a"])],
    states: [],
    attempts: [],
    resolutions: [],
    invocations: [invocation({})],
    rerunFrom: null,
    invocationId: ME,
    orphans: new Map(),
    unknownToLog: new Set(),
    at: AT,
    ...rest,
  };
}

function planned(change: Parameters<typeof facts>[0]) {
  const plan = planResume(facts(change));
  if (!plan.ok) throw new Error(`${plan.error.code}: ${plan.error.message}`);
  return plan.value;
}
const nextOf = (plan: ReturnType<typeof planned>, nodeId: string): NodeState | undefined =>
  plan.states.find(({ before }) => before.nodeId === nodeId)?.next;

const ended: OrphanEnd = {
  attemptStatus: "SUCCESS",
  resultCode: "OK",
  nodeStatus: "SUCCESS",
  nodeReason: "OK",
  finishedAt: "2026-09-01T03:00:00Z",
  executionId: "exec_1",
  durationSec: 4,
  readCount: 7,
  writtenCount: 3,
  lastSuccessfulChunkNo: null,
  lastWrittenKey: null,
  errorMessage: null,
};
const RUNNING = { status: "RUNNING", activeAttemptId: "a-1", latestAttemptNo: 1 } as const;
const OPEN = { status: "RUNNING", resultCode: "PENDING" } as const;

describe("what a resume writes before its walk (orchestration §4.1, §5.3, §6.3)", () => {
  it("judges an orphan, ends its Attempt with what was found, and sets nothing back that succeeded", () => {
    const given = {
      states: [
        state("a", RUNNING),
        state("b", { status: "WAITING", statusReason: null, latestAttemptNo: 0 }),
      ],
      attempts: [attempt("a", OPEN)],
      orphans: new Map([["a-1", ended]]),
      runChange: { status: "RUNNING" },
    } as const;
    expect(attemptsToLookUp(facts(given)).orphans.map(({ attemptId }) => attemptId)).toEqual(["a-1"]);
    const plan = planned(given);
    expect(nextOf(plan, "a")).toMatchObject({ status: "SUCCESS", revision: 5, activeAttemptId: null });
    expect(plan.attempts).toMatchObject([
      { next: { status: "SUCCESS", resultCode: "OK", executionId: "exec_1", readCount: 7 } },
    ]);
    expect(plan.lists).toEqual({ selected: ["b"], preserved: ["a"], blocked: [] });
    expect(plan.notes).toEqual(["adjudicated a attempt 1: SUCCESS/OK"]);
  });

  it("writes a node once, though it is judged and set back to wait (fenced-writes R9)", () => {
    const failed: OrphanEnd = {
      ...ended,
      attemptStatus: "FAILED",
      resultCode: "FAILED",
      nodeStatus: "FAILED",
      nodeReason: "FAILED",
    };
    const plan = planned({
      states: [state("a", RUNNING), state("b", { status: "BLOCKED", blockedBy: ["a"], latestAttemptNo: 0 })],
      attempts: [attempt("a", OPEN)],
      orphans: new Map([["a-1", failed]]),
      runChange: { status: "RUNNING" },
    });
    expect(plan.states.map(({ next }) => [next.nodeId, next.status, next.revision])).toEqual([
      ["a", "WAITING", 5],
      ["b", "WAITING", 5],
    ]);
    expect(nextOf(plan, "b")?.blockedBy).toEqual([]);
  });

  it("applies what an Attempt proves and the node does not show yet, with its audit", () => {
    const plan = planned({
      states: [state("a", RUNNING), state("b", { status: "WAITING", latestAttemptNo: 0 })],
      attempts: [attempt("a", { status: "SUCCESS", resultCode: "OK", finishedAt: AT })],
      runChange: { status: "RUNNING" },
    });
    expect(nextOf(plan, "a")).toMatchObject({ status: "SUCCESS", finishedAt: AT });
    expect(plan.repairs).toMatchObject([{ repairType: "TERMINAL_ATTEMPT_APPLIED", targetId: "STATE:a" }]);
  });

  it("a start taken back lets its node wait, also one that must not run twice (W-24)", () => {
    const plan = planned({
      nodes: [node("a", [], false)],
      states: [state("a", { ...RUNNING, idempotent: false })],
      attempts: [attempt("a", { status: "CANCELLED", resultCode: "PREPARE_FAILED", finishedAt: AT })],
      runChange: { status: "RUNNING" },
    });
    expect(nextOf(plan, "a")).toMatchObject({ status: "WAITING", startedAt: null, finishedAt: null });
    expect(plan.lists.selected).toEqual(["a"]);
  });

  const wreck = {
    nodes: [node("a")],
    states: [state("a", { status: "WAITING", latestAttemptNo: 0, statusReason: null })],
    attempts: [attempt("a", { ...OPEN, executionStartedAt: null, stateRevisionBefore: 4 })],
    runChange: { status: "RUNNING" },
  } as const;
  it("an Attempt inserted by a process that died before it started anything is withdrawn (W-01)", () => {
    expect(attemptsToLookUp(facts(wreck)).unstarted).toEqual(["a-1"]);
    const plan = planned({ ...wreck, unknownToLog: new Set(["a-1"]) });
    expect(plan.attempts).toMatchObject([{ next: { status: "CANCELLED", resultCode: "PREPARE_FAILED" } }]);
    expect(nextOf(plan, "a")).toMatchObject({ status: "WAITING", latestAttemptNo: 1, revision: 5 });
  });
  it("and stays a contradiction while the JOB log may know of it", () => {
    expect(planResume(facts(wreck))).toMatchObject({
      error: {
        code: "RECONCILIATION_REQUIRED",
        details: { findings: [{ code: "REVISION_SERIES_UNDETERMINED" }] },
      },
    });
  });

  it("makes the Node States a creation left out (W-07)", () => {
    const plan = planned({
      states: [state("a", { status: "WAITING", latestAttemptNo: 0 })],
      runChange: { status: "CREATED", startedAt: null },
    });
    expect(plan.missing.map(({ id }) => id)).toEqual(["b"]);
  });

  it("ends Invocations nobody carries on, but not its own", () => {
    const plan = planned({
      states: [state("a", { status: "FAILED" })],
      nodes: [node("a")],
      attempts: [attempt("a", { status: "FAILED", resultCode: "SQL_ERROR" })],
      invocations: [
        invocation({ invocationId: "old", status: "RUNNING", resultCode: "PENDING" }),
        invocation({ invocationId: ME, status: "RUNNING", resultCode: "PENDING" }),
      ],
    });
    expect(plan.abandoned.map(({ next }) => [next.invocationId, next.status, next.resultCode])).toEqual([
      ["old", "CANCELLED", "NETWORK_LEASE_INTERRUPTED"],
    ]);
    expect(plan.repairs).toMatchObject([{ repairType: "INVOCATION_FINALIZED", targetId: "old" }]);
  });

  it("refuses a bundle and states that disagree", () => {
    for (const change of [{ jobId: "other" }, { idempotent: false }]) {
      expect(
        planResume(facts({ nodes: [node("a")], states: [state("a", { status: "FAILED", ...change })] })),
      ).toMatchObject({
        error: { code: "RUN_SNAPSHOT_MISMATCH", details: { nodeIds: ["a"] } },
      });
    }
  });
});

describe("what a person saw against what is (orchestration part 9)", () => {
  const seen = { run: { recordId: "1", revision: 3 }, hold: null };
  it("passes the same records, and names each that moved, came or went", () => {
    expect(checkSeen(seen, seen)).toEqual({ ok: true, value: null });
    expect(checkSeen(null, seen)).toEqual({ ok: true, value: null });
    const now = { run: { recordId: "1", revision: 4 }, hold: { recordId: "2", revision: 1 } };
    expect(checkSeen(seen, now)).toMatchObject({
      error: { code: "PLAN_STALE", details: { moved: [{ name: "run" }, { name: "hold", before: null }] } },
    });
  });
  it("has one fingerprint for one picture, whatever its order", () => {
    expect(fingerprintOf(seen)).toBe(fingerprintOf({ hold: null, run: seen.run }));
    expect(fingerprintOf(seen)).not.toBe(fingerprintOf({ ...seen, run: { recordId: "1", revision: 4 } }));
  });
});

describe("what changed in a profile (orchestration §2.1 R7, W-18)", () => {
  const stored = storedRun({}).profileSnapshot;
  it.each([
    [{ baseUrl: "https://other.example" }, "baseUrl", true],
    [{ guestSpaceId: 7 }, "guestSpaceId", true],
    [{ timezone: "UTC" }, "timezone", true],
    [{ apps: { ...stored.apps, NEW: 9 } }, "apps.NEW", true],
    [{ limits: { ...stored.limits, batchTimeoutSec: 1 } }, "limits.batchTimeoutSec", false],
  ] as const)("%j: %s, blocking %s", (change, field, blocking) => {
    expect(profileDifferences(stored, { ...stored, ...change })).toMatchObject([{ field, blocking }]);
  });
  it("nothing, when nothing did", () => {
    expect(profileDifferences(stored, { ...stored })).toEqual([]);
  });
});
