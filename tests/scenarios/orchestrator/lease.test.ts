import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunEvent, RunNetworkResult } from "../../../main/orchestrator/index.ts";
import { reconcile } from "../../../shared/domain/index.ts";
import type { NetworkLock, Stored } from "../../../shared/domain/model.ts";
import { type Fault, isBulk, isLonePut, type ProxiedRequest } from "../../support/fault-proxy.ts";
import { type FlowRecords, openFlowRecords } from "../../support/flow-records.ts";
import {
  type NetworkOptions,
  openScriptedWorkspace,
  type ScriptedWorkspace,
  until,
} from "../../support/scripted-workspace.ts";

const SHORT: NetworkOptions = { leaseSec: 3, heartbeatSec: 1 };
/** For tests that cut nothing: room enough for a busy host. */
const CALM: NetworkOptions = { leaseSec: 6, heartbeatSec: 2 };
/** More than any test meets. */
const EVERY = 100_000;
const anything = (): boolean => true;
const lostRequest: Fault = { kind: "lose-request" };

interface Stage {
  readonly bench: ScriptedWorkspace;
  readonly records: FlowRecords;
  readonly result: Promise<RunNetworkResult>;
  readonly events: readonly RunEvent[];
  /** Lets the child of n1 end. */
  open(): Promise<void>;
  lock(): Promise<Stored<NetworkLock>>;
}

let stages: readonly { readonly bench: ScriptedWorkspace; readonly records: FlowRecords }[] = [];
// A workspace of its own for each test that cuts the line: they wait for leases side by side.
beforeAll(async () => {
  stages = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const bench = await openScriptedWorkspace();
      return { bench, records: openFlowRecords(bench.kintone) };
    }),
  );
});
afterAll(async () => {
  await Promise.all(
    stages.map(async ({ bench, records }) => {
      await records.dispose();
      await bench.dispose();
    }),
  );
});

function stageAt(index: number): (typeof stages)[number] {
  const stage = stages[index];
  if (stage === undefined) throw new Error(`there is no stage ${index}`);
  return stage;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A Run n1 -> n2 under a short lease whose first child runs and waits. */
async function onStage(index: number, options = CALM): Promise<Stage> {
  const { bench, records } = stageAt(index);
  const gate = path.join(bench.folder, "gate");
  const nodes = [
    { id: "n1", script: { waitFor: gate } },
    { id: "n2", dependsOn: ["n1"] },
  ];
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => {
    events.push(event);
  };
  const result = bench.run(await bench.network("net", nodes, options), { onEvent });
  await bench.started("net", "n1");
  await until(() => events.some(({ kind }) => kind === "node-started"));
  return { bench, records, result, events, open: () => writeFile(gate, ""), lock: records.lastLock };
}

const isBeat = ({ body, ...request }: ProxiedRequest): boolean =>
  isLonePut({ body, ...request }) && body.includes("heartbeat_at");

/** The request that inserts an Attempt (fenced-writes section 3). */
const isStart = (request: ProxiedRequest): boolean =>
  isBulk(request) && request.body.includes("NODE_ATTEMPT") && request.body.includes("PENDING");

const graphOf = ({ bench, events }: Stage) => bench.workspace.reads.readRunGraph(events[0]?.runId ?? "");

async function revisions(stage: Stage): Promise<unknown> {
  const { bench, events } = stage;
  // Past the proxy, which may be cut.
  const query = `run_id = "${events[0]?.runId}"`;
  const read = await stage.records.revisions(query);
  return { read, lock: (await stage.lock()).ref, starts: (await bench.starts("net")).length };
}

describe.concurrent("the lease of a Run (orchestration section 3.4, fenced-writes R4)", () => {
  it("is renewed while a child runs: the record's lease advances", async () => {
    const stage = await onStage(0);
    const { bench } = stage;
    const before = await stage.lock();
    await until(() => bench.proxy.requests().filter(isBeat).length >= 4);
    const during = await stage.lock();
    expect(during.ref.revision).toBeGreaterThanOrEqual(before.ref.revision + 3);
    expect(during.revision).toBe(during.ref.revision);
    expect(during.leaseToken).toBe(before.leaseToken);
    const expiries = bench.proxy
      .requests()
      .filter(isBeat)
      .map(({ body }) => /"lease_expires_at":\{"value":"([^"]+)"/.exec(body)?.[1] ?? "");
    expect(expiries).toEqual([...new Set(expiries)].toSorted());
    await stage.open();
    expect(await stage.result).toMatchObject({ aggregateStatus: "SUCCESS", invocationResultCode: "OK" });
  });

  it("is renewed before there is a Run: while the jobs are inspected (W-23)", async () => {
    const { bench } = stageAt(6);
    const gate = path.join(bench.folder, "inspect");
    const file = await bench.network("net", [{ id: "n1", script: { inspectAfter: gate } }], CALM);
    const result = bench.run(file);
    await until(() => bench.proxy.requests().filter(isBeat).length >= 3);
    expect(bench.proxy.requests().filter(isBulk), "nothing but the lock is written").toEqual([]);
    await writeFile(gate, "");
    expect(await result).toMatchObject({ aggregateStatus: "SUCCESS", invocationResultCode: "OK" });
  });

  it("total outage past the lease: nothing more is written, the Invocation stays open, the lock stays stale", async () => {
    const stage = await onStage(1, SHORT);
    stage.bench.proxy.on(anything, lostRequest, EVERY);
    // A beat that was on its way before the cut may still have arrived.
    const cutAt = stage.bench.proxy.requests().length;
    await until(() => stage.bench.proxy.requests().length > cutAt);
    const atCut = await revisions(stage);
    await stage.open();
    const result = await stage.result;
    expect(result).toMatchObject({
      outcome: "NEW",
      aggregateStatus: null,
      invocationResultCode: "NETWORK_LEASE_INTERRUPTED",
      problem: { code: "NETWORK_LEASE_INTERRUPTED", details: { cause: "LEASE_UNCERTAIN" } },
    });
    expect(result.problem?.message).toContain("connection");
    expect(await revisions(stage)).toEqual(atCut);
    stage.bench.proxy.clear();
    const graph = await graphOf(stage);
    expect(graph.invocations).toMatchObject([{ status: "RUNNING", resultCode: "PENDING" }]);
    expect(graph.states).toMatchObject([{ status: "RUNNING" }, { status: "WAITING" }]);
    expect((await stage.lock()).leaseToken).not.toBeNull();
  });

  it("an outage that ends in time: the result is saved, no further node starts, all is told", async () => {
    const stage = await onStage(2, SHORT);
    stage.bench.proxy.on(anything, lostRequest, EVERY);
    await until(() => stage.bench.proxy.requests().filter(isBeat).length >= 1);
    const beats = stage.bench.proxy.requests().length;
    await until(() => stage.bench.proxy.requests().length >= beats + 3);
    stage.bench.proxy.clear();
    await stage.open();
    const result = await stage.result;
    expect(result).toMatchObject({
      aggregateStatus: "RUNNING",
      invocationResultCode: "NETWORK_LEASE_INTERRUPTED",
    });
    const graph = await graphOf(stage);
    expect(graph.attempts).toMatchObject([{ nodeId: "n1", status: "SUCCESS", resultCode: "OK" }]);
    expect(graph.states).toMatchObject([{ status: "SUCCESS" }, { status: "WAITING", latestAttemptNo: 0 }]);
    expect(graph.invocations).toMatchObject([
      { status: "CANCELLED", resultCode: "NETWORK_LEASE_INTERRUPTED" },
    ]);
    expect(graph.run && reconcile({ ...graph, run: graph.run })).toEqual([]);
    expect(await stage.lock()).toMatchObject({
      status: "CANCELLED",
      statusReason: "NETWORK_LEASE_INTERRUPTED",
      leaseToken: null,
    });
    expect(await stage.bench.starts("net")).toHaveLength(1);
  });

  it("a child that ends during an outage: its result is saved as soon as kintone answers again", async () => {
    const stage = await onStage(7);
    const { bench } = stage;
    bench.proxy.on(anything, lostRequest, EVERY);
    await stage.open();
    const [start] = await bench.starts("net");
    await until(() => !isAlive(start?.pid ?? 0));
    const cut = bench.proxy.requests().length;
    await until(() => bench.proxy.requests().length > cut);
    bench.proxy.clear();
    const result = await stage.result;
    const graph = await graphOf(stage);
    expect(graph.attempts[0]).toMatchObject({ nodeId: "n1", status: "SUCCESS", readCount: 7 });
    expect(graph.run && reconcile({ ...graph, run: graph.run })).toEqual([]);
    // Whether the lease was uncertain by then is a matter of the moment; a Run that goes on is whole as well.
    expect(["OK", "NETWORK_LEASE_INTERRUPTED"]).toContain(result.invocationResultCode);
    expect((await stage.lock()).leaseToken).toBeNull();
    expect((await bench.starts("net")).length).toBe(result.invocationResultCode === "OK" ? 2 : 1);
  });

  it("a child without a result: its JOB log is waited for, and the outage makes nothing UNKNOWN (section 5.2)", async () => {
    const { bench, records } = stageAt(8);
    const jobLog = { status: "SUCCESS", written_count: "4" };
    const nodes = [{ id: "n1", script: { ending: "NO_RESULT", jobLog } }];
    const isLookUp = ({ query }: ProxiedRequest): boolean => query.includes("attempt_id");
    // Three look-ups of four reads each give up after seven seconds; the fourth is answered.
    bench.proxy.on(isLookUp, lostRequest, 12);
    const result = await bench.run(await bench.network("net", nodes, { leaseSec: 60, heartbeatSec: 20 }));
    expect(bench.proxy.unmet()).toBe(0);
    expect(result).toMatchObject({ aggregateStatus: "SUCCESS", invocationResultCode: "OK" });
    const graph = await bench.graph(result);
    expect(graph.attempts).toMatchObject([{ status: "SUCCESS", resultCode: "OK", writtenCount: 4 }]);
    expect((await records.lastLock()).leaseToken).toBeNull();
  });

  it("a person releases the lock by force: no write after it, and the loss of the lock is what is told", async () => {
    const stage = await onStage(3);
    await stage.records.forceRelease(await stage.lock());
    const released = await revisions(stage);
    await stage.open();
    const result = await stage.result;
    expect(result).toMatchObject({
      aggregateStatus: null,
      invocationResultCode: "NETWORK_LEASE_INTERRUPTED",
      problem: { place: (await stage.lock()).lockKey ?? expect.stringMatching(/^N1:/) },
    });
    expect(result.problem?.message).toContain("taken away");
    expect(result.problem?.details?.cause).toMatch(/^LEASE_/);
    expect(await revisions(stage)).toEqual(released);
    const graph = await graphOf(stage);
    expect(graph.invocations).toMatchObject([{ status: "RUNNING" }]);
    expect(graph.attempts).toMatchObject([{ status: "RUNNING" }]);
    expect(await stage.lock()).toMatchObject({ statusReason: "NETWORK_LOCK_FORCE_RELEASED" });
  });
});

describe.concurrent("a start that is in the store but may no longer be spawned (fenced-writes R5)", () => {
  it("is undone in one write when the lease was uncertain on the way: CANCELLED / PREPARE_FAILED, WAITING, no child", async () => {
    const { bench, records } = stageAt(4);
    const file = await bench.network("net", [{ id: "n1" }, { id: "n2" }], CALM);
    bench.proxy.on(isStart, {
      kind: "lose-answer-after",
      // The first look at the lock fails too: the lease is uncertain until the next one.
      run: async () => bench.proxy.on(({ method }) => method === "GET", lostRequest),
    });
    const result = await bench.run(file);
    expect(bench.proxy.unmet()).toBe(0);
    expect(result).toMatchObject({
      aggregateStatus: "RUNNING",
      invocationResultCode: "NETWORK_LEASE_INTERRUPTED",
    });
    const graph = await bench.graph(result);
    expect(graph.attempts).toMatchObject([
      { nodeId: "n1", attemptNo: 1, status: "CANCELLED", resultCode: "PREPARE_FAILED" },
    ]);
    expect(graph.states).toMatchObject([
      { status: "WAITING", statusReason: "PREPARE_FAILED", latestAttemptNo: 1, startedAt: null },
      { status: "WAITING", latestAttemptNo: 0 },
    ]);
    expect(graph.run && reconcile({ ...graph, run: graph.run })).toEqual([]);
    expect(graph.invocations).toMatchObject([
      { status: "CANCELLED", resultCode: "NETWORK_LEASE_INTERRUPTED" },
    ]);
    expect((await records.lastLock()).leaseToken).toBeNull();
    expect(await bench.starts("net")).toEqual([]);
  });

  it("is spawned after a beat when the answer took most of the lease, as long as nothing was uncertain", async () => {
    const { bench } = stageAt(5);
    const options = { leaseSec: 9, heartbeatSec: 3 };
    const file = await bench.network("net", [{ id: "n1" }], options);
    const busy = JSON.stringify({ code: "GAIA_TO04", id: "1", message: "not now" });
    // Repeats keep the stamp of the first copy, and the pauses between eight of them take 7 seconds.
    bench.proxy.on(isStart, { kind: "answer", status: 429, body: busy }, 7);
    const result = await bench.run(file);
    expect(bench.proxy.unmet()).toBe(0);
    expect(result).toMatchObject({ aggregateStatus: "SUCCESS", invocationResultCode: "OK" });
    const [start, next] = bench.proxy.requests().slice(bench.proxy.requests().findLastIndex(isStart));
    expect(start && isStart(start)).toBe(true);
    expect(next && isBeat(next), "a beat lies between the start and the child").toBe(true);
  });
});
