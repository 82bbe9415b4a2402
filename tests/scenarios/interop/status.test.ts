import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { statusJson } from "../../../main/cli/render-status.ts";
import { createActs, type RunSaid } from "../../support/interop/acts.ts";
import { jsonOf } from "../../support/interop/program.ts";
import { ILL, openScriptedRig, type ScriptedRig } from "../../support/interop/scripted-rig.ts";
import { type Wreck, wreck } from "../../support/interop/wreck.ts";

let rig: ScriptedRig;
let acts: ReturnType<typeof createActs>;
beforeAll(async () => {
  rig = await openScriptedRig();
  acts = createActs(rig);
});
afterAll(() => rig.dispose());

/** A chain of two. */
async function chain(networkId: string, idempotent = true): Promise<Wreck> {
  const nodes = [
    { id: "a", idempotent },
    { id: "b", dependsOn: ["a"] },
  ];
  return { networkId, file: await rig.network({ id: networkId, nodes }), key: "k" };
}

const create = ({ file, key }: Wreck): Promise<RunSaid> => acts.create(rig.ours, file, key);

const answerSchema = z.looseObject({
  runs: z.array(z.looseObject({ node_states: z.array(z.looseObject({ node_id: z.string() })).optional() })),
});

/** The peer lists nodes as kintone happens to hand them out, newest first; ours in the order of their records. */
function answerOf(json: unknown) {
  const answer = answerSchema.parse(json);
  for (const { node_states } of answer.runs) node_states?.sort((a, b) => (a.node_id < b.node_id ? -1 : 1));
  return answer;
}

/** Both programs' whole object about one Run, and about its network. Ours is rendered in this process, as the command does. */
async function expectSame(networkId: string, runId: string): Promise<void> {
  const { orchestrator, profile } = rig.workspace;
  for (const one of [{ runId }, {}]) {
    const args = ["status", networkId, "--profile", profile, ...("runId" in one ? ["--run-id", runId] : [])];
    const [peer, ours] = await Promise.all([
      rig.peer.run([...args, "--json"]),
      orchestrator.status({ networkId, profile, ...one }),
    ]);
    expect(answerOf(JSON.parse(statusJson(ours)))).toEqual(answerOf(jsonOf(peer)));
  }
}

describe("`status --json` says what the peer's says, key by key (orchestration section 9.2)", () => {
  it("of a Run that succeeded", async () => {
    const net = await chain("s_done");
    const { runId } = await create(net);
    await expectSame(net.networkId, runId);
  });

  it("of a Run that failed, and was closed", async () => {
    const net = await chain("s_failed", false);
    await rig.script("s_failed_a", ILL);
    const { runId } = await create(net);
    await expectSame(net.networkId, runId);
    await acts.close(rig.ours, net.file, runId);
    await expectSame(net.networkId, runId);
  });

  it("of a node whose outcome is unknown, and once a person decided it", async () => {
    const net = await chain("s_unknown");
    await rig.script("s_unknown_a", { ending: "NO_RESULT" });
    const { runId } = await create(net);
    await expectSame(net.networkId, runId);
    await acts.resolve(rig.ours, runId, "a", "FAILED");
    await expectSame(net.networkId, runId);
  });

  it("of a Run whose process was killed in the middle, held afterwards", async () => {
    const net = await chain("s_killed");
    const runId = (await wreck(rig, rig.ours, net, { write: 3, phase: "after-success" })) ?? "";
    await expectSame(net.networkId, runId);
    await acts.hold(rig.ours, runId);
    await expectSame(net.networkId, runId);
  });
});
