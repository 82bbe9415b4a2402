import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { type OpenedWorkspace, openWorkspace } from "../../../main/console/index.ts";
import type { FaultControl } from "../../../main/local-kintone/index.ts";
import { startFlownet } from "../flownet-command.ts";
import { allowListIn, environment, startServer, VICTIM } from "./server.ts";

export const NETWORK = "crash_net";
const LEASE_SEC = 60;
const BY_VICTIM = { tokenLabel: VICTIM, within: "call" } as const;
/** How long a busy host may take until a command comes to its request; its end is noticed at once, milliseconds. */
const BUSY_HOST_MS = 300_000;
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
  /** Asks for the Run of key `k` as people do, in the request app's own screen; answers the request's id. */
  askForRun(): Promise<string>;
  /** The variables of every program here, the clock shifted. */
  env(offsetMs?: number): Readonly<Record<string, string>>;
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
  const entry = [`  - network_id: ${NETWORK}`, `    definition_path: ${definition}`, "    app_start: true"];
  await writeFile(allowListIn(folder), `networks:\n${entry.join("\n")}\n`);
  return definition;
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
  /** So that a victim's first request is always the same one: it believes the check made here. */
  const checkLine = async (): Promise<void> => (await openWorkspace({ dataDir, env })).dispose();
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
    async askForRun() {
      const wish = { request_type: "START", network_id: NETWORK, business_key: "k", reason: "matrix" };
      const record = Object.fromEntries(
        Object.entries({ ...wish, request_state: "REQUESTED" }).map(([code, value]) => [code, { value }]),
      );
      const answer = await fetch(`http://localhost:${server.port}/k/v1/record.json`, {
        method: "POST",
        headers: { "X-Cybozu-API-Token": server.personToken, "Content-Type": "application/json" },
        body: JSON.stringify({ app: server.apps.request.id, record }),
      });
      const body: unknown = await answer.json();
      if (typeof body !== "object" || body === null || !("id" in body)) throw new Error(JSON.stringify(body));
      return String(body.id);
    },
    env: (offsetMs) => shifted(env, offsetMs),
    open: (offsetMs) => openWorkspace({ dataDir, env: shifted(env, offsetMs) }),
    keep: (name) => control.snapshot(name),
    back: (name) => control.restore(name),
    async whole(args, offsetMs) {
      await checkLine();
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
      await checkLine();
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
      const reached = control.waitFor("kill", { timeoutMs: BUSY_HOST_MS, signal: gone.signal }).then(
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
