import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { type OpenedWorkspace, openWorkspace } from "../../main/console/index.ts";
import type { RunNetworkInput, RunNetworkResult } from "../../main/orchestrator/index.ts";
import type { RunGraph } from "../../main/store/index.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type KintoneFixture, startKintoneFixture } from "./store-fixture.ts";

const RUNNER = path.resolve(import.meta.dirname, "..", "fixtures", "children", "scripted-runner.mjs");
export const PROFILE = "scripted";
/** Longest a test waits for a fact, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/** What one scripted job does; see the runner beside the other children. */
export interface JobScript {
  /** A result code, `NO_RESULT` or `TRUNCATED`; `OK` by default. */
  readonly ending?: string;
  /** Overrides of the result file. */
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly exitCode?: number;
  /** The child goes on once this file exists. */
  readonly waitFor?: string;
  /** Columns of a JOB log record it writes before it waits for anything. */
  readonly jobLogFirst?: Readonly<Record<string, string>>;
  /** What it changes in that record before it ends. */
  readonly jobLogEnd?: Readonly<Record<string, string>>;
  /** Columns of a JOB log record it writes before it ends. */
  readonly jobLog?: Readonly<Record<string, string>>;
  /** Its inspection goes on once this file exists. */
  readonly inspectAfter?: string;
  readonly inspection?: Readonly<Record<string, unknown>>;
  /** Changes the SQL file while it is inspected. */
  readonly touchSql?: boolean;
}

export interface NetworkNode {
  readonly id: string;
  readonly dependsOn?: readonly string[];
  readonly idempotent?: boolean;
  readonly script?: JobScript;
  /** Further lines of the node, such as declared inputs. */
  readonly more?: readonly string[];
}

export interface NetworkOptions {
  readonly leaseSec?: number;
  readonly heartbeatSec?: number;
  readonly maxActiveRuns?: number;
  /** Lines of the policy of its business key; `explicit` by default. */
  readonly policy?: readonly string[];
}

export interface ChildStart {
  readonly jobId: string;
  readonly attemptId: string;
  readonly pid: number;
}

/** A configured workspace over a local kintone behind a fault proxy, with a runner that follows scripts. */
export interface ScriptedWorkspace {
  readonly folder: string;
  readonly workDir: string;
  readonly kintone: KintoneFixture;
  readonly proxy: FaultProxy;
  readonly workspace: OpenedWorkspace;
  /** The program that is started as the runner: a link, so that it can be taken away. */
  readonly runnerProgram: string;
  /** Writes a definition with one SQL file a node, `<network>_<node>.sql`, and the scripts. */
  network(id: string, nodes: readonly NetworkNode[], options?: NetworkOptions): Promise<string>;
  /** Overrides of `capabilities` or `describe-profile`; null takes them back. */
  override(command: "capabilities" | "describe-profile", value: object | null): Promise<void>;
  run(definitionPath: string, input?: Partial<RunNetworkInput>): Promise<RunNetworkResult>;
  graph(result: RunNetworkResult): Promise<RunGraph>;
  starts(networkId: string): Promise<readonly ChildStart[]>;
  /** Resolves when the child of a job runs. */
  started(networkId: string, nodeId: string): Promise<void>;
  dispose(): Promise<void>;
}

/** Resolves once `fact` holds; rejects after a bound. */
export async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  const giveUp = AbortSignal.timeout(LONGEST_WAIT_MS);
  while (!(await fact())) await after(10, undefined, { signal: giveUp });
}

function nodeYaml(networkId: string, node: NetworkNode): string {
  const { id, dependsOn = [], idempotent = true, more = [] } = node;
  return [
    `  - id: ${id}`,
    `    job_id: ${networkId}_${id}`,
    `    sql: ${networkId}_${id}.sql`,
    `    depends_on: [${dependsOn.join(", ")}]`,
    "    trigger_rule: all_success",
    `    idempotent: ${idempotent}`,
    ...more.map((line) => `    ${line}`),
    "",
  ].join("\n");
}

/** The text of a definition. */
export function networkYaml(id: string, nodes: readonly NetworkNode[], options: NetworkOptions): string {
  const { leaseSec = 180, heartbeatSec = 60, maxActiveRuns, policy = ["type: explicit"] } = options;
  const head = [
    "schema_version: 1",
    `network_id: ${id}`,
    "business_key_policy:",
    ...policy.map((line) => `  ${line}`),
    ...(maxActiveRuns === undefined ? [] : [`max_active_runs: ${maxActiveRuns}`]),
    "network_lock:",
    `  lease_duration_sec: ${leaseSec}`,
    `  heartbeat_interval_sec: ${heartbeatSec}`,
    "nodes:",
    "",
  ].join("\n");
  return head + nodes.map((node) => nodeYaml(id, node)).join("");
}

async function openOver(
  kintone: KintoneFixture,
  port: number,
  paths: {
    readonly folder: string;
    readonly scripts: string;
    readonly workDir: string;
    readonly runnerProgram: string;
    readonly runnerFile: string;
  },
): Promise<OpenedWorkspace> {
  const { folder, scripts, workDir, runnerProgram, runnerFile } = paths;
  const baseUrl = `http://localhost:${port}`;
  const configPath = path.join(folder, "ksql.config.json");
  const tokenOf = (role: "state" | "audit" | "jobLog"): string =>
    kintone.tokens.get(kintone.apps[role])?.[0] ?? "";
  const access = (role: "state" | "audit" | "jobLog", prefix: string): Record<string, string> => ({
    [`${prefix}_APP_ID`]: String(kintone.apps[role]),
    [`${prefix}_API_TOKEN`]: tokenOf(role),
  });
  const apps = { LOG: { id: kintone.apps.jobLog, tokens: ["env:LOG_TOKEN"] } };
  const profile = { baseUrl, timezone: "Asia/Tokyo", auth: { type: "apiToken" }, apps };
  await writeFile(configPath, JSON.stringify({ profiles: { [PROFILE]: profile } }));
  // The child's own way to kintone stays whole when a test cuts the orchestrator's.
  const logAccess = { baseUrl: `http://localhost:${kintone.port}`, logAppId: kintone.apps.jobLog };
  await writeFile(path.join(scripts, "kintone.json"), JSON.stringify(logAccess));
  return openWorkspace({
    dataDir: path.join(folder, "data"),
    env: {
      KSQL_FLOWNET_PROFILE: PROFILE,
      KSQL_FLOWNET_BASE_URL: baseUrl,
      KSQL_FLOWNET_REQUESTED_BY: "scenario",
      ...access("state", "KSQL_FLOWNET_STATE"),
      ...access("audit", "KSQL_FLOWNET_AUDIT"),
      ...access("jobLog", "KSQL_FLOW_LOG"),
      KSQL_FLOW_BIN: runnerProgram,
      KSQL_FLOW_BIN_ARGS: JSON.stringify([runnerFile, scripts]),
      KSQL_FLOW_CONFIG: configPath,
      KSQL_FLOW_WORKDIR: workDir,
      LOG_TOKEN: tokenOf("jobLog"),
    },
  });
}

/** The program of a runner and the file it reads first. */
export interface RunnerFiles {
  readonly program: string;
  readonly file: string;
}
const SCRIPTED: RunnerFiles = { program: process.execPath, file: RUNNER };

/** Opens it; whoever opens disposes. */
export async function openScriptedWorkspace(runner = SCRIPTED): Promise<ScriptedWorkspace> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "scripted-"));
  const scripts = path.join(folder, "scripts");
  const workDir = path.join(folder, "work");
  const runnerProgram = path.join(folder, "runner-program");
  await mkdir(scripts);
  await symlink(runner.program, runnerProgram);
  const kintone = await startKintoneFixture();
  const proxy = await startFaultProxy(kintone.port);
  const workspace = await openOver(kintone, proxy.port, {
    folder,
    scripts,
    workDir,
    runnerProgram,
    runnerFile: runner.file,
  });
  kintone.seen.clear();
  proxy.clear();
  const scriptFile = (name: string): string => path.join(scripts, `${name}.json`);

  async function starts(networkId: string): Promise<readonly ChildStart[]> {
    const file = path.join(scripts, "starts.jsonl");
    if (!existsSync(file)) return [];
    const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
    const all = lines.map((line) => JSON.parse(line) as ChildStart);
    return all.filter(({ jobId }) => jobId.startsWith(`${networkId}_`));
  }

  return {
    folder,
    workDir,
    kintone,
    proxy,
    workspace,
    runnerProgram,
    async network(id, nodes, options = {}) {
      const home = path.join(folder, "networks", id);
      await mkdir(home, { recursive: true });
      for (const node of nodes) {
        const jobId = `${id}_${node.id}`;
        await writeFile(path.join(home, `${jobId}.sql`), "SELECT 1 AS x;\n");
        if (node.script !== undefined) await writeFile(scriptFile(jobId), JSON.stringify(node.script));
      }
      const file = path.join(home, "network.yaml");
      await writeFile(file, networkYaml(id, nodes, options));
      return file;
    },
    async override(command, value) {
      if (value === null) await rm(scriptFile(command), { force: true });
      else await writeFile(scriptFile(command), JSON.stringify(value));
    },
    run: (definitionPath, input = {}) =>
      workspace.orchestrator.runNetwork({
        definitionPath,
        businessKey: "k",
        requestedBy: "scenario",
        ...input,
      }),
    graph: (result) => workspace.reads.readRunGraph(result.runId ?? ""),
    starts,
    started: (networkId, nodeId) =>
      until(async () => (await starts(networkId)).some(({ jobId }) => jobId === `${networkId}_${nodeId}`)),
    async dispose() {
      await workspace.dispose();
      await proxy.dispose();
      await kintone.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
