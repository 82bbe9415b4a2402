import { renameSync, writeFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isInsert, isLonePut, type ProxiedRequest } from "../../support/fault-proxy.ts";
import { type FlowRecords, openFlowRecords } from "../../support/flow-records.ts";
import {
  openScriptedWorkspace,
  PROFILE,
  type ScriptedWorkspace,
  until,
} from "../../support/scripted-workspace.ts";

let bench: ScriptedWorkspace;
let records: FlowRecords;
beforeAll(async () => {
  bench = await openScriptedWorkspace();
  records = openFlowRecords(bench.kintone);
});
afterAll(async () => {
  await records.dispose();
  await bench.dispose();
});
afterEach(() => bench.proxy.clear());

const runsOf = (networkId: string) => bench.workspace.reads.listRuns({ profile: PROFILE, networkId });
const isFile =
  (method: string) =>
  (request: ProxiedRequest): boolean =>
    request.method === method && request.path.endsWith("/file.json");
const CANCELLED = { outcome: "REJECTED", invocationResultCode: "CANCELLED", problem: { code: "CANCELLED" } };

describe("an abort before there is a Run (orchestration section 2.1)", () => {
  it("before anything: no lock, no Run, told as what it is", async () => {
    const file = await bench.network("aborted_first", [{ id: "n1" }]);
    bench.kintone.seen.clear();
    expect(await bench.run(file, { signal: AbortSignal.abort() })).toMatchObject(CANCELLED);
    expect(bench.kintone.seen.list().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("while the jobs are inspected: the lock is given back, no Run is left", async () => {
    const gate = path.join(bench.folder, "never");
    const script = { inspectAfter: gate };
    const file = await bench.network("aborted_inspect", [{ id: "n1", script }]);
    const abort = new AbortController();
    const running = bench.run(file, { signal: abort.signal });
    await until(() => bench.proxy.requests().some(isInsert));
    await until(async () => (await records.lastLock()).leaseToken !== null);
    abort.abort();
    await writeFile(gate, "");
    expect(await running).toMatchObject(CANCELLED);
    expect(await runsOf("aborted_inspect")).toEqual([]);
    expect(await records.lastLock()).toMatchObject({ statusReason: "ENSURE_RUN_FAILED", leaseToken: null });
  });

  it("during the upload: the lock is given back, no Run is left", async () => {
    const file = await bench.network("aborted_upload", [{ id: "n1" }]);
    const abort = new AbortController();
    bench.proxy.on(isFile("POST"), { kind: "first", run: async () => abort.abort() });
    expect(await bench.run(file, { signal: abort.signal })).toMatchObject(CANCELLED);
    expect(await runsOf("aborted_upload")).toEqual([]);
    expect((await records.lastLock()).leaseToken).toBeNull();
  });
});

describe("a lock that cannot be given back (orchestration W-16)", () => {
  it("after a NOOP is told beside it", async () => {
    const options = { leaseSec: 3, heartbeatSec: 1 };
    const file = await bench.network("noop", [{ id: "n1" }], options);
    await bench.run(file);
    bench.proxy.on(isLonePut, { kind: "lose-request" }, 1_000);
    const again = await bench.run(file);
    expect(again).toMatchObject({ outcome: "NOOP", invocationResultCode: "NOOP_ALREADY_SUCCESS" });
    expect(again.problem).toMatchObject({ code: "LEASE_UNCERTAIN", place: expect.stringMatching(/^N1:/) });
    expect((await records.lastLock()).leaseToken).not.toBeNull();
  });
});

describe("a stored bundle that cannot be unpacked (orchestration section 4.1, step 1)", () => {
  it("leaves a resumable Run, its Invocation FAILED, and says which folder", async () => {
    const away = `${bench.workDir}-away`;
    const file = await bench.network("unpacked", [{ id: "n1" }]);
    bench.proxy.on(isFile("GET"), {
      kind: "first",
      run: async () => {
        renameSync(bench.workDir, away);
        writeFileSync(bench.workDir, "");
      },
    });
    const result = await bench.run(file);
    await rm(bench.workDir);
    await rename(away, bench.workDir);
    const [run] = await runsOf("unpacked");
    expect(run).toMatchObject({ status: "CREATED", resumeAllowed: true });
    expect(result).toMatchObject({
      outcome: "REJECTED",
      invocationResultCode: "WORK_FOLDER_UNAVAILABLE",
      problem: { place: expect.stringContaining(bench.workDir), details: { runId: run?.runId } },
    });
    const graph = await bench.workspace.reads.readRunGraph(run?.runId ?? "");
    expect(graph.invocations).toMatchObject([{ status: "FAILED", resultCode: "WORK_FOLDER_UNAVAILABLE" }]);
    expect((await records.lastLock()).leaseToken).toBeNull();
  });
});
