import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openWorkspace } from "../../../main/console/index.ts";
import type { RunNetworkResult } from "../../../main/orchestrator/index.ts";
import { isBulk, type ProxiedRequest } from "../../support/fault-proxy.ts";
import { type NetworkNode, PROFILE } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();
afterEach(() => {
  bench.proxy.clear();
  bench.kintone.seen.clear();
});

const runsOf = (networkId: string) => bench.workspace.reads.listRuns({ profile: PROFILE, networkId });

/** A refusal is a whole Problem: a stable code, where, and what to do. */
function expectRefusal(result: RunNetworkResult, code: string, place: RegExp): void {
  expect(result).toMatchObject({
    outcome: "REJECTED",
    runId: null,
    invocationId: null,
    aggregateStatus: null,
    invocationResultCode: code,
  });
  expect(result.problem).toMatchObject({ code, message: expect.stringMatching(/\S/) });
  expect(result.problem?.place).toMatch(place);
  expect(result.problem?.remedy).toMatch(/\S/);
}

describe("what an existing Run makes of a start (orchestration section 2.2)", () => {
  it("SUCCESS: nothing to do, told with three requests (fenced-writes section 4)", async () => {
    const file = await bench.network("noop", [{ id: "n1" }]);
    const first = await bench.run(file);
    bench.kintone.seen.clear();
    const again = await bench.run(file);
    expect(again).toMatchObject({
      outcome: "NOOP",
      runId: first.runId,
      invocationId: null,
      aggregateStatus: "SUCCESS",
      invocationResultCode: "NOOP_ALREADY_SUCCESS",
      problem: null,
    });
    const seen = bench.kintone.seen.list().map(({ method, path: at }) => `${method} ${at}`);
    expect(seen).toEqual(["POST /k/v1/record.json", "GET /k/v1/records.json", "PUT /k/v1/record.json"]);
    expect(await bench.records.lastLock()).toMatchObject({
      status: "SUCCESS",
      statusReason: "ALREADY_SUCCESS",
    });
    expect((await bench.graph(first)).invocations).toHaveLength(1);
  });

  it("any other status: RUN_ALREADY_EXISTS names it and changes nothing", async () => {
    const file = await bench.network("exists", [{ id: "n1", script: { ending: "SQL_ERROR" } }]);
    const first = await bench.run(file);
    const before = await bench.graph(first);
    const again = await bench.run(file);
    expectRefusal(again, "RUN_ALREADY_EXISTS", /^Run netrun_/);
    expect(again.blockedRunIds).toEqual([first.runId]);
    expect(await bench.graph(first)).toEqual(before);
    expect(await bench.records.lastLock()).toMatchObject({
      status: "FAILED",
      statusReason: "ENSURE_RUN_FAILED",
      leaseToken: null,
    });
  });

  it("an unfinished Run of another key: MAX_ACTIVE_RUNS names the blockers, sorted", async () => {
    const nodes: readonly NetworkNode[] = [{ id: "n1", script: { ending: "SQL_ERROR" } }];
    const file = await bench.network("active", nodes, { maxActiveRuns: 2 });
    const blockers = [];
    for (const businessKey of ["a", "b"]) blockers.push((await bench.run(file, { businessKey })).runId);
    const third = await bench.run(file, { businessKey: "c" });
    expectRefusal(third, "MAX_ACTIVE_RUNS", /^Run netrun_/);
    expect(third.blockedRunIds).toEqual(blockers.toSorted());
    expect(await runsOf("active")).toHaveLength(2);
    expect((await bench.records.lastLock()).leaseToken).toBeNull();
  });
});

describe("a Network lock that somebody holds (orchestration sections 3.1, 3.2)", () => {
  it.each([
    ["fresh", 60_000],
    ["expired for a year", -365 * 86_400_000],
  ])("%s: LOCK_CONFLICT names the holder, and the lock stays as it is", async (name, leaseMs) => {
    const id = `held_${name.slice(0, 5)}`;
    const gate = path.join(bench.folder, `${id}.gate`);
    const file = await bench.network(id, [{ id: "n1", script: { waitFor: gate } }]);
    const running = bench.run(file);
    await bench.started(id, "n1");
    const holder = await bench.records.lastLock();
    const expiry = new Date(Date.now() + leaseMs).toISOString();
    const record = { lease_expires_at: { value: expiry }, revision: { value: String(holder.revision + 1) } };
    if (leaseMs < 0) await bench.records.update("state", { id: holder.ref.recordId, record });
    const seen = await bench.records.lastLock();
    const second = await bench.run(file, { businessKey: "other" });
    expectRefusal(second, "LOCK_CONFLICT", new RegExp(`lock record ${holder.ref.recordId}`));
    expect(second.problem?.details).toMatchObject({ ownerInvocationId: holder.ownerInvocationId });
    expect(JSON.stringify(second)).not.toContain(holder.leaseToken);
    expect(await bench.records.lastLock()).toEqual(seen);
    await writeFile(gate, "");
    expect(await running).toMatchObject({ aggregateStatus: "SUCCESS" });
  });
});

describe("what is refused before anything is stored leaves no Run (orchestration section 2.1, N2 to N4)", () => {
  const diagnostic = { severity: "error", code: "KSQL1001", message: "bad", line: 1, column: 8 };
  const clock = {
    code: "KSQL1306",
    message: "NOW() differs each time",
    line: 1,
    column: 8,
    severity: "warning",
  };
  const SCRIPTS: readonly (readonly [string, NetworkNode, RegExp])[] = [
    ["JOB_ID_MISMATCH", { id: "n1", script: { inspection: { jobId: "another" } } }, /n1\.sql$/],
    [
      "NONDETERMINISTIC_IDEMPOTENT_JOB",
      { id: "n1", script: { inspection: { nondeterministicElements: [clock] } } },
      /n1\.sql:1:8$/,
    ],
    ["JOB_SQL_INVALID", { id: "n1", script: { inspection: { diagnostics: [diagnostic] } } }, /n1\.sql:1:8$/],
    ["BUNDLE_INPUT_CHANGED", { id: "n1", script: { touchSql: true } }, /n1\.sql$/],
  ];

  it.each(SCRIPTS)("%s", async (code, node, place) => {
    const id = `refused_${code.toLowerCase()}`;
    const result = await bench.run(await bench.network(id, [node]));
    expectRefusal(result, code, place);
    expect(await runsOf(id)).toEqual([]);
    expect(await bench.records.lastLock()).toMatchObject({
      statusReason: "ENSURE_RUN_FAILED",
      leaseToken: null,
    });
    expect(await bench.starts(id)).toEqual([]);
  });

  it("the same job not declared idempotent may depend on the clock", async () => {
    const script = { inspection: { nondeterministicElements: [clock] } };
    const file = await bench.network("nonidem", [{ id: "n1", idempotent: false, script }]);
    expect(await bench.run(file)).toMatchObject({ invocationResultCode: "OK" });
  });

  it("BUNDLE_DIALECT_MISMATCH: one network, two dialects", async () => {
    const script = { inspection: { dialect: 2 } };
    const file = await bench.network("dialects", [{ id: "n1" }, { id: "n2", script }]);
    expectRefusal(await bench.run(file), "BUNDLE_DIALECT_MISMATCH", /nodes/);
    expect(await runsOf("dialects")).toEqual([]);
  });

  it("PROFILE_DESCRIPTION_INVALID: the runner described another profile", async () => {
    const file = await bench.network("profile", [{ id: "n1" }]);
    await bench.override("describe-profile", { profile: "another" });
    const result = await bench.run(file);
    await bench.override("describe-profile", null);
    expectRefusal(result, "PROFILE_DESCRIPTION_INVALID", /describe-profile/);
    expect(await runsOf("profile")).toEqual([]);
    expect((await bench.records.lastLock()).leaseToken).toBeNull();
  });

  it("SQL_FILE_UNREADABLE: the file of a node is gone", async () => {
    const file = await bench.network("nosql", [{ id: "n1" }]);
    await rm(path.join(path.dirname(file), "nosql_n1.sql"));
    expectRefusal(await bench.run(file), "SQL_FILE_UNREADABLE", /nosql_n1\.sql$/);
    expect(await runsOf("nosql")).toEqual([]);
  });
});

describe("what is refused before the lock asks kintone for nothing (orchestration section 2.1, E1 to E4)", () => {
  async function refused(file: string, code: string, place: RegExp): Promise<void> {
    bench.kintone.seen.clear();
    expectRefusal(await bench.run(file), code, place);
    expect(bench.kintone.seen.list()).toEqual([]);
  }

  it("NETWORK_VALIDATION_FAILED", async () => {
    const file = await bench.network("cyclic", [{ id: "a", dependsOn: ["a"] }]);
    await refused(file, "NETWORK_VALIDATION_FAILED", /nodes/);
  });

  it.each([
    ["CAPABILITY_CONTRACT_MISSING", { executionContracts: ["ksql-flow.execution/v0"] }],
    ["CAPABILITY_FEATURE_MISSING", { features: { durableExecutionStarted: false } }],
  ])("%s", async (code, capabilities) => {
    const file = await bench.network("capable", [{ id: "n1" }]);
    await bench.override("capabilities", capabilities);
    await refused(file, code, /capabilities/);
    await bench.override("capabilities", null);
  });

  it("a network with CSV inputs needs importCsv and a folder for them (scenario 38)", async () => {
    const file = await bench.network("csv", [{ id: "n1", more: ["inputs:", "  orders: orders.csv"] }]);
    await bench.override("capabilities", { features: { importCsv: false } });
    await refused(file, "CAPABILITY_FEATURE_MISSING", /importCsv/);
    await bench.override("capabilities", { features: { importCsv: true } });
    await refused(file, "IO_DIR_NOT_SET", /KSQL_FLOWNET_IO_DIR/);
    await bench.override("capabilities", null);
  });

  it("WORK_FOLDER_UNAVAILABLE: a file stands where the work folder should be", async () => {
    const file = await bench.network("nowork", [{ id: "n1" }]);
    await rm(bench.workDir, { recursive: true, force: true });
    await writeFile(bench.workDir, "");
    await refused(file, "WORK_FOLDER_UNAVAILABLE", /work$/);
    await rm(bench.workDir);
  });
});

describe("a configuration that does not fit never comes as far as a Run (orchestration section 9.3)", () => {
  it.each([
    ["APP_NOT_FOUND", "KSQL_FLOWNET_STATE_APP_ID", "9999"],
    ["APP_FORM_MISMATCH", "KSQL_FLOWNET_AUDIT", "of the JOB log"],
    ["TOKEN_REFUSED", "KSQL_FLOWNET_STATE_API_TOKEN", "unknownunknownunknownunknownunknownunkno"],
  ])("%s", async (code, name, value) => {
    const env = { ...bench.workspace.environment() };
    if (name === "KSQL_FLOWNET_AUDIT") {
      env.KSQL_FLOWNET_AUDIT_APP_ID = env.KSQL_FLOW_LOG_APP_ID ?? "";
      env.KSQL_FLOWNET_AUDIT_API_TOKEN = env.KSQL_FLOW_LOG_API_TOKEN ?? "";
    } else {
      env[name] = value;
    }
    const opening = openWorkspace({ dataDir: path.join(bench.folder, "other-data"), env });
    await expect(opening).rejects.toMatchObject({ code, problem: { place: expect.stringContaining(name) } });
  });
});

const carriesAudit = (request: ProxiedRequest): boolean =>
  isBulk(request) && request.body.includes(`"app":${bench.kintone.apps.audit},`);
const UNKNOWN_TOKEN = JSON.stringify({ code: "GAIA_IA02", id: "1", message: "The token does not match." });

describe("a token of the audit app that is revoked during a Run (fenced-writes section 6, R7)", () => {
  it("keeps the evidence, gives the lock back alone, and tells what was refused", async () => {
    const gate = path.join(bench.folder, "revoked.gate");
    const file = await bench.network("revoked", [
      { id: "n1", script: { waitFor: gate } },
      { id: "n2", dependsOn: ["n1"] },
    ]);
    const running = bench.run(file);
    await bench.started("revoked", "n1");
    bench.proxy.on(carriesAudit, { kind: "answer", status: 400, body: UNKNOWN_TOKEN }, 100);
    await writeFile(gate, "");
    const result = await running;
    expect(result).toMatchObject({
      outcome: "NEW",
      aggregateStatus: null,
      invocationResultCode: "SCHEDULER_FAILED",
      problem: { code: "STORE_REFUSED", details: { code: "GAIA_IA02" } },
    });
    expect(result.problem?.remedy).toContain("token");
    expect(await bench.records.lastLock()).toMatchObject({
      status: "FAILED",
      statusReason: "SCHEDULER_FAILED",
      leaseToken: null,
    });
    const graph = await bench.graph(result);
    expect(graph.invocations).toMatchObject([{ status: "RUNNING" }]);
    expect(graph.attempts).toMatchObject([{ nodeId: "n1", status: "RUNNING" }]);
    expect(graph.states).toMatchObject([{ status: "RUNNING" }, { status: "WAITING" }]);
    const [attempt] = graph.attempts;
    const result1 = path.join(
      bench.workDir,
      attempt?.attemptId ?? "",
      "metadata",
      `${attempt?.attemptId}.json`,
    );
    expect(JSON.parse(await readFile(result1, "utf8"))).toMatchObject({ resultCode: "OK" });
    expect(await bench.starts("revoked")).toHaveLength(1);
  });
});

describe("a bundle that cannot be read back (orchestration section 2.1, N7 to N9)", () => {
  it("leaves a resumable Run, its Invocation FAILED with the code, and the lock released", async () => {
    const file = await bench.network("unread", [{ id: "n1" }]);
    const refusal = JSON.stringify({ code: "GAIA_BL01", id: "1", message: "no such file" });
    bench.proxy.on(({ method, path: at }) => method === "GET" && at.endsWith("/file.json"), {
      kind: "answer",
      status: 404,
      body: refusal,
    });
    const result = await bench.run(file);
    expect(result).toMatchObject({ outcome: "REJECTED", invocationResultCode: "BUNDLE_UPLOAD_FAILED" });
    const [run] = await runsOf("unread");
    expect(run).toMatchObject({ status: "CREATED", resumeAllowed: true });
    expect(result.problem?.details).toMatchObject({ runId: run?.runId });
    const graph = await bench.workspace.reads.readRunGraph(run?.runId ?? "");
    expect(graph.invocations).toMatchObject([{ status: "FAILED", resultCode: "BUNDLE_UPLOAD_FAILED" }]);
    expect(graph.states).toMatchObject([{ status: "WAITING" }]);
    expect(await bench.records.lastLock()).toMatchObject({
      statusReason: "ENSURE_RUN_FAILED",
      leaseToken: null,
    });
  });
});
