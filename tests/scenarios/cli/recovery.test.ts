import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMBEDDED_PROFILE, type OpenedWorkspace, openEmbedded } from "../../../main/console/index.ts";
import { createInspector } from "../../../main/process/index.ts";
import { type CommandEnd, flownet } from "../../support/flownet-command.ts";
import { KILLED_LEASE_MS, KILLED_NETWORK, killRun } from "../../support/killed-run.ts";
import { until } from "../../support/scripted-workspace.ts";

let folder = "";
let workspace: OpenedWorkspace;
const dataDir = (): string => path.join(folder, "data");
const definition = (): string => path.join(dataDir(), KILLED_NETWORK, "network.yaml");
const reason = (): string => path.join(folder, "why.txt");

/** Every clock beyond the lease that the kill left, its allowance, and this test. */
const LATER = { FLOWNET_TEST_CLOCK_OFFSET_MS: String(KILLED_LEASE_MS + 120_000) };

const here = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandEnd> =>
  flownet([...args, "--data-dir", dataDir()], env);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "recovery-"));
  workspace = await openEmbedded({ dataDir: dataDir(), env: {}, endServer: true });
  await writeFile(reason(), "夜間の停電で止まったため\n");
});
afterAll(async () => {
  await workspace.dispose();
  await rm(folder, { recursive: true, force: true });
});

function forceUnlock(owner: string, pid: number, evidence?: string): readonly string[] {
  return [
    ...["force-unlock-network", KILLED_NETWORK, "--profile", EMBEDDED_PROFILE, "--reason-file", reason()],
    ...["--expected-owner-invocation-id", owner, "--evidence-ref", "INC-1", "--stop-confirmed-by", "tanaka"],
    ...["--stop-evidence-ref", "ps", "--stop-method", "local_pid", "--expected-pid", String(pid)],
    ...(evidence === undefined ? [] : ["--evidence-file", evidence]),
  ];
}

describe("from a killed Run to SUCCESS by commands alone (orchestration section 10, scenario 9)", () => {
  it("refuses too early and for a wrong owner, releases, adjudicates, resolves and resumes", async () => {
    const pid = await killRun(dataDir(), "k1");
    const [run] = await workspace.reads.listRuns({ profile: EMBEDDED_PROFILE, networkId: KILLED_NETWORK });
    const runId = run?.runId ?? "";
    const attempts = await workspace.reads.listAttempts(runId);
    const open = attempts.find(({ status }) => status === "RUNNING");
    // The child goes with its orchestrator, as in a power cut.
    const inspector = createInspector();
    for (const child of inspector.findByAttemptId(open?.attemptId ?? "")) process.kill(child.pid, "SIGKILL");
    await until(() => inspector.findByAttemptId(open?.attemptId ?? "").length === 0);
    const lock = await workspace.reads.findLock({ profile: EMBEDDED_PROFILE, networkId: KILLED_NETWORK });
    const owner = lock?.ownerInvocationId ?? "";

    expect((await here(forceUnlock(owner, pid))).stderr).toContain("[LEASE_STILL_ACTIVE]");
    expect((await here(forceUnlock("invoke_other", pid), LATER)).stderr).toContain("[OWNER_MISMATCH]");
    expect((await here(forceUnlock(owner, pid + 1), LATER)).stderr).toContain("[PID_MISMATCH]");
    const proof = path.join(folder, "ps.txt");
    await writeFile(proof, "no such process\n");
    const released = await here(forceUnlock(owner, pid, proof), LATER);
    expect(released).toMatchObject({ exitCode: 0 });
    expect(released.stdout).toMatch(/^RELEASED: N1:\S+ \(previous owner invoke_\S+, post revision \d+\)\.\n/);
    expect(await readdir(path.join(dataDir(), "evidence"))).toMatchObject([
      expect.stringMatching(/-ps\.txt$/),
    ]);

    const resume = ["run-network", definition(), "--resume-run", runId, "--json"];
    const adjudicated = JSON.parse((await here(resume)).stdout);
    expect(adjudicated).toMatchObject({ outcome: "RESUME", invocation_result_code: "NODE_RESULT_UNKNOWN" });
    const status = JSON.parse((await here(["status", KILLED_NETWORK, "--run-id", runId, "--json"])).stdout);
    const [unknown] = status.runs[0].recovery_identifiers.resolve_node;
    expect(unknown).toMatchObject({ run_id: runId, node_id: open?.nodeId });

    const resolve = [
      ...["resolve-node", "--run-id", runId, "--node-id", unknown.node_id, "--to", "SUCCESS"],
      ...["--manual-completion", "--reason-file", reason(), "--evidence-ref", "INC-1"],
      ...["--stop-confirmed-by", "tanaka", "--stop-evidence-ref", "ps"],
    ];
    expect(await here(resolve)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`RESOLVED: ${runId}/${unknown.node_id} -> SUCCESS`),
    });
    expect(JSON.parse((await here(resume)).stdout)).toMatchObject({
      outcome: "RESUME",
      aggregate_status: "SUCCESS",
    });
  });

  it("holds, frees and closes a Run, each once", async () => {
    const [run] = await workspace.reads.listRuns({ profile: EMBEDDED_PROFILE, networkId: KILLED_NETWORK });
    const runId = run?.runId ?? "";
    const stop = await here(["cancel-run", "--run-id", runId, "--reason-file", reason()]);
    expect(stop.stderr).toContain("[RUN_ALREADY_TERMINAL]");
    const close = ["archive-run", definition(), "--run-id", runId, "--reason-file", reason()];
    const closed = await here(close);
    expect(JSON.parse(closed.stdout)).toMatchObject({
      outcome: "REJECTED",
      code: "RUN_STATUS_NOT_CLOSABLE",
      lock_released: true,
    });
    expect(closed.exitCode).toBe(1);
    const missing = await here(["cancel-run", "--run-id", runId, "--reason-file", "/nowhere"]);
    expect(missing.stderr).toContain("[REASON_FILE_UNREADABLE]");
  });
});
