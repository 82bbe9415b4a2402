import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  cancelRun,
  drill,
  FAILS,
  gateOf,
  graphOf,
  newRun,
  node,
  nodesOf,
  resumeRun,
  runIdOf,
  seedRun,
  statusOf,
} from "../../support/acceptance/acts.ts";
import { jsonOf, LATER, openStage, type Stage } from "../../support/acceptance/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.dispose());

const reruns = (file: string, runId: string, ...more: readonly string[]) =>
  stage.flownet(resumeRun(file, runId, ...more)).then(jsonOf);

describe("hold, brake and activity (orchestration section 10, m8)", () => {
  it("m8-01: STOP takes hold after the running node, keeps resumes out, and RELEASE starts nothing", async () => {
    const file = await stage.network("hold", drill(stage, "hold"));
    const command = stage.start(newRun(file));
    await stage.started("hold", "n1");
    const runId = await runIdOf(stage, "hold");
    expect(await statusOf(stage, "hold", runId)).toMatchObject({ run: { activity: "LIVE" } });
    const stop = await cancelRun(stage, runId);
    expect(stop).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`REQUESTED: CANCEL:${runId}`),
    });
    expect(await statusOf(stage, "hold", runId)).toMatchObject({ run: { activity: "STOPPED" } });
    await writeFile(gateOf(stage, "hold"), "");
    const end = await command.ended;
    expect(end.exitCode).toBe(1);
    expect(jsonOf(end)).toMatchObject({ outcome: "NEW", invocation_result_code: "STOP_REQUESTED" });
    const stopped = await graphOf(stage, runId);
    expect(nodesOf(stopped)).toEqual({ n1: ["SUCCESS", 1], n2: ["WAITING", 0], n3: ["WAITING", 0] });
    expect(stopped.invocations).toMatchObject([{ status: "CANCELLED", resultCode: "STOP_REQUESTED" }]);
    expect(await reruns(file, runId)).toMatchObject({ invocation_result_code: "RUN_ON_HOLD" });
    await cancelRun(stage, runId, "--release");
    expect(await statusOf(stage, "hold", runId)).toMatchObject({
      lock: null,
      run: { activity: "INTERRUPTED" },
    });
    expect(await reruns(file, runId)).toMatchObject({ aggregate_status: "SUCCESS" });
    const { run } = await statusOf(stage, "hold", runId);
    expect(run).toMatchObject({ status: "SUCCESS", hold: null });
    expect(run).not.toHaveProperty("activity");
  });

  it("m8-02: the third equal failure brakes the node for resumes; RERUN_FROM goes through", async () => {
    const file = await stage.network("brake", [node("n1", [], FAILS), node("n2")]);
    const runId = await seedRun(stage, file);
    for (const attempt of [2, 3]) {
      const { runId: same } = await stage.workspace.orchestrator.runNetwork({
        definitionPath: file,
        resumeRunId: runId,
        requestedBy: "earlier",
      });
      expect(same).toBe(runId);
      expect(nodesOf(await graphOf(stage, runId))).toMatchObject({ n1: ["FAILED", attempt] });
    }
    expect(await reruns(file, runId)).toMatchObject({ outcome: "RESUME", retry_brake_node_ids: ["n1"] });
    const braked = await graphOf(stage, runId);
    expect(nodesOf(braked)).toEqual({ n1: ["FAILED", 3], n2: ["SUCCESS", 1] });
    expect(braked.states[0]?.statusReason).toBe("RETRY_BRAKE:ASSERT_FAILEDx3");
    expect(braked.invocations.at(-1)).toMatchObject({ mode: "RESUME" });
    expect(await reruns(file, runId, "--rerun-from", "n1")).toMatchObject({ retry_brake_node_ids: [] });
    expect(nodesOf(await graphOf(stage, runId))).toEqual({ n1: ["FAILED", 4], n2: ["SUCCESS", 1] });
  });

  it("m8-03: LIVE while its owner lives, INTERRUPTED beyond its lease, STOPPED under a hold, nothing once ended", async () => {
    const file = await stage.network("activity", drill(stage, "activity"));
    const command = stage.start(newRun(file));
    await stage.started("activity", "n1");
    const runId = await runIdOf(stage, "activity");
    expect(await statusOf(stage, "activity", runId)).toMatchObject({ run: { activity: "LIVE" } });
    command.child.kill("SIGKILL");
    await command.ended;
    expect(await statusOf(stage, "activity", runId, LATER)).toMatchObject({
      run: { activity: "INTERRUPTED" },
    });
    expect(await cancelRun(stage, runId)).toMatchObject({ exitCode: 0 });
    expect(await statusOf(stage, "activity", runId, LATER)).toMatchObject({ run: { activity: "STOPPED" } });
    const other = await seedRun(stage, await stage.network("done", [node("n1")]));
    const { run } = await statusOf(stage, "done", other);
    expect(run).toMatchObject({ status: "SUCCESS" });
    expect(run).not.toHaveProperty("activity");
    await writeFile(gateOf(stage, "activity"), "");
  });
});
