import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedWorkspace, openEmbedded } from "../../../main/console/index.ts";
import type { RequestStore, RequestWish } from "../../../main/store/ports.ts";
import type { OperationRequest } from "../../../shared/domain/request.ts";
import { type CommandEnd, flownet } from "../../support/flownet-command.ts";
import { refOf } from "../../support/lone-faults.ts";
import { serve } from "./support.ts";

const SHORT = "short_net";
const LONG = "long_net";
let folder = "";
let workspace: OpenedWorkspace;
let requests: RequestStore;
const dataDir = (): string => path.join(folder, "data");
const here = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandEnd> =>
  flownet([...args, "--data-dir", dataDir()], env);

/** A chain of nodes, as a network this host may start. */
async function writeNetwork(networkId: string, count: number): Promise<string> {
  const home = path.join(folder, networkId);
  await mkdir(home);
  const nodes: string[] = [];
  for (let at = 1; at <= count; at += 1) {
    const job = `${networkId}_${at}`;
    const header = `-- @ksql name: ${job}\n-- @ksql dialect: 1\n`;
    await writeFile(path.join(home, `${at}.sql`), `${header}SELECT COUNT(*) AS deals FROM LAPP_案件;\n`);
    const after = at === 1 ? "" : `n${at - 1}`;
    const rest = "trigger_rule: all_success, idempotent: true";
    nodes.push(`  - { id: n${at}, job_id: ${job}, sql: ${at}.sql, depends_on: [${after}], ${rest} }`);
  }
  const file = path.join(home, "network.yaml");
  const head = [
    "schema_version: 1",
    `network_id: ${networkId}`,
    "business_key_policy: { type: explicit }",
    "network_lock: { lease_duration_sec: 180, heartbeat_interval_sec: 60 }",
    "nodes:",
  ];
  await writeFile(file, `${[...head, ...nodes].join("\n")}\n`);
  return file;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "serve-"));
  const entries = [
    [SHORT, await writeNetwork(SHORT, 1)],
    [LONG, await writeNetwork(LONG, 5)],
  ].map(
    ([id, file]) => `  - { network_id: ${id}, definition_path: ${JSON.stringify(file)}, app_start: true }`,
  );
  await mkdir(dataDir());
  await writeFile(path.join(dataDir(), "networks.yaml"), `networks:\n${entries.join("\n")}\n`);
  workspace = await openEmbedded({ dataDir: dataDir(), env: {}, endServer: true });
  if (workspace.requestStore === null) throw new Error("the embedded workspace has a request app");
  requests = workspace.requestStore;
});
afterAll(async () => {
  await workspace.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function ask(over: Partial<RequestWish>): Promise<string> {
  const wish: RequestWish = {
    type: "START",
    runId: null,
    networkId: SHORT,
    businessKey: "k1",
    scheduledFor: null,
    rerunFromNode: null,
    reason: "八月分",
    ...over,
  };
  return (await refOf(requests.insertRequest(wish))).recordId;
}
async function found(id: string): Promise<OperationRequest> {
  const parsed = await requests.read(id);
  if (parsed?.valid !== true) throw new Error(`request ${id} cannot be read`);
  return parsed.request;
}

describe("flownet poll-requests on the embedded workspace (orchestration §7, §9)", () => {
  it("checks without writing, starts what was asked for, and finds the second wish done", async () => {
    const first = await ask({});
    expect(await here(["poll-requests", "--check"])).toMatchObject({
      exitCode: 0,
      stdout: "poll-requests check: ok networks=5 request_app=readable\n",
    });
    expect(await found(first)).toMatchObject({ state: "REQUESTED", revision: 1 });
    const second = await ask({});
    expect(await here(["poll-requests"])).toMatchObject({
      exitCode: 0,
      stderr: "",
      stdout: "poll-requests: requested=2 claimed=2 completed=2 cancelled=0 invalid=0 stale=0 skipped=0\n",
    });
    const done = await found(first);
    expect(done).toMatchObject({ state: "DONE", resultCode: "OK" });
    expect(done.resultMessage).toMatch(/^aggregate=SUCCESS; invocation_id=invoke_/);
    const [run] = await workspace.reads.listRuns({ profile: workspace.profile, networkId: SHORT });
    const [invocation] = await workspace.reads.listInvocations(run?.runId ?? "");
    expect(invocation).toMatchObject({ requestedBy: `app-request:${first}:${done.creatorCode}` });
    expect(await found(second)).toMatchObject({
      state: "DONE",
      resultCode: "NOOP_ALREADY_SUCCESS",
      resultMessage: expect.stringContaining(`run_id=${run?.runId}`),
    });
  });
});

describe("flownet serve (decisions §2)", () => {
  const left = async () => (await readdir(dataDir())).filter((name) => name.startsWith("resident-"));

  it("is the one resident of its folder, and says why it does not poll", async () => {
    const resident = serve(["serve", "--data-dir", dataDir()]);
    expect(await resident.nextLine()).toBe(
      `serve: ready, embedded in ${dataDir()}, profile local, poller off (the embedded workspace polls only when told to)`,
    );
    const second = await here(["serve"]);
    expect(second).toMatchObject({ exitCode: 1, stdout: "" });
    expect(second.stderr).toMatch(
      /^Error \[RESIDENT_ALREADY_RUNNING\]: .*flownet serve, account .+, process \d+/,
    );
    const console = await here(["start", "--no-open"]);
    expect(console.stderr).toContain("[RESIDENT_ALREADY_RUNNING]");
    // One-shot commands are never refused.
    expect(await here(["status", SHORT])).toMatchObject({ exitCode: 0 });
    // What it leaves when it is killed keeps nobody out: the next test takes over.
    expect(await resident.stop("SIGKILL")).toBeNull();
  });

  it("takes over from a killed one, carries a START out, stops it by request meanwhile, and drains", async () => {
    expect(await left()).toHaveLength(1);
    const resident = serve(["serve", "--poller", "--data-dir", dataDir()], {
      KSQL_FLOWNET_REQUEST_POLL_INTERVAL_MS: "1000",
    });
    expect(await resident.nextLine()).toMatch(/poller every 1 s \(--poller was given\)$/);
    const start = await ask({ networkId: LONG });
    const scope = { profile: workspace.profile, networkId: LONG };
    const runOf = async () => (await workspace.reads.listRuns(scope))[0];
    await expect.poll(runOf, { timeout: 30_000 }).toBeDefined();
    const runId = (await runOf())?.runId ?? "";
    const stop = await ask({ type: "STOP", runId, networkId: null, businessKey: null });
    await expect.poll(async () => (await found(stop)).state, { timeout: 30_000 }).toBe("DONE");
    await expect.poll(async () => (await found(start)).state, { timeout: 60_000 }).toBe("DONE");
    // Heard while the START was under way: the Run came to its next node boundary and stayed there.
    expect(await found(start)).toMatchObject({ resultCode: "STOP_REQUESTED" });
    expect(await runOf()).not.toMatchObject({ status: "SUCCESS" });
    expect(await resident.stop("SIGTERM")).toBe(0);
    expect(await resident.nextLine()).toBe("serve: stopped");
    expect(await workspace.reads.findLock(scope)).toBeNull();
    expect(await left()).toEqual([]);
  });
});
