import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { isBulk } from "../../support/fault-proxy.ts";

import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();
afterEach(() => bench.proxy.clear());

/** n1 waits for a file, n2 follows it. */
async function gated(id: string): Promise<{ readonly file: string; open(): Promise<void> }> {
  const gate = path.join(bench.folder, `${id}.gate`);
  const file = await bench.network(id, [
    { id: "n1", script: { waitFor: gate } },
    { id: "n2", dependsOn: ["n1"] },
  ]);
  return { file, open: () => writeFile(gate, "") };
}

/** Starts it, and calls `then` with the Run's id while the child of n1 runs. */
async function whileRunning(id: string, then: (runId: string) => Promise<void>, signal?: AbortSignal) {
  const { file, open } = await gated(id);
  let runId = "";
  const onEvent = (event: { readonly runId: string }): void => {
    runId = event.runId;
  };
  const running = bench.run(file, { onEvent, ...(signal && { signal }) });
  await bench.started(id, "n1");
  await then(runId);
  await open();
  const result = await running;
  return { result, graph: await bench.graph(result), lock: await bench.records.lastLock() };
}

const STOPPED = { status: "CANCELLED", statusReason: "STOP_REQUESTED" };

describe("a hold stops a Run at its next boundary (orchestration section 4.7)", () => {
  it("lets the running SQL end, accepts the hold, and ends Invocation and lock in one request", async () => {
    const { result, graph, lock } = await whileRunning("held", (runId) => bench.records.requestHold(runId));
    expect(result).toMatchObject({ aggregateStatus: "RUNNING", invocationResultCode: "STOP_REQUESTED" });
    expect(graph.states).toMatchObject([
      { nodeId: "n1", status: "SUCCESS" },
      { nodeId: "n2", status: "WAITING", latestAttemptNo: 0 },
    ]);
    expect(graph.hold).toMatchObject({ state: "ACCEPTED", requestedBy: "operator", releasedAt: null });
    expect(graph.hold?.acceptedAt).not.toBeNull();
    expect(graph.invocations).toMatchObject([{ status: "CANCELLED", resultCode: "STOP_REQUESTED" }]);
    expect(graph.run?.status).toBe("RUNNING");
    expect(lock).toMatchObject({ ...STOPPED, leaseToken: null });
    const last = bench.proxy.requests().filter(isBulk).at(-1);
    expect(JSON.parse(last?.body ?? "").requests).toHaveLength(3);
  });

  it("before the first node it leaves a Run that counts as started, with nothing executed", async () => {
    const file = await bench.network("held_early", [{ id: "n1" }]);
    bench.proxy.on((request) => request.query.includes("CANCEL:"), {
      kind: "first",
      run: async () => {
        const [run] = await bench.workspace.reads.listRuns({ profile: "scripted", networkId: "held_early" });
        await bench.records.requestHold(run?.runId ?? "");
      },
    });
    const result = await bench.run(file);
    const graph = await bench.graph(result);
    expect(result).toMatchObject({ aggregateStatus: "RUNNING", invocationResultCode: "STOP_REQUESTED" });
    expect(graph.run?.startedAt).not.toBeNull();
    expect(graph.attempts).toEqual([]);
    expect(await bench.starts("held_early")).toEqual([]);
  });

  it("a release that comes in between wins: the Run goes on to its end", async () => {
    bench.proxy.on((request) => isBulk(request) && request.body.includes("STOP_REQUESTED"), {
      kind: "first",
      run: async () => {
        const [run] = await bench.workspace.reads.listRuns({ profile: "scripted", networkId: "let_go" });
        const hold = await bench.workspace.reads.findHold(run?.runId ?? "");
        if (hold !== null) await bench.records.releaseHold(hold);
      },
    });
    const { result, graph, lock } = await whileRunning("let_go", (runId) => bench.records.requestHold(runId));
    expect(bench.proxy.unmet()).toBe(0);
    expect(result).toMatchObject({ aggregateStatus: "SUCCESS", invocationResultCode: "OK", problem: null });
    expect(graph.hold).toMatchObject({ state: "RELEASED", acceptedAt: null });
    expect(lock).toMatchObject({ status: "SUCCESS", leaseToken: null });
  });

  it("a hold that comes while the last node runs stays requested on a Run that ended", async () => {
    const gate = path.join(bench.folder, "last.gate");
    const file = await bench.network("last", [{ id: "n1", script: { waitFor: gate } }]);
    const running = bench.run(file);
    await bench.started("last", "n1");
    const [run] = await bench.workspace.reads.listRuns({ profile: "scripted", networkId: "last" });
    await bench.records.requestHold(run?.runId ?? "");
    await writeFile(gate, "");
    const result = await running;
    expect(result).toMatchObject({ aggregateStatus: "SUCCESS", invocationResultCode: "OK" });
    expect((await bench.graph(result)).hold?.state).toBe("REQUESTED");
  });
});

describe("an abort asks for no further node (orchestration section 3.4, cli)", () => {
  it("awaits the running child, keeps its result, and defers the rest", async () => {
    const abort = new AbortController();
    const { result, graph, lock } = await whileRunning("aborted", async () => abort.abort(), abort.signal);
    expect(result).toMatchObject({
      outcome: "NEW",
      aggregateStatus: "RUNNING",
      invocationResultCode: "NODES_DEFERRED",
      problem: { code: "RUN_INTERRUPTED", place: `Run ${result.runId}` },
      nodes: [{ nodeId: "n2", status: "WAITING" }],
    });
    expect(graph.states).toMatchObject([
      { nodeId: "n1", status: "SUCCESS" },
      { nodeId: "n2", status: "WAITING" },
    ]);
    expect(graph.attempts).toMatchObject([{ nodeId: "n1", status: "SUCCESS", readCount: 7 }]);
    expect(graph.invocations).toMatchObject([{ status: "CANCELLED", resultCode: "NODES_DEFERRED" }]);
    expect(lock).toMatchObject({ status: "CANCELLED", statusReason: "NODES_DEFERRED", leaseToken: null });
    expect(await bench.starts("aborted")).toHaveLength(1);
  });

  it("that comes while the hold is asked for starts nothing", async () => {
    const abort = new AbortController();
    const file = await bench.network("aborted_early", [{ id: "n1" }]);
    bench.proxy.on((request) => request.query.includes("CANCEL:"), {
      kind: "first",
      run: async () => abort.abort(),
    });
    const result = await bench.run(file, { signal: abort.signal });
    expect(result).toMatchObject({
      aggregateStatus: "CREATED",
      invocationResultCode: "NODES_DEFERRED",
      problem: { code: "RUN_INTERRUPTED", remedy: expect.stringContaining("Resume") },
    });
    expect((await bench.graph(result)).attempts).toEqual([]);
  });

  it("a listener that throws brings nothing down", async () => {
    const file = await bench.network("listener", [{ id: "n1" }]);
    const breaks = (): void => {
      throw new Error("the listener broke");
    };
    const result = await bench.run(file, { onEvent: breaks, onLock: breaks });
    expect(result).toMatchObject({ invocationResultCode: "OK" });
  });
});
