import { renameSync, writeFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { isBulk, isInsert, isLonePut, isRead, type ProxiedRequest } from "../../support/fault-proxy.ts";
import { PROFILE, until } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();
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
    await until(async () => (await bench.records.lastLock()).leaseToken !== null);
    abort.abort();
    await writeFile(gate, "");
    expect(await running).toMatchObject(CANCELLED);
    expect(await runsOf("aborted_inspect")).toEqual([]);
    expect(await bench.records.lastLock()).toMatchObject({
      statusReason: "ENSURE_RUN_FAILED",
      leaseToken: null,
    });
  });

  it("during the upload: the lock is given back, no Run is left", async () => {
    const file = await bench.network("aborted_upload", [{ id: "n1" }]);
    const abort = new AbortController();
    bench.proxy.on(isFile("POST"), { kind: "first", run: async () => abort.abort() });
    expect(await bench.run(file, { signal: abort.signal })).toMatchObject(CANCELLED);
    expect(await runsOf("aborted_upload")).toEqual([]);
    expect((await bench.records.lastLock()).leaseToken).toBeNull();
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
    expect((await bench.records.lastLock()).leaseToken).not.toBeNull();
  });
});

describe("a creation whose fate was not learnt within the lease (fenced-writes R1)", () => {
  const options = { leaseSec: 3, heartbeatSec: 1 };
  const isRelease = (request: ProxiedRequest): boolean =>
    isLonePut(request) && request.body.includes("ENSURE_RUN_FAILED");
  /** Nothing is answered until the lock is given back. */
  function cutUntilRelease(fault: "lose-answer" | "lose-request"): void {
    bench.proxy.on(isRelease, { kind: "first", run: async () => bench.proxy.clear() });
    bench.proxy.on(isBulk, { kind: fault }, 1_000);
    bench.proxy.on(
      (request) => isRead(request) && bench.proxy.requests().some(isBulk),
      { kind: "lose-request" },
      1_000,
    );
  }

  it("and had arrived: the Run is told with its id, as CREATED", async () => {
    const file = await bench.network("settled_late", [{ id: "n1" }], options);
    cutUntilRelease("lose-answer");
    const result = await bench.run(file);
    const [run] = await runsOf("settled_late");
    expect(run).toMatchObject({ status: "CREATED" });
    expect(result).toMatchObject({
      outcome: "REJECTED",
      runId: run?.runId,
      networkId: "settled_late",
      invocationResultCode: "LEASE_UNCERTAIN",
      problem: { place: `Run ${run?.runId}`, message: expect.stringContaining("stands as CREATED") },
    });
    expect(await bench.graph(result)).toMatchObject({
      invocations: [{ invocationId: result.invocationId }],
      attempts: [],
    });
    expect((await bench.records.lastLock()).leaseToken).toBeNull();
  });

  it("and had not: there is no Run, and none is told", async () => {
    const file = await bench.network("settled_none", [{ id: "n1" }], options);
    cutUntilRelease("lose-request");
    const result = await bench.run(file);
    expect(result).toMatchObject({ outcome: "REJECTED", runId: null, problem: { code: "LEASE_UNCERTAIN" } });
    expect(result.problem?.details?.runId).toBeUndefined();
    expect(await runsOf("settled_none")).toEqual([]);
    expect((await bench.records.lastLock()).leaseToken).toBeNull();
  });

  it("and is not learnt after it either: says so, and names the Run that may exist", async () => {
    const file = await bench.network("settled_never", [{ id: "n1" }], options);
    bench.proxy.on(isBulk, { kind: "lose-answer" }, 1_000);
    bench.proxy.on(() => bench.proxy.requests().some(isBulk), { kind: "lose-request" }, 1_000);
    const result = await bench.run(file);
    bench.proxy.clear();
    const [run] = await runsOf("settled_never");
    expect(result).toMatchObject({
      outcome: "REJECTED",
      runId: null,
      problem: { message: expect.stringContaining("not known"), details: { runId: run?.runId } },
    });
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
      runId: run?.runId,
      invocationResultCode: "WORK_FOLDER_UNAVAILABLE",
      problem: { place: expect.stringContaining(bench.workDir), details: { runId: run?.runId } },
    });
    const graph = await bench.workspace.reads.readRunGraph(run?.runId ?? "");
    expect(graph.invocations).toMatchObject([{ status: "FAILED", resultCode: "WORK_FOLDER_UNAVAILABLE" }]);
    expect((await bench.records.lastLock()).leaseToken).toBeNull();
  });
});
