import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything, graphOf, midfail, node, openAllowList, seedRun } from "../../support/acceptance/acts.ts";
import {
  BY_ORCHESTRATOR,
  jsonOf,
  openStage,
  PROFILE,
  type Stage,
  summaryOf,
} from "../../support/acceptance/stage.ts";
import type { NetworkOptions } from "../../support/scripted-workspace.ts";

const MONTHLY: NetworkOptions = {
  policy: [
    "type: scheduled_period",
    "period: month",
    "timezone: Asia/Tokyo",
    'format: "{network_id}@{yyyy}-{MM}"',
  ],
};
const AUGUST = "2026-08-01T00:00:00+09:00";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.dispose());

const listed = openAllowList(() => stage);
const network = (
  id: string,
  nodes = [node("n1", [], { jobLog: { status: "SUCCESS" } })],
  options: Parameters<typeof listed>[2] = {},
): Promise<string> => listed(id, nodes, options);
type Wish = Parameters<Stage["desk"]["ask"]>[0];
const start = (networkId: string, more: Partial<Wish> = {}): Promise<string> =>
  stage.desk.ask({ type: "START", networkId, ...more });
const read = (id: string) => stage.desk.read(id);
const runsOf = (networkId: string) => stage.workspace.reads.listRuns({ profile: PROFILE, networkId });
const ago = new Date(Date.now() - 20 * 60_000).toISOString();
const SILENT = {
  request_state: "ACCEPTED",
  claimed_at: ago,
  claimed_host: "elsewhere",
  claim_heartbeat_at: ago,
};

describe("START by request (orchestration section 10, p2-11-01, p2-11-02)", () => {
  it("p2-11-01, p2-11-02: with a key, with a period, and with a key of its own for a period", async () => {
    await network("explicit");
    await network("monthly", undefined, MONTHLY);
    const byKey = await start("explicit", { businessKey: "k1" });
    const byPeriod = await start("monthly", { scheduledFor: AUGUST });
    const both = await start("monthly", { scheduledFor: AUGUST, businessKey: "monthly@2026-08-fix" });
    expect(await stage.poll()).toMatchObject({ claimed: 3, completed: 3 });
    for (const id of [byKey, byPeriod, both]) {
      expect(await read(id)).toMatchObject({ state: "DONE", resultCode: "OK" });
    }
    const [explicit] = await runsOf("explicit");
    const graph = await graphOf(stage, explicit?.runId ?? "");
    expect(graph).toMatchObject({ run: { status: "SUCCESS", businessKey: "k1", asOf: null } });
    expect(graph.invocations[0]?.requestedBy).toMatch(new RegExp(`^app-request:${byKey}:`));
    const monthly = await runsOf("monthly");
    expect(monthly.map(({ businessKey, status }) => [businessKey, status])).toEqual([
      ["monthly@2026-08", "SUCCESS"],
      ["monthly@2026-08-fix", "SUCCESS"],
    ]);
    const period = "2026-07-31T15:00:00Z";
    for (const run of monthly) {
      expect(run.asOf).toBe(period);
      const [attempt] = (await graphOf(stage, run.runId)).attempts;
      const log = await stage.workspace.reads.findJobLog(attempt?.attemptId ?? "");
      expect(log).toMatchObject({ kind: "found", log: { correlationId: run.runId } });
    }
    const asOf = await stage.jobLogColumn("as_of");
    expect(asOf.filter((value) => value === period)).toHaveLength(2);
  });
});

describe("the same key again, and two at once (orchestration section 10, p2-11-03)", () => {
  it("p2-11-03: done is NOOP, unfinished is refused by name, of two simultaneous STARTs one makes the Run", async () => {
    const done = await seedRun(stage, await network("done"));
    const failed = await seedRun(stage, await network("failed", [...midfail()]));
    const before = await everything(stage);
    const again = await start("done", { businessKey: "k" });
    const unfinished = await start("failed", { businessKey: "k" });
    await stage.poll();
    expect(await read(again)).toMatchObject({ state: "DONE", resultCode: "NOOP_ALREADY_SUCCESS" });
    expect((await read(again)).resultMessage).toContain(done);
    expect(await read(unfinished)).toMatchObject({ state: "REJECTED", resultCode: "RUN_ALREADY_EXISTS" });
    expect((await read(unfinished)).resultMessage).toContain(failed);
    const after = await everything(stage);
    // Nothing but the two locks that were taken and given back.
    expect(after.filter((each) => before.includes(each))).toEqual(before);
    expect(after).toHaveLength(before.length + 2);

    await network("race");
    const raced = [await start("race", { businessKey: "k" }), await start("race", { businessKey: "k" })];
    // Both are taken before either has the lock: who comes second finds what the first has made.
    await stage.control.add({
      id: "claimed",
      match: { ...BY_ORCHESTRATOR, methods: ["PUT"], hasFields: ["claimed_at"] },
      effect: { kind: "barrier", phase: "after-success" },
    });
    const first = stage.startPoll("poller-a");
    await stage.reached("claimed");
    const second = stage.startPoll("poller-b");
    const { claimed } = summaryOf(await second.ended);
    expect(await stage.arrivals("claimed")).toBe(1);
    await stage.control.release("claimed");
    await first.ended;
    expect(claimed).toBe(1);
    const runs = await runsOf("race");
    expect(runs).toMatchObject([{ status: "SUCCESS" }]);
    expect(await stage.starts("race")).toHaveLength(1);
    const codes = await Promise.all(raced.map(async (id) => (await read(id)).resultCode));
    expect(codes.toSorted()).toEqual(["NOOP_ALREADY_SUCCESS", "OK"]);
  });
});

describe("a START that is refused (orchestration section 10, p2-11-04)", () => {
  it("p2-11-04: each for its reason, with nothing written; a bad time is refused by kintone itself", async () => {
    await network("plain");
    await network("shut", undefined, { appStart: false });
    await network("period", undefined, MONTHLY);
    const blocker = await seedRun(stage, await network("limited", [...midfail()]), "open");
    const asked = {
      stranger: await start("stranger", { businessKey: "k" }),
      shut: await start("shut", { businessKey: "k" }),
      keyOnly: await start("period", { businessKey: "k" }),
      periodOnKey: await start("plain", { scheduledFor: AUGUST }),
      runId: await start("plain", { businessKey: "k", runId: blocker }),
      limit: await start("limited", { businessKey: "other" }),
    };
    const before = await everything(stage);
    expect(await stage.poll()).toMatchObject({ claimed: 6, completed: 6 });
    const ends = Object.fromEntries(
      await Promise.all(Object.entries(asked).map(async ([name, id]) => [name, await read(id)] as const)),
    );
    const code = (name: string) => ends[name]?.resultCode;
    expect(Object.keys(asked).map(code)).toEqual([
      "NETWORK_NOT_ALLOWED",
      "NETWORK_NOT_ALLOWED",
      "AS_OF_UNDEFINED",
      "KEY_POLICY_MISMATCH",
      "RUN_ID_NOT_ALLOWED",
      "MAX_ACTIVE_RUNS",
    ]);
    expect(ends.stranger?.resultMessage).toContain("NOT_IN_ALLOWLIST");
    expect(ends.shut?.resultMessage).toContain("APP_START_DISABLED");
    expect(ends.limit?.resultMessage).toContain(blocker);
    const after = await everything(stage);
    expect(after.filter((each) => before.includes(each))).toEqual(before);
    expect(after, "the lock under which the limit was found").toHaveLength(before.length + 1);
    await expect(start("period", { scheduledFor: "next month" })).rejects.toThrow("CB_VA01");
  });
});

describe("claims that fell silent (orchestration section 10, p2-11-05)", () => {
  it("p2-11-05: a stale START adds nothing; a new one is NOOP; RERUN needs no app_start; the schedule goes on", async () => {
    await seedRun(stage, await network("told"));
    const file = await network("quiet", [...midfail()], { ...MONTHLY, appStart: false });
    const silent = await start("told", { businessKey: "k" });
    await stage.desk.edit(silent, SILENT);
    const before = await everything(stage);
    expect(await stage.poll()).toMatchObject({ stale: 1, claimed: 0 });
    expect(await read(silent)).toMatchObject({ state: "REJECTED", resultCode: "STALE" });
    expect(await everything(stage)).toEqual(before);

    const { runId } = await stage.workspace.orchestrator.runNetwork({
      definitionPath: file,
      scheduledFor: AUGUST,
      requestedBy: "earlier",
    });
    await stage.script("quiet", "n2", { ending: "OK" });
    const again = await start("told", { businessKey: "k" });
    const rerun = await stage.desk.ask({ type: "RERUN", runId });
    expect(await stage.poll()).toMatchObject({ claimed: 2, completed: 2 });
    expect(await read(again)).toMatchObject({ state: "DONE", resultCode: "NOOP_ALREADY_SUCCESS" });
    expect(await read(rerun)).toMatchObject({ state: "DONE", resultCode: "OK" });
    const september = ["--resume", "--scheduled-for", "2026-09-01T00:00:00+09:00", "--json"];
    expect(jsonOf(await stage.flownet(["run-network", file, ...september]))).toMatchObject({
      outcome: "NEW",
      aggregate_status: "SUCCESS",
    });
  });
});
