import { describe, expect, it } from "vitest";
import { type ResidentPoller, startResidentPoller } from "../../../main/orchestrator/poller/index.ts";
import type { RunNetworkResult } from "../../../main/orchestrator/ports.ts";
import { json } from "../../support/bad-line.ts";
import { ask, edit, found, HEARTBEAT_MS, pollerForTests, runEnd } from "./poller-support.ts";
import { seedRun } from "./seeded-run.ts";

const bench = pollerForTests();
const INTERVAL_MS = 30_000;

/** Runs that last until the test lets them go; the oldest first. */
function longRuns() {
  const lasting: ((end: RunNetworkResult) => void)[] = [];
  bench().runs.run = () => new Promise((resolve) => lasting.push(resolve));
  return { count: () => lasting.length, end: (over = {}) => lasting.shift()?.(runEnd(over)) };
}

async function failedRun(): Promise<{ readonly runId: string; readonly networkId: string }> {
  const { run } = await seedRun(bench().line.other, "RUNNING", { a: {} });
  bench().allowed.push({ networkId: run.networkId, definitionPath: "/none.yaml", appStart: true });
  return run;
}

async function resident(use: (poller: ResidentPoller) => Promise<void>): Promise<void> {
  const poller = startResidentPoller(bench().deps, INTERVAL_MS);
  try {
    await use(poller);
  } finally {
    await poller.dispose();
  }
}
/** Until the poller waits for its next cycle. */
const idle = () => expect.poll(() => bench().ticks.waiting(INTERVAL_MS)).toBe(1);
const nextCycle = async (): Promise<void> => {
  await idle();
  bench().ticks.pass(INTERVAL_MS);
  await idle();
};
const stateOf = (id: string) => async () => (await found(bench(), id)).state;

describe("the resident poller (orchestration §7)", () => {
  it("carries a STOP out while a RERUN of the same Run goes on, and keeps the next of its network waiting", async () => {
    const long = longRuns();
    const first = await failedRun();
    const other = await failedRun();
    const rerun = await ask(bench(), { type: "RERUN", runId: first.runId });
    await resident(async (poller) => {
      await expect.poll(long.count).toBe(1);
      const again = await ask(bench(), { type: "RERUN", runId: first.runId });
      const start = await ask(bench(), { type: "RERUN", runId: other.runId });
      const stop = await ask(bench(), { runId: first.runId });
      await nextCycle();
      expect(await found(bench(), stop)).toMatchObject({ resultCode: "STOP_REQUESTED" });
      expect(await found(bench(), rerun)).toMatchObject({ state: "ACCEPTED" });
      // Free to be taken back as long as it waits.
      expect(await found(bench(), again)).toMatchObject({ state: "REQUESTED" });
      expect(await found(bench(), start)).toMatchObject({ state: "ACCEPTED" });
      expect(poller.health()).toMatchObject({ running: 2, problem: null, lastSummary: { requested: 3 } });
      await edit(bench(), again, { cancel_requested: ["取消"] });
      long.end({ invocationResultCode: "STOP_REQUESTED" });
      // The end of the first wakes the poller at once: no interval passes here.
      await expect.poll(stateOf(again)).toBe("CANCELLED");
      expect(await found(bench(), rerun)).toMatchObject({ state: "DONE", resultCode: "STOP_REQUESTED" });
      long.end();
      await expect.poll(stateOf(start)).toBe("DONE");
    });
  });

  it("takes what waited for its network as soon as that is free", async () => {
    const long = longRuns();
    const { runId, networkId } = await failedRun();
    await ask(bench(), { type: "RERUN", runId });
    await resident(async () => {
      await expect.poll(long.count).toBe(1);
      const next = await ask(bench(), { type: "RERUN", runId });
      const close = await ask(bench(), { type: "CLOSE", runId });
      await nextCycle();
      expect(await found(bench(), next)).toMatchObject({ state: "REQUESTED" });
      expect(await found(bench(), close)).toMatchObject({ state: "REQUESTED" });
      bench().line.kintone.seen.clear();
      await nextCycle();
      // What waits costs its network's name once, not every cycle.
      expect(bench().line.kintone.seen.list()).toHaveLength(1);
      long.end();
      await expect.poll(long.count).toBe(1);
      await expect.poll(stateOf(next)).toBe("ACCEPTED");
      expect(bench().runs.asked.map(({ resumeRunId }) => resumeRunId)).toEqual([runId, runId]);
      expect(networkId).not.toBe("");
      long.end();
      await expect.poll(stateOf(close)).toBe("REJECTED");
    });
  });

  it("never calls its own work stale, whatever an outage did to its heartbeats", async () => {
    const long = longRuns();
    const { runId } = await failedRun();
    const id = await ask(bench(), { type: "RERUN", runId });
    await resident(async (poller) => {
      await expect.poll(long.count).toBe(1);
      bench().time.ahead = 30 * 60_000;
      await nextCycle();
      expect(poller.health().lastSummary).toMatchObject({ stale: 0 });
      expect(await found(bench(), id)).toMatchObject({ state: "ACCEPTED" });
      long.end();
      await expect.poll(stateOf(id)).toBe("DONE");
      expect(bench().ticks.waiting(HEARTBEAT_MS)).toBe(0);
    });
  });

  it("says when it cannot read and goes on by itself", async () => {
    const { line } = bench();
    line.proxy.on(() => true, { kind: "answer", status: 403, body: json("CB_NO02") });
    await resident(async (poller) => {
      await idle();
      expect(poller.health()).toMatchObject({ lastSuccessAt: null, problem: { code: "STORE_REFUSED" } });
      const id = await ask(bench());
      poller.wake();
      await expect.poll(stateOf(id)).toBe("REJECTED");
      await idle();
      expect(poller.health()).toMatchObject({ problem: null, lastSuccessAt: expect.any(Number) });
    });
  });

  it("at its end brings what runs to its boundary, writes its result and takes nothing new", async () => {
    const { runId } = await failedRun();
    const id = await ask(bench(), { type: "RERUN", runId });
    const stopped = Promise.withResolvers<void>();
    bench().runs.run = ({ signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener("abort", () => resolve(runEnd({ invocationResultCode: "CANCELLED" })));
        stopped.resolve();
      });
    const poller = startResidentPoller(bench().deps, INTERVAL_MS);
    await stopped.promise;
    await poller.dispose();
    expect(await found(bench(), id)).toMatchObject({ state: "DONE", resultCode: "CANCELLED" });
    expect(bench().ticks.waiting(INTERVAL_MS)).toBe(0);
    expect(poller.health().running).toBe(0);
  });
});
