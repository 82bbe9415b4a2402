import { describe, expect, it } from "vitest";
import {
  type Attempt,
  type NodeState,
  type Resolution,
  type RunRecords,
  reconcile,
  type Stored,
} from "../../../../shared/domain/index.ts";

const at = "2026-09-01T00:00:00Z";
const state = (more: Partial<Stored<NodeState>> = {}): Stored<NodeState> => ({
  ref: { recordId: "1", revision: more.revision ?? 5 },
  nodeStateId: "nodestate_1",
  runId: "netrun_1",
  nodeId: "a",
  jobId: "a",
  status: "RUNNING",
  revision: 5,
  latestAttemptNo: 1,
  activeAttemptId: "attempt_1",
  idempotent: true,
  triggerRule: "all_success",
  blockedBy: [],
  statusReason: null,
  startedAt: at,
  finishedAt: null,
  updatedAt: at,
  ...more,
});
const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  attemptId: "attempt_1",
  runId: "netrun_1",
  nodeId: "a",
  jobId: "a",
  invocationId: "invoke_1",
  attemptNo: 1,
  stateRevisionBefore: 4,
  status: "RUNNING",
  resultCode: "PENDING",
  executionStartedAt: at,
  runnerExecutionStartedAt: null,
  finishedAt: null,
  executionId: null,
  durationSec: null,
  readCount: 0,
  writtenCount: 0,
  lastSuccessfulChunkNo: null,
  lastWrittenKey: null,
  errorMessage: null,
  ...more,
});
const resolution = (more: Partial<Resolution> = {}): Resolution => ({
  attemptId: "attempt_1",
  outcome: "SUCCESS",
  evidenceRef: "e",
  servicePrincipal: "p",
  requestedBy: "r",
  approvedBy: null,
  resolutionType: "NODE_MANUAL_COMPLETION_CONFIRMED",
  reason: "why",
  stopConfirmedBy: "c",
  stopEvidenceRef: "s",
  resolvedAt: "2026-09-01T00:00:00.000Z",
  ...more,
});
const ended = (status: "SUCCESS" | "FAILED" | "CANCELLED" | "UNKNOWN", more: Partial<Attempt> = {}) =>
  attempt({ status, resultCode: status === "SUCCESS" ? "OK" : status, ...more });
/** A Run whose status follows from its states, unless said otherwise. */
const records = (more: Partial<RunRecords>): RunRecords => ({
  run: { runId: "netrun_1", status: "RUNNING", startedAt: at },
  states: [state()],
  attempts: [attempt()],
  resolutions: [],
  ...more,
});
const run = (status: RunRecords["run"]["status"], startedAt: string | null = at) => ({
  runId: "netrun_1",
  status,
  startedAt,
});
const told = (given: RunRecords): string[] =>
  reconcile(given).map(({ code, severity }) => `${code} ${severity}`);

describe("inconsistencies of a node and its Attempts (orchestration §6.2)", () => {
  it.each<[string, Partial<RunRecords>, string[]]>([
    ["RUNNING / RUNNING is none", {}, []],
    ["Attempt without state", { states: [], run: run("RUNNING") }, ["ATTEMPT_NODE_STATE_MISSING blocking"]],
    [
      "two RUNNING Attempts",
      { attempts: [attempt(), attempt({ attemptId: "attempt_2", attemptNo: 2 })] },
      ["MULTIPLE_RUNNING_ATTEMPTS blocking"],
    ],
    [
      "edited by a person",
      { states: [state({ ref: { recordId: "1", revision: 6 } })] },
      ["REVISION_SERIES_INVERTED blocking"],
    ],
    [
      "Attempt from the future",
      { attempts: [attempt({ stateRevisionBefore: 6 })] },
      ["REVISION_SERIES_INVERTED blocking"],
    ],
    [
      "Attempt of the same revision",
      { attempts: [attempt({ stateRevisionBefore: 5 })] },
      ["REVISION_SERIES_UNDETERMINED blocking"],
    ],
    [
      "Attempt without revision",
      { attempts: [attempt({ stateRevisionBefore: null })] },
      ["REVISION_SERIES_UNDETERMINED blocking"],
    ],
    [
      "later checks are skipped on an unsafe node",
      { states: [state({ activeAttemptId: null, ref: { recordId: "1", revision: 9 } })] },
      ["REVISION_SERIES_INVERTED blocking"],
    ],
    [
      "RUNNING without active Attempt",
      { states: [state({ activeAttemptId: null })] },
      ["ACTIVE_ATTEMPT_ID_MISSING blocking"],
    ],
    ["active Attempt not there", { attempts: [] }, ["ACTIVE_ATTEMPT_NOT_FOUND blocking"]],
    [
      "active Attempt twice",
      { attempts: [attempt(), ended("FAILED")] },
      ["ACTIVE_ATTEMPT_NOT_FOUND blocking"],
    ],
    [
      "Attempt ended, state not",
      { attempts: [ended("FAILED")] },
      ["TERMINAL_ATTEMPT_PENDING_APPLY repairable"],
    ],
    [
      "same status, active id left",
      { states: [state({ status: "SUCCESS" })], attempts: [ended("SUCCESS")], run: run("SUCCESS") },
      ["TERMINAL_ATTEMPT_PENDING_APPLY repairable"],
    ],
    [
      "state ended, Attempt not",
      { states: [state({ status: "FAILED" })], run: run("FAILED") },
      ["STATE_TERMINAL_ATTEMPT_RUNNING blocking"],
    ],
    [
      "state waits, Attempt runs",
      { states: [state({ status: "WAITING" })] },
      ["STATE_ATTEMPT_STATUS_MISMATCH blocking"],
    ],
    [
      "state and Attempt ended differently",
      { states: [state({ status: "FAILED" })], attempts: [ended("SUCCESS")], run: run("FAILED") },
      ["STATE_ATTEMPT_STATUS_MISMATCH blocking"],
    ],
    ["Run status differs", { run: run("FAILED") }, ["RUN_AGGREGATE_MISMATCH repairable"]],
  ])("%s", (_, more, expected) => {
    expect(told(records(more))).toEqual(expected);
  });

  it("repairs an ended Attempt to its own status, and PREPARE_FAILED to WAITING (W-24)", () => {
    const repairOf = (given: Attempt) => reconcile(records({ attempts: [given] }))[0]?.repair;
    expect(repairOf(ended("FAILED"))).toEqual({
      type: "TERMINAL_ATTEMPT_APPLIED",
      status: "FAILED",
      statusReason: "FAILED",
    });
    expect(repairOf(ended("CANCELLED", { resultCode: "PREPARE_FAILED" }))).toEqual({
      type: "TERMINAL_ATTEMPT_APPLIED",
      status: "WAITING",
      statusReason: "PREPARE_FAILED",
    });
  });

  const wreck = {
    states: [state({ status: "WAITING", latestAttemptNo: 0, activeAttemptId: null })],
    attempts: [attempt({ stateRevisionBefore: 5, executionStartedAt: null })],
  };
  it("offers to withdraw an Attempt that was inserted and never started (W-01)", () => {
    expect(reconcile(records(wreck))).toMatchObject([
      {
        code: "REVISION_SERIES_UNDETERMINED",
        severity: "repairable",
        peerBlocks: true,
        repair: { type: "UNSTARTED_ATTEMPT_WITHDRAWN", attemptId: "attempt_1", attemptNo: 1 },
      },
    ]);
  });

  it.each<[string, Partial<RunRecords>]>([
    ["it has a start marker", { attempts: [attempt({ stateRevisionBefore: 5 })] }],
    [
      "it is not the next number",
      { attempts: [attempt({ stateRevisionBefore: 5, executionStartedAt: null, attemptNo: 2 })] },
    ],
    ["it ended", { attempts: [ended("FAILED", { stateRevisionBefore: 5, executionStartedAt: null })] }],
    [
      "the state was edited",
      { states: [state({ ...wreck.states[0], ref: { recordId: "1", revision: 6 } })] },
    ],
  ])("but not when %s", (_, more) => {
    expect(
      reconcile(records({ ...wreck, ...more })).every((finding) => finding.severity === "blocking"),
    ).toBe(true);
  });
});

describe("inconsistencies of Resolutions (orchestration §6.2)", () => {
  const unknown = {
    states: [state({ status: "UNKNOWN", activeAttemptId: null })],
    attempts: [ended("UNKNOWN")],
    run: run("UNKNOWN"),
  };
  it.each<[string, Partial<RunRecords>, string[]]>([
    ["not applied yet", unknown, ["ATTEMPT_RESOLUTION_PENDING_APPLY repairable"]],
    [
      "applied",
      { ...unknown, states: [state({ status: "SUCCESS", activeAttemptId: null })], run: run("SUCCESS") },
      [],
    ],
    [
      "non-idempotent failure, not applied",
      {
        states: [state({ status: "FAILED", idempotent: false, activeAttemptId: null })],
        attempts: [ended("FAILED")],
        run: run("FAILED"),
      },
      ["ATTEMPT_RESOLUTION_PENDING_APPLY repairable"],
    ],
    [
      "idempotent failure",
      {
        states: [state({ status: "FAILED", activeAttemptId: null })],
        attempts: [ended("FAILED")],
        run: run("FAILED"),
      },
      ["RESOLUTION_STATE_NOT_UNKNOWN blocking"],
    ],
    [
      "two outcomes",
      { ...unknown, resolutions: [resolution(), resolution({ outcome: "FAILED" })] },
      ["CONFLICTING_ATTEMPT_RESOLUTIONS blocking"],
    ],
    [
      "Attempt not resolvable",
      {
        states: [state({ status: "SUCCESS", activeAttemptId: null })],
        attempts: [ended("SUCCESS")],
        run: run("SUCCESS"),
      },
      ["RESOLUTION_ATTEMPT_NOT_UNKNOWN blocking"],
    ],
    [
      "node cannot be judged",
      {
        ...unknown,
        states: [state({ status: "UNKNOWN", activeAttemptId: null, ref: { recordId: "1", revision: 8 } })],
      },
      ["REVISION_SERIES_INVERTED blocking", "RESOLUTION_NOT_CURRENT_ATTEMPT blocking"],
    ],
    [
      "set back to wait for its retry (W-05)",
      {
        ...unknown,
        states: [state({ status: "WAITING", activeAttemptId: null })],
        run: run("RUNNING"),
        resolutions: [resolution({ outcome: "FAILED" })],
      },
      ["RESOLUTION_STATE_NOT_UNKNOWN notice"],
    ],
    [
      "…which a non-idempotent node cannot be",
      {
        ...unknown,
        states: [state({ status: "WAITING", idempotent: false, activeAttemptId: null })],
        run: run("RUNNING"),
      },
      ["RESOLUTION_STATE_NOT_UNKNOWN blocking"],
    ],
    ["of another Run's Attempt", { ...unknown, resolutions: [resolution({ attemptId: "attempt_9" })] }, []],
  ])("%s", (_, more, expected) => {
    expect(told(records({ resolutions: [resolution()], ...more }))).toEqual(expected);
  });

  it("applies the latest of equal Resolutions", () => {
    const later = resolution({ resolvedAt: "2026-09-02T00:00:00.000Z", resolutionType: "OUTCOME_CONFIRMED" });
    const repairs = [
      [resolution(), later],
      [later, resolution()],
    ].map((resolutions) => reconcile(records({ ...unknown, resolutions }))[0]?.repair);
    expect(repairs).toEqual([
      { type: "ATTEMPT_RESOLUTION_APPLIED", status: "SUCCESS", statusReason: "OUTCOME_CONFIRMED" },
      { type: "ATTEMPT_RESOLUTION_APPLIED", status: "SUCCESS", statusReason: "OUTCOME_CONFIRMED" },
    ]);
  });

  it("treats the Resolution of an older Attempt as history the peer stops at (W-05)", () => {
    const findings = reconcile(
      records({
        states: [state({ status: "FAILED", revision: 9, latestAttemptNo: 2, activeAttemptId: null })],
        attempts: [
          ended("UNKNOWN"),
          ended("FAILED", { attemptId: "attempt_2", attemptNo: 2, stateRevisionBefore: 7 }),
        ],
        run: run("FAILED"),
        resolutions: [resolution({ outcome: "FAILED" })],
      }),
    );
    expect(findings).toMatchObject([
      { code: "RESOLUTION_NOT_CURRENT_ATTEMPT", severity: "notice", peerBlocks: true },
    ]);
  });
});

describe("a creation that was not completed (W-07)", () => {
  const created = { run: run("CREATED", null), states: [], attempts: [] };
  it.each<[string, Partial<RunRecords>, string[]]>([
    ["no Invocation", { ...created, invocations: [] }, ["CREATION_INCOMPLETE repairable"]],
    [
      "Node States missing",
      { ...created, invocations: [{ invocationId: "i" }], nodeIds: ["a"] },
      ["CREATION_INCOMPLETE repairable"],
    ],
    ["all there", { invocations: [{ invocationId: "i" }], nodeIds: ["a"] }, []],
    ["bundle not read", { ...created, invocations: [{ invocationId: "i" }] }, []],
    ["Invocations not read", created, []],
  ])("%s", (_, more, expected) => {
    expect(told(records(more))).toEqual(expected);
  });

  it("says what is missing, and stops nobody", () => {
    const [finding] = reconcile(records({ ...created, invocations: [], nodeIds: ["a", "b"] }));
    expect(finding).toMatchObject({
      peerBlocks: false,
      repair: { type: "CREATION_COMPLETED", missingNodeIds: ["a", "b"] },
      detail: "The Run was created but has no Invocation and no Node State of a, b; a resume completes it.",
    });
    const aggregate = reconcile(records({ run: run("FAILED") }))[0];
    expect(aggregate).toMatchObject({ peerBlocks: false, repair: { status: "RUNNING" } });
  });
});
