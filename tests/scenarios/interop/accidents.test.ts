import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statusText } from "../../../main/cli/render-status.ts";
import { type OpenedWorkspace, openWorkspace } from "../../../main/console/index.ts";
import { createActs } from "../../support/interop/acts.ts";
import { jsonOf } from "../../support/interop/program.ts";
import { ILL, openScriptedRig, type ScriptedRig, WELL } from "../../support/interop/scripted-rig.ts";
import { wreck } from "../../support/interop/wreck.ts";
import { until } from "../../support/scripted-workspace.ts";

let rig: ScriptedRig;
let acts: ReturnType<typeof createActs>;
/** Ours in this process, with the runner both programs use. */
let ours: OpenedWorkspace;
beforeAll(async () => {
  rig = await openScriptedRig();
  acts = createActs(rig);
  ours = await openWorkspace({ dataDir: path.join(rig.folder, "here"), env: rig.env });
});
afterAll(async () => {
  await ours.dispose();
  await rig.dispose();
});

const chain = (id: string, lease = {}): Promise<string> =>
  rig.network({ id, nodes: [{ id: "a" }, { id: "b", dependsOn: ["a"] }], ...lease });
const SHORT = { leaseSec: 3, heartbeatSec: 1 };
const run = (definitionPath: string, businessKey: string) =>
  ours.orchestrator.runNetwork({ definitionPath, businessKey, requestedBy: "scenario" });
const invocationsOf = async (runId: string) =>
  (await rig.workspace.reads.listInvocations(runId)).map(({ status, resultCode }) => [status, resultCode]);

describe("kSQL-FlowNet 1.0.0 meets its accidents, ours does not (orchestration section 11.1)", () => {
  it("W-15: a refused resume leaves an Invocation that its answer does not name; ours leaves none", async () => {
    const file = await chain("w15");
    await rig.script("w15_b", ILL);
    const { runId } = await run(file, "k");
    const profile = path.join(rig.folder, "scripts", "describe-profile.json");
    await writeFile(profile, JSON.stringify({ timezone: "Europe/London" }));
    const byOurs = await ours.orchestrator.runNetwork({
      ...{ definitionPath: file, resumeRunId: runId ?? "", requestedBy: "scenario" },
    });
    expect(byOurs).toMatchObject({ outcome: "REJECTED", invocationResultCode: "PROFILE_SNAPSHOT_MISMATCH" });
    expect(await invocationsOf(runId ?? "")).toHaveLength(1);
    const said = await rig.peer.run(["run-network", file, "--resume-run", runId ?? "", "--json"]);
    await rm(profile);
    expect(jsonOf(said)).toMatchObject({ outcome: "REJECTED", invocation_id: null });
    expect((await invocationsOf(runId ?? "")).at(-1)).toEqual(["FAILED", "PROFILE_SNAPSHOT_MISMATCH"]);
  });

  it("W-16: an outage that outlasts the lease is told as a failed command; ours tells the outage", async () => {
    const file = await chain("w16", SHORT);
    const gate = path.join(rig.folder, "w16.go");
    await rig.script("w16_a", { ...WELL, waitFor: gate });
    const running = acts.create(rig.peer, file, "k");
    await until(async () => (await rig.children("w16")).length === 1);
    await rig.control.add({
      id: "cut",
      match: { client: "peer", within: "call" },
      when: { times: "unlimited" },
      effect: { kind: "block", how: "reset" },
    });
    await writeFile(gate, "");
    const said = await running;
    await rig.control.clear("cut");
    // Scenario m7-02 shows ours: NETWORK_LEASE_INTERRUPTED, the lock that stayed told beside it.
    expect(said).toMatchObject({ code: "RUN_NETWORK_FAILED", exitCode: 1 });
  });

  it("W-20: the peer asks twice for every Run that was ever made; ours asks once for all of them", async () => {
    const file = await chain("w20");
    const asked = async (): Promise<number> => {
      const since = (await rig.control.journal()).at(-1)?.seq ?? 0;
      await rig.peer.run(["status", "w20", "--profile", "local", "--json"]);
      const entries = await rig.control.journal(since);
      return entries.filter((entry) => entry.kind === "request" && entry.client === "peer").length;
    };
    await run(file, "k1");
    const one = await asked();
    for (const key of ["k2", "k3"]) await run(file, key);
    expect((await asked()) - one).toBe(4);
    const used = (): number => [...ours.apps.values()].reduce((sum, app) => sum + ours.requests.used(app), 0);
    const before = used();
    await ours.orchestrator.status({ networkId: "w20", profile: "local" });
    expect(used() - before).toBe(1);
  });

  it("W-23: before there is a Run the peer inspects every job at once and renews no lease; ours four, and beats", async () => {
    const nodes = Array.from({ length: 6 }, (_, at) => ({ id: `n${at}` }));
    const gate = path.join(rig.folder, "w23.go");
    const waiting = async (id: string): Promise<string> => {
      const file = await rig.network({ id, nodes, ...SHORT });
      for (const node of nodes) await rig.script(`${id}_${node.id}`, { ...WELL, inspectAfter: gate });
      return file;
    };
    const lockOf = (networkId: string) => rig.workspace.reads.findLock({ profile: "local", networkId });
    const inspected = async (id: string): Promise<number> => (await rig.inspections(id)).length;
    const [peers, own] = [await waiting("w23_peer"), await waiting("w23_ours")];
    const running = acts.create(rig.peer, peers, "k");
    await until(async () => (await inspected("w23_peer")) === nodes.length);
    const here = run(own, "k");
    // Three beats of ours are a whole lease of either.
    await until(async () => ((await lockOf("w23_ours"))?.revision ?? 0) > 3);
    expect((await lockOf("w23_peer"))?.revision).toBe(1);
    expect(await inspected("w23_ours")).toBe(4);
    await writeFile(gate, "");
    expect(await here).toMatchObject({ aggregateStatus: "SUCCESS" });
    await running;
  });

  it("W-26: a lock without a Run is shown by the peer without what a force-unlock needs; ours says the command", async () => {
    const net = { networkId: "w26", file: await chain("w26"), key: "k" };
    expect(await wreck(rig, rig.ours, net, { write: 1, phase: "before" })).toBeNull();
    const peer = jsonOf(await rig.peer.run(["status", "w26", "--profile", "local", "--json"]));
    expect(peer).toMatchObject({ lock: { stale_candidate: true }, runs: [] });
    expect(JSON.stringify(peer)).not.toContain("force_unlock_network");
    const report = await ours.orchestrator.status({ networkId: "w26", profile: "local" });
    expect(statusText(report)).toContain("flownet force-unlock-network w26 --profile local");
  });

  it("W-31: a schedule that resumes a braked Run makes the peer add an Invocation each time", async () => {
    const file = await chain("w31");
    await rig.script("w31_a", ILL);
    const { runId } = await run(file, "k");
    const again = { definitionPath: file, businessKey: "k", resume: true, requestedBy: "schedule" };
    for (const _ of [2, 3, 4]) await ours.orchestrator.runNetwork(again);
    const before = (await invocationsOf(runId ?? "")).length;
    await ours.orchestrator.runNetwork(again);
    expect(await invocationsOf(runId ?? "")).toHaveLength(before);
    await rig.peer.run(["run-network", file, "--business-key", "k", "--resume", "--json"]);
    expect(await invocationsOf(runId ?? "")).toHaveLength(before + 1);
  });
});
