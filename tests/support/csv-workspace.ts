import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type OpenedWorkspace, openWorkspace } from "../../main/console/index.ts";
import { getRecords, write } from "../../main/kintone-client/index.ts";
import type { RunNetworkInput, RunNetworkResult } from "../../main/orchestrator/index.ts";
import type { RunGraph } from "../../main/store/index.ts";
import { type KintoneFixture, startKintoneFixture } from "./store-fixture.ts";

const RUNNER = path.resolve(import.meta.dirname, "..", "fixtures", "children", "site-runner.ts");
export const CSV_PROFILE = "csv";

/** A node with real SQL and its files. */
export interface CsvNode {
  readonly id: string;
  readonly sql: string;
  readonly dependsOn?: readonly string[];
  readonly inputs?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** An order as texts; `$id` and `$revision` among them. */
export type OrderRow = Readonly<Record<string, string>>;

/** A local kintone with an orders app, a folder for files, and the built-in runner over both. */
export interface CsvWorkspace {
  readonly folder: string;
  /** The IO folder. */
  readonly io: string;
  readonly kintone: KintoneFixture;
  readonly workspace: OpenedWorkspace;
  readonly ordersApp: number;
  readonly ordersToken: string;
  /** Variables of the workspace, the IO folder's among them. */
  readonly env: Readonly<Record<string, string>>;
  network(id: string, nodes: readonly CsvNode[]): Promise<string>;
  /** Writes an input below `in`. */
  put(relative: string, content: string | Uint8Array): Promise<void>;
  /** Bytes of an output below `out`. */
  output(relative: string): Promise<Buffer>;
  /** Every name below `out`. */
  outputs(): readonly string[];
  run(definitionPath: string, input?: Partial<RunNetworkInput>): Promise<RunNetworkResult>;
  graph(result: RunNetworkResult): Promise<RunGraph>;
  addOrders(numbers: readonly string[], note: string): void;
  /** Orders whose number begins so, oldest first. */
  orders(prefix: string): Promise<readonly OrderRow[]>;
  /** An empty app with the same form, and what another program needs to fill it. */
  copyOfOrders(): Promise<{
    readonly app: number;
    readonly token: string;
    readonly baseUrl: string;
    rows(): Promise<readonly OrderRow[]>;
  }>;
  /** Holds a job's lock as a runner that is at work does (execution-contract section 6.2); gives it back when called. */
  holdJobLock(jobId: string): Promise<() => Promise<void>>;
  /** All stored text of a Run, for what must not stand in it. */
  storedText(runId: string): Promise<string>;
  dispose(): Promise<void>;
}

const ORDER_FIELDS = {
  注文番号: { type: "SINGLE_LINE_TEXT", unique: true },
  得意先: { type: "SINGLE_LINE_TEXT" },
  金額: { type: "NUMBER" },
} as const;

function networkYaml(id: string, nodes: readonly CsvNode[]): string {
  const files = (name: string, patterns: Readonly<Record<string, string>> = {}): readonly string[] =>
    Object.keys(patterns).length === 0 ? [] : [`    ${name}: ${JSON.stringify(patterns)}`];
  const lines = nodes.flatMap((node) => [
    `  - id: ${node.id}`,
    `    job_id: ${id}_${node.id}`,
    `    sql: ${node.id}.sql`,
    `    depends_on: [${(node.dependsOn ?? []).join(", ")}]`,
    "    trigger_rule: all_success",
    "    idempotent: true",
    ...files("inputs", node.inputs),
    ...files("outputs", node.outputs),
  ]);
  const head = ["schema_version: 1", `network_id: ${id}`, "business_key_policy: { type: explicit }"];
  const lock = [
    "max_active_runs: 9",
    "network_lock: { lease_duration_sec: 180, heartbeat_interval_sec: 60 }",
  ];
  return [...head, ...lock, "nodes:", ...lines, ""].join("\n");
}

async function variables(
  kintone: KintoneFixture,
  folder: string,
  orders: { readonly app: number; readonly token: string },
  sjis: boolean,
): Promise<Readonly<Record<string, string>>> {
  const baseUrl = `http://localhost:${kintone.port}`;
  const configPath = path.join(folder, "ksql.config.json");
  const tokenOf = (role: "state" | "audit" | "jobLog"): string =>
    kintone.tokens.get(kintone.apps[role])?.[0] ?? "";
  const access = (role: "state" | "audit" | "jobLog", prefix: string): Record<string, string> => ({
    [`${prefix}_APP_ID`]: String(kintone.apps[role]),
    [`${prefix}_API_TOKEN`]: tokenOf(role),
  });
  const apps = {
    注文: { id: orders.app, tokens: ["env:ORDERS_TOKEN"] },
    log: { id: kintone.apps.jobLog, tokens: ["env:LOG_TOKEN"] },
  };
  const profile = { baseUrl, timezone: "Asia/Tokyo", apps, logApp: "log", logging: { localDir: "logs" } };
  await writeFile(configPath, JSON.stringify({ profiles: { [CSV_PROFILE]: profile } }));
  return {
    KSQL_FLOWNET_PROFILE: CSV_PROFILE,
    KSQL_FLOWNET_BASE_URL: baseUrl,
    KSQL_FLOWNET_REQUESTED_BY: "scenario",
    ...access("state", "KSQL_FLOWNET_STATE"),
    ...access("audit", "KSQL_FLOWNET_AUDIT"),
    ...access("jobLog", "KSQL_FLOW_LOG"),
    KSQL_FLOW_BIN: process.execPath,
    KSQL_FLOW_BIN_ARGS: JSON.stringify([RUNNER, sjis ? "sjis" : "utf8"]),
    KSQL_FLOW_CONFIG: configPath,
    KSQL_FLOW_WORKDIR: path.join(folder, "work"),
    KSQL_FLOWNET_IO_DIR: path.join(folder, "io"),
    LOG_TOKEN: tokenOf("jobLog"),
    ORDERS_TOKEN: orders.token,
  };
}

/** Opens it; whoever opens disposes. `sjis`: exports are written in Shift_JIS. */
export async function openCsvWorkspace(options: { readonly sjis?: boolean } = {}): Promise<CsvWorkspace> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "csv-scenario-"));
  const io = path.join(folder, "io");
  await mkdir(path.join(io, "in"), { recursive: true });
  const kintone = await startKintoneFixture();
  const { provision } = kintone;
  const ordersApp = provision.createApp({ name: "注文", code: "ORDERS", fields: ORDER_FIELDS });
  const ordersToken = provision.createToken(ordersApp, ["view", "add", "edit"], "runner");
  const orders = { app: Number(ordersApp), token: ordersToken };
  const env = await variables(kintone, folder, orders, options.sjis === true);
  const workspace = await openWorkspace({ dataDir: path.join(folder, "data"), env });
  const transport = kintone.transport();
  const out = path.join(io, "out");

  async function allOf(app: number, query: string): Promise<readonly unknown[]> {
    const answer = await transport.send(getRecords(app, query));
    if (answer.kind !== "ok") throw new Error(`the records could not be read: ${JSON.stringify(answer)}`);
    return answer.value;
  }

  async function rowsOf(
    { app, token }: { readonly app: number; readonly token: string },
    query: string,
  ): Promise<readonly OrderRow[]> {
    const url = `http://localhost:${kintone.port}/k/v1/records.json?app=${app}&query=${encodeURIComponent(query)}`;
    const answer = await fetch(url, { headers: { "X-Cybozu-API-Token": token } });
    const { records } = (await answer.json()) as {
      readonly records: readonly Record<string, { value: string }>[];
    };
    return records.map((record) =>
      Object.fromEntries(Object.entries(record).map(([code, { value }]) => [code, value])),
    );
  }

  return {
    folder,
    io,
    kintone,
    workspace,
    ordersApp: orders.app,
    ordersToken,
    env,
    async network(id, nodes) {
      const home = path.join(folder, "networks", id);
      await mkdir(home, { recursive: true });
      for (const { id: nodeId, sql } of nodes) {
        const header = `-- @ksql name: ${id}_${nodeId}\n-- @ksql dialect: 1\n`;
        await writeFile(path.join(home, `${nodeId}.sql`), `${header}${sql}\n`);
      }
      const file = path.join(home, "network.yaml");
      await writeFile(file, networkYaml(id, nodes));
      return file;
    },
    async put(relative, content) {
      const file = path.join(io, "in", relative);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    },
    output: (relative) => readFile(path.join(out, relative)),
    outputs: () => (existsSync(out) ? readdirSync(out, { recursive: true }).map(String).sort() : []),
    run: (definitionPath, input = {}) =>
      workspace.orchestrator.runNetwork({
        definitionPath,
        businessKey: "k",
        requestedBy: "scenario",
        ...input,
      }),
    graph: (result) => workspace.reads.readRunGraph(result.runId ?? ""),
    addOrders(numbers, note) {
      const records = numbers.map((number) => ({ 注文番号: { value: number }, 得意先: { value: note } }));
      provision.insertRecords(ordersApp, records);
    },
    orders: (prefix) => rowsOf(orders, `注文番号 like "${prefix}" order by $id asc limit 500`),
    async copyOfOrders() {
      const id = provision.createApp({ name: "注文の写し", code: "COPY", fields: ORDER_FIELDS });
      const copy = { app: Number(id), token: provision.createToken(id, ["view", "add"], "copy") };
      const rows = () => rowsOf(copy, "order by $id asc limit 500");
      return { ...copy, baseUrl: `http://localhost:${kintone.port}`, rows };
    },
    async holdJobLock(jobId) {
      const app = kintone.apps.jobLog;
      const lock = { record_type: "JOB", status: "RUNNING", job_key: `${CSV_PROFILE}:${jobId}` };
      const times = { started_at: new Date().toISOString() };
      const fields = Object.entries({ ...lock, ...times }).map(([code, value]) => [code, { value }] as const);
      const [id = ""] = provision.insertRecords(String(app), [Object.fromEntries(fields)]);
      return async () => {
        const record = { status: { value: "SUCCESS" }, job_key: { value: "" } };
        const freed = await transport.send(write({ kind: "updateRecord", app, entry: { id, record } }));
        if (freed.kind !== "ok") throw new Error(`the job lock was not freed: ${JSON.stringify(freed)}`);
      };
    },
    async storedText(runId) {
      const query = `run_id = "${runId}" order by $id asc limit 500`;
      const state = await allOf(kintone.apps.state, query);
      const audit = await allOf(kintone.apps.audit, query);
      const log = await allOf(kintone.apps.jobLog, `correlation_id = "${runId}" order by $id asc limit 500`);
      return JSON.stringify([state, audit, log]);
    },
    async dispose() {
      await transport.dispose();
      await workspace.dispose();
      await kintone.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
