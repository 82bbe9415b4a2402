import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createActs } from "../../support/interop/acts.ts";
import { expectInvariants } from "../../support/interop/invariants.ts";
import { ILL, openScriptedRig, type ScriptedRig, WELL } from "../../support/interop/scripted-rig.ts";
import { findings } from "../../support/interop/seen.ts";

const NETWORK = "edited";
const INVERTED = "REVISION_SERIES_INVERTED";

let rig: ScriptedRig;
let acts: ReturnType<typeof createActs>;
beforeAll(async () => {
  rig = await openScriptedRig();
  acts = createActs(rig);
  await rig.provisioner.createUser({ code: "sato", name: "佐藤", password: "a long password" });
  await openToPeople();
});
afterAll(() => rig.dispose());

/** kintone as the person sees it who is signed in there. */
async function asSato(method: "PUT" | "POST", api: string, body: object): Promise<void> {
  const answer = await fetch(`${rig.workspace.baseUrl}/k/v1/${api}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      "X-Cybozu-Authorization": Buffer.from("sato:a long password").toString("base64"),
    },
    body: JSON.stringify(body),
  });
  expect([answer.status, answer.ok ? "" : await answer.text()]).toEqual([200, ""]);
}
const stateApp = (): string => rig.env.KSQL_FLOWNET_STATE_APP_ID ?? "";

/** The apps are made so that people only read them; somebody opened this one. */
async function openToPeople(): Promise<void> {
  const all = { recordViewable: true, recordAddable: true, recordEditable: true, recordDeletable: true };
  const rights = [{ entity: { type: "GROUP", code: "everyone" }, appEditable: true, ...all }];
  await asSato("PUT", "preview/app/acl.json", { app: stateApp(), rights });
  await asSato("POST", "preview/app/deploy.json", { apps: [{ app: stateApp() }] });
}

/** What somebody does who opens the record of a node, changes columns of it and saves. */
async function edit(runId: string, nodeId: string, columns: Readonly<Record<string, string>>): Promise<void> {
  const state = (await rig.workspace.reads.listNodeStates(runId)).find((each) => each.nodeId === nodeId);
  const record = Object.fromEntries(Object.entries(columns).map(([code, value]) => [code, { value }]));
  await asSato("PUT", "record.json", { app: stateApp(), id: state?.ref.recordId, record });
}

const realign = (runId: string, ...more: readonly string[]) =>
  rig.ours.run([
    ...["realign-node", "--run-id", runId, "--node-id", "b", "--reason-file", rig.reasonFile],
    ...["--evidence-ref", "INC-1", "--confirmed-by", "suzuki", ...more],
  ]);

describe("a person edits the record of a node (orchestration section 11.1)", () => {
  it("stops both programs, is named, and after realign-node neither finds anything and the Run ends well", async () => {
    const nodes = [{ id: "a" }, { id: "b", dependsOn: ["a"] }, { id: "c", dependsOn: ["b"] }];
    const file = await rig.network({ id: NETWORK, nodes });
    await rig.script(`${NETWORK}_b`, ILL);
    const { runId } = await acts.create(rig.ours, file, "k");
    await rig.script(`${NETWORK}_b`, WELL);
    expect((await realign(runId)).stderr).toContain("[REVISION_NOT_INVERTED]");

    await edit(runId, "b", { status_reason: "電話で確認" });
    for (const program of [rig.ours, rig.peer]) {
      expect(await acts.resume(program, file, runId)).toMatchObject({ code: "RECONCILIATION_REQUIRED" });
    }
    expect(await findings(rig, NETWORK, runId)).toEqual({ ours: [INVERTED], peer: [INVERTED] });
    const told = await rig.ours.run(["status", NETWORK, "--profile", "local", "--run-id", runId]);
    expect(told.stdout).toMatch(
      /REVISION_SERIES_INVERTED b: .+ kintone names 佐藤 \(sato\) as the last to change it, at \d{4}-\d\d-\d\dT\d\d:\d\d:00Z; that is no proof\./,
    );

    // A hand-made success is no edit to be taken up: nothing ran that bears it out.
    await edit(runId, "b", { status: "SUCCESS" });
    const forged = await realign(runId);
    expect([forged.exitCode, forged.stderr]).toEqual([1, expect.stringContaining("STATUS_UNATTESTED")]);
    await edit(runId, "b", { status: "FAILED" });

    const plan = await realign(runId, "--dry-run");
    expect([plan.exitCode, plan.stdout]).toEqual([
      0,
      expect.stringContaining("REALIGN_NODE of network edited"),
    ]);
    expect(await findings(rig, NETWORK, runId)).toEqual({ ours: [INVERTED], peer: [INVERTED] });
    const done = await realign(runId);
    expect([done.exitCode, done.stdout]).toEqual([
      0,
      expect.stringContaining(`REALIGNED: ${runId}/b stays FAILED`),
    ]);
    expect(await findings(rig, NETWORK, runId)).toEqual({ ours: [], peer: [] });

    expect(await acts.resume(rig.ours, file, runId)).toMatchObject({ aggregate: "SUCCESS" });
    await expectInvariants(rig, { networkId: NETWORK, runId });
  });

  it("the peer goes on with a Run that ours took up, its audit in the records", async () => {
    const id = `${NETWORK}_peer`;
    const file = await rig.network({ id, nodes: [{ id: "a" }, { id: "b", dependsOn: ["a"] }] });
    await rig.script(`${id}_b`, ILL);
    const { runId } = await acts.create(rig.peer, file, "k");
    await rig.script(`${id}_b`, WELL);
    await edit(runId, "b", { status_reason: "" });
    expect(await realign(runId)).toMatchObject({ exitCode: 0 });
    expect(await acts.resume(rig.peer, file, runId)).toMatchObject({ aggregate: "SUCCESS" });
    await expectInvariants(rig, { networkId: id, runId });
  });
});
