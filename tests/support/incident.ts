import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { parse, stringify } from "yaml";
import { type OpenedWorkspace, openEmbedded } from "../../main/console/index.ts";
import type { JobReader } from "../../main/job-runner/index.ts";
import { getCountedRecords } from "../../main/kintone-client/index.ts";
import type { Attempt } from "../../shared/domain/model.ts";
import { startFlownet } from "./flownet-command.ts";

export const INCIDENT_NETWORK = "deal_close";
/** The node in whose middle the accident happens. */
export const INCIDENT_NODE = "post_owner";
/** Of the network below, milliseconds. */
export const INCIDENT_LEASE_MS = 90_000;
/** Longest a test waits for a fact, milliseconds. */
const LONGEST_WAIT_MS = 60_000;

const HEAD = (job: string): string => `-- @ksql name: ${INCIDENT_NETWORK}_${job}\n-- @ksql dialect: 1\n`;
/** Every deal is written three times: long enough to be killed in the middle, and the same after every run. */
const POST = `${HEAD(INCIDENT_NODE)}UPDATE LAPP_案件 SET 担当者 = '締め処理 1' WHERE データ区分 = '本番';
UPDATE LAPP_案件 SET 担当者 = '締め処理 2' WHERE データ区分 = '本番';
UPDATE LAPP_案件 SET 担当者 = '締め処理 3' WHERE データ区分 = '本番';
`;
const COUNT = "SELECT COUNT(*) AS deals FROM LAPP_案件;\n";

export interface IncidentOptions {
  /** Whether the node may run twice; true by default. */
  readonly idempotent?: boolean;
}

async function writeNetwork(dataDir: string, { idempotent = true }: IncidentOptions): Promise<string> {
  const home = join(dataDir, INCIDENT_NETWORK);
  await mkdir(home, { recursive: true });
  const sql = { extract: HEAD("extract") + COUNT, [INCIDENT_NODE]: POST, report: HEAD("report") + COUNT };
  for (const [node, text] of Object.entries(sql)) await writeFile(join(home, `${node}.sql`), text);
  const node = (id: string, dependsOn: readonly string[], once = false) => ({
    id,
    job_id: `${INCIDENT_NETWORK}_${id}`,
    sql: `${id}.sql`,
    depends_on: dependsOn,
    trigger_rule: "all_success",
    idempotent: !once,
  });
  const file = join(home, "network.yaml");
  const definition = {
    schema_version: 1,
    network_id: INCIDENT_NETWORK,
    business_key_policy: { type: "explicit" },
    network_lock: { lease_duration_sec: INCIDENT_LEASE_MS / 1000, heartbeat_interval_sec: 30 },
    nodes: [
      node("extract", []),
      node(INCIDENT_NODE, ["extract"], !idempotent),
      node("report", [INCIDENT_NODE]),
    ],
  };
  await writeFile(file, stringify(definition));
  return file;
}

/** Puts the network on the list of those this host may start, so that it can be resumed from a console. */
async function allow(dataDir: string, file: string): Promise<void> {
  const path = join(dataDir, "networks.yaml");
  const { networks } = parse(await readFile(path, "utf8"));
  const entry = { network_id: INCIDENT_NETWORK, definition_path: file, app_start: true };
  const others = networks.filter((each: { network_id: string }) => each.network_id !== INCIDENT_NETWORK);
  await writeFile(path, stringify({ networks: [...others, entry] }));
}

async function eventually<T>(read: () => Promise<T | null>): Promise<T> {
  const giveUp = AbortSignal.timeout(LONGEST_WAIT_MS);
  for (;;) {
    const found = await read();
    if (found !== null) return found;
    await after(15, undefined, { signal: giveUp });
  }
}

export interface Incident {
  readonly runId: string;
  readonly attemptId: string;
  /** Of the process that held the lock; gone. */
  readonly ownerPid: number;
  /** Of the job; gone. */
  readonly childPid: number;
}

/**
 * Starts a Run of three nodes in a process of its own and, once the second has written its first records, ends its job by force,
 * and with `both` the process that runs the network as well, first. Without it that process ends by itself, and its
 * records say that nobody knows the outcome.
 */
export async function makeIncident(
  dataDir: string,
  businessKey: string,
  who: "both" | "child",
  options: IncidentOptions = {},
): Promise<Incident> {
  const workspace = await openEmbedded({ dataDir, env: { PATH: process.env.PATH } });
  // Loaded before the job runs: by the time its code is there the job would be over.
  const reader = await readerOf(workspace);
  try {
    const file = await writeNetwork(dataDir, options);
    await allow(dataDir, file);
    const args = ["run-network", file, "--business-key", businessKey, "--json", "--data-dir", dataDir];
    const command = startFlownet(args);
    const attempt = await eventually(() => runningAttempt(workspace, businessKey));
    const childPid = await eventually(async () => {
      const { spawned } = await workspace.attemptEvidence(attempt.attemptId);
      return spawned?.process.pid ?? null;
    });
    await eventually(async () => {
      const found = await workspace.reads.findJobLog(attempt.attemptId);
      return found.kind === "found" && found.log.runnerExecutionStartedAt !== null ? found : null;
    });
    await someWritten(reader);
    if (who === "both") command.child.kill("SIGKILL");
    process.kill(childPid, "SIGKILL");
    await command.ended;
    return {
      runId: attempt.runId,
      attemptId: attempt.attemptId,
      ownerPid: command.child.pid ?? 0,
      childPid,
    };
  } finally {
    await reader.dispose();
    await workspace.dispose();
  }
}

async function readerOf(workspace: OpenedWorkspace): Promise<JobReader> {
  const opened = await workspace.openJobReader();
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

/** Resolves once the first records carry what the job writes: from then on some are done and some are not. */
async function someWritten(reader: JobReader): Promise<void> {
  const targets = reader.targets(POST);
  const app = targets.ok ? (targets.value[0]?.appId ?? 0) : 0;
  const marks = '担当者 in ("締め処理 1", "締め処理 2", "締め処理 3")';
  const written = getCountedRecords(app, `${marks} limit 1`, ["$id"]);
  await eventually(async () => ((await reader.read(written, "look")).total > 0 ? true : null));
}

async function runningAttempt(workspace: OpenedWorkspace, businessKey: string): Promise<Attempt | null> {
  const scope = { profile: workspace.profile, networkId: INCIDENT_NETWORK, businessKey };
  const run = await workspace.reads.findRunByKey(scope);
  if (run === null) return null;
  const attempts = await workspace.reads.listAttempts(run.runId);
  return attempts.findLast((each) => each.nodeId === INCIDENT_NODE && each.status === "RUNNING") ?? null;
}
