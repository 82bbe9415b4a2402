import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { type OpenedWorkspace, openWorkspace } from "../../../main/console/index.ts";
import {
  createFaultControl,
  createLocalKintone,
  type FaultControl,
  startFaultControl,
} from "../../../main/local-kintone/index.ts";
import { APP_NAMES, appFields } from "../../../shared/records/index.ts";
import { startFlownet } from "../flownet-command.ts";

const RUNNER = path.resolve(import.meta.dirname, "..", "..", "fixtures", "children", "scripted-runner.mjs");
const PROFILE = "crash";
export const NETWORK = "crash_net";
const LEASE_SEC = 60;
/** Of the orchestrator's tokens; children call kintone under another. */
const VICTIM = "orchestrator";
const BY_VICTIM = { tokenLabel: VICTIM, within: "call" } as const;
/** How long a request stays away that a killed process never got an answer to, milliseconds. */
const LOST_AFTER_MS = 1_000;
/** A clock beyond every lease that a kill can leave, its allowance included, milliseconds. */
export const LATER_MS = (LEASE_SEC + 60 + 60) * 1_000;

/** A local kintone that can stop any request of a process under test, and programs that work on it. */
export interface CrashWorld {
  readonly folder: string;
  readonly definition: string;
  /** What each job does when its turn comes: a result code. */
  script(endings: Readonly<Record<string, string>>): Promise<void>;
  /** A workspace of this process, its clock shifted. Whoever opens disposes. */
  open(offsetMs?: number): Promise<OpenedWorkspace>;
  /** Keeps the store, or puts it back. */
  keep(name: string): Promise<void>;
  back(name: string): Promise<void>;
  /** Runs a command to its end; how many requests the orchestrator made. */
  whole(args: readonly string[], offsetMs?: number): Promise<number>;
  /** Kills a command at its n-th request: before it takes effect, or once it did and before its answer. False: it ended before. */
  killAt(args: readonly string[], n: number, phase: KillPhase, offsetMs?: number): Promise<boolean>;
  dispose(): Promise<void>;
}
export type KillPhase = "before" | "after-success";

const nodes = ["n1", "n2"];

function definitionText(): string {
  const head = [
    "schema_version: 1",
    `network_id: ${NETWORK}`,
    "business_key_policy:",
    "  type: explicit",
    "network_lock:",
    `  lease_duration_sec: ${LEASE_SEC}`,
    "  heartbeat_interval_sec: 20",
    "nodes:",
  ];
  const each = nodes.flatMap((id, index) => [
    `  - id: ${id}`,
    `    job_id: ${NETWORK}_${id}`,
    `    sql: ${NETWORK}_${id}.sql`,
    `    depends_on: [${index === 0 ? "" : (nodes[index - 1] ?? "")}]`,
    "    trigger_rule: all_success",
    "    idempotent: true",
  ]);
  return `${[...head, ...each].join("\n")}\n`;
}

async function writeFiles(folder: string): Promise<string> {
  const home = path.join(folder, "network");
  await mkdir(path.join(folder, "scripts"), { recursive: true });
  await mkdir(home, { recursive: true });
  for (const id of nodes) await writeFile(path.join(home, `${NETWORK}_${id}.sql`), "SELECT 1 AS x;\n");
  const definition = path.join(home, "network.yaml");
  await writeFile(definition, definitionText());
  return definition;
}

/** Starts a server with the orchestrator's apps; the label of a token tells orchestrator and child apart. */
async function startServer(folder: string) {
  const clock = { now: () => Date.now() };
  const server = createLocalKintone({
    databasePath: path.join(folder, "store.db"),
    synchronous: "NORMAL",
    clock,
    ids: { random: (bytes) => new Uint8Array(randomBytes(bytes)) },
    faults: { clock },
  });
  const make = (role: "state" | "audit" | "jobLog") => {
    const app = server.provision.createApp({
      name: APP_NAMES[role],
      code: role.toUpperCase(),
      fields: appFields(role, null),
    });
    return { id: app, token: server.provision.createToken(app, ["view", "add", "edit"], VICTIM) };
  };
  const apps = { state: make("state"), audit: make("audit"), jobLog: make("jobLog") };
  const childToken = server.provision.createToken(apps.jobLog.id, ["view", "add", "edit"], "runner");
  const listening = await server.listen({ port: 0 });
  if (server.faults === null) throw new Error("the server was made without faults");
  const token = randomBytes(16).toString("hex");
  const control = await startFaultControl(server.faults, { token });
  return {
    apps,
    childToken,
    port: listening.port,
    control: createFaultControl({ port: control.port, token }),
    async dispose() {
      await control.close();
      await listening.close();
      await server.dispose();
    },
  };
}
type Server = Awaited<ReturnType<typeof startServer>>;

async function environment(server: Server, folder: string): Promise<Record<string, string>> {
  const baseUrl = `http://localhost:${server.port}`;
  const configPath = path.join(folder, "ksql.config.json");
  const apps = { LOG: { id: Number(server.apps.jobLog.id), tokens: ["env:LOG_TOKEN"] } };
  const profile = { baseUrl, timezone: "Asia/Tokyo", auth: { type: "apiToken" }, apps };
  await writeFile(configPath, JSON.stringify({ profiles: { [PROFILE]: profile } }));
  const logAccess = { baseUrl, logAppId: Number(server.apps.jobLog.id) };
  await writeFile(path.join(folder, "scripts", "kintone.json"), JSON.stringify(logAccess));
  return {
    KSQL_FLOWNET_PROFILE: PROFILE,
    KSQL_FLOWNET_BASE_URL: baseUrl,
    KSQL_FLOWNET_REQUESTED_BY: "matrix",
    KSQL_FLOWNET_SERVICE_PRINCIPAL: "svc",
    KSQL_FLOWNET_STATE_APP_ID: server.apps.state.id,
    KSQL_FLOWNET_STATE_API_TOKEN: server.apps.state.token,
    KSQL_FLOWNET_AUDIT_APP_ID: server.apps.audit.id,
    KSQL_FLOWNET_AUDIT_API_TOKEN: server.apps.audit.token,
    KSQL_FLOW_LOG_APP_ID: server.apps.jobLog.id,
    KSQL_FLOW_LOG_API_TOKEN: server.apps.jobLog.token,
    KSQL_FLOW_BIN: process.execPath,
    KSQL_FLOW_BIN_ARGS: JSON.stringify([RUNNER, path.join(folder, "scripts")]),
    KSQL_FLOW_CONFIG: configPath,
    KSQL_FLOW_WORKDIR: path.join(folder, "work"),
    LOG_TOKEN: server.childToken,
  };
}

const shifted = (env: Record<string, string>, offsetMs: number | undefined): Record<string, string> =>
  offsetMs === undefined ? env : { ...env, FLOWNET_TEST_CLOCK_OFFSET_MS: String(offsetMs) };

/** Opens it; whoever opens disposes. */
export async function openCrashWorld(): Promise<CrashWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "crash-"));
  const definition = await writeFiles(folder);
  const server = await startServer(folder);
  const { control } = server;
  const env = await environment(server, folder);
  const dataDir = path.join(folder, "data");
  const started = (args: readonly string[], offsetMs?: number) =>
    startFlownet([...args, "--data-dir", dataDir], shifted(env, offsetMs));
  const lastSeq = async (): Promise<number> => (await control.journal()).at(-1)?.seq ?? 0;

  return {
    folder,
    definition,
    async script(endings) {
      for (const [id, ending] of Object.entries(endings)) {
        const status = ending === "OK" ? "SUCCESS" : "ABORTED";
        // A job that leaves no result leaves no log either: nobody can know its end.
        const text = JSON.stringify(ending === "NO_RESULT" ? { ending } : { ending, jobLog: { status } });
        await writeFile(path.join(folder, "scripts", `${NETWORK}_${id}.json`), text);
      }
    },
    open: (offsetMs) => openWorkspace({ dataDir, env: shifted(env, offsetMs) }),
    keep: (name) => control.snapshot(name),
    back: (name) => control.restore(name),
    async whole(args, offsetMs) {
      // A delay of nothing: it only counts what passes.
      await control.add({
        id: "count",
        match: BY_VICTIM,
        when: { times: "unlimited" },
        effect: { kind: "delay" },
      });
      const end = await started(args, offsetMs).ended;
      if (end.stderr.includes("Error [")) throw new Error(`${args.join(" ")}: ${end.stderr}${end.stdout}`);
      const counted = (await control.rules()).find(({ rule }) => rule.id === "count")?.met ?? 0;
      await control.clear();
      return counted;
    },
    async killAt(args, n, phase, offsetMs) {
      const limit = phase === "before" ? { limitMs: LOST_AFTER_MS } : {};
      await control.add({
        id: "kill",
        match: BY_VICTIM,
        when: { nth: n },
        effect: { kind: "barrier", phase, ...limit },
      });
      const since = await lastSeq();
      const command = started(args, offsetMs);
      const gone = new AbortController();
      const reached = control.waitFor("kill", { timeoutMs: 60_000, signal: gone.signal }).then(
        () => true,
        () => false,
      );
      const first = await Promise.race([reached, command.ended.then(() => false)]);
      command.child.kill("SIGKILL");
      await command.ended;
      gone.abort();
      if (first && phase === "before") await timedOut(control, since);
      await control.clear();
      return first;
    },
    async dispose() {
      await server.dispose();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The request of the killed process is given up by the server, so it never took effect. */
async function timedOut(control: FaultControl, since: number): Promise<void> {
  const giveUp = AbortSignal.timeout(10_000);
  for (;;) {
    const entries = await control.journal(since);
    if (entries.some(({ kind }) => kind === "barrier_timed_out")) return;
    await after(20, undefined, { signal: giveUp });
  }
}
