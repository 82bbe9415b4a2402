import { describe, expect, it } from "vitest";
import { createPoller } from "../../../main/orchestrator/index.ts";
import { createRequestStore } from "../../../main/store/index.ts";
import { fail } from "../../../shared/domain/problem.ts";
import { jobLogWrites } from "../../../shared/records/index.ts";
import { seedCrashedRun } from "../../support/crashed-run.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { PROFILE } from "../../support/scripted-workspace.ts";
import { openStore, realSleep, systemClock } from "../../support/store-fixture.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();
const PERSON = { requestedBy: "ops1", servicePrincipal: "svc" } as const;
const CHAIN = [{ id: "n1" }, { id: "n2", dependsOn: ["n1"] }, { id: "n3", dependsOn: ["n2"] }];

/** The round trips and the counted requests of one piece of work. */
async function spent<T>(work: () => Promise<T>) {
  bench.kintone.seen.clear();
  const value = await work();
  const seen = bench.kintone.seen.list();
  const counted = seen.reduce((sum, { subRequests }) => sum + Math.max(1, subRequests), 0);
  return { value, trips: seen.length, counted };
}

describe("round trips of an open workspace (fenced-writes section 4)", () => {
  it("NEW of three nodes: 20 and 38 counted; NOOP: 3; one Run's status: 5; the list: 1", async () => {
    const file = await bench.network("budget", CHAIN);
    const made = await spent(() => bench.run(file));
    expect(made.value).toMatchObject({ aggregateStatus: "SUCCESS" });
    expect(made.trips).toBeLessThanOrEqual(20);
    expect(made.counted).toBeLessThanOrEqual(38);

    const again = await spent(() => bench.run(file));
    expect(again.value.outcome).toBe("NOOP");
    expect(again.trips).toBeLessThanOrEqual(3);

    const { orchestrator } = bench.workspace;
    const network = { networkId: "budget", profile: PROFILE };
    const one = await spent(() => orchestrator.status({ ...network, runId: made.value.runId ?? "" }));
    expect(one.value.runs[0]?.status).toBe("SUCCESS");
    expect(one.trips).toBeLessThanOrEqual(5);
    const list = await spent(() => orchestrator.status(network));
    expect(list.value.runs).toHaveLength(1);
    expect(list.trips).toBe(1);
  });

  it("CLOSE: 4", async () => {
    const nodes = [{ id: "n1", script: { ending: "ASSERT_FAILED" } }];
    const failed = await bench.run(await bench.network("closing", nodes));
    const wish = { profile: PROFILE, networkId: "closing", runId: failed.runId ?? "", reason: "settled" };
    const closed = await spent(() => bench.workspace.recovery.archiveRun({ ...wish, ...PERSON, seen: null }));
    expect(closed.value.outcome).toBe("ARCHIVED");
    expect(closed.trips).toBeLessThanOrEqual(4);
  });

  it("force-unlock: 3", async () => {
    const longAgo = { ...systemClock, nowMs: () => Date.now() - 3_600_000 };
    const store = openStore(bench.kintone, { clock: longAgo });
    const input = lockInput({ profile: PROFILE, networkId: "stale" });
    await takeLock(store, input);
    await store.dispose();
    const wish = {
      ...{ profile: PROFILE, networkId: "stale", expectedOwnerInvocationId: input.ownerInvocationId },
      ...{ reason: "crashed", evidenceRef: "INC-1", stopConfirmedBy: "ops2", stopEvidenceRef: "ps" },
      ...{ stopMethod: "manual", expectedPid: null, ...PERSON },
    };
    const asked = { wish, seen: null, evidenceFile: null, withoutAudit: false };
    const released = await spent(() => bench.workspace.recovery.forceUnlock(asked));
    expect(released.value).toMatchObject({ ok: true, value: { audit: "RECORDED" } });
    expect(released.trips).toBeLessThanOrEqual(3);
  });

  it("a poll cycle with nothing to do: 1", async () => {
    const transport = bench.kintone.transport();
    const { reads, orchestrator, recovery } = bench.workspace;
    const poller = createPoller({
      ...{ reads, orchestrator, recovery, profile: PROFILE, host: "h", servicePrincipal: "svc" },
      requests: createRequestStore({ transport, sleep: realSleep }, bench.kintone.requestApp),
      allowList: async () => [],
      readDefinition: async () => fail([]),
      clock: systemClock,
      delay: realSleep,
      heartbeatMs: 60_000,
      staleAfterMs: 900_000,
      warn: () => undefined,
    });
    const cycle = await spent(() => poller.pollOnce());
    await transport.dispose();
    expect(cycle.value).toMatchObject({ requested: 0, stale: 0 });
    expect(cycle.trips).toBe(1);
  });
});

describe("a Run of 1,000 nodes that died in the middle (fenced-writes section 4, orchestration W-14)", () => {
  const COUNT = 1_000;
  const LEFT = 3;

  it("goes on with at most 20 requests beside those of the nodes it runs", async () => {
    const { file, runId, orphan } = await seedCrashedRun(bench, "thousand", {
      count: COUNT,
      done: COUNT - LEFT - 1,
    });
    const { attemptId, jobId } = orphan;
    const at = "2026-09-01T00:00:10Z";
    const correlation = { correlationId: runId, attemptId, executionId: "e", jobId };
    const lock = { jobKey: "", batchId: "e", parentBatchId: null, scriptName: "n.sql", profile: PROFILE };
    const by = { asOf: at, startedAt: at, executedBy: "u", host: "h", gitRef: "", ksqlVersion: "v" };
    await bench.records.insert("jobLog", {
      ...jobLogWrites.encodeInsert({ ...lock, ...by, correlation }),
      status: { value: "SUCCESS" },
      finished_at: { value: at },
    });
    const resumed = await spent(() => bench.run(file, { resume: true }));
    expect(resumed.value).toMatchObject({
      outcome: "RESUME",
      runId,
      aggregateStatus: "SUCCESS",
      problem: null,
    });
    expect(resumed.trips - 4 * LEFT).toBeLessThanOrEqual(20);
    expect(await bench.starts("thousand")).toHaveLength(LEFT);
    const graph = await bench.graph(resumed.value);
    expect(graph.attempts).toHaveLength(COUNT);
    expect(graph.attempts.every(({ status }) => status === "SUCCESS")).toBe(true);
  });
});
