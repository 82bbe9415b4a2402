import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type StartedCommand, startFlownet } from "../../support/flownet-command.ts";
import { PROFILE } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();

/** A command whose first node runs until `open` is called. */
async function whileRunning(id: string, ...more: readonly string[]) {
  const gate = path.join(bench.folder, `${id}.gate`);
  const file = await bench.network(id, [
    { id: "n1", script: { waitFor: gate } },
    { id: "n2", dependsOn: ["n1"] },
  ]);
  const dataDir = path.join(bench.folder, "data");
  const args = ["run-network", file, "--business-key", "k", "--data-dir", dataDir, ...more];
  const command = startFlownet(args, bench.workspace.environment());
  await bench.started(id, "n1");
  return { command, open: () => writeFile(gate, "") };
}

/** Asks again and again until it ends: what counts is what it says then. */
async function insist({ child, ended }: StartedCommand) {
  let over = false;
  const end = ended.finally(() => {
    over = true;
  });
  while (!over) {
    child.kill("SIGTERM");
    await after(100);
  }
  return end;
}

const status = (networkId: string) => bench.workspace.orchestrator.status({ networkId, profile: PROFILE });

describe("Ctrl+C while run-network works (orchestration section 4.7)", () => {
  it("lets the running node end and gives the lock back, however fast npm repeats the signal", async () => {
    const { command, open } = await whileRunning("stop_once", "--json");
    command.child.kill("SIGINT");
    command.child.kill("SIGINT");
    command.child.kill("SIGTERM");
    await open();
    const end = await command.ended;
    expect(end.stderr).toMatch(/^Stopping after the running node; .*2 s .*leaves the lock held\.\n/);
    expect(end.stderr.match(/Stopping/g)).toHaveLength(1);
    expect(JSON.parse(end.stdout)).toMatchObject({
      outcome: "NEW",
      invocation_result_code: "NODES_DEFERRED",
    });
    expect(end.exitCode).toBe(1);
    expect((await status("stop_once")).lock).toBeNull();
  });

  it("ends at once on a later request, and says what stays and what to do", async () => {
    const { command, open } = await whileRunning("stop_twice", "--json");
    const end = await insist(command);
    const { lock, runs } = await status("stop_twice");
    await open();
    expect(end.exitCode).toBe(1);
    expect(lock?.ownerInvocationId).toMatch(/^invoke_/);
    expect(JSON.parse(end.stdout)).toEqual({
      outcome: "NEW",
      run_id: runs[0]?.runId,
      invocation_id: lock?.ownerInvocationId,
      aggregate_status: null,
      invocation_result_code: "ABANDONED",
      retry_brake_node_ids: [],
      blocked_run_ids: [],
    });
    expect(end.stderr).toContain("Error [ABANDONED]: ");
    expect(end.stderr).toMatch(
      /\n {2}at: lock of scripted\/stop_twice \(N1:.+\), owner invoke_\S+ local-pid:/,
    );
    expect(end.stderr).toContain(lock?.ownerInvocationId ?? "?");
    expect(end.stderr).toContain(runs[0]?.runId ?? "?");
    expect(end.stderr).toMatch(/\n {2}do: .*release the lock/);
  });
});
