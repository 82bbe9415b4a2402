import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockCodec, operationAuditCodec, resolutionCodec } from "../../../shared/records/index.ts";
import { createActs } from "../../support/interop/acts.ts";
import { killAt } from "../../support/interop/kill.ts";
import { jsonOf } from "../../support/interop/program.ts";
import { type InteropRig, openInterop } from "../../support/interop/rig.ts";
import { findings, nodesOf, statusOf } from "../../support/interop/seen.ts";

const GOOD = "SELECT COUNT(*) AS deals FROM LAPP_案件;";
const BAD = "ASSERT (SELECT COUNT(*) FROM LAPP_案件) < 0, '件数が合いません';";
const NONE = { ours: [], peer: [] };
/** Ours is the only one with a test clock: a lock it took then has run out for everybody. */
const LONG_AGO = { FLOWNET_TEST_CLOCK_OFFSET_MS: "-600000" };

let rig: InteropRig;
let acts: ReturnType<typeof createActs>;
let one = "";
let good = "";
let bad = "";
let closed = "";
beforeAll(async () => {
  rig = await openInterop(async (_block, folder) => ({
    KSQL_FLOWNET_REQUEST_ALLOWLIST_PATH: path.join(folder, "allow.yaml"),
  }));
  acts = createActs(rig);
  one = await rig.network({ id: "one", nodes: [{ id: "only", sql: GOOD }] });
  good = await rig.network({
    id: "good",
    nodes: [
      { id: "first", sql: GOOD },
      { id: "second", dependsOn: ["first"], sql: GOOD },
    ],
  });
  bad = await rig.network({
    id: "bad",
    nodes: [
      { id: "gate", idempotent: false, sql: BAD },
      { id: "last", dependsOn: ["gate"], sql: GOOD },
    ],
  });
  const entries = [
    ["one", one],
    ["bad", bad],
  ].flatMap(([id, file]) => [`  - network_id: ${id}`, `    definition_path: ${file}`, "    app_start: true"]);
  await writeFile(path.join(rig.folder, "allow.yaml"), `networks:\n${entries.join("\n")}\n`);
});
afterAll(() => rig.dispose());

const graphOf = (runId: string) => rig.workspace.reads.readRunGraph(runId);

/** Adds a request as people do, in the request app's own screen. */
async function request(wish: Readonly<Record<string, string>>): Promise<void> {
  const record = { ...wish, reason: "月次の締め", request_state: "REQUESTED" };
  await rig.provisioner.insertRecords({
    appId: rig.env.KSQL_FLOWNET_REQUEST_APP_ID ?? "",
    records: [Object.fromEntries(Object.entries(record).map(([code, value]) => [code, { value }]))],
  });
}

async function records(app: "STATE" | "AUDIT", type: string): Promise<readonly unknown[]> {
  const url = new URL(`${rig.workspace.baseUrl}/k/v1/records.json`);
  url.searchParams.set("app", rig.env[`KSQL_FLOWNET_${app}_APP_ID`] ?? "");
  url.searchParams.set("query", `record_type in ("${type}") order by $id asc limit 500`);
  const token = rig.env[`KSQL_FLOWNET_${app}_API_TOKEN`] ?? "";
  const answer = await fetch(url, { headers: { "X-Cybozu-API-Token": token } });
  const body: unknown = await answer.json();
  return typeof body === "object" && body !== null && "records" in body && Array.isArray(body.records)
    ? body.records
    : [];
}

describe("kSQL-FlowNet 1.0.0 on the local kintone (orchestration section 9.1)", () => {
  it("validates a definition, and `poll-requests --check` reads the request app", async () => {
    expect(await rig.peer.run(["validate", good])).toMatchObject({
      exitCode: 0,
      stdout: `Valid network definition: ${good}\n`,
    });
    expect(await rig.peer.run(["poll-requests", "--check"])).toMatchObject({
      exitCode: 0,
      stdout: "poll-requests check: ok networks=2 request_app=readable\n",
    });
  });

  it("runs a network with our job runner; both see it without a finding (sections 2.1, 6)", async () => {
    const ran = await acts.create(rig.peer, one, "peer-1");
    expect(ran).toMatchObject({ outcome: "NEW", aggregate: "SUCCESS", code: "OK", exitCode: 0 });
    const graph = await graphOf(ran.runId);
    expect(nodesOf(graph)).toEqual({ only: ["SUCCESS", 1] });
    expect(await findings(rig, "one", ran.runId)).toEqual(NONE);
    // Whoever created it: the same key is done for both (section 2.2).
    expect(await acts.create(rig.ours, one, "peer-1")).toMatchObject({ outcome: "NOOP", runId: ran.runId });
  });

  it("resolves a node and goes on (section 5.4), and ours reads the Resolution", async () => {
    const failed = await acts.create(rig.peer, bad, "peer-2");
    expect(failed).toMatchObject({ aggregate: "FAILED", code: "NODE_FAILED_OR_BLOCKED", exitCode: 1 });
    expect(await findings(rig, "bad", failed.runId)).toEqual(NONE);
    const ended = await acts.resolve(rig.peer, failed.runId, "gate", "SUCCESS");
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("RESOLVED: ") });
    expect(await findings(rig, "bad", failed.runId)).toEqual(NONE);
    expect(await acts.resume(rig.peer, bad, failed.runId)).toMatchObject({
      outcome: "RESUME",
      aggregate: "SUCCESS",
    });
    expect(nodesOf(await graphOf(failed.runId))).toMatchObject({
      gate: ["SUCCESS", 1],
      last: ["SUCCESS", 1],
    });
    expect(await findings(rig, "bad", failed.runId)).toEqual(NONE);
  });

  it("closes a Run of ours (section 4.8), once", async () => {
    const { runId, ...said } = await acts.create(rig.ours, bad, "ours-1");
    expect(said).toMatchObject({ outcome: "NEW", aggregate: "FAILED", code: "NODE_FAILED_OR_BLOCKED" });
    expect(await findings(rig, "bad", runId)).toEqual(NONE);
    expect(jsonOf(await acts.close(rig.peer, bad, runId))).toMatchObject({
      outcome: "ARCHIVED",
      audit: "RECORDED",
      lock_released: true,
    });
    expect((await graphOf(runId)).run?.lifecycle).toBe("ARCHIVED");
    expect(await findings(rig, "bad", runId)).toEqual(NONE);
    expect(jsonOf(await acts.close(rig.ours, bad, runId))).toMatchObject({ outcome: "ALREADY_ARCHIVED" });
    closed = runId;
  });

  it("holds, releases, unlocks and finishes a Run whose process of ours was killed (sections 3.5, 4.7)", async () => {
    const args = ["run-network", good, "--business-key", "peer-4", "--json"];
    // The third bulk is the end of the first node: its result is kept, the second has not begun.
    const point = { match: { path: "bulkRequest", within: "call" as const }, nth: 3 };
    await killAt(rig, rig.ours, args, { ...point, phase: "after-success" }, LONG_AGO);
    const run = await rig.workspace.reads.findRunByKey({
      profile: "local",
      networkId: "good",
      businessKey: "peer-4",
    });
    const runId = run?.runId ?? "";
    const killed = await statusOf(rig.peer, "good", runId);
    expect(killed.runs).toMatchObject([{ status: "RUNNING", activity: "INTERRUPTED" }]);
    expect(await findings(rig, "good", runId)).toEqual(NONE);

    expect(await acts.hold(rig.peer, runId)).toMatchObject({
      exitCode: 0,
      stdout: `REQUESTED: CANCEL:${runId} (revision 1).\n`,
    });
    expect((await statusOf(rig.ours, "good", runId)).runs).toMatchObject([
      { activity: "STOPPED", hold: { state: "REQUESTED" } },
    ]);
    expect(await acts.release(rig.peer, runId)).toMatchObject({
      exitCode: 0,
      stdout: `RELEASED: CANCEL:${runId} (revision 2).\n`,
    });
    const owner = killed.lock?.owner_invocation_id ?? "";
    expect(await acts.unlock(rig.peer, "good", owner, "local_pid")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^RELEASED: N1:/),
    });
    expect(await findings(rig, "good", runId)).toEqual(NONE);
    expect(await acts.resume(rig.peer, good, runId)).toMatchObject({ aggregate: "SUCCESS" });
    expect(nodesOf(await graphOf(runId))).toEqual({ first: ["SUCCESS", 1], second: ["SUCCESS", 1] });
    expect(await findings(rig, "good", runId)).toEqual(NONE);
  });

  it("polls requests: START, and CLOSE of a Run that is closed already (section 7)", async () => {
    await request({ request_type: "START", network_id: "one", business_key: "peer-5" });
    await request({ request_type: "CLOSE", run_id: closed });
    expect(await rig.peer.run(["poll-requests"])).toMatchObject({
      exitCode: 0,
      stdout: "poll-requests: requested=2 claimed=2 completed=2 cancelled=0 invalid=0 stale=0 skipped=0\n",
    });
    const done = (await rig.workspace.requestStore?.listRecent({ limit: 10, beforeId: null })) ?? [];
    expect(
      done.map((parsed) => (parsed.valid ? [parsed.request.state, parsed.request.resultCode] : parsed)),
    ).toEqual([
      ["DONE", "RUN_ALREADY_ARCHIVED"],
      ["DONE", "OK"],
    ]);
    const { profile, reads } = rig.workspace;
    const started = await reads.findRunByKey({ profile, networkId: "one", businessKey: "peer-5" });
    expect(started?.status).toBe("SUCCESS");
    expect(await findings(rig, "one", started?.runId ?? "")).toEqual(NONE);
  });

  it("left no record behind that our codecs cannot read (wire-format section 1)", async () => {
    const audits = await records("AUDIT", "OPERATION_AUDIT");
    expect(audits.map((wire) => operationAuditCodec.decode(wire))).toMatchObject(
      ["RUN_ARCHIVED", "NETWORK_LOCK_FORCE_RELEASED", "INVOCATION_FINALIZED"].map((resultCode) => ({
        ok: true,
        value: { resultCode },
      })),
    );
    const resolutions = await records("AUDIT", "ATTEMPT_RESOLUTION");
    expect(resolutions.map((wire) => resolutionCodec.decode(wire))).toMatchObject([{ ok: true }]);
    const locks = await records("STATE", "NETWORK_LOCK");
    expect(locks.length).toBeGreaterThan(7);
    expect(locks.map((wire) => lockCodec.decode(wire)).filter(({ ok }) => !ok)).toEqual([]);
    for (const run of await rig.workspace.reads.listAllRuns()) {
      expect((await graphOf(run.runId)).run?.runId).toBe(run.runId);
    }
    expect(await rig.workspace.reads.listHeldLocks()).toEqual([]);
  });
});
