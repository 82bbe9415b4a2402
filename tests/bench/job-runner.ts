import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createWorkspace, type Workspace } from "../../main/job-runner/evaluation/workspace.ts";
import { createComparison } from "../../main/job-runner/values/compare.ts";
import { perSecond, printTable } from "./machine.ts";

const READ = 100_000;
const CUSTOMERS = 10_000;
const MILLION = 1_000_000;
const UPSERTS = 20_000;
/** Most rows a statement may read from one source (execution-contract §12). */
const PER_STATEMENT = 200_000;
const SERVER = path.join(import.meta.dirname, "job-runner-server.ts");
const ROOT = path.join(import.meta.dirname, "../..");
const RUNNER = path.join(ROOT, "build", "job-runner", "index.js");
const PEAK = path.join(import.meta.dirname, "peak-memory.mjs");

interface Served {
  readonly port: number;
  readonly orders: string;
  readonly customers: string;
  readonly log: string;
  readonly tokens: Readonly<Record<"orders" | "customers" | "log", string>>;
}

interface Bench {
  readonly folder: string;
  readonly served: Served;
  dispose(): Promise<void>;
}

interface Measured {
  readonly statementMs: readonly number[];
  readonly peakMib: number;
  readonly readCount: number;
  readonly writtenCount: number;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

async function openBench(orders: number, customers: number): Promise<Bench> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "bench-runner-"));
  const args = ["--max-old-space-size=4096", SERVER, String(orders), String(customers)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const served = JSON.parse(await firstLine(child)) as Served;
  const app = (id: string, token: string) => ({ id: Number(id), tokens: [token] });
  const profile = {
    baseUrl: `http://localhost:${served.port}`,
    timezone: "Asia/Tokyo",
    apps: {
      orders: app(served.orders, served.tokens.orders),
      customers: app(served.customers, served.tokens.customers),
      log: app(served.log, served.tokens.log),
    },
    logApp: "log",
    limits: { maxReadRows: PER_STATEMENT, maxTempRows: PER_STATEMENT },
    logging: { localDir: "logs" },
  };
  await writeFile(
    path.join(folder, "ksql.config.json"),
    JSON.stringify({ defaultProfile: "prod", profiles: { prod: profile } }),
  );
  return {
    folder,
    served,
    async dispose() {
      const gone = new Promise((resolve) => child.on("exit", resolve));
      child.kill();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The runner as it is shipped: reading its sources would cost memory that no user pays. */
function bundle(): void {
  const vite = path.join(ROOT, "node_modules", "vite", "bin", "vite.js");
  const args = [vite, "build", "--logLevel", "warn", "-c", "vite.runner.config.ts"];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) throw new Error("the job runner could not be bundled");
}

/** Runs one job in a process of its own; its peak of resident memory is what the system says at its end. */
async function runJob({ folder }: Bench, sql: string): Promise<Measured> {
  const name = `job_${randomUUID().slice(0, 8)}`;
  const result = path.join(folder, `${name}.json`);
  await writeFile(path.join(folder, `${name}.sql`), `-- @ksql name: ${name}\n-- @ksql dialect: 1\n${sql}`);
  const args = [
    ...["--import", PEAK, RUNNER, "run", "-f", `${name}.sql`, "--config", "ksql.config.json"],
    ...[
      "--result-json",
      result,
      "--correlation-id",
      "bench",
      "--attempt-id",
      name,
      "--expected-job-id",
      name,
    ],
  ];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  const peak = Number(/peak-memory (\d+)/.exec(stderr)?.[1] ?? Number.NaN);
  if (code !== 0) throw new Error(stderr);
  const { executionId, readCount, writtenCount } = JSON.parse(await readFile(result, "utf8")) as Measured & {
    readonly executionId: string;
  };
  const log = await readFile(path.join(folder, "logs", `${executionId}.jsonl`), "utf8");
  return { statementMs: statementTimes(log), peakMib: Math.round(peak / 1024), readCount, writtenCount };
}

/** Milliseconds each statement took, by the event log: the result's own start is cut to seconds. */
function statementTimes(log: string): readonly number[] {
  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly ts: string; readonly event: string });
  const marks = lines
    .filter(({ event }) => event === "execution_started" || event === "statement")
    .map(({ ts }) => Date.parse(ts));
  return marks.slice(1).map((mark, place) => mark - (marks[place] ?? mark));
}

function millionRows(workspace: Workspace) {
  const table = workspace.createTable([
    { name: "customer", type: { kind: "text" } },
    { name: "amount", type: { kind: "number" } },
  ]);
  for (let at = 0; at < MILLION; at += 500) {
    workspace.insert(
      table,
      Array.from({ length: 500 }, (_, place) => [
        `C-${((at + place) * 7919) % CUSTOMERS}`,
        String((((at + place) * 31) % 100_000) / 100),
      ]),
    );
  }
  return table;
}

/** GROUP BY over rows that are in the workspace already, through the job text's own path. */
async function groupMillion(): Promise<number> {
  const { parseScript } = await import("../../main/job-runner/dialect/parse-script.ts");
  const { evaluateBranch } = await import("../../main/job-runner/evaluation/evaluate.ts");
  const { asOfValues } = await import("../../main/job-runner/values/as-of.ts");
  const workspace = createWorkspace(createComparison("Asia/Tokyo"));
  try {
    const table = millionRows(workspace);
    const sql = "SELECT customer, COUNT(*) AS n, SUM(amount) AS s FROM #t GROUP BY customer";
    const body = parseScript(sql).statements[0]?.body;
    const branch = body?.kind === "select" ? body.query.branches[0] : undefined;
    if (branch === undefined) throw new Error(sql);
    const environment = { asOf: asOfValues(0, "UTC"), variables: new Map() };
    const startedAt = performance.now();
    const sources = [{ table, name: "t", exact: false, join: null }];
    evaluateBranch(branch, sources, null, environment, workspace);
    return performance.now() - startedAt;
  } finally {
    workspace.dispose();
  }
}

/** The join over ranges of `$id`, since a statement reads at most 200,000 rows of one source. */
function joinedParts(): readonly string[] {
  return Array.from({ length: Math.ceil(MILLION / PER_STATEMENT) }, (_, part) => {
    const from = part * PER_STATEMENT;
    return `SELECT c.region AS region, COUNT(*) AS n, SUM(o.amount) AS s
      FROM LAPP_orders AS o JOIN LAPP_customers AS c ON o.customer = c.customer
      WHERE o.$id > ${from} AND o.$id <= ${from + PER_STATEMENT} GROUP BY c.region`;
  });
}

/** Reading, grouping, upserting and joining with the built-in runner against a local kintone of its own process. */
export async function benchJobRunner(): Promise<void> {
  bundle();
  const rows: Record<string, string | number>[] = [];
  const small = await openBench(READ, CUSTOMERS);
  try {
    const read = await runJob(
      small,
      "CREATE TEMP TABLE t AS SELECT number, customer, amount FROM LAPP_orders; ASSERT 1 = 1, 'x';",
    );
    rows.push({
      what: `read ${READ} records into a temp table`,
      result: `${perSecond(read.readCount, read.statementMs[0] ?? 0)}/s`,
      wanted: ">= 40,000/s",
      "peak MiB": read.peakMib,
    });
    const upsert = await runJob(
      small,
      `CREATE TEMP TABLE s AS SELECT number, customer, amount, due FROM LAPP_orders WHERE $id <= ${UPSERTS};
       UPSERT INTO LAPP_orders (number, amount, note) SELECT number, amount, 'seen' FROM s KEY (number);`,
    );
    rows.push({
      what: `UPSERT of ${upsert.writtenCount} records`,
      result: `${perSecond(upsert.writtenCount, upsert.statementMs[1] ?? 0)}/s`,
      wanted: ">= 2,000/s",
      "peak MiB": upsert.peakMib,
    });
  } finally {
    await small.dispose();
  }
  const ms = await groupMillion();
  rows.push({
    what: "GROUP BY over 1,000,000 rows",
    result: `${(ms / 1000).toFixed(2)} s`,
    wanted: "<= 3 s",
    "peak MiB": "",
  });
  const large = await openBench(MILLION, CUSTOMERS);
  try {
    const joined = await runJob(
      large,
      `CREATE TEMP TABLE j AS ${joinedParts().join(" UNION ALL ")};
       ASSERT (SELECT SUM(n) FROM j) = ${MILLION}, 'all';`,
    );
    rows.push({
      what: "1,000,000 records joined to 10,000, read included",
      result: `${((joined.statementMs[0] ?? 0) / 1000).toFixed(1)} s`,
      wanted: "< 300 MiB",
      "peak MiB": joined.peakMib,
    });
  } finally {
    await large.dispose();
  }
  printTable("job runner against a local kintone in its own process", rows);
}
