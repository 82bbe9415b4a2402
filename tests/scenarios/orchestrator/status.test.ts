import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { attemptCodec, runCodec } from "../../../shared/records/index.ts";
import { PROFILE } from "../../support/scripted-workspace.ts";
import { freshAttempt, freshRun } from "../../support/store-entities.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();
afterEach(() => bench.proxy.clear());

const statusOf = (networkId: string, over: { runId?: string; businessKey?: string } = {}) =>
  bench.workspace.orchestrator.status({ networkId, profile: PROFILE, ...over });

/** A Run n1 -> n2 whose first child waits; `then` looks at it, then it goes on to its end. */
async function whileRunning(id: string, then: (runId: string) => Promise<void>): Promise<string> {
  const gate = path.join(bench.folder, `${id}.gate`);
  const nodes = [
    { id: "n1", script: { waitFor: gate } },
    { id: "n2", dependsOn: ["n1"] },
  ];
  const running = bench.run(await bench.network(id, nodes));
  await bench.started(id, "n1");
  const [run] = await bench.workspace.reads.listRuns({ profile: PROFILE, networkId: id });
  await then(run?.runId ?? "");
  await writeFile(gate, "");
  return (await running).runId ?? "";
}

describe("status of one Run (orchestration sections 6, 9.2)", () => {
  it("agrees with the records while it runs, without the lease token, and writes nothing", async () => {
    await whileRunning("live", async (runId) => {
      const lock = await bench.records.lastLock();
      const before = await bench.records.revisions(`run_id = "${runId}"`);
      bench.kintone.seen.clear();
      const report = await statusOf("live", { runId });
      const seen = bench.kintone.seen.list();
      expect(seen.length, "at most five round trips").toBeLessThanOrEqual(5);
      expect(seen.every(({ method }) => method === "GET")).toBe(true);
      expect(await bench.records.revisions(`run_id = "${runId}"`)).toEqual(before);
      expect(JSON.stringify(report)).not.toContain(lock.leaseToken);
      expect(report.lock).toMatchObject({
        recordId: lock.ref.recordId,
        ownerInvocationId: lock.ownerInvocationId,
        ownerInstanceId: expect.stringMatching(/^local-pid:\/\/.+\/\d+$/),
        staleCandidate: false,
        revision: lock.revision,
      });
      const [run] = report.runs;
      expect(run).toMatchObject({ runId, status: "RUNNING", activity: "LIVE", hold: null });
      const [attempt] = (await bench.workspace.reads.readRunGraph(runId)).attempts;
      const brief = { attemptId: attempt?.attemptId, attemptNo: 1, status: "RUNNING", resultCode: "PENDING" };
      expect(run?.detail).toMatchObject({
        invocations: [{ invocationId: lock.ownerInvocationId, mode: "NEW", status: "RUNNING" }],
        nodeStates: [
          { nodeId: "n1", status: "RUNNING", latestAttempt: brief, activeAttempt: brief },
          { nodeId: "n2", status: "WAITING", latestAttempt: null, activeAttempt: null },
        ],
        inconsistencies: [],
        recovery: {
          resolveNode: [],
          forceUnlockNetwork: { networkId: "live", expectedOwnerInvocationId: lock.ownerInvocationId },
        },
      });
    });
  });

  it("agrees with the records after its end, by id and by key alike", async () => {
    const runId = await whileRunning("done", async () => undefined);
    const byKey = await statusOf("done", { businessKey: "k" });
    expect(byKey).toEqual(await statusOf("done", { runId }));
    expect(byKey.lock).toBeNull();
    expect(byKey.runs).toMatchObject([{ runId, status: "SUCCESS", activity: null }]);
    expect(byKey.runs[0]?.detail?.recovery).toEqual({
      resolveNode: [],
      forceUnlockNetwork: null,
      runNetwork: { resumeRun: runId },
    });
  });

  it("shows a hold as STOPPED, and names what can be resolved and resumed", async () => {
    await whileRunning("held", (runId) => bench.records.requestHold(runId));
    const held = await statusOf("held", { businessKey: "k" });
    expect(held.runs).toMatchObject([
      { activity: "STOPPED", hold: { state: "ACCEPTED", requestedBy: "operator" } },
    ]);
    const file = await bench.network("unknown", [
      { id: "n1", script: { ending: "NO_RESULT" } },
      { id: "n2", idempotent: false, script: { ending: "SQL_ERROR" } },
      { id: "n3", script: { ending: "SQL_ERROR" } },
    ]);
    const { runId } = await bench.run(file);
    const report = await statusOf("unknown", { businessKey: "k" });
    expect(report.runs[0]?.detail?.recovery).toMatchObject({
      resolveNode: [
        { runId, nodeId: "n1" },
        { runId, nodeId: "n2" },
      ],
      runNetwork: { resumeRun: runId },
    });
  });

  it("shows every inconsistency of the records, each with its code and place", async () => {
    const file = await bench.network("torn", [
      { id: "n1" },
      { id: "n2", script: { ending: "NO_RESULT" } },
      { id: "n3" },
    ]);
    const result = await bench.run(file);
    const graph = await bench.graph(result);
    const state = (id: string) => {
      const found = graph.states.find(({ nodeId }) => nodeId === id);
      if (found === undefined) throw new Error(id);
      return found;
    };
    // A person edits n1; a second attempt of n3 stays open; an attempt belongs to no node; the Run says SUCCESS.
    await bench.records.update("state", {
      id: state("n1").ref.recordId,
      record: { status_reason: { value: "me" } },
    });
    const extra = [
      freshAttempt({ ...state("n3"), revision: 1 }, "invoke_x", { attemptNo: 2 }),
      freshAttempt({ ...state("n3"), revision: 1 }, "invoke_x", { attemptNo: 3 }),
      freshAttempt({ ...state("n3"), nodeId: "gone" }, "invoke_x"),
    ];
    for (const attempt of extra) await bench.records.insert("audit", attemptCodec.encode(attempt));
    const record = { status: { value: "SUCCESS" } };
    await bench.records.update("state", { id: graph.run?.ref.recordId ?? "", record });
    const report = await statusOf("torn", { businessKey: "k" });
    const found = report.runs[0]?.detail?.inconsistencies.map(({ code, nodeId }) => [code, nodeId]);
    expect(found).toEqual(
      expect.arrayContaining([
        ["REVISION_SERIES_INVERTED", "n1"],
        ["MULTIPLE_RUNNING_ATTEMPTS", "n3"],
        ["ATTEMPT_NODE_STATE_MISSING", "gone"],
        ["RUN_AGGREGATE_MISMATCH", null],
      ]),
    );
    expect(report.runs[0]?.detail?.inconsistencies.every(({ detail }) => detail !== "")).toBe(true);
  });

  it("shows a Run whose creation stopped at its own record (W-07)", async () => {
    const run = freshRun({ networkId: "half" });
    const profileSnapshot = { ...run.profileSnapshot, profile: PROFILE };
    await bench.records.insert("state", runCodec.encode({ ...run, profileSnapshot }));
    const report = await statusOf("half", { runId: run.runId });
    expect(report.runs).toMatchObject([{ status: "CREATED", activity: "IDLE" }]);
    expect(report.runs[0]?.detail?.inconsistencies).toMatchObject([{ code: "CREATION_INCOMPLETE" }]);
  });

  it("refuses a Run of another network, with its place and what to do", async () => {
    const { runId } = await bench.run(await bench.network("mine", [{ id: "n1" }]));
    await expect(statusOf("other", { runId: runId ?? "" })).rejects.toMatchObject({
      code: "RECORD_NOT_FOUND",
      problem: { place: "--run-id", remedy: expect.stringMatching(/\S/) },
    });
    await expect(statusOf("mine", { businessKey: "x" })).rejects.toMatchObject({ code: "RECORD_NOT_FOUND" });
  });
});

describe("status of a network (orchestration section 9.2, W-20)", () => {
  it("lists its Runs with a number of requests that does not grow with them", async () => {
    const file = await bench.network("many", [{ id: "n1" }]);
    for (const businessKey of ["a", "b", "c"]) await bench.run(file, { businessKey });
    bench.kintone.seen.clear();
    const report = await statusOf("many");
    // One page holds them all, and no lock asks whose Run it is.
    expect(bench.kintone.seen.list()).toHaveLength(1);
    expect(report.runs.map(({ businessKey, status, detail }) => [businessKey, status, detail])).toEqual(
      expect.arrayContaining(["a", "b", "c"].map((key) => [key, "SUCCESS", null])),
    );
  });
});
