import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type OpenedWorkspace, openWorkspace } from "../../main/console/index.ts";
import { type KintoneFixture, type SeenRequest, startKintoneFixture } from "../support/store-fixture.ts";
import { printTable } from "./machine.ts";

const RUNNER = path.join(import.meta.dirname, "instant-runner.ts");
/** One line per child: when it lived. */
const LIVES = "lives.jsonl";
/** What kSQL-FlowNet 1.0.0 needs, measured (fenced-writes section 4). */
const PEER_ROUND_TRIPS = { base: 28, perNode: 18 };
/** What ours may need at most (fenced-writes section 4). */
const BUDGET = {
  base: 8,
  perNode: 4,
  counted: (nodes: number) => 13 + Math.ceil(nodes / 100) + 8 * nodes,
  beyondMs: (nodes: number, delayMs: number) => (nodes === 3 ? (delayMs === 0 ? 500 : 1500) : "-"),
};

/** A chain of `count` nodes; each job's SQL is one statement that nobody executes here. */
async function writeNetwork(folder: string, count: number): Promise<string> {
  const ids = Array.from({ length: count }, (_, i) => `n${i + 1}`);
  const nodes = ids.map((id, i) =>
    [
      `  - id: ${id}`,
      `    job_id: ${id}`,
      `    sql: ${id}.sql`,
      `    depends_on: [${i === 0 ? "" : ids[i - 1]}]`,
      "    trigger_rule: all_success",
      "    idempotent: true",
    ].join("\n"),
  );
  const head =
    "business_key_policy:\n  type: explicit\nnetwork_lock:\n  lease_duration_sec: 180\n  heartbeat_interval_sec: 60";
  await mkdir(folder, { recursive: true });
  await Promise.all(ids.map((id) => writeFile(path.join(folder, `${id}.sql`), "SELECT 1 AS x;\n")));
  const file = path.join(folder, "network.yaml");
  await writeFile(
    file,
    `schema_version: 1\nnetwork_id: bench_${count}\n${head}\nnodes:\n${nodes.join("\n")}\n`,
  );
  return file;
}

async function open(kintone: KintoneFixture, folder: string): Promise<OpenedWorkspace> {
  const baseUrl = `http://localhost:${kintone.port}`;
  const configPath = path.join(folder, "ksql.config.json");
  const profile = { baseUrl, timezone: "Asia/Tokyo", auth: { type: "apiToken" }, apps: {} };
  await writeFile(configPath, JSON.stringify({ profiles: { bench: profile } }));
  const access = (role: "state" | "audit" | "jobLog", prefix: string): Record<string, string> => ({
    [`${prefix}_APP_ID`]: String(kintone.apps[role]),
    [`${prefix}_API_TOKEN`]: kintone.tokens.get(kintone.apps[role])?.[0] ?? "",
  });
  return openWorkspace({
    dataDir: path.join(folder, "data"),
    env: {
      KSQL_FLOWNET_PROFILE: "bench",
      KSQL_FLOWNET_BASE_URL: baseUrl,
      ...access("state", "KSQL_FLOWNET_STATE"),
      ...access("audit", "KSQL_FLOWNET_AUDIT"),
      ...access("jobLog", "KSQL_FLOW_LOG"),
      KSQL_FLOW_BIN: process.execPath,
      KSQL_FLOW_BIN_ARGS: JSON.stringify([RUNNER, path.join(folder, LIVES)]),
      KSQL_FLOW_CONFIG: configPath,
      KSQL_FLOW_WORKDIR: path.join(folder, "work"),
    },
  });
}

function byMethodAndPath(seen: readonly SeenRequest[]): Record<string, string | number>[] {
  const counts = new Map<string, { trips: number; counted: number }>();
  for (const { method, path: at, subRequests } of seen) {
    const key = `${method} ${at}`;
    const entry = counts.get(key) ?? { trips: 0, counted: 0 };
    counts.set(key, { trips: entry.trips + 1, counted: entry.counted + Math.max(1, subRequests) });
  }
  return [...counts].map(([request, { trips, counted }]) => ({ request, "round trips": trips, counted }));
}

/** Milliseconds in which at least one child lived; two at once count once. */
function covered(lines: string): number {
  const lives = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as [number, number])
    .sort((a, b) => a[0] - b[0]);
  let sum = 0;
  let end = 0;
  for (const [from, to] of lives) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}

interface Measured {
  readonly row: Record<string, string | number>;
  readonly seen: readonly SeenRequest[];
}

async function measure(nodes: number, delayMs: number): Promise<Measured> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "bench-run-"));
  const kintone = await startKintoneFixture({ delayMs });
  const workspace = await open(kintone, folder);
  try {
    const definitionPath = await writeNetwork(path.join(folder, "network"), nodes);
    kintone.seen.clear();
    const startedAt = performance.now();
    const result = await workspace.orchestrator.runNetwork({
      definitionPath,
      businessKey: "bench",
      requestedBy: "bench",
    });
    const wallMs = performance.now() - startedAt;
    if (result.aggregateStatus !== "SUCCESS")
      throw new Error(`the bench Run ended as ${result.invocationResultCode}`);
    const childMs = covered(await readFile(path.join(folder, LIVES), "utf8"));
    const seen = kintone.seen.list();
    const counted = seen.reduce((sum, request) => sum + Math.max(1, request.subRequests), 0);
    return {
      seen,
      row: {
        nodes,
        "ms per call": delayMs,
        "round trips": seen.length,
        budget: BUDGET.base + BUDGET.perNode * nodes,
        peer: PEER_ROUND_TRIPS.base + PEER_ROUND_TRIPS.perNode * nodes,
        counted,
        "counted budget": BUDGET.counted(nodes),
        "wall ms": Math.round(wallMs),
        "children ms": Math.round(childMs),
        "ms beyond children": Math.round(wallMs - childMs),
        "beyond budget": BUDGET.beyondMs(nodes, delayMs),
      },
    };
  } finally {
    await workspace.dispose();
    await kintone.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Round trips and wall time of NEW Runs with children that end at once (fenced-writes section 4). */
export async function benchOrchestrator(): Promise<void> {
  const runs: Measured[] = [];
  for (const delayMs of [0, 50]) runs.push(await measure(3, delayMs));
  runs.push(await measure(30, 0));
  printTable(
    "NEW Run with children that end at once (a child's own start before its first line counts as ours; it bounds the figures at 0 ms)",
    runs.map((run) => run.row),
  );
  const [first] = runs;
  if (first !== undefined) printTable("requests of the 3-node Run", byMethodAndPath(first.seen));
}
