import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMBEDDED_PROFILE, type OpenedWorkspace, openEmbedded } from "../../../main/console/index.ts";
import { createProvisioner, readServerFile } from "../../../main/local-kintone/index.ts";
import type { RunGraph } from "../../../main/store/index.ts";
import { jobLogWrites } from "../../../shared/records/index.ts";
import { nodesOf } from "../../support/acceptance/acts.ts";
import { jsonOf } from "../../support/acceptance/stage.ts";
import { type InteropNode, writeNetwork } from "../../support/interop/network.ts";
import { bareEnvironment, type ProgramEnd, startScript } from "../../support/interop/program.ts";

const CLI = path.resolve(import.meta.dirname, "..", "..", "..", "main", "cli", "index.ts");
const GOOD = "SELECT COUNT(*) AS deals FROM LAPP_案件;";
const BAD = "ASSERT (SELECT COUNT(*) FROM LAPP_案件) < 0, '件数が合いません';";

// The built-in runner is the child here: what it writes into the JOB log is part of these scenarios.
let folder = "";
let workspace: OpenedWorkspace;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "m5-"));
  workspace = await openEmbedded({ dataDir: path.join(folder, "data"), env: {}, endServer: true });
});
afterAll(async () => {
  await workspace.dispose();
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
});

const network = (id: string, nodes: readonly InteropNode[]) =>
  writeNetwork(path.join(folder, "networks"), { id, nodes });
const midfail = [
  { id: "n1", sql: GOOD },
  { id: "n2", dependsOn: ["n1"], sql: BAD },
  { id: "n3", dependsOn: ["n2"], sql: GOOD },
];
function run(file: string, ...more: readonly string[]): Promise<ProgramEnd> {
  const args = ["run-network", file, "--business-key", "k", "--json", ...more];
  return startScript(CLI, [...args, "--data-dir", path.join(folder, "data")], bareEnvironment()).ended;
}
const graphOf = (told: Readonly<Record<string, unknown>>): Promise<RunGraph> =>
  workspace.reads.readRunGraph(String(told.run_id));

describe("Runs with the built-in runner (orchestration section 10, m5)", () => {
  it("m5-serial-success: three nodes one after the other, each with its Attempt and its JOB log", async () => {
    const file = await network("serial", [
      { id: "n1", sql: GOOD },
      { id: "n2", dependsOn: ["n1"], sql: GOOD },
      { id: "n3", dependsOn: ["n2"], sql: GOOD },
    ]);
    const end = await run(file);
    expect(end.exitCode).toBe(0);
    const graph = await graphOf(jsonOf(end));
    expect(graph).toMatchObject({
      run: { status: "SUCCESS" },
      invocations: [{ status: "SUCCESS", mode: "NEW" }],
    });
    expect(nodesOf(graph)).toEqual({ n1: ["SUCCESS", 1], n2: ["SUCCESS", 1], n3: ["SUCCESS", 1] });
    expect(graph.attempts.map(({ status }) => status)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"]);
    const times = graph.attempts.flatMap(({ executionStartedAt, finishedAt }) => [
      executionStartedAt,
      finishedAt,
    ]);
    expect(times, "no Attempt begins before the one before it ended").toEqual(times.toSorted());
    for (const attempt of graph.attempts) {
      expect(await workspace.reads.findJobLog(attempt.attemptId)).toMatchObject({
        kind: "found",
        log: {
          status: "SUCCESS",
          correlationId: graph.run?.runId,
          attemptId: attempt.attemptId,
          executionId: attempt.executionId,
          jobId: attempt.jobId,
        },
      });
    }
  });

  it("m5-mid-failure, m5-resume, m7-01: the failure blocks what follows; a resume runs the stored SQL, not the repaired file", async () => {
    const file = await network("midfail", midfail);
    const first = await run(file);
    expect(first.exitCode).toBe(1);
    const failed = await graphOf(jsonOf(first));
    expect(failed).toMatchObject({ run: { status: "FAILED" }, invocations: [{ status: "FAILED" }] });
    expect(failed.states[1]).toMatchObject({ status: "FAILED", statusReason: "ASSERT_FAILED" });
    expect(failed.states[2]).toMatchObject({ status: "BLOCKED", blockedBy: ["n2"] });
    await network(
      "midfail",
      midfail.map((each) => ({ ...each, sql: GOOD })),
    );
    const second = await graphOf(jsonOf(await run(file, "--resume")));
    expect(second.run?.runId).toBe(failed.run?.runId);
    expect(
      second.attempts.map(({ nodeId, attemptNo, resultCode }) => [nodeId, attemptNo, resultCode]),
    ).toEqual([
      ["n1", 1, "OK"],
      ["n2", 1, "ASSERT_FAILED"],
      ["n2", 2, "ASSERT_FAILED"],
    ]);
    expect(nodesOf(second)).toMatchObject({ n3: ["BLOCKED", 0] });
    expect(second.invocations[1]).toMatchObject({ mode: "RESUME", preservedNodeIds: ["n1"] });
  });

  it("m5-lock-conflict: a job lock that another process holds defers the node and what joins it", async () => {
    const file = await network("locked", [
      { id: "n1", sql: GOOD },
      { id: "n2", sql: GOOD },
      { id: "n3", dependsOn: ["n1", "n2"], sql: GOOD },
    ]);
    await holdJobLock(`${EMBEDDED_PROFILE}:locked_n1`);
    const end = await run(file);
    expect(end.exitCode).toBe(1);
    expect(jsonOf(end)).toMatchObject({
      aggregate_status: "RUNNING",
      invocation_result_code: "NODES_DEFERRED",
    });
    const graph = await graphOf(jsonOf(end));
    expect(nodesOf(graph)).toEqual({ n1: ["WAITING", 1], n2: ["SUCCESS", 1], n3: ["WAITING", 0] });
    expect(graph.attempts.find(({ nodeId }) => nodeId === "n1")).toMatchObject({
      attemptNo: 1,
      status: "CANCELLED",
      resultCode: "PREPARE_FAILED",
    });
    expect(graph).toMatchObject({
      run: { status: "RUNNING" },
      invocations: [{ status: "CANCELLED", resultCode: "NODES_DEFERRED" }],
    });
  });
});

/** Another process on another host runs this job. */
async function holdJobLock(jobKey: string): Promise<void> {
  const told = readServerFile(path.join(folder, "data"));
  if (told === null) throw new Error("no local kintone is running");
  const record = jobLogWrites.encodeInsert({
    jobKey,
    batchId: "11111111-1111-4111-8111-111111111111",
    parentBatchId: null,
    scriptName: "n1.sql",
    profile: EMBEDDED_PROFILE,
    asOf: "2026-09-01T00:00:00Z",
    startedAt: new Date().toISOString().replace(/\.\d+/, ""),
    executedBy: "somebody",
    host: "HOST-X",
    gitRef: "",
    ksqlVersion: "0.9.0",
    correlation: null,
  });
  const appId = workspace.environment().KSQL_FLOW_LOG_APP_ID ?? "";
  await createProvisioner(told.controlUrl, told.controlToken).insertRecords({ appId, records: [record] });
}
