import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { networkLockKey } from "../../../shared/domain/index.ts";
import { lockCodec } from "../../../shared/records/index.ts";
import {
  drill,
  FAILS,
  fingerprint,
  gateOf,
  graphOf,
  midfail,
  newRun,
  node,
  nodesOf,
  ownerOf,
  resolve,
  resumeRun,
  runIdOf,
  seedRun,
  statusOf,
  unlock,
} from "../../support/acceptance/acts.ts";
import { jsonOf, LATER, openStage, PROFILE, type Stage } from "../../support/acceptance/stage.ts";
import { until } from "../../support/scripted-workspace.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.dispose());

/** Kills the child of n1 once its durable marker is in the JOB log; the command goes on without it. */
async function killFirstChild(id: string): Promise<void> {
  await stage.started(id, "n1");
  const [child] = await stage.starts(id);
  if (child === undefined) throw new Error("no child");
  process.kill(child.pid, "SIGKILL");
}

describe("children that are killed, commands that go on (orchestration section 10)", () => {
  it("m5-kill-unknown, m6-02: n1 is UNKNOWN and keeps its marker, what is independent succeeds, what joins is blocked", async () => {
    const file = await stage.network("killed", drill(stage, "killed"));
    const command = stage.start(newRun(file));
    await killFirstChild("killed");
    const end = await command.ended;
    expect(end.exitCode).toBe(1);
    const told = jsonOf(end);
    expect(told).toMatchObject({
      aggregate_status: "UNKNOWN",
      invocation_result_code: "NODE_RESULT_UNKNOWN",
    });
    const graph = await graphOf(stage, String(told.run_id));
    expect(nodesOf(graph)).toEqual({ n1: ["UNKNOWN", 1], n2: ["SUCCESS", 1], n3: ["BLOCKED", 0] });
    expect(graph.states[2]?.blockedBy).toEqual(["n1"]);
    expect(graph.attempts.find(({ nodeId }) => nodeId === "n1")).toMatchObject({
      status: "UNKNOWN",
      resultCode: "NO_EXECUTION_RESULT",
      runnerExecutionStartedAt: "2026-09-01T00:00:00Z",
    });
    expect(graph).toMatchObject({ run: { status: "UNKNOWN" }, invocations: [{ status: "UNKNOWN" }] });
  });
});

describe("resume keeps the identity of a Run (orchestration section 10, m6-01)", () => {
  it("m6-01: the same Run, one Invocation more, no new Attempt for what succeeded, RESUME in the text", async () => {
    const file = await stage.network("identity", midfail());
    const runId = await seedRun(stage, file);
    const end = await stage.flownet(["run-network", file, "--business-key", "k", "--resume"]);
    expect(end.exitCode).toBe(1);
    expect(end.stdout).toMatch(new RegExp(`^RESUME: Run ${runId} finished with aggregate FAILED`));
    const graph = await graphOf(stage, runId);
    expect(new Set(graph.invocations.map(({ invocationId }) => invocationId)).size).toBe(2);
    expect(graph.invocations[1]).toMatchObject({ mode: "RESUME", preservedNodeIds: ["n1"] });
    expect(nodesOf(graph)).toEqual({ n1: ["SUCCESS", 1], n2: ["FAILED", 2], n3: ["BLOCKED", 0] });
  });
});

describe("a node that must not run twice (orchestration section 10, m6-03)", () => {
  it("m6-03: a resume leaves it alone; a second person's word ends it; then the rest runs", async () => {
    const nodes = [node("n1"), { ...node("n2", ["n1"], FAILS), idempotent: false }, node("n3", ["n2"])];
    const file = await stage.network("nonidem", nodes);
    const runId = await seedRun(stage, file);
    expect(jsonOf(await stage.flownet(resumeRun(file, runId)))).toMatchObject({ outcome: "RESUME" });
    expect(nodesOf(await graphOf(stage, runId))).toMatchObject({ n2: ["FAILED", 1], n3: ["BLOCKED", 0] });
    const alone = await resolve(stage, runId, "n2", "--approved-by", "tanaka");
    expect(alone).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("[DISTINCT_APPROVER_REQUIRED]"),
    });
    const both = await resolve(stage, runId, "n2", "--approved-by", "suzuki");
    expect(both).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`RESOLVED: ${runId}/n2`) });
    expect(jsonOf(await stage.flownet(resumeRun(file, runId)))).toMatchObject({
      aggregate_status: "SUCCESS",
    });
    const graph = await graphOf(stage, runId);
    expect(nodesOf(graph)).toEqual({ n1: ["SUCCESS", 1], n2: ["SUCCESS", 1], n3: ["SUCCESS", 1] });
    expect(graph.resolutions).toMatchObject([
      {
        outcome: "SUCCESS",
        requestedBy: "tanaka",
        approvedBy: "suzuki",
        servicePrincipal: "svc",
        stopConfirmedBy: "sato",
        evidenceRef: "INC-1",
        resolutionType: "NODE_MANUAL_COMPLETION_CONFIRMED",
      },
    ]);
  });
});

describe("status only looks (orchestration section 10, m6-05)", () => {
  it("m6-05: on a failed, a running and a killed Run no revision moves and no token is shown", async () => {
    const failed = await seedRun(stage, await stage.network("looked", midfail()));
    const file = await stage.network("gone", drill(stage, "gone"));
    const command = stage.start(newRun(file));
    await stage.started("gone", "n1");
    const runId = await runIdOf(stage, "gone");
    const before = [await fingerprint(stage, failed), await fingerprint(stage, runId)];
    const running = await statusOf(stage, "gone", runId);
    expect(running).toMatchObject({ lock: { stale_candidate: false }, run: { activity: "LIVE" } });
    const text = await stage.flownet(["status", "looked", "--run-id", failed]);
    expect(text.stdout).toContain(failed);
    command.child.kill("SIGKILL");
    await command.ended;
    const killed = await statusOf(stage, "gone", runId, LATER);
    const owner = await ownerOf(stage, "gone");
    expect(killed).toMatchObject({
      lock: { stale_candidate: true, owner_invocation_id: owner },
      run: {
        activity: "INTERRUPTED",
        recovery_identifiers: {
          force_unlock_network: { network_id: "gone", profile: PROFILE, expected_owner_invocation_id: owner },
          run_network: { resume_run: runId },
        },
      },
    });
    const lock = await stage.workspace.reads.findLock({ profile: PROFILE, networkId: "gone" });
    expect(JSON.stringify([running, killed, text])).not.toContain(lock?.leaseToken);
    expect([await fingerprint(stage, failed), await fingerprint(stage, runId)]).toEqual(before);
    // The orphan goes on by itself and tells its end.
    await writeFile(gateOf(stage, "gone"), "");
    const [child] = await stage.starts("gone");
    await until(async () => {
      const log = await stage.workspace.reads.findJobLog(child?.attemptId ?? "");
      return log.kind === "found" && log.log.status === "SUCCESS";
    });
  });
});

/** A lock that ran out an hour ago, of an owner that says where it ran. */
async function staleLock(networkId: string, instance: string): Promise<string> {
  const key = networkLockKey(PROFILE, networkId);
  const lockKey = key.ok ? key.value : "";
  const past = new Date(Date.now() - 3_600_000).toISOString();
  const ownerInvocationId = `invoke_${randomUUID()}`;
  const lock = {
    recordKey: `LOCK:${lockKey}`,
    lockKey,
    profile: PROFILE,
    ownerInvocationId,
    leaseToken: randomUUID(),
    startedAt: past,
    heartbeatAt: past,
    leaseExpiresAt: past,
    finishedAt: null,
    status: "RUNNING",
    statusReason: `owner_instance_id=${instance}`,
    revision: 1,
  } as const;
  await stage.records.insert("state", lockCodec.encode(lock));
  return ownerInvocationId;
}

describe("a stop that cannot be confirmed (orchestration section 10, m6-06)", () => {
  it("m6-06: another form, no token and an unknown method are refused, each with its own words", async () => {
    const here = await staleLock("local_owner", "local-pid://HOST-X/4321");
    const cloud = await staleLock("cloud_owner", "projects/p/locations/l/jobs/j/executions/e");
    const refused = [
      await unlock(stage, "local_owner", here, {}, "cloud_run_job_execution"),
      await unlock(stage, "cloud_owner", cloud, {}, "cloud_run_job_execution"),
      await unlock(stage, "local_owner", here, {}, "looked_at_it"),
    ];
    for (const end of refused) {
      expect(end).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("[STOP_NOT_CONFIRMED]") });
    }
    expect(new Set(refused.map(({ stderr }) => stderr)).size).toBe(3);
    expect([await ownerOf(stage, "local_owner"), await ownerOf(stage, "cloud_owner")]).toEqual([here, cloud]);
  });
});
