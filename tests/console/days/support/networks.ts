import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A node of a generated network: which of the network's jobs it runs, and what it waits for. */
interface Node {
  readonly id: string;
  readonly job: string;
  readonly after: readonly string[];
}

interface Shape {
  readonly networkId: string;
  readonly description: string;
  /** SQL by job, without its header. */
  readonly jobs: Readonly<Record<string, string>>;
  readonly nodes: readonly Node[];
}

const QUICK = "SELECT 1 AS x;";
/** Holds for nobody: the embedded workspace has records in this app. */
const NEVER = "ASSERT (SELECT COUNT(*) FROM LAPP_案件) = 0, '照合できない案件が残っています';";

/** Eight layers of five. */
const LAYERS = 8;
const WIDE = 5;
/** One source, and 27 chains of 37 nodes behind it: 1,000 nodes. */
const CHAINS = 27;
const LONG = 37;

/** The node of the 40-node network that fails in a bad night. */
export const GATE = "s3_2";

/** Of every network here, milliseconds. */
export const LEASE_MS = 180_000;

export const SMALL = "opening_check";
export const MIDDLE = "daily_close";
export const LARGE = "branch_load";

export interface DayNetworks {
  /** Paths of the definitions by network. */
  readonly small: string;
  readonly middle: string;
  readonly large: string;
}

/**
 * Writes the three networks of a day into `home`, with 3, 40 and 1,000 nodes. Their jobs end at once: a day is about
 * what the operator sees, not about SQL. With `gateFails`, the 40 nodes have an ASSERT in their middle that fails.
 */
export async function writeDayNetworks(home: string, gateFails: boolean): Promise<DayNetworks> {
  return {
    small: await writeNetwork(home, small()),
    middle: await writeNetwork(home, middle(gateFails)),
    large: await writeNetwork(home, large()),
  };
}

/** The list of networks of a data folder, so that a console knows them; the samples are added by the product. */
export async function writeAllowList(dataDir: string, networks: DayNetworks): Promise<void> {
  const entries = [
    [SMALL, networks.small],
    [MIDDLE, networks.middle],
    [LARGE, networks.large],
  ].map(
    ([id, path]) =>
      `  - network_id: ${id}\n    definition_path: ${JSON.stringify(path)}\n    app_start: true\n`,
  );
  await writeFile(join(dataDir, "networks.yaml"), `networks:\n${entries.join("")}`, { mode: 0o600 });
}

function small(): Shape {
  const nodes = [
    { id: "collect", job: "opening_step", after: [] },
    { id: "compare", job: "opening_step", after: ["collect"] },
    { id: "report", job: "opening_step", after: ["compare"] },
  ];
  return { networkId: SMALL, description: "始業の点検", jobs: { opening_step: QUICK }, nodes };
}

function middle(gateFails: boolean): Shape {
  const nodes = Array.from({ length: LAYERS * WIDE }, (_, at) => {
    const layer = Math.floor(at / WIDE);
    const place = at % WIDE;
    const id = `s${layer}_${place}`;
    const before = [place, (place + 1) % WIDE].map((each) => `s${layer - 1}_${each}`);
    const job = gateFails && id === GATE ? "close_gate" : "close_step";
    return { id, job, after: layer === 0 ? [] : before };
  });
  const jobs = gateFails ? { close_step: QUICK, close_gate: NEVER } : { close_step: QUICK };
  return { networkId: MIDDLE, description: "日次の締め", jobs, nodes };
}

function large(): Shape {
  const chained = Array.from({ length: CHAINS * LONG }, (_, at) => {
    const chain = Math.floor(at / LONG) + 1;
    const place = (at % LONG) + 1;
    const after = place === 1 ? "source" : nodeOf(chain, place - 1);
    return { id: nodeOf(chain, place), job: "load_step", after: [after] };
  });
  const nodes = [{ id: "source", job: "load_step", after: [] }, ...chained];
  return { networkId: LARGE, description: "支店データの取込", jobs: { load_step: QUICK }, nodes };
}

const nodeOf = (chain: number, place: number): string =>
  `branch${String(chain).padStart(2, "0")}_${String(place).padStart(2, "0")}`;

async function writeNetwork(home: string, shape: Shape): Promise<string> {
  const folder = join(home, shape.networkId);
  await mkdir(folder, { recursive: true });
  for (const [job, sql] of Object.entries(shape.jobs)) {
    const header = `-- @ksql name: ${job}\n-- @ksql dialect: 1\n-- @ksql timeout: 60\n`;
    await writeFile(join(folder, `${job}.sql`), `${header}${sql}\n`);
  }
  const nodes = shape.nodes.flatMap((node) => [
    `  - id: ${node.id}`,
    `    job_id: ${node.job}`,
    `    sql: ${node.job}.sql`,
    `    depends_on: [${node.after.join(", ")}]`,
    "    trigger_rule: all_success",
    "    idempotent: true",
  ]);
  const head = [
    "schema_version: 1",
    `network_id: ${shape.networkId}`,
    `description: ${shape.description}`,
    "business_key_policy:",
    "  type: explicit",
    "network_lock:",
    `  lease_duration_sec: ${LEASE_MS / 1000}`,
    "  heartbeat_interval_sec: 60",
    "nodes:",
  ];
  const path = join(folder, "network.yaml");
  await writeFile(path, `${[...head, ...nodes].join("\n")}\n`);
  return path;
}
