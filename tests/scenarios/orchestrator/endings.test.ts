import { renameSync as renameNow, writeFileSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunNetworkInput, RunNetworkResult } from "../../../main/orchestrator/index.ts";
import type { RunGraph } from "../../../main/store/index.ts";
import { reconcile } from "../../../shared/domain/index.ts";
import type { NetworkLock } from "../../../shared/domain/model.ts";
import type { JobScript, NetworkNode } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();

interface Ended {
  readonly result: RunNetworkResult;
  readonly graph: RunGraph;
  readonly lock: NetworkLock;
}

/** Runs a network to its end; whatever the ending, the records agree and the lock is given back. */
async function ended(
  id: string,
  nodes: readonly NetworkNode[],
  input: Partial<RunNetworkInput> = {},
): Promise<Ended> {
  const result = await bench.run(await bench.network(id, nodes), input);
  const graph = await bench.graph(result);
  expect(graph.run && reconcile({ ...graph, run: graph.run })).toEqual([]);
  expect(graph.run?.status).toBe(result.aggregateStatus);
  const lock = await bench.records.lastLock();
  expect(lock).toMatchObject({ leaseToken: null, lockKey: null, ownerInvocationId: null });
  return { result, graph, lock };
}

const node = (id: string, dependsOn: readonly string[], script?: JobScript): NetworkNode => ({
  id,
  dependsOn,
  ...(script === undefined ? {} : { script }),
});
const ending = (code: string): JobScript => ({ ending: code });
const stateOf = ({ graph }: Ended, id: string) => graph.states.find(({ nodeId }) => nodeId === id);
const attemptOf = ({ graph }: Ended, id: string) => graph.attempts.find(({ nodeId }) => nodeId === id);

describe("a NEW Run walks its nodes in stable order (orchestration sections 1.3, 4.1, 4.4)", () => {
  it("runs a chain to SUCCESS: Run, Invocation, Node States, Attempts and the lock's tombstone say so", async () => {
    const events: string[] = [];
    const run = await ended("chain", [node("n1", []), node("n2", ["n1"]), node("n3", ["n2"])], {
      onEvent: (event) => events.push(`${event.kind}${"nodeId" in event ? ` ${event.nodeId}` : ""}`),
    });
    const { result, graph, lock } = run;
    expect(result).toMatchObject({ outcome: "NEW", invocationResultCode: "OK", problem: null });
    expect(graph.invocations).toMatchObject([
      {
        invocationId: result.invocationId,
        mode: "NEW",
        status: "SUCCESS",
        resultCode: "OK",
        requestedBy: "scenario",
        selectedNodeIds: ["n1", "n2", "n3"],
        preservedNodeIds: [],
        blockedNodeIds: [],
      },
    ]);
    expect(graph.states.map(({ status }) => status)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"]);
    expect(graph.attempts).toMatchObject(
      ["n1", "n2", "n3"].map((nodeId) => ({ nodeId, attemptNo: 1, status: "SUCCESS", resultCode: "OK" })),
    );
    expect(lock).toMatchObject({ status: "SUCCESS", statusReason: "OK" });
    const nodes = ["n1", "n2", "n3"].flatMap((id) => [`node-started ${id}`, `node-ended ${id}`]);
    expect(events).toEqual(["run-created", ...nodes, "run-ended"]);
  });

  it("blocks what waits for a failed node, names it, and goes on in an independent branch", async () => {
    const run = await ended("mid", [
      node("n1", []),
      node("n2", ["n1"], ending("ASSERT_FAILED")),
      node("n3", ["n2", "n1"]),
      node("n4", ["n3"]),
      node("free", []),
    ]);
    expect(stateOf(run, "n2")).toMatchObject({ status: "FAILED", statusReason: "ASSERT_FAILED" });
    const blocked = { status: "BLOCKED", statusReason: "ALL_SUCCESS_NOT_SATISFIED", latestAttemptNo: 0 };
    expect(stateOf(run, "n3")).toMatchObject({ ...blocked, blockedBy: ["n2"] });
    expect(stateOf(run, "n4")).toMatchObject({ ...blocked, blockedBy: ["n3"] });
    expect(stateOf(run, "free")?.status).toBe("SUCCESS");
    expect(run.graph.invocations).toMatchObject([
      { status: "FAILED", resultCode: "NODE_FAILED_OR_BLOCKED", blockedNodeIds: ["n3", "n4"] },
    ]);
    expect(run.lock).toMatchObject({ status: "FAILED", statusReason: "NODE_FAILED_OR_BLOCKED" });
    expect((await bench.starts("mid")).map(({ jobId }) => jobId)).toEqual(["mid_n1", "mid_n2", "mid_free"]);
  });

  it("takes a diamond in file order: the ready node that stands first runs next", async () => {
    await ended("diamond", [node("c", ["b"]), node("a", []), node("b", ["a"]), node("z", ["a", "c"])]);
    const started = (await bench.starts("diamond")).map(({ jobId }) => jobId);
    expect(started).toEqual(["diamond_a", "diamond_b", "diamond_c", "diamond_z"]);
  });
});

const LOG = { record_type: "JOB" };
const HALF = { status: "UNKNOWN", resultCode: "NO_EXECUTION_RESULT" };
const WRONG = { status: "UNKNOWN", resultCode: "INVALID_EXECUTION_RESULT" };
const FAILED_CODES = [
  "VALIDATION_ERROR",
  "SQL_ERROR",
  "ASSERT_FAILED",
  "API_ERROR",
  "AUTH_ERROR",
  "EXECUTION_TIMEOUT",
  "LOCK_UNAVAILABLE",
  "INTERNAL_ERROR",
  "SITE_SPECIFIC",
];

/** Node id, what its child does, and what its Attempt and Node State come to (orchestration section 5.2). */
const ROWS: readonly (readonly [string, JobScript, { status: string; resultCode: string }])[] = [
  ["ok", ending("OK"), { status: "SUCCESS", resultCode: "OK" }],
  ["no_data", ending("NO_DATA"), { status: "SUCCESS", resultCode: "NO_DATA" }],
  ...FAILED_CODES.map(
    (code) => [code.toLowerCase(), ending(code), { status: "FAILED", resultCode: code }] as const,
  ),
  ["cancelled", ending("CANCELLED"), { status: "CANCELLED", resultCode: "CANCELLED" }],
  ["no_result", ending("NO_RESULT"), HALF],
  ["truncated", ending("TRUNCATED"), HALF],
  ["log_running", { ending: "NO_RESULT", jobLog: { ...LOG, status: "RUNNING" } }, HALF],
  [
    "log_success",
    { ending: "NO_RESULT", jobLog: { ...LOG, status: "SUCCESS" } },
    { status: "SUCCESS", resultCode: "OK" },
  ],
  [
    "log_aborted",
    { ending: "NO_RESULT", jobLog: { ...LOG, status: "ABORTED" } },
    { status: "FAILED", resultCode: "ASSERT_FAILED" },
  ],
  ["missing_key", { changes: { executionId: "" } }, WRONG],
  ["wrong_attempt", { changes: { attemptId: "attempt_of_another" } }, WRONG],
  ["wrong_run", { changes: { correlationId: "run_of_another" } }, WRONG],
  ["wrong_exit", { exitCode: 1 }, WRONG],
  ["exit_4", { exitCode: 4 }, WRONG],
  ["code_mismatch", { ending: "SQL_ERROR", changes: { exitCode: 2 } }, WRONG],
];

describe("every ending of a child, as it stands in the records (orchestration sections 5.1, 5.2)", () => {
  let all: Ended;
  beforeAll(async () => {
    const nodes = ROWS.map(([id, script]) => node(id, [], script));
    all = await ended("rows", [...nodes, node("after_unknown", ["no_result"])]);
  });

  it.each(ROWS)("%s", (id, _script, expected) => {
    expect(attemptOf(all, id)).toMatchObject({ ...expected, attemptNo: 1 });
    expect(stateOf(all, id)).toMatchObject({
      status: expected.status,
      statusReason: expected.resultCode,
      activeAttemptId: null,
    });
    expect(attemptOf(all, id)?.executionStartedAt, "the start marker stays").not.toBeNull();
    expect(attemptOf(all, id)?.finishedAt).not.toBeNull();
  });

  it("an unknown outcome blocks what waits for it, and the whole Run is UNKNOWN (section 4.4)", () => {
    expect(stateOf(all, "after_unknown")).toMatchObject({ status: "BLOCKED", blockedBy: ["no_result"] });
    expect(all.result).toMatchObject({
      aggregateStatus: "UNKNOWN",
      invocationResultCode: "NODE_RESULT_UNKNOWN",
    });
    expect(all.graph.invocations).toMatchObject([{ status: "UNKNOWN", resultCode: "NODE_RESULT_UNKNOWN" }]);
    expect(all.lock).toMatchObject({ status: "UNKNOWN", statusReason: "NODE_RESULT_UNKNOWN" });
  });

  it("the numbers of a believed result are the Attempt's, those of an unbelieved one are not", () => {
    expect(attemptOf(all, "ok")).toMatchObject({ readCount: 7, writtenCount: 5, durationSec: 1.5 });
    expect(attemptOf(all, "wrong_run")).toMatchObject({ readCount: 0, writtenCount: 0, durationSec: null });
  });

  it("removes the folders of settled attempts and of the bundle", async () => {
    expect(await readdir(bench.workDir)).toEqual([]);
  });

  it("a cancelled node alone makes the Run CANCELLED / NODE_CANCELLED", async () => {
    const { graph, lock } = await ended("cancelled", [node("n1", [], ending("CANCELLED"))]);
    expect(graph.run?.status).toBe("CANCELLED");
    expect(graph.invocations).toMatchObject([{ status: "CANCELLED", resultCode: "NODE_CANCELLED" }]);
    expect(lock).toMatchObject({ status: "CANCELLED", statusReason: "NODE_CANCELLED" });
  });
});

const PREPARE_FAILED = {
  status: "WAITING",
  statusReason: "PREPARE_FAILED",
  latestAttemptNo: 1,
  activeAttemptId: null,
  startedAt: null,
  finishedAt: null,
};

describe("a start that provably ran no SQL (orchestration section 4.5)", () => {
  it("exit 5 with LOCK_CONFLICT puts the node back to WAITING, defers its dependents and goes on elsewhere", async () => {
    const run = await ended("busy", [
      node("n1", [], ending("LOCK_CONFLICT")),
      node("n2", []),
      node("n3", ["n1", "n2"]),
    ]);
    expect(attemptOf(run, "n1")).toMatchObject({ status: "CANCELLED", resultCode: "PREPARE_FAILED" });
    expect(stateOf(run, "n1")).toMatchObject(PREPARE_FAILED);
    expect(stateOf(run, "n2")?.status).toBe("SUCCESS");
    expect(stateOf(run, "n3")).toMatchObject({ status: "WAITING", latestAttemptNo: 0 });
    expect(run.result).toMatchObject({ aggregateStatus: "RUNNING", invocationResultCode: "NODES_DEFERRED" });
    expect(run.graph.invocations).toMatchObject([{ status: "CANCELLED", resultCode: "NODES_DEFERRED" }]);
    expect(run.lock).toMatchObject({ status: "CANCELLED", statusReason: "NODES_DEFERRED" });
    expect((await bench.starts("busy")).length, "each node has one turn").toBe(2);
  });

  it("a runner that cannot be launched does the same", async () => {
    const away = `${bench.runnerProgram}-away`;
    const run = await ended("unlaunched", [node("n1", []), node("n2", ["n1"])], {
      onEvent: (event) => {
        if (event.kind === "run-created") renameNow(bench.runnerProgram, away);
      },
    });
    await rename(away, bench.runnerProgram);
    expect(attemptOf(run, "n1")).toMatchObject({ status: "CANCELLED", resultCode: "PREPARE_FAILED" });
    expect(attemptOf(run, "n1")?.errorMessage).toContain("could not be started");
    expect(stateOf(run, "n1")).toMatchObject(PREPARE_FAILED);
    expect(run.result).toMatchObject({
      invocationResultCode: "NODES_DEFERRED",
      nodes: [
        {
          nodeId: "n1",
          status: "WAITING",
          code: "PREPARE_FAILED",
          message: expect.stringContaining("could not be started"),
        },
        { nodeId: "n2", status: "WAITING", message: null },
      ],
    });
    expect(await bench.starts("unlaunched")).toEqual([]);
  });
});

describe("a failure before any child could exist (fenced-writes R5)", () => {
  it("is one write: the Attempt terminal without a marker, the Node FAILED, its dependents blocked", async () => {
    const away = `${bench.workDir}-away`;
    const run = await ended("nofolder", [node("n1", []), node("n2", ["n1"])], {
      onEvent: (event) => {
        if (event.kind !== "run-created") return;
        // A file where the work folder was: nothing can be made below it, whoever runs this.
        renameNow(bench.workDir, away);
        writeFileSync(bench.workDir, "");
        bench.kintone.seen.clear();
      },
    });
    await rm(bench.workDir);
    await rename(away, bench.workDir);
    expect(attemptOf(run, "n1")).toMatchObject({
      status: "FAILED",
      resultCode: "WORK_FOLDER_UNAVAILABLE",
      executionStartedAt: null,
      attemptNo: 1,
    });
    expect(stateOf(run, "n1")).toMatchObject({ status: "FAILED", statusReason: "WORK_FOLDER_UNAVAILABLE" });
    expect(stateOf(run, "n2")).toMatchObject({ status: "BLOCKED", blockedBy: ["n1"] });
    expect(run.result).toMatchObject({
      outcome: "NEW",
      aggregateStatus: "FAILED",
      invocationResultCode: "NODE_FAILED_OR_BLOCKED",
      networkId: "nofolder",
      nodes: [
        { nodeId: "n1", status: "FAILED", code: "WORK_FOLDER_UNAVAILABLE" },
        { nodeId: "n2", status: "BLOCKED" },
      ],
    });
    expect(await bench.starts("nofolder")).toEqual([]);
    const writes = bench.kintone.seen.list().filter(({ path }) => path.endsWith("bulkRequest.json"));
    expect(writes).toHaveLength(1);
  });
});
