import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  drill,
  everything,
  FAILS,
  fingerprint,
  gateOf,
  graphOf,
  midfail,
  newRun,
  node,
  nodesOf,
  openAllowList,
  runIdOf,
  seedRun,
  statusOf,
} from "../../support/acceptance/acts.ts";
import { BY_ORCHESTRATOR, jsonOf, openStage, type Stage, summaryOf } from "../../support/acceptance/stage.ts";
import { until } from "../../support/scripted-workspace.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.dispose());

const network = openAllowList(() => stage);
const rerun = (runId: string, rerunFromNode: string | null = null): Promise<string> =>
  stage.desk.ask({ type: "RERUN", runId, rerunFromNode });
const read = (id: string) => stage.desk.read(id);
const TWENTY_MINUTES_AGO = (): string => new Date(Date.now() - 20 * 60_000).toISOString();
const takenLongAgo = () => ({
  request_state: "ACCEPTED",
  claimed_at: TWENTY_MINUTES_AGO(),
  claimed_host: "elsewhere",
  claim_heartbeat_at: TWENTY_MINUTES_AGO(),
});

describe("RERUN by request (orchestration section 10, p2-01-01, p2-01-02)", () => {
  it("p2-01-01: the Run goes on, its Invocation names the request, the message names the Invocation", async () => {
    const runId = await seedRun(stage, await network("again", midfail()));
    await stage.script("again", "n2", { ending: "OK" });
    const id = await rerun(runId);
    expect(await stage.poll()).toMatchObject({ requested: 1, claimed: 1, completed: 1 });
    const request = await read(id);
    const graph = await graphOf(stage, runId);
    expect(graph).toMatchObject({ run: { status: "SUCCESS" } });
    expect(graph.invocations).toHaveLength(2);
    expect(graph.invocations[1]?.requestedBy).toBe(
      `app-request:${id}:${encodeURIComponent(request.creatorCode)}`,
    );
    expect(request).toMatchObject({ state: "DONE", resultCode: "OK" });
    expect(request.resultMessage?.endsWith(`invocation_id=${graph.invocations[1]?.invocationId}`)).toBe(true);
  });

  it("p2-01-02: from a node nothing before it runs; a braked Run says so and goes on from its node", async () => {
    const chain = await seedRun(stage, await network("chain", midfail()));
    const from = await rerun(chain, "n2");
    const brake = await seedRun(stage, await network("braked", [node("n1", [], FAILS)]));
    for (const _ of [2, 3]) {
      await stage.workspace.orchestrator.runNetwork({
        definitionPath: `${stage.folder}/networks/braked/network.yaml`,
        resumeRunId: brake,
        requestedBy: "earlier",
      });
    }
    const held = await rerun(brake);
    const freed = await rerun(brake, "n1");
    expect(await stage.poll()).toMatchObject({ completed: 3 });
    const graph = await graphOf(stage, chain);
    expect(graph.invocations[1]).toMatchObject({ mode: "RERUN_FROM" });
    expect(nodesOf(graph)).toEqual({ n1: ["SUCCESS", 1], n2: ["FAILED", 2], n3: ["BLOCKED", 0] });
    expect(await read(from)).toMatchObject({ state: "DONE", resultCode: "NODE_FAILED_OR_BLOCKED" });
    expect(await read(held)).toMatchObject({ state: "DONE", resultCode: "RETRY_BRAKE" });
    expect(await read(freed)).toMatchObject({ state: "DONE", resultCode: "NODE_FAILED_OR_BLOCKED" });
    expect(nodesOf(await graphOf(stage, brake))).toEqual({ n1: ["FAILED", 4] });
  });
});

describe("what is refused, and STOP (orchestration section 10, p2-01-03, p2-01-04)", () => {
  it("p2-01-03, p2-01-04: missing, succeeded, live and held; STOP, RELEASE, RERUN in turn", async () => {
    const done = await seedRun(stage, await network("done", [node("n1")]));
    const file = await network("live", drill(stage, "live"));
    const command = stage.start(newRun(file));
    await stage.started("live", "n1");
    const runId = await runIdOf(stage, "live");
    const refused = [await rerun("netrun_none"), await rerun(done), await rerun(runId)];
    const before = [await fingerprint(stage, done), await fingerprint(stage, runId)];
    expect(await stage.poll()).toMatchObject({ completed: 3 });
    const codes = await Promise.all(refused.map(async (id) => (await read(id)).resultCode));
    expect(codes).toEqual(["RUN_NOT_FOUND", "RUN_STATUS_NOT_RERUNNABLE", "RUN_LIVE"]);
    expect([await fingerprint(stage, done), await fingerprint(stage, runId)]).toEqual(before);

    const stop = await stage.desk.ask({ type: "STOP", runId });
    await stage.poll();
    expect(await read(stop)).toMatchObject({ state: "DONE", resultCode: "STOP_REQUESTED" });
    await writeFile(gateOf(stage, "live"), "");
    expect(jsonOf(await command.ended)).toMatchObject({ invocation_result_code: "STOP_REQUESTED" });
    const held = await rerun(runId);
    const release = await stage.desk.ask({ type: "RELEASE", runId });
    await stage.poll();
    expect(await read(held)).toMatchObject({ state: "REJECTED", resultCode: "RUN_ON_HOLD" });
    expect(await read(release)).toMatchObject({ state: "DONE", resultCode: "RELEASED" });
    expect((await graphOf(stage, runId)).invocations).toMatchObject([
      { status: "CANCELLED", resultCode: "STOP_REQUESTED" },
    ]);
    expect(await statusOf(stage, "live", runId)).toMatchObject({ run: { activity: "INTERRUPTED" } });
    const again = await rerun(runId);
    const nothing = await stage.desk.ask({ type: "RELEASE", runId });
    await stage.poll();
    expect(await read(again)).toMatchObject({ state: "DONE", resultCode: "OK" });
    expect(await read(nothing)).toMatchObject({ state: "REJECTED", resultCode: "RUN_NOT_ON_HOLD" });
    expect((await graphOf(stage, runId)).run?.status).toBe("SUCCESS");
  });
});

describe("who takes a request (orchestration section 10, p2-01-05, p2-01-06)", () => {
  it("p2-01-05: of two pollers one takes it; its beats keep it from being stale; a silent claim is ended, never executed", async () => {
    const file = await network("taken", drill(stage, "taken"));
    const runId = await seedFailed(file, "taken");
    const id = await rerun(runId);
    await stage.control.add({
      id: "claims",
      match: { ...BY_ORCHESTRATOR, methods: ["PUT"], hasFields: ["claimed_at"] },
      effect: { kind: "barrier", phase: "before" },
    });
    const first = stage.startPoll("poller-a");
    await stage.reached("claims");
    expect(await stage.arrivals("claims")).toBe(1);
    const second = stage.startPoll("poller-b");
    await until(async () => (await read(id)).state === "ACCEPTED");
    await stage.control.release("claims");
    const loser = summaryOf(await first.ended);
    const claimed = await read(id);
    expect(claimed).toMatchObject({ state: "ACCEPTED", claim: { host: "poller-b" } });
    await until(async () => (await read(id)).revision > claimed.revision);
    expect(await stage.poll()).toMatchObject({ stale: 0, claimed: 0 });
    await writeFile(gateOf(stage, "taken"), "");
    const winner = summaryOf(await second.ended);
    expect([loser.claimed, winner.claimed].toSorted()).toEqual([0, 1]);
    expect(await read(id)).toMatchObject({ state: "DONE", resultCode: "OK" });
    expect((await graphOf(stage, runId)).invocations).toHaveLength(2);

    const silent = [
      await rerun(runId),
      await rerun(await seedRun(stage, await network("silent", midfail()))),
    ];
    for (const each of silent) await stage.desk.edit(each, takenLongAgo());
    const before = await everything(stage);
    expect(await stage.poll()).toMatchObject({ stale: 2, claimed: 0 });
    for (const each of silent) {
      expect(await read(each)).toMatchObject({ state: "REJECTED", resultCode: "STALE" });
    }
    expect(await everything(stage)).toEqual(before);
  });

  it("p2-01-06: a poller whose token is refused ends with 1, writes nothing, starts nothing, and shows neither token nor reason", async () => {
    const runId = await seedRun(stage, await network("closed", midfail()));
    const id = await rerun(runId);
    const before = [await everything(stage), (await read(id)).revision];
    const token = "0123456789abcdef0123456789abcdef01234567";
    const end = await stage.startPoll("poller-a", { KSQL_FLOWNET_REQUEST_API_TOKEN: token }).ended;
    expect(end.exitCode).toBe(1);
    expect(`${end.stdout}${end.stderr}`).not.toMatch(new RegExp(`${token}|月次の締めのため`));
    expect([await everything(stage), (await read(id)).revision]).toEqual(before);
    expect(await stage.starts("closed")).toHaveLength(2);
  });
});

/** A Run whose first node failed, so that its gate is met by the rerun alone. */
async function seedFailed(file: string, id: string): Promise<string> {
  await stage.script(id, "n1", FAILS);
  const runId = await seedRun(stage, file);
  const [first] = drill(stage, id);
  await stage.script(id, "n1", first?.script ?? {});
  return runId;
}
