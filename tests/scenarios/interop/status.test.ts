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

/**
 * What its reads may show of a write between them, for display only: the last two also of its own healthy Runs
 * (fenced-writes section 5, orchestration section 6.2).
 */
const TRANSIENT: ReadonlySet<string> = new Set([
  "REVISION_SERIES_UNDETERMINED",
  "ACTIVE_ATTEMPT_NOT_FOUND",
  "STATE_TERMINAL_ATTEMPT_RUNNING",
  "TERMINAL_ATTEMPT_PENDING_APPLY",
  "RUN_AGGREGATE_MISMATCH",
]);
const findingsSchema = z.object({
  runs: z.array(
    z.object({ reconciliation: z.object({ inconsistencies: z.array(z.object({ code: z.string() })) }) }),
  ),
});
const codesOf = (json: unknown): readonly string[] =>
  findingsSchema
    .parse(json)
    .runs.flatMap((run) => run.reconciliation.inconsistencies.map(({ code }) => code));

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

describe("the peer's status in a loop during a Run of ours (fenced-writes sections 5, 6)", () => {
  it("never fails, and finds nothing but what several reads of one moment can show", async () => {
    const ids = Array.from({ length: 12 }, (_, at) => `n${at}`);
    const nodes = ids.map((id, at) => ({ id, dependsOn: at === 0 ? [] : [`n${at - 1}`] }));
    const file = await rig.network({ id: "s_loop", nodes });
    let over = false;
    const running = acts.create(rig.ours, file, "k").finally(() => {
      over = true;
    });
    const codes: string[] = [];
    let looks = 0;
    for (; !over; looks += 1) {
      const end = await rig.peer.run([
        "status",
        "s_loop",
        "--profile",
        "local",
        "--business-key",
        "k",
        "--json",
      ]);
      // Before the Run is there the peer says so.
      if (end.exitCode === 0) codes.push(...codesOf(jsonOf(end)));
      else expect(end.stderr).toContain("RECORD_NOT_FOUND");
    }
    expect(await running).toMatchObject({ aggregate: "SUCCESS" });
    expect(looks).toBeGreaterThan(1);
    expect(codes.filter((code) => !TRANSIENT.has(code))).toEqual([]);
  });
});
