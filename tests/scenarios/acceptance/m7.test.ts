import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FaultRuleInput } from "../../../main/local-kintone/index.ts";
import {
  drill,
  everything,
  FAILS,
  gateOf,
  graphOf,
  newRun,
  node,
  nodesOf,
  ownerOf,
  resumeRun,
  runIdOf,
  seedRun,
  unlock,
} from "../../support/acceptance/acts.ts";
import {
  BY_ORCHESTRATOR,
  jsonOf,
  LATER,
  openStage,
  PROFILE,
  type Stage,
} from "../../support/acceptance/stage.ts";
import { until } from "../../support/scripted-workspace.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.dispose());

const SHORT = { leaseSec: 6, heartbeatSec: 2 };
/** Nothing of the orchestrator comes through; children are untouched. */
const CUT: FaultRuleInput = {
  id: "cut",
  match: { ...BY_ORCHESTRATOR, within: "call" },
  effect: { kind: "block", how: "reset" },
};
const met = async (id: string): Promise<number> =>
  (await stage.control.rules()).find(({ rule }) => rule.id === id)?.met ?? 0;

/** A Run whose first child runs while the orchestrator's line is cut. */
async function cutRun(id: string) {
  const file = await stage.network(id, drill(stage, id), SHORT);
  const command = stage.start(newRun(file));
  await stage.started(id, "n1");
  const runId = await runIdOf(stage, id);
  await stage.control.add(CUT);
  // The beat and the looks at the lock after it: from then on the lease is uncertain (fenced-writes R4).
  await until(async () => (await met("cut")) >= 4);
  return { file, command, runId };
}

describe("order, order of writes and their number (orchestration section 10, m7-01, m7-03)", () => {
  it("m7-01: Attempts are made in stable order, with rising record ids, and all succeed", async () => {
    const file = await stage.network("order", [
      node("z"),
      node("a"),
      node("b", ["z", "a"]),
      node("c", ["b"]),
    ]);
    const told = jsonOf(await stage.flownet(newRun(file)));
    expect(told).toMatchObject({ aggregate_status: "SUCCESS", invocation_result_code: "OK" });
    const { attempts } = await graphOf(stage, String(told.run_id));
    const byRecord = attempts.toSorted((a, b) => Number(a.ref.recordId) - Number(b.ref.recordId));
    expect(byRecord.map(({ nodeId, resultCode }) => [nodeId, resultCode])).toEqual(
      ["z", "a", "b", "c"].map((id) => [id, "OK"]),
    );
  });

  it("m7-03: a Run of three nodes, a status and an unlock without a lock keep to their numbers of requests", async () => {
    // A delay of nothing: it only counts what passes.
    const counted = async (args: readonly string[]): Promise<readonly [number, string]> => {
      const match = { ...BY_ORCHESTRATOR, within: "call" } as const;
      await stage.control.add({
        id: "count",
        match,
        when: { times: "unlimited" },
        effect: { kind: "delay" },
      });
      const end = await stage.flownet(args);
      const passed = await met("count");
      await stage.control.clear("count");
      return [passed, end.stderr];
    };
    const file = await stage.network("counted", [node("n1"), node("n2", ["n1"]), node("n3", ["n2"])]);
    const [ran] = await counted(newRun(file));
    expect(
      ran,
      "8 + 4n (fenced-writes section 4), and what holds the apps against the wire format",
    ).toBeLessThanOrEqual(30);
    expect(ran).toBeGreaterThan(3);
    const runId = await runIdOf(stage, "counted");
    const [looked] = await counted(["status", "counted", "--profile", PROFILE, "--run-id", runId]);
    expect(looked, "5: the command before has checked the connection").toBeLessThanOrEqual(5);
    const before = await everything(stage);
    const end = await unlock(stage, "counted", "invoke_nobody");
    expect(end).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("[LOCK_NOT_FOUND]") });
    expect(await everything(stage)).toEqual(before);
  });
});

describe("a line that is cut while n1 runs (orchestration section 10, m7-02)", () => {
  it("m7-02: restored in time, the result is saved, no other node is started, and the Run says why", async () => {
    const { command, runId } = await cutRun("restored");
    await stage.control.clear("cut");
    await writeFile(gateOf(stage, "restored"), "");
    const end = await command.ended;
    const told = jsonOf(end);
    const graph = await graphOf(stage, runId);
    expect(end.exitCode).toBe(1);
    expect(told).toMatchObject({ invocation_result_code: "NETWORK_LEASE_INTERRUPTED" });
    expect(nodesOf(graph)).toEqual({ n1: ["SUCCESS", 1], n2: ["WAITING", 0], n3: ["WAITING", 0] });
    expect(graph.invocations).toMatchObject([
      { status: "CANCELLED", resultCode: "NETWORK_LEASE_INTERRUPTED" },
    ]);
  });

  it("m7-02: never restored, nothing more is written; force-unlock and a resume adjudicate n1 by its JOB log", async () => {
    const { file, command, runId } = await cutRun("lost");
    const atCut = await everything(stage);
    await writeFile(gateOf(stage, "lost"), "");
    const end = await command.ended;
    expect(end.exitCode).toBe(1);
    expect(jsonOf(end)).toMatchObject({ outcome: "NEW", aggregate_status: null });
    await stage.control.clear("cut");
    expect(await everything(stage)).toEqual(atCut);
    const left = await graphOf(stage, runId);
    expect(left.invocations).toMatchObject([{ status: "RUNNING", resultCode: "PENDING" }]);
    expect(await unlock(stage, "lost", await ownerOf(stage, "lost"), LATER)).toMatchObject({ exitCode: 0 });
    expect(jsonOf(await stage.flownet(resumeRun(file, runId)))).toMatchObject({
      aggregate_status: "SUCCESS",
    });
    const home = await graphOf(stage, runId);
    expect(nodesOf(home)).toEqual({ n1: ["SUCCESS", 1], n2: ["SUCCESS", 1], n3: ["SUCCESS", 1] });
    expect(home.invocations).toMatchObject([
      { status: "CANCELLED", resultCode: "NETWORK_LEASE_INTERRUPTED" },
      { mode: "RESUME", status: "SUCCESS" },
    ]);
  });
});

describe("RERUN_FROM and nodes that must not run twice (orchestration section 10, m7-05)", () => {
  it("m7-05: lets a node go that never ran, and refuses one that did; nothing is written then", async () => {
    const nodes = [node("n1"), node("n2", ["n1"], FAILS), { ...node("n3", ["n2"]), idempotent: false }];
    const file = await stage.network("once", nodes);
    const runId = await seedRun(stage, file);
    const again = await stage.flownet(resumeRun(file, runId, "--rerun-from", "n2"));
    expect(jsonOf(again)).toMatchObject({ outcome: "RESUME", aggregate_status: "FAILED" });
    const graph = await graphOf(stage, runId);
    expect(graph.invocations.at(-1)).toMatchObject({ mode: "RERUN_FROM" });
    expect(nodesOf(graph)).toEqual({ n1: ["SUCCESS", 1], n2: ["FAILED", 2], n3: ["BLOCKED", 0] });
    await stage.script("once", "n2", { ending: "OK" });
    await stage.script("once", "n3", FAILS);
    await stage.workspace.orchestrator.runNetwork({
      definitionPath: file,
      resumeRunId: runId,
      requestedBy: "earlier",
    });
    const before = await everythingBut(await graphOf(stage, runId));
    const refused = await stage.flownet(resumeRun(file, runId, "--rerun-from", "n3"));
    expect(jsonOf(refused)).toMatchObject({
      outcome: "REJECTED",
      invocation_result_code: "RERUN_FROM_NON_IDEMPOTENT",
    });
    expect(await everythingBut(await graphOf(stage, runId))).toEqual(before);
  });
});

/** What a Run's graph says, its references included. */
const everythingBut = async ({ run, states, attempts, invocations }: Awaited<ReturnType<typeof graphOf>>) =>
  JSON.stringify([run?.ref, states, attempts, invocations]);
