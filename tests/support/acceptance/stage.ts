import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type OpenedWorkspace, openWorkspace } from "../../../main/console/index.ts";
import { getRecords } from "../../../main/kintone-client/index.ts";
import { type FlowRecords, openFlowRecords } from "../flow-records.ts";
import {
  bareEnvironment,
  type Env,
  type ProgramEnd,
  type StartedProgram,
  startScript,
} from "../interop/program.ts";
import {
  type JobScript,
  type NetworkNode,
  type NetworkOptions,
  networkYaml,
  until,
} from "../scripted-workspace.ts";
import { createDesk, type RequestDesk } from "./desk.ts";
import { ORCHESTRATOR, type StageServer, startStageServer } from "./server.ts";

const ROOT = path.resolve(import.meta.dirname, "..", "..", "..");
const CLI = path.join(ROOT, "main", "cli", "index.ts");
const RUNNER = path.join(ROOT, "tests", "fixtures", "children", "scripted-runner.mjs");
export const PROFILE = "stage";
/** A clock beyond every lease of a stage, its allowance, and the longest test. */
export const LATER = { FLOWNET_TEST_CLOCK_OFFSET_MS: "600000" };
/** Longest a scenario waits for a barrier; a barrier itself waits for longer. */
const LONGEST_WAIT_MS = 90_000;
/** Between two signs of life of a claim. */
const BEAT_MS = 1_000;
/** The orchestrator's requests of one kind, for the barriers of a scenario. */
export const BY_ORCHESTRATOR = { tokenLabel: ORCHESTRATOR } as const;

/** Commands and pollers as processes of their own, over one local kintone that stops them where a scenario says. */
export interface Stage {
  readonly folder: string;
  readonly server: StageServer;
  readonly control: StageServer["control"];
  /** Of this process: for what a scenario finds in place, and for reads; never what is under test. */
  readonly workspace: OpenedWorkspace;
  readonly records: FlowRecords;
  readonly desk: RequestDesk;
  readonly reasonFile: string;
  readonly env: Env;
  network(id: string, nodes: readonly NetworkNode[], options?: NetworkOptions): Promise<string>;
  script(networkId: string, nodeId: string, script: JobScript): Promise<void>;
  /** Names the networks that requests may name. */
  allow(
    networks: readonly { readonly id: string; readonly file: string; readonly appStart?: boolean }[],
  ): Promise<void>;
  start(args: readonly string[], env?: Env): StartedProgram;
  flownet(args: readonly string[], env?: Env): Promise<ProgramEnd>;
  startPoll(host?: string, env?: Env): StartedProgram;
  /** One cycle of a poller that must not fail; its summary. */
  poll(env?: Env): Promise<Readonly<Record<string, number>>>;
  /** PIDs of the children a network has started so far. */
  starts(
    networkId: string,
  ): Promise<readonly { readonly jobId: string; readonly attemptId: string; readonly pid: number }[]>;
  started(networkId: string, nodeId: string): Promise<void>;
  /** One column of every JOB log record, oldest first. */
  jobLogColumn(code: string): Promise<readonly string[]>;
  /** The audit records of a Run, as kintone has them. */
  auditsOf(runId: string): Promise<readonly unknown[]>;
  /** Resolves when the barrier was reached; a busy host starts a command slowly. */
  reached(barrier: string): Promise<void>;
  /** How often the barrier was reached, by the journal. */
  arrivals(barrier: string): Promise<number>;
  dispose(): Promise<void>;
}

/** What `run-network --json` and the like printed. */
export function jsonOf({ stdout, stderr }: ProgramEnd): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(stdout === "" ? "null" : stdout);
  if (typeof value !== "object" || value === null) throw new Error(`no JSON: ${stderr}`);
  return Object.fromEntries(Object.entries(value));
}

/** The counts of one cycle, as `poll-requests` prints them. */
export function summaryOf({ stdout, stderr }: ProgramEnd): Readonly<Record<string, number>> {
  const counts = [...stdout.matchAll(/(\w+)=(\d+)/g)].map(([, name = "", count]) => [name, Number(count)]);
  if (counts.length === 0) throw new Error(`no summary: ${stderr}`);
  return Object.fromEntries(counts);
}

async function environmentOf(server: StageServer, folder: string): Promise<Env> {
  const baseUrl = `http://localhost:${server.port}`;
  const { apps } = server;
  const config = path.join(folder, "ksql.config.json");
  const logApp = { LOG: { id: Number(apps.jobLog.id), tokens: ["env:LOG_TOKEN"] } };
  const profile = { baseUrl, timezone: "Asia/Tokyo", auth: { type: "apiToken" }, apps: logApp };
  await writeFile(config, JSON.stringify({ profiles: { [PROFILE]: profile } }));
  const logAccess = { baseUrl, logAppId: Number(apps.jobLog.id) };
  await writeFile(path.join(folder, "scripts", "kintone.json"), JSON.stringify(logAccess));
  return {
    ...bareEnvironment(),
    KSQL_FLOWNET_PROFILE: PROFILE,
    KSQL_FLOWNET_BASE_URL: baseUrl,
    KSQL_FLOWNET_REQUESTED_BY: "tanaka",
    KSQL_FLOWNET_SERVICE_PRINCIPAL: "svc",
    KSQL_FLOWNET_STATE_APP_ID: apps.state.id,
    KSQL_FLOWNET_STATE_API_TOKEN: apps.state.token,
    KSQL_FLOWNET_AUDIT_APP_ID: apps.audit.id,
    KSQL_FLOWNET_AUDIT_API_TOKEN: apps.audit.token,
    KSQL_FLOWNET_REQUEST_APP_ID: apps.request.id,
    KSQL_FLOWNET_REQUEST_API_TOKEN: apps.request.token,
    KSQL_FLOW_LOG_APP_ID: apps.jobLog.id,
    KSQL_FLOW_LOG_API_TOKEN: apps.jobLog.token,
    KSQL_FLOW_BIN: process.execPath,
    KSQL_FLOW_BIN_ARGS: JSON.stringify([RUNNER, path.join(folder, "scripts")]),
    KSQL_FLOW_CONFIG: config,
    KSQL_FLOW_WORKDIR: path.join(folder, "work"),
    LOG_TOKEN: apps.jobLog.free,
  };
}

/** Opens it; whoever opens disposes. A clean-up that fails fails the scenario. */
export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "stage-"));
  const scripts = path.join(folder, "scripts");
  await mkdir(scripts);
  const server = await startStageServer();
  const env = await environmentOf(server, folder);
  const reasonFile = path.join(folder, "why.txt");
  await writeFile(reasonFile, "夜間の停電で止まったため\n");
  const dataDir = path.join(folder, "data");
  const workspace = await openWorkspace({ dataDir, env });
  const { state, audit, jobLog } = server.apps;
  const ids = { state: Number(state.id), audit: Number(audit.id), jobLog: Number(jobLog.id) };
  const records = openFlowRecords({ transport: server.transport, apps: ids });
  const desk = createDesk(server);

  const transport = server.transport();
  async function rowsOf(app: string, query: string): Promise<readonly unknown[]> {
    const answer = await transport.send(getRecords(Number(app), `${query} order by $id asc limit 500`));
    if (answer.kind !== "ok") throw new Error(`refused: ${JSON.stringify(answer)}`);
    return answer.value;
  }

  const stage: Stage = {
    folder,
    server,
    control: server.control,
    workspace,
    records,
    desk,
    reasonFile,
    env,
    async network(id, nodes, options = {}) {
      const home = path.join(folder, "networks", id);
      await mkdir(home, { recursive: true });
      for (const node of nodes) {
        await writeFile(path.join(home, `${id}_${node.id}.sql`), "SELECT 1 AS x;\n");
        if (node.script !== undefined) await stage.script(id, node.id, node.script);
      }
      const file = path.join(home, "network.yaml");
      await writeFile(file, networkYaml(id, nodes, options));
      return file;
    },
    script: (networkId, nodeId, script) =>
      writeFile(path.join(scripts, `${networkId}_${nodeId}.json`), JSON.stringify(script)),
    async allow(networks) {
      const entries = networks.flatMap(({ id, file, appStart = true }) => [
        `  - network_id: ${id}`,
        `    definition_path: ${file}`,
        `    app_start: ${appStart}`,
      ]);
      await writeFile(path.join(folder, "allow.yaml"), `networks:\n${entries.join("\n")}\n`);
    },
    start: (args, more = {}) => startScript(CLI, [...args, "--data-dir", dataDir], { ...env, ...more }),
    flownet: (args, more) => stage.start(args, more).ended,
    startPoll: (host = "poller-a", more = {}) =>
      startScript(CLI, ["poll-requests", "--data-dir", path.join(folder, host)], {
        ...env,
        KSQL_FLOWNET_HOST: host,
        KSQL_FLOWNET_REQUEST_ALLOWLIST_PATH: path.join(folder, "allow.yaml"),
        KSQL_FLOWNET_REQUEST_HEARTBEAT_INTERVAL_MS: String(BEAT_MS),
        ...more,
      }),
    async poll(more) {
      const end = await stage.startPoll("poller-a", more).ended;
      if (end.exitCode !== 0) throw new Error(`the cycle failed: ${end.stderr}`);
      return summaryOf(end);
    },
    async starts(networkId) {
      const file = path.join(scripts, "starts.jsonl");
      if (!existsSync(file)) return [];
      const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line)).filter(({ jobId }) => jobId.startsWith(`${networkId}_`));
    },
    started: (networkId, nodeId) =>
      until(async () =>
        (await stage.starts(networkId)).some(({ jobId }) => jobId === `${networkId}_${nodeId}`),
      ),
    async jobLogColumn(code) {
      const rows = await rowsOf(jobLog.id, "$id > 0");
      return rows.map((row) => String(Reflect.get(Object(Reflect.get(Object(row), code)), "value")));
    },
    auditsOf: (runId) => rowsOf(audit.id, `record_type in ("OPERATION_AUDIT") and run_id in ("${runId}")`),
    async reached(barrier) {
      await server.control.waitFor(barrier, { timeoutMs: LONGEST_WAIT_MS });
    },
    async arrivals(barrier) {
      const journal = await server.control.journal();
      return journal.filter((entry) => entry.kind === "barrier_reached" && entry.rule === barrier).length;
    },
    async dispose() {
      await workspace.dispose();
      await records.dispose();
      await desk.dispose();
      await transport.dispose();
      await server.dispose();
      await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  return stage;
}
