import { describe, expect, it } from "vitest";
import { openWorkspace } from "../../../main/console/index.ts";
import type { RunNetworkResult } from "../../../main/orchestrator/index.ts";
import { reconcile } from "../../../shared/domain/index.ts";
import { isBulk, isInsert } from "../../support/fault-proxy.ts";
import { PROFILE } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();

const LOSERS = ["LOCK_CONFLICT", "RUN_ALREADY_EXISTS", "NOOP_ALREADY_SUCCESS"];

describe("several starts at once (orchestration sections 2.2, 3.2)", () => {
  it("of one key make exactly one Run: the others are told why, and each child starts once", async () => {
    const file = await bench.network("race", [{ id: "n1" }, { id: "n2", dependsOn: ["n1"] }]);
    const results = await Promise.all(Array.from({ length: 4 }, () => bench.run(file)));
    const won = results.filter(({ outcome }) => outcome === "NEW");
    const [winner] = won;
    expect(won).toHaveLength(1);
    const others = results.filter((result) => result !== winner);
    for (const { invocationResultCode } of others) expect(LOSERS).toContain(invocationResultCode);
    const runs = await bench.workspace.reads.listRuns({ profile: PROFILE, networkId: "race" });
    expect(runs.map(({ runId, status }) => [runId, status])).toEqual([[winner?.runId, "SUCCESS"]]);
    expect(await bench.starts("race")).toHaveLength(2);
    expect((await bench.records.locks()).every(({ leaseToken }) => leaseToken === null)).toBe(true);
  });

  it("of different networks do not wait for each other", async () => {
    const ids = ["apart_a", "apart_b", "apart_c"];
    const files = await Promise.all(ids.map((id) => bench.network(id, [{ id: "n1" }])));
    const results = await Promise.all(files.map((file) => bench.run(file)));
    expect(results.map(({ invocationResultCode }) => invocationResultCode)).toEqual(ids.map(() => "OK"));
  });

  it("past a lock that was released by force: the Run's key decides, the loser writes nothing (N6)", async () => {
    const file = await bench.network("bypass", [{ id: "n1" }]);
    const second = await openWorkspace({
      dataDir: `${bench.folder}/second`,
      env: { ...bench.workspace.environment(), KSQL_FLOWNET_BASE_URL: bench.workspace.baseUrl },
    });
    let overtaking: Promise<RunNetworkResult> | null = null;
    bench.proxy.clear();
    bench.proxy.on((request) => isBulk(request) && request.body.includes("NETWORK_RUN"), {
      kind: "first",
      run: async () => {
        await bench.records.forceRelease(await bench.records.lastLock());
        overtaking = second.orchestrator.runNetwork({
          definitionPath: file,
          businessKey: "k",
          requestedBy: "second",
        });
        await overtaking;
      },
    });
    const first = await bench.run(file);
    expect(await overtaking).toMatchObject({ outcome: "NEW", invocationResultCode: "OK" });
    await second.dispose();
    expect(first).toMatchObject({ outcome: "REJECTED", runId: null });
    expect(first.invocationResultCode).toMatch(/^LEASE_/);
    expect(first.problem?.remedy).toMatch(/\S/);
    const [run, ...more] = await bench.workspace.reads.listRuns({ profile: PROFILE, networkId: "bypass" });
    expect(more).toEqual([]);
    const graph = await bench.workspace.reads.readRunGraph(run?.runId ?? "");
    expect(graph.invocations).toMatchObject([{ requestedBy: "second", status: "SUCCESS" }]);
    expect(graph.run && reconcile({ ...graph, run: graph.run })).toEqual([]);
    expect(await bench.starts("bypass")).toHaveLength(1);
  });

  it("ask for the lock with one insert each", async () => {
    bench.proxy.clear();
    await bench.run(await bench.network("one_insert", [{ id: "n1" }]));
    expect(bench.proxy.requests().filter(isInsert)).toHaveLength(1);
  });
});
