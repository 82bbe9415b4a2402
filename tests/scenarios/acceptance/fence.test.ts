import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  drill,
  everything,
  gateOf,
  graphOf,
  newRun,
  node,
  nodesOf,
  ownerOf,
  resumeRun,
  runIdOf,
  unlock,
} from "../../support/acceptance/acts.ts";
import { BY_ORCHESTRATOR, jsonOf, LATER, openStage, type Stage } from "../../support/acceptance/stage.ts";
import type { ProgramEnd } from "../../support/interop/program.ts";
import { until } from "../../support/scripted-workspace.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.dispose());

/** A person takes the lock on her own word, and another process brings the Run home. */
async function takeOver(id: string, file: string, runId: string): Promise<ProgramEnd> {
  const owner = await ownerOf(stage, id);
  // Its process is there: only a person can say that it must not count any more.
  expect((await unlock(stage, id, owner, LATER)).stderr).toContain("[STOP_NOT_CONFIRMED]");
  expect(await unlock(stage, id, owner, LATER, "manual")).toMatchObject({ exitCode: 0 });
  return stage.flownet(resumeRun(file, runId));
}

describe("a holder that comes back after its lock was taken (fenced-writes section 6)", () => {
  it("suspended while n1 runs: what it still wanted to write is refused, and the other's Run stays as it is", async () => {
    const file = await stage.network("asleep", drill(stage, "asleep"));
    const command = stage.start(newRun(file));
    await stage.started("asleep", "n1");
    const runId = await runIdOf(stage, "asleep");
    command.child.kill("SIGSTOP");
    await writeFile(gateOf(stage, "asleep"), "");
    const [child] = await stage.starts("asleep");
    await until(async () => {
      const log = await stage.workspace.reads.findJobLog(child?.attemptId ?? "");
      return log.kind === "found" && log.log.status === "SUCCESS";
    });
    expect(jsonOf(await takeOver("asleep", file, runId))).toMatchObject({ aggregate_status: "SUCCESS" });
    const home = await everything(stage);
    command.child.kill("SIGCONT");
    const end = await command.ended;
    expect(end.exitCode).toBe(1);
    expect(jsonOf(end)).toMatchObject({
      outcome: "NEW",
      aggregate_status: null,
      invocation_result_code: "NETWORK_LEASE_INTERRUPTED",
    });
    expect(await everything(stage)).toEqual(home);
    expect(nodesOf(await graphOf(stage, runId))).toEqual({
      n1: ["SUCCESS", 1],
      n2: ["SUCCESS", 1],
      n3: ["SUCCESS", 1],
    });
    expect(await stage.starts("asleep"), "no node ran twice").toHaveLength(3);
  });

  it("with a node's start on its way: the late copy is refused whole, and its child is never spawned", async () => {
    const file = await stage.network("late", [node("n1"), node("n2", ["n1"])]);
    await stage.control.add({
      id: "start",
      match: { ...BY_ORCHESTRATOR, hasFields: ["state_revision_before"] },
      effect: { kind: "barrier", phase: "before" },
    });
    const command = stage.start(newRun(file));
    await stage.reached("start");
    expect(await stage.arrivals("start")).toBe(1);
    const runId = await runIdOf(stage, "late");
    expect(jsonOf(await takeOver("late", file, runId))).toMatchObject({ aggregate_status: "SUCCESS" });
    const home = await everything(stage);
    await stage.control.release("start");
    const end = await command.ended;
    expect(end.exitCode).toBe(1);
    expect(jsonOf(end)).toMatchObject({ invocation_result_code: "NETWORK_LEASE_INTERRUPTED" });
    expect(await everything(stage)).toEqual(home);
    expect(await stage.starts("late")).toHaveLength(2);
  });
});
