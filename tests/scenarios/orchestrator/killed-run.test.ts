import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMBEDDED_PROFILE, type OpenedWorkspace, openEmbedded } from "../../../main/console/index.ts";
import { createInspector } from "../../../main/process/index.ts";
import type { RunGraph } from "../../../main/store/index.ts";
import { flownet, startFlownet } from "../../support/flownet-command.ts";
import { seededRandom } from "../../support/seeded.ts";

const MOMENTS = 20;
const LANES = 2;
const SEED = 20_260_901;
const NODES = ["a", "b"];
const KEY = "killed";

let folder = "";
let workspace: OpenedWorkspace;
const dataDir = (): string => path.join(folder, "data");

/** a -> b: a network of its own for every moment, because the lock stays held after a kill. */
async function writeNetwork(id: string): Promise<string> {
  const home = path.join(folder, id);
  await mkdir(home, { recursive: true });
  for (const node of NODES) {
    const header = `-- @ksql name: ${id}_${node}\n-- @ksql dialect: 1\n`;
    await writeFile(path.join(home, `${node}.sql`), `${header}SELECT COUNT(*) AS deals FROM LAPP_案件;\n`);
  }
  const nodes = NODES.map((node) =>
    [
      `  - id: ${node}`,
      `    job_id: ${id}_${node}`,
      `    sql: ${node}.sql`,
      `    depends_on: [${node === "b" ? "a" : ""}]`,
      "    trigger_rule: all_success",
      "    idempotent: true",
    ].join("\n"),
  );
  const file = path.join(home, "network.yaml");
  const lock = "network_lock:\n  lease_duration_sec: 180\n  heartbeat_interval_sec: 60";
  await writeFile(
    file,
    `schema_version: 1\nnetwork_id: ${id}\nbusiness_key_policy:\n  type: explicit\n${lock}\nnodes:\n${nodes.join("\n")}\n`,
  );
  return file;
}

const runArgs = (file: string): readonly string[] => [
  "run-network",
  file,
  "--business-key",
  KEY,
  "--json",
  "--data-dir",
  dataDir(),
];

/** Children outlive a killed orchestrator; only when they are gone is the world at rest. */
async function childrenGone(graph: RunGraph): Promise<void> {
  const inspector = createInspector();
  const alive = (): boolean =>
    graph.attempts.some(({ attemptId }) => inspector.findByAttemptId(attemptId).length > 0);
  const giveUp = AbortSignal.timeout(60_000);
  while (alive()) await after(50, undefined, { signal: giveUp });
}

async function expectInvariants(id: string): Promise<"no run" | RunGraph> {
  const runs = await workspace.reads.listRuns({ profile: EMBEDDED_PROFILE, networkId: id });
  expect(runs.length, "at most one Run per business key").toBeLessThanOrEqual(1);
  const [run] = runs;
  if (run === undefined) return "no run";
  const graph = await workspace.reads.readRunGraph(run.runId);
  await childrenGone(graph);
  for (const node of NODES) {
    const numbers = graph.attempts
      .filter((attempt) => attempt.nodeId === node)
      .map((attempt) => attempt.attemptNo);
    expect(numbers, "attempt numbers are neither reused nor left out").toEqual(
      numbers.map((_, index) => index + 1),
    );
  }
  for (const state of graph.states.filter(({ status }) => status === "SUCCESS")) {
    const attempt = graph.attempts.find(
      ({ nodeId, attemptNo }) => nodeId === state.nodeId && attemptNo === state.latestAttemptNo,
    );
    expect(attempt?.status, "a node's success is its attempt's success").toBe("SUCCESS");
    const log = await workspace.reads.findJobLog(attempt?.attemptId ?? "");
    expect(log.kind === "found" && log.log.status, "a success really happened").toBe("SUCCESS");
  }
  if (run.status === "SUCCESS")
    expect(graph.states.map(({ status }) => status)).toEqual(NODES.map(() => "SUCCESS"));
  return graph;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "killed-run-"));
  workspace = await openEmbedded({ dataDir: dataDir(), env: {}, endServer: true });
});
afterAll(async () => {
  await workspace.dispose();
  await rm(folder, { recursive: true, force: true });
});

describe(`killing the orchestrator at ${MOMENTS} seeded moments of a Run (orchestration section 2.3)`, () => {
  it("never makes a second Run, a reused attempt number, or a success that did not happen", async () => {
    const whole = await writeNetwork("whole");
    const startedAt = performance.now();
    expect(await flownet(runArgs(whole))).toMatchObject({ exitCode: 0, stderr: "" });
    const wholeMs = (performance.now() - startedAt) * 1.05;

    const random = seededRandom(SEED);
    const moments = Array.from({ length: MOMENTS }, (_, index) => ({
      id: `killed_${index}`,
      ms: random() * wholeMs,
    }));
    const outcomes: string[] = [];
    const lane = async (): Promise<void> => {
      for (let moment = moments.pop(); moment !== undefined; moment = moments.pop()) {
        outcomes.push(await killAndLook(moment.id, moment.ms));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));

    expect(outcomes).toHaveLength(MOMENTS);
    expect(outcomes, "some moments must fall while the lock is held").toContain("LOCK_CONFLICT");
  }, 300_000);

  async function killAndLook(id: string, ms: number): Promise<string> {
    const file = await writeNetwork(id);
    const command = startFlownet(runArgs(file));
    await Promise.race([after(ms), command.ended]);
    command.child.kill("SIGKILL");
    await command.ended;
    const wreck = await expectInvariants(id);
    const lock = await workspace.reads.findLock({ profile: EMBEDDED_PROFILE, networkId: id });

    const again = await flownet(runArgs(file));
    const result: { outcome: string; invocation_result_code: string } = JSON.parse(again.stdout);
    const expected = lock !== null ? "LOCK_CONFLICT" : wreck === "no run" ? "OK" : "NOOP_ALREADY_SUCCESS";
    expect(result.invocation_result_code, again.stderr).toBe(expected);
    const later = await expectInvariants(id);
    if (lock !== null && wreck !== "no run") {
      // The lock stays held: nobody continues the Run, and the wreck stays as the kill left it.
      expect(later).toEqual(wreck);
    }
    return result.invocation_result_code;
  }
});
