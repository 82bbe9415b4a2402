import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reconcile } from "../../../shared/domain/index.ts";
import type { Attempt, NodeState, Stored } from "../../../shared/domain/model.ts";
import { attemptCodec, nodeStateCodec } from "../../../shared/records/index.ts";
import {
  cancelRun,
  drill,
  everything,
  FAILS,
  gateOf,
  graphOf,
  newRun,
  node,
  nodesOf,
  ownerOf,
  resolve,
  resumeRun,
  runIdOf,
  seedRun,
  unlock,
} from "../../support/acceptance/acts.ts";
import { jsonOf, LATER, openStage, PROFILE, type Stage } from "../../support/acceptance/stage.ts";
import { until } from "../../support/scripted-workspace.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.dispose());

const resume = async (file: string, runId: string) => jsonOf(await stage.flownet(resumeRun(file, runId)));
/** What keeps the peer from ever going on with this Run, by the codes of its own gate. */
async function peerStopsAt(runId: string): Promise<readonly string[]> {
  const graph = await graphOf(stage, runId);
  if (graph.run === null) throw new Error("no Run");
  const found = reconcile({ ...graph, run: graph.run });
  return found.filter(({ peerBlocks }) => peerBlocks).map(({ code }) => code);
}
async function first(runId: string): Promise<{ state: Stored<NodeState>; attempt: Stored<Attempt> }> {
  const { states, attempts } = await graphOf(stage, runId);
  const [state, attempt] = [states[0], attempts.at(-1)];
  if (state === undefined || attempt === undefined) throw new Error("nothing ran");
  return { state, attempt };
}
/** The Node State as a step of the peer's chain would have left it, its business revision in step. */
async function leaveState({ ref, ...state }: Stored<NodeState>, change: Partial<NodeState>): Promise<number> {
  const revision = ref.revision + 1;
  const record = nodeStateCodec.encodeUpdate({ ...state, ...change, revision });
  await stage.records.update("state", { id: ref.recordId, record });
  return revision;
}
const auditTypes = async (runId: string): Promise<string> => JSON.stringify(await stage.auditsOf(runId));

describe("Runs the peer can never end (orchestration section 11.1, A)", () => {
  it("W-01: an Attempt without its Node State stops the peer for ever; ours withdraws it and goes on", async () => {
    const file = await stage.network("w01", [node("n1", [], FAILS)]);
    const runId = await seedRun(stage, file);
    const { state, attempt } = await first(runId);
    const revision = await leaveState(state, { status: "WAITING", activeAttemptId: null, finishedAt: null });
    const { ref: _, ...old } = attempt;
    const orphan: Attempt = {
      ...old,
      attemptId: `attempt_${randomUUID()}`,
      attemptNo: 2,
      stateRevisionBefore: revision,
      status: "RUNNING",
      resultCode: "PENDING",
      executionStartedAt: null,
      finishedAt: null,
    };
    await stage.records.insert("audit", attemptCodec.encode(orphan));
    expect(await peerStopsAt(runId)).toContain("REVISION_SERIES_UNDETERMINED");
    await stage.script("w01", "n1", { ending: "OK" });
    expect(await resume(file, runId)).toMatchObject({ aggregate_status: "SUCCESS" });
    expect((await graphOf(stage, runId)).attempts.map(({ resultCode }) => resultCode)).toEqual([
      "ASSERT_FAILED",
      "PREPARE_FAILED",
      "OK",
    ]);
    expect(await auditTypes(runId)).toContain("RECONCILIATION_REPAIR");
    expect(await peerStopsAt(runId)).toEqual([]);
  });

  it("W-05: a retried Resolution stops the peer at the next resume; ours keeps it as history", async () => {
    const file = await stage.network("w05", [node("n1", [], { ending: "NO_RESULT" }), node("n2", [], FAILS)]);
    const runId = await seedRun(stage, file);
    const args = ["--run-id", runId, "--node-id", "n1", "--to", "FAILED", "--reason-file", stage.reasonFile];
    const proof = ["--evidence-ref", "I", "--stop-confirmed-by", "sato", "--stop-evidence-ref", "I#2"];
    expect(await stage.flownet(["resolve-node", ...args, ...proof])).toMatchObject({ exitCode: 0 });
    await stage.script("w05", "n1", { ending: "OK" });
    expect(await resume(file, runId)).toMatchObject({ aggregate_status: "FAILED" });
    expect(await peerStopsAt(runId)).toEqual(["RESOLUTION_NOT_CURRENT_ATTEMPT"]);
    await stage.script("w05", "n2", { ending: "OK" });
    expect(await resume(file, runId)).toMatchObject({ aggregate_status: "SUCCESS" });
  });

  it("W-08, W-08b, W-21: a second, differing word would be a contradiction for ever; ours refuses it, and the Run's status is new at once", async () => {
    const nodes = [{ ...node("n1", [], { ending: "NO_RESULT" }), idempotent: false }];
    const runId = await seedRun(stage, await stage.network("w08", nodes));
    const args = ["--run-id", runId, "--node-id", "n1", "--reason-file", stage.reasonFile];
    const proof = ["--evidence-ref", "I", "--stop-confirmed-by", "sato", "--stop-evidence-ref", "I#2"];
    const decide = ["resolve-node", ...args, ...proof, "--to", "FAILED"];
    const before = await everything(stage);
    const preview = await stage.flownet([...decide, "--dry-run", "--json"]);
    expect(preview).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("onlyCloseRemains") });
    expect(await everything(stage)).toEqual(before);
    expect(await stage.flownet(decide)).toMatchObject({ exitCode: 0 });
    const graph = await graphOf(stage, runId);
    expect(graph.run?.status, "the peer leaves UNKNOWN here until a resume").toBe("FAILED");
    const [resolution] = graph.resolutions;
    if (graph.run === null || resolution === undefined) throw new Error("no Resolution");
    const second = { ...resolution, outcome: "SUCCESS" as const };
    const contradiction = reconcile({ ...graph, run: graph.run, resolutions: [resolution, second] });
    expect(contradiction.map(({ code }) => code)).toContain("CONFLICTING_ATTEMPT_RESOLUTIONS");
    const other = await resolve(stage, runId, "n1", "--approved-by", "suzuki");
    expect(other.exitCode).toBe(1);
    expect((await graphOf(stage, runId)).resolutions).toHaveLength(1);
  });

  it("W-24: a withdrawn start that its Node State does not show excludes a node for ever; ours lets it wait and run", async () => {
    const file = await stage.network("w24", [{ ...node("n1", [], FAILS), idempotent: false }]);
    const runId = await seedRun(stage, file);
    const { state, attempt } = await first(runId);
    const { ref, ...rest } = attempt;
    const withdrawn = { ...rest, status: "CANCELLED", resultCode: "PREPARE_FAILED" } as const;
    await stage.records.update("audit", { id: ref.recordId, record: attemptCodec.encodeFinal(withdrawn) });
    await leaveState(state, { status: "RUNNING", activeAttemptId: attempt.attemptId, finishedAt: null });
    await stage.script("w24", "n1", { ending: "OK" });
    expect(withdrawn.status, "what the peer's repair copies into the node").toBe("CANCELLED");
    expect(await resume(file, runId)).toMatchObject({ aggregate_status: "SUCCESS" });
    expect(nodesOf(await graphOf(stage, runId))).toEqual({ n1: ["SUCCESS", 2] });
  });
});

describe("uncertainty that need not be (orchestration section 11.1, B)", () => {
  it("W-03: a child that outlives its orchestrator is shown, never called UNKNOWN while it may still write", async () => {
    const file = await stage.network("w03", drill(stage, "w03"));
    const command = stage.start(newRun(file));
    await stage.started("w03", "n1");
    const runId = await runIdOf(stage, "w03");
    const { attempt } = await first(runId);
    command.child.kill("SIGKILL");
    await command.ended;
    expect(await unlock(stage, "w03", await ownerOf(stage, "w03"), LATER)).toMatchObject({ exitCode: 0 });
    // What the peer judges by: the JOB log alone, still RUNNING.
    expect(await stage.workspace.reads.findJobLog(attempt.attemptId)).toMatchObject({
      log: { status: "RUNNING" },
    });
    const refused = await stage.flownet(resumeRun(file, runId));
    expect(jsonOf(refused)).toMatchObject({ outcome: "REJECTED" });
    expect(refused.stderr).toContain(attempt.attemptId);
    expect(nodesOf(await graphOf(stage, runId))).toMatchObject({ n1: ["RUNNING", 1] });
    await writeFile(gateOf(stage, "w03"), "");
    const [child] = await stage.starts("w03");
    await gone(child?.pid ?? 0);
    expect(await resume(file, runId)).toMatchObject({ aggregate_status: "SUCCESS" });
    expect(nodesOf(await graphOf(stage, runId))).toMatchObject({ n1: ["SUCCESS", 1] });
  });
});

describe("what the records show (orchestration section 11.1, C)", () => {
  it("W-06: a resume of a FAILED Run is seen and can be stopped while its first node runs", async () => {
    const gate = gateOf(stage, "w06");
    const file = await stage.network("w06", [node("n1", [], FAILS), node("n2", ["n1"])]);
    const runId = await seedRun(stage, file);
    expect(await cancelRun(stage, runId)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("[RUN_ALREADY_TERMINAL]"),
    });
    const before = (await stage.starts("w06")).length;
    await stage.script("w06", "n1", { ending: "OK", waitFor: gate });
    const command = stage.start(resumeRun(file, runId));
    await until(async () => (await stage.starts("w06")).length > before);
    expect((await graphOf(stage, runId)).run?.status, "the peer keeps FAILED until the node ends").toBe(
      "RUNNING",
    );
    expect(await cancelRun(stage, runId)).toMatchObject({ exitCode: 0 });
    await writeFile(gate, "");
    expect(jsonOf(await command.ended)).toMatchObject({ invocation_result_code: "STOP_REQUESTED" });
  });

  it("W-13, W-26: a lock without any Run is shown with what a force-unlock needs, and an archive's owner can be judged", async () => {
    const file = await stage.network("w26", [node("n1", [], FAILS)]);
    const runId = await seedRun(stage, file);
    await stage.control.add({
      id: "closing",
      match: { hasFields: ["lifecycle_status"], methods: ["PUT"] },
      effect: { kind: "barrier", phase: "after-success" },
    });
    const close = stage.start([
      ...["archive-run", file, "--run-id", runId, "--reason-file", stage.reasonFile],
    ]);
    await stage.reached("closing");
    expect(await stage.arrivals("closing")).toBe(1);
    // Killed behind a write that closes the Run and gives the lock back at once: nothing is left to unlock.
    close.child.kill("SIGKILL");
    await close.ended;
    await stage.control.release("closing");
    expect((await graphOf(stage, runId)).run?.lifecycle).toBe("ARCHIVED");
    expect(await ownerOf(stage, "w26")).toBe("");

    const inspect = `${stage.folder}/w26b.gate`;
    const alone = await stage.network("w26b", [node("n1", [], { inspectAfter: inspect })]);
    const starting = stage.start(newRun(alone));
    await until(async () => (await ownerOf(stage, "w26b")) !== "");
    starting.child.kill("SIGKILL");
    await starting.ended;
    await writeFile(inspect, "");
    const told = jsonOf(await stage.flownet(["status", "w26b", "--profile", PROFILE, "--json"], LATER));
    expect(told).toMatchObject({
      runs: [],
      lock: {
        stale_candidate: true,
        owner_invocation_id: await ownerOf(stage, "w26b"),
        owner_instance_id: expect.stringMatching(/^local-pid:\/\//),
      },
    });
    expect(await unlock(stage, "w26b", await ownerOf(stage, "w26b"), LATER)).toMatchObject({ exitCode: 0 });
  });
});

describe("what is told before the start (orchestration section 11.1, C)", () => {
  it("W-28: a job that depends on the clock fails the peer under its lock; a dry run names it and writes nothing", async () => {
    const clock = { code: "KSQL1306", message: "NOW() differs each time", line: 1, column: 8 };
    const nondeterministicElements = [{ ...clock, severity: "warning" }];
    const file = await stage.network("w28", [node("n1", [], { inspection: { nondeterministicElements } })]);
    const before = await everything(stage);
    const preview = await stage.flownet([...newRun(file), "--dry-run"]);
    expect(preview.stdout).toContain("NONDETERMINISTIC_IDEMPOTENT_JOB");
    expect(await everything(stage)).toEqual(before);
    // The same, found out later: a lock is taken and given back for nothing.
    expect(jsonOf(await stage.flownet(newRun(file)))).toMatchObject({
      invocation_result_code: "NONDETERMINISTIC_IDEMPOTENT_JOB",
    });
    expect(await everything(stage)).toHaveLength(before.length + 1);
  });
});

/** Resolves once a process is gone. */
function gone(pid: number): Promise<void> {
  return until(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
}
