import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { StopControl } from "../../../main/job-runner/run/stop.ts";
import {
  type Arrival,
  createLocalKintone,
  type FieldInputs,
  type TokenRight,
} from "../../../main/local-kintone/index.ts";
import { appFields, RUNNER_LOG_RIGHTS } from "../../../shared/records/index.ts";
import { type Ended, launch, runInside, type Started } from "./launch.ts";

const option = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name, index) => [name, { label: name, index: String(index) }]));

const ORDER_FIELDS: FieldInputs = {
  注文番号: { type: "SINGLE_LINE_TEXT", unique: true },
  得意先: { type: "SINGLE_LINE_TEXT" },
  金額: { type: "NUMBER" },
  納期: { type: "DATE" },
  受付: { type: "DATETIME" },
  状態: { type: "DROP_DOWN", options: option("新規", "対応中", "完了") },
  印: { type: "CHECK_BOX", options: option("急", "大") },
  備考: { type: "MULTI_LINE_TEXT" },
};

/** For calls that send everything once. */
export const ONE_TRY = {
  retry: { maxAttempts: 1, initialDelayMs: 1, maxDelayMs: 1, respectRetryAfter: true },
  nowMs: Date.now,
  random: () => 0,
};

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly extra?: readonly string[];
  readonly attemptId?: string;
  readonly expectedJobId?: string;
  readonly resultPath?: string;
  /** Another runner's command line in place of ours. */
  readonly cli?: string;
  /** For a run inside this process: what ends it. */
  readonly stop?: StopControl;
}

const recordsSchema = z.object({
  records: z.array(z.record(z.string(), z.object({ value: z.unknown() }))),
});
const lineSchema = z.record(z.string(), z.unknown());

export type LogRecord = Readonly<Record<string, string>>;

/** A local kintone with a JOB log and an orders app, and a folder to run jobs in. */
export interface RunnerFixture {
  readonly folder: string;
  readonly port: number;
  readonly jobLogApp: string;
  readonly ordersApp: string;
  readonly token: string;
  readonly logToken: string;
  readonly arrivals: Arrival[];
  /** Resolves once `matches` holds for the requests seen so far. */
  arrived(matches: (arrivals: readonly Arrival[]) => boolean): Promise<void>;
  addOrders(records: readonly Readonly<Record<string, unknown>>[]): void;
  /** Orders as texts, oldest first, read with a token of its own. */
  orders(): Promise<readonly LogRecord[]>;
  /** Somebody else's deletion of an order. */
  deleteOrder(id: string): Promise<void>;
  writeConfig(change?: (profile: Record<string, unknown>) => void, port?: number): void;
  writeJob(sql: string, name?: string): string;
  /** Starts `run` in orchestrator mode as its own process. */
  start(sqlPath: string, options?: RunOptions): Started;
  run(sqlPath: string, options?: RunOptions): Promise<Ended>;
  /** The same run inside this process: for rules that do not depend on a process of their own. */
  runHere(sqlPath: string, options?: RunOptions): Promise<Ended>;
  commandHere(args: readonly string[]): Promise<Ended>;
  /** Runs any command line as its own process. */
  command(args: readonly string[], env?: Readonly<Record<string, string>>, cli?: string): Promise<Ended>;
  /** JOB records, newest first, as texts. */
  jobRecords(): Promise<readonly LogRecord[]>;
  insertJobRecord(record: Readonly<Record<string, unknown>>): void;
  /** Somebody else's update of a JOB record, without a revision. */
  updateJobRecord(id: string, values: LogRecord): Promise<void>;
  /** Parsed lines of the newest JSONL log. */
  events(): readonly Readonly<Record<string, unknown>>[];
  dispose(): Promise<void>;
}

export interface FixtureOptions {
  /** Field codes the log app lacks. */
  readonly withoutLogFields?: readonly string[];
  /** Options the log app's status lacks. */
  readonly withoutStatus?: readonly string[];
  readonly delayMs?: number;
  /** Rights of the orders token; only "view" unless said. */
  readonly rights?: readonly TokenRight[];
}

function logFields(options: FixtureOptions): FieldInputs {
  const fields = appFields("jobLog", null);
  const kept = Object.entries(fields).filter(([code]) => !options.withoutLogFields?.includes(code));
  return Object.fromEntries(
    kept.map(([code, field]) => {
      if (code !== "status" || field.options === undefined) return [code, field];
      const choices = Object.entries(field.options).filter(
        ([name]) => !options.withoutStatus?.includes(name),
      );
      return [code, { ...field, options: Object.fromEntries(choices) }];
    }),
  );
}

export async function startRunnerFixture(options: FixtureOptions = {}): Promise<RunnerFixture> {
  const folder = mkdtempSync(join(tmpdir(), "flownet-runner-"));
  const arrivals: Arrival[] = [];
  const waiters = new Set<() => void>();
  const kintone = createLocalKintone({
    databasePath: ":memory:",
    clock: { now: () => Date.now() },
    ids: { random: (bytes) => new Uint8Array(randomBytes(bytes)) },
    onArrival: (arrival) => {
      arrivals.push(arrival);
      for (const wake of waiters) wake();
    },
    ...(options.delayMs === undefined ? {} : { delayMs: options.delayMs }),
  });
  const { provision } = kintone;
  const jobLogApp = provision.createApp({ name: "ログ", code: "LOG", fields: logFields(options) });
  const ordersApp = provision.createApp({ name: "注文", code: "ORDERS", fields: ORDER_FIELDS });
  const logToken = provision.createToken(jobLogApp, [...RUNNER_LOG_RIGHTS], "runner");
  const token = provision.createToken(ordersApp, [...(options.rights ?? (["view"] as const))], "runner");
  const viewToken = provision.createToken(ordersApp, ["view"], "reader");
  const { port, close } = await kintone.listen({ port: 0 });
  const configPath = join(folder, "ksql.config.json");

  const runArguments = (sqlPath: string, run: RunOptions) => {
    const resultPath = run.resultPath ?? join(folder, `${randomUUID()}.json`);
    const attemptId = run.attemptId ?? `attempt_${randomUUID()}`;
    const jobId = run.expectedJobId ?? /([^/\\]+)\.sql$/.exec(sqlPath)?.[1] ?? "";
    const args = [
      ...["run", "-f", sqlPath, "--profile", "prod", "--config", configPath],
      ...["--as-of", "2026-04-01T01:00:00+09:00", "--result-json", resultPath],
      ...["--correlation-id", "netrun_1", "--attempt-id", attemptId, "--expected-job-id", jobId],
      ...(run.extra ?? []),
    ];
    return { args, resultPath };
  };

  const fixture: RunnerFixture = {
    folder,
    port,
    jobLogApp,
    ordersApp,
    token,
    logToken,
    arrivals,
    async arrived(matches) {
      if (matches(arrivals)) return;
      await new Promise<void>((done) => {
        const wake = (): void => {
          if (!matches(arrivals)) return;
          waiters.delete(wake);
          done();
        };
        waiters.add(wake);
      });
    },
    addOrders(records) {
      for (let at = 0; at < records.length; at += 500) {
        provision.insertRecords(ordersApp, records.slice(at, at + 500));
      }
    },
    async orders() {
      const query = encodeURIComponent("order by $id asc limit 500");
      const response = await fetch(
        `http://localhost:${port}/k/v1/records.json?app=${ordersApp}&query=${query}`,
        {
          headers: { "X-Cybozu-API-Token": viewToken },
        },
      );
      const body = recordsSchema.parse(await response.json());
      return body.records.map((record) =>
        Object.fromEntries(
          Object.entries(record).map(([code, { value }]) => [
            code,
            typeof value === "string" ? value : JSON.stringify(value),
          ]),
        ),
      );
    },
    async deleteOrder(id) {
      const response = await fetch(`http://localhost:${port}/k/v1/records.json`, {
        method: "DELETE",
        headers: { "X-Cybozu-API-Token": token, "content-type": "application/json" },
        body: JSON.stringify({ app: ordersApp, ids: [id] }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    writeConfig(change = () => undefined, at = port) {
      const profile: Record<string, unknown> = {
        baseUrl: `http://localhost:${at}`,
        timezone: "Asia/Tokyo",
        apps: {
          注文: { id: Number(ordersApp), tokens: ["env:ORDERS_TOKEN"] },
          log: { id: Number(jobLogApp), tokens: ["env:LOG_TOKEN"] },
        },
        logApp: "log",
        retry: { maxAttempts: 2, initialDelayMs: 1, maxDelayMs: 2 },
        logging: { localDir: "logs" },
      };
      change(profile);
      writeFileSync(configPath, JSON.stringify({ defaultProfile: "prod", profiles: { prod: profile } }));
    },
    writeJob(sql, name = "job") {
      const path = join(folder, `${name}.sql`);
      writeFileSync(path, `-- @ksql name: ${name}\n-- @ksql dialect: 1\n${sql}`);
      return path;
    },
    start(sqlPath, run = {}) {
      const { args, resultPath } = runArguments(sqlPath, run);
      return launch(args, { ...secrets, ...run.env }, folder, resultPath, run.cli);
    },
    runHere(sqlPath, run = {}) {
      const { args, resultPath } = runArguments(sqlPath, run);
      return runInside(args, { ...secrets, ...run.env }, folder, resultPath, run.stop);
    },
    commandHere: (args) => runInside(args, secrets, folder, null),
    run: (sqlPath, run) => fixture.start(sqlPath, run).ended,
    command: (args, env = {}, cli) => launch(args, { ...secrets, ...env }, folder, null, cli).ended,
    async jobRecords() {
      const query = encodeURIComponent("order by $id desc limit 100");
      const response = await fetch(
        `http://localhost:${port}/k/v1/records.json?app=${jobLogApp}&query=${query}`,
        {
          headers: { "X-Cybozu-API-Token": logToken },
        },
      );
      const body = recordsSchema.parse(await response.json());
      return body.records.map((record) =>
        Object.fromEntries(Object.entries(record).map(([code, cell]) => [code, String(cell.value)])),
      );
    },
    insertJobRecord: (record) => {
      provision.insertRecords(jobLogApp, [record]);
    },
    async updateJobRecord(id, values) {
      const record = Object.fromEntries(Object.entries(values).map(([code, value]) => [code, { value }]));
      const response = await fetch(`http://localhost:${port}/k/v1/record.json`, {
        method: "PUT",
        headers: { "X-Cybozu-API-Token": logToken, "content-type": "application/json" },
        body: JSON.stringify({ app: jobLogApp, id, record }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    events() {
      const logs = join(folder, "logs");
      const files = existsSync(logs) ? readdirSync(logs).filter((name) => name.endsWith(".jsonl")) : [];
      return files.flatMap((name) =>
        readFileSync(join(logs, name), "utf8")
          .trim()
          .split("\n")
          .map((line) => lineSchema.parse(JSON.parse(line))),
      );
    },
    async dispose() {
      await close();
      await kintone.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const secrets = { ORDERS_TOKEN: token, LOG_TOKEN: logToken };
  fixture.writeConfig();
  return fixture;
}
