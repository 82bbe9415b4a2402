import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { startFlownet } from "./flownet-command.ts";

export const KILLED_NETWORK = "nightly_load";
/** Of the network below, milliseconds. */
export const KILLED_LEASE_MS = 180_000;

const NODES = ["extract", "check", "load", "summary", "publish", "report"];

/** A chain of nodes, so that a kill falls into the middle of the Run. */
async function writeNetwork(home: string): Promise<string> {
  await mkdir(home, { recursive: true });
  for (const node of NODES) {
    const header = `-- @ksql name: ${KILLED_NETWORK}_${node}\n-- @ksql dialect: 1\n`;
    await writeFile(path.join(home, `${node}.sql`), `${header}SELECT COUNT(*) AS deals FROM LAPP_案件;\n`);
  }
  const nodes = NODES.flatMap((node, index) => [
    `  - id: ${node}`,
    `    job_id: ${KILLED_NETWORK}_${node}`,
    `    sql: ${node}.sql`,
    `    depends_on: [${NODES[index - 1] ?? ""}]`,
    "    trigger_rule: all_success",
    "    idempotent: true",
  ]);
  const head = [
    "schema_version: 1",
    `network_id: ${KILLED_NETWORK}`,
    "business_key_policy:",
    "  type: explicit",
    "network_lock:",
    `  lease_duration_sec: ${KILLED_LEASE_MS / 1000}`,
    "  heartbeat_interval_sec: 60",
    "nodes:",
  ];
  const file = path.join(home, "network.yaml");
  await writeFile(file, `${[...head, ...nodes].join("\n")}\n`);
  return file;
}

/** How often the journals of a data folder say that a child was spawned. */
async function spawned(dataDir: string): Promise<number> {
  const folder = path.join(dataDir, "journal");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith("attempts-"));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
  return texts.join("").split('"event":"spawned"').length - 1;
}

/**
 * Starts a Run in a process of its own and kills that process once its second node runs: the Run stays unfinished, its
 * lock held. Resolves with the PID that is gone.
 */
export async function killRun(dataDir: string, businessKey: string): Promise<number> {
  const file = await writeNetwork(path.join(dataDir, KILLED_NETWORK));
  const before = await spawned(dataDir);
  const args = ["run-network", file, "--business-key", businessKey, "--json", "--data-dir", dataDir];
  const command = startFlownet(args);
  const giveUp = AbortSignal.timeout(60_000);
  while ((await spawned(dataDir)) < before + 2) await after(10, undefined, { signal: giveUp });
  command.child.kill("SIGKILL");
  await command.ended;
  return command.child.pid ?? 0;
}
