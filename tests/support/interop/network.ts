import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

export interface InteropNode {
  readonly id: string;
  readonly dependsOn?: readonly string[];
  readonly idempotent?: boolean;
  /** Statements below the job's header. */
  readonly sql?: string;
}

export interface InteropNetwork {
  readonly id: string;
  readonly nodes: readonly InteropNode[];
  /** The peer has no test clock: a lease as short as this ends while a test waits. Seconds. */
  readonly leaseSec?: number;
  readonly heartbeatSec?: number;
}

const linesOf = (network: string, { id, dependsOn = [], idempotent = true }: InteropNode): string[] => [
  `  - id: ${id}`,
  `    job_id: ${network}_${id}`,
  `    sql: ${network}_${id}.sql`,
  `    depends_on: [${dependsOn.join(", ")}]`,
  "    trigger_rule: all_success",
  `    idempotent: ${idempotent}`,
];

/** Writes a definition with one SQL file a node and answers its path. */
export async function writeNetwork(home: string, network: InteropNetwork): Promise<string> {
  const { id, nodes, leaseSec = 180, heartbeatSec = 60 } = network;
  const folder = path.join(home, id);
  await mkdir(folder, { recursive: true });
  for (const node of nodes) {
    const header = `-- @ksql name: ${id}_${node.id}\n-- @ksql dialect: 1\n`;
    const body = node.sql ?? "SELECT 1 AS x;";
    await writeFile(path.join(folder, `${id}_${node.id}.sql`), `${header}${body}\n`);
  }
  const head = [
    "schema_version: 1",
    `network_id: ${id}`,
    "business_key_policy:",
    "  type: explicit",
    "network_lock:",
    `  lease_duration_sec: ${leaseSec}`,
    `  heartbeat_interval_sec: ${heartbeatSec}`,
    "nodes:",
  ];
  const file = path.join(folder, "network.yaml");
  await writeFile(file, `${[...head, ...nodes.flatMap((node) => linesOf(id, node))].join("\n")}\n`);
  return file;
}
