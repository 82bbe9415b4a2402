import { describe, expect, it } from "vitest";
import { getRecords } from "../../../main/kintone-client/index.ts";
import { reconcile } from "../../../shared/domain/index.ts";
import type { Attempt, NodeState, Stored } from "../../../shared/domain/model.ts";
import { attemptCodec, invocationCodec, nodeStateCodec } from "../../../shared/records/index.ts";
import type { JobScript, NetworkNode } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();

const node = (id: string, dependsOn: readonly string[], script?: JobScript): NetworkNode => ({
  id,
  dependsOn,
  script: script ?? { ending: "OK" },
});
const failing: JobScript = { ending: "ASSERT_FAILED" };
const midfail = (script: JobScript): readonly NetworkNode[] => [
  node("n1", []),
  node("n2", ["n1"], script),
  node("n3", ["n2"]),
];

async function stateOf(runId: string | null, nodeId: string): Promise<Stored<NodeState>> {
  const graph = await bench.workspace.reads.readRunGraph(runId ?? "");
  const state = graph.states.find((each) => each.nodeId === nodeId);
  if (state === undefined) throw new Error(`no state of ${nodeId}`);
  return state;
}

describe("RESUME (orchestration §2.1, §4.1)", () => {
  it("runs what failed again, keeps what succeeded, and says so in a second Invocation", async () => {
    const file = await bench.network("again", midfail(failing));
    const first = await bench.run(file);
    await bench.network("again", midfail({ ending: "OK" }));
    const second = await bench.run(file, { resume: true });
    expect(second).toMatchObject({
      outcome: "RESUME",
      runId: first.runId,
      aggregateStatus: "SUCCESS",
      invocationResultCode: "OK",
    });
    const graph = await bench.graph(second);
    expect(graph.attempts.map(({ nodeId, attemptNo, status }) => [nodeId, attemptNo, status])).toEqual([
      ["n1", 1, "SUCCESS"],
      ["n2", 1, "FAILED"],
      ["n2", 2, "SUCCESS"],
      ["n3", 1, "SUCCESS"],
    ]);
    expect(graph.invocations[1]).toMatchObject({
      mode: "RESUME",
      preservedNodeIds: ["n1"],
      selectedNodeIds: ["n2", "n3"],
      reason: "resume incomplete run",
    });
    expect(graph.run && reconcile({ ...graph, run: graph.run })).toEqual([]);
    expect(await bench.records.lastLock()).toMatchObject({ leaseToken: null, status: "SUCCESS" });
  });

  it("finds a Run by its id too, and refuses the definition of another network", async () => {
    const file = await bench.network("byid", midfail(failing));
    const first = await bench.run(file);
    const runId = first.runId ?? "";
    const other = await bench.network("stranger", [node("a", [])]);
    expect(await bench.run(other, { resumeRunId: runId })).toMatchObject({
      outcome: "REJECTED",
      invocationResultCode: "RUN_ID_MISMATCH",
    });
    expect(await bench.run(file, { resumeRunId: runId })).toMatchObject({
      outcome: "RESUME",
      runId,
      aggregateStatus: "FAILED",
    });
    expect(await bench.run(file, { resumeRunId: "netrun_none" })).toMatchObject({
      invocationResultCode: "RUN_NOT_FOUND",
    });
  });

  it("of a succeeded Run does nothing, and of none at all starts it", async () => {
    const file = await bench.network("fresh", [node("a", [])]);
    expect(await bench.run(file, { resume: true })).toMatchObject({
      outcome: "NEW",
      aggregateStatus: "SUCCESS",
    });
    expect(await bench.run(file, { resume: true })).toMatchObject({ outcome: "NOOP" });
  });

  it("is refused while the Run is held, and by a profile that reads elsewhere; no Invocation is left (W-15, W-18)", async () => {
    const file = await bench.network("kept", midfail(failing));
    const first = await bench.run(file);
    const runId = first.runId ?? "";
    await bench.records.requestHold(runId);
    expect(await bench.run(file, { resume: true })).toMatchObject({ invocationResultCode: "RUN_ON_HOLD" });
    const hold = await bench.workspace.reads.findHold(runId);
    if (hold === null) throw new Error("no hold");
    await bench.records.releaseHold(hold);
    await bench.override("describe-profile", { apps: { DEALS: 999 } });
    const refused = await bench.run(file, { resume: true });
    await bench.override("describe-profile", null);
    expect(refused).toMatchObject({
      invocationResultCode: "PROFILE_SNAPSHOT_MISMATCH",
      problem: { details: { differences: [{ field: "apps.DEALS", now: "999", blocking: true }] } },
    });
    expect((await bench.graph(first)).invocations).toHaveLength(1);
    expect(await bench.records.lastLock()).toMatchObject({ leaseToken: null });
  });

  it("goes on under the limits it was made with when only those changed, and notes it (W-18)", async () => {
    const file = await bench.network("limits", midfail(failing));
    await bench.run(file);
    await bench.override("describe-profile", {
      limits: { maxApiCalls: 7, maxReadRows: null, maxTempRows: null, batchTimeoutSec: null },
    });
    const second = await bench.run(file, { resume: true });
    await bench.override("describe-profile", null);
    expect(second.outcome).toBe("RESUME");
    expect((await bench.graph(second)).invocations[1]?.reason).toContain("limits.maxApiCalls");
  });

  it("leaves an unknown outcome alone and what follows it blocked, and runs an independent branch", async () => {
    const nodes = (free: JobScript): readonly NetworkNode[] => [
      node("n1", [], { ending: "NO_RESULT" }),
      node("n2", [], free),
      node("n3", ["n1", "n2"]),
    ];
    const file = await bench.network("unknown", nodes(failing));
    const first = await bench.run(file);
    await bench.network("unknown", nodes({ ending: "OK" }));
    const second = await bench.run(file, { resume: true });
    expect(second).toMatchObject({ aggregateStatus: "UNKNOWN", invocationResultCode: "NODE_RESULT_UNKNOWN" });
    expect(await stateOf(first.runId, "n1")).toMatchObject({ status: "UNKNOWN", latestAttemptNo: 1 });
    expect(await stateOf(first.runId, "n2")).toMatchObject({ status: "SUCCESS", latestAttemptNo: 2 });
    expect(await stateOf(first.runId, "n3")).toMatchObject({ status: "BLOCKED", blockedBy: ["n1"] });
    expect((await bench.graph(second)).invocations[1]?.blockedNodeIds).toEqual(["n1", "n3"]);
  });

  it("does not run a node again that must not run twice", async () => {
    const nodes = [{ ...node("n1", [], failing), idempotent: false }, node("n2", ["n1"])];
    const file = await bench.network("once", nodes);
    const first = await bench.run(file);
    const second = await bench.run(file, { resume: true });
    expect(second).toMatchObject({ outcome: "RESUME", aggregateStatus: "FAILED" });
    expect((await bench.graph(first)).attempts).toHaveLength(1);
  });
});

describe("the retry brake (orchestration §4.6, scenario 18)", () => {
  it("holds a node after three equal failures, names it, and lets RERUN_FROM through", async () => {
    const file = await bench.network("brake", [node("n1", [], failing), node("n2", [])]);
    const first = await bench.run(file);
    await bench.run(file, { resume: true });
    await bench.run(file, { resume: true });
    const braked = await bench.run(file, { resume: true });
    expect(braked).toMatchObject({ outcome: "RESUME", retryBrakeNodeIds: ["n1"], aggregateStatus: "FAILED" });
    expect(await stateOf(first.runId, "n1")).toMatchObject({
      status: "FAILED",
      statusReason: "RETRY_BRAKE:ASSERT_FAILEDx3",
      latestAttemptNo: 3,
    });
    expect(await stateOf(first.runId, "n2")).toMatchObject({ status: "SUCCESS", latestAttemptNo: 1 });
    const rerun = await bench.run(file, { resume: true, rerunFrom: "n1" });
    expect(rerun).toMatchObject({ outcome: "RESUME", retryBrakeNodeIds: [] });
    expect(await stateOf(first.runId, "n1")).toMatchObject({ latestAttemptNo: 4 });
    const graph = await bench.graph(rerun);
    expect(graph.invocations.map(({ mode }) => mode)).toEqual([
      "NEW",
      "RESUME",
      "RESUME",
      "RESUME",
      "RERUN_FROM",
    ]);
    expect(graph.invocations[3]?.reason).toContain("RETRY_BRAKE:ASSERT_FAILEDx3");
  });
});

describe("RERUN_FROM (orchestration §4.9, scenario 16)", () => {
  it("runs the node and what depends on it again, and nothing else", async () => {
    const file = await bench.network("rerun", [
      node("n1", []),
      node("n2", ["n1"]),
      node("n3", ["n2"], failing),
      node("free", [], failing),
    ]);
    const first = await bench.run(file);
    await bench.network("rerun", [node("n1", []), node("n2", ["n1"]), node("n3", ["n2"]), node("free", [])]);
    const second = await bench.run(file, { resumeRunId: first.runId ?? "", rerunFrom: "n2" });
    const graph = await bench.graph(second);
    expect(graph.invocations[1]).toMatchObject({
      mode: "RERUN_FROM",
      reason: "rerun from n2",
      selectedNodeIds: ["n2", "n3"],
    });
    const numbers = graph.states.map(({ nodeId, latestAttemptNo, status }) => [
      nodeId,
      latestAttemptNo,
      status,
    ]);
    expect(numbers).toEqual([
      ["n1", 1, "SUCCESS"],
      ["n2", 2, "SUCCESS"],
      ["n3", 2, "SUCCESS"],
      ["free", 1, "FAILED"],
    ]);
  });

  it("lets a node that never ran go, and refuses one that must not run twice; nothing is written then", async () => {
    const nodes = [node("n1", [], failing), { ...node("n2", ["n1"]), idempotent: false }];
    const file = await bench.network("nonidem", nodes);
    const first = await bench.run(file);
    expect(await bench.run(file, { resume: true, rerunFrom: "n1" })).toMatchObject({ outcome: "RESUME" });
    await bench.network("nonidem", [node("n1", []), { ...node("n2", ["n1"], failing), idempotent: false }]);
    await bench.run(file, { resume: true });
    const before = await bench.graph(first);
    expect(await bench.run(file, { resume: true, rerunFrom: "n2" })).toMatchObject({
      outcome: "REJECTED",
      invocationResultCode: "RERUN_FROM_NON_IDEMPOTENT",
    });
    const after = await bench.graph(first);
    expect([after.attempts.length, after.invocations.length]).toEqual([
      before.attempts.length,
      before.invocations.length,
    ]);
  });
});

/** The record as a crash would have left it: RUNNING, its Attempt open, the business revision in step. */
async function wreck(runId: string, nodeId: string, change: Partial<Attempt>): Promise<Stored<Attempt>> {
  const graph = await bench.workspace.reads.readRunGraph(runId);
  const state = await stateOf(runId, nodeId);
  const attempt = graph.attempts.findLast((each) => each.nodeId === nodeId);
  if (attempt === undefined) throw new Error("no attempt");
  const { ref: attemptRef, ...open } = { ...attempt, ...RUNNING_ATTEMPT, ...change };
  const { ref, ...running } = {
    ...state,
    status: "RUNNING" as const,
    activeAttemptId: attempt.attemptId,
    finishedAt: null,
    revision: state.ref.revision + 1,
  };
  await bench.records.update("audit", { id: attemptRef.recordId, record: attemptCodec.encodeFinal(open) });
  await bench.records.update("state", { id: ref.recordId, record: nodeStateCodec.encodeUpdate(running) });
  return attempt;
}
const RUNNING_ATTEMPT = { status: "RUNNING", resultCode: "PENDING", finishedAt: null } as const;

describe("what a crash left (orchestration §2.3, §5.3)", () => {
  const log = (ending: string): JobScript => ({ ending, jobLog: { record_type: "JOB", status: "FAILED" } });

  it("an orphan whose JOB log has ended is adopted and, being idempotent, retried in the same Invocation", async () => {
    const file = await bench.network("adopted", [node("n1", [], log("ASSERT_FAILED"))]);
    const first = await bench.run(file);
    const orphan = await wreck(first.runId ?? "", "n1", {});
    await bench.network("adopted", [node("n1", [])]);
    const second = await bench.run(file, { resume: true });
    expect(second).toMatchObject({ aggregateStatus: "SUCCESS" });
    const graph = await bench.graph(second);
    expect(graph.attempts.map(({ status, resultCode }) => [status, resultCode])).toEqual([
      ["FAILED", "FAILED"],
      ["SUCCESS", "OK"],
    ]);
    expect(graph.invocations[1]?.reason).toBe(
      `resume incomplete run; adjudicated n1 attempt ${orphan.attemptNo}: FAILED/FAILED`,
    );
  });

  it("an orphan nobody knows the end of becomes UNKNOWN, and is adjudicated before a rerun resets it (W-09)", async () => {
    const file = await bench.network("lost", [node("n1", [], failing)]);
    const first = await bench.run(file);
    await wreck(first.runId ?? "", "n1", {});
    expect(await bench.run(file, { resume: true, rerunFrom: "n1" })).toMatchObject({
      invocationResultCode: "RERUN_FROM_UNKNOWN_STATE",
    });
    expect(await bench.run(file, { resume: true })).toMatchObject({ aggregateStatus: "UNKNOWN" });
    expect(await stateOf(first.runId, "n1")).toMatchObject({ status: "UNKNOWN", latestAttemptNo: 1 });
  });

  it("an Attempt without start marker and JOB log never ran: its node waits again (W-04)", async () => {
    const file = await bench.network("unspawned", [node("n1", [], failing)]);
    const first = await bench.run(file);
    const attempt = await wreck(first.runId ?? "", "n1", {});
    await bench.records.update("audit", {
      id: attempt.ref.recordId,
      record: { execution_started_at: { value: "" } },
    });
    await bench.network("unspawned", [node("n1", [])]);
    const second = await bench.run(file, { resume: true });
    expect(second.aggregateStatus).toBe("SUCCESS");
    expect((await bench.graph(second)).attempts.map(({ resultCode }) => resultCode)).toEqual([
      "PREPARE_FAILED",
      "OK",
    ]);
  });

  it("an Invocation nobody carries on is finalised with its audit (orchestration §4.1 step 3)", async () => {
    const file = await bench.network("abandoned", [node("n1", [], failing)]);
    const first = await bench.run(file);
    const before = (await bench.graph(first)).invocations[0];
    if (before === undefined) throw new Error("no invocation");
    const { ref, ...open } = before;
    const again = { ...open, status: "RUNNING" as const, resultCode: "PENDING", finishedAt: "" };
    await bench.records.update("audit", { id: ref.recordId, record: invocationCodec.encodeFinal(again) });
    await bench.run(file, { resume: true });
    expect((await bench.graph(first)).invocations[0]).toMatchObject({
      status: "CANCELLED",
      resultCode: "NETWORK_LEASE_INTERRUPTED",
    });
    const transport = bench.kintone.transport();
    const query = `record_type in ("OPERATION_AUDIT") and run_id in ("${first.runId}")`;
    const audits = await transport.send(getRecords(bench.kintone.apps.audit, query));
    await transport.dispose();
    expect(audits).toMatchObject({
      value: [{ result_code: { value: "INVOCATION_FINALIZED" } }],
    });
  });
});
