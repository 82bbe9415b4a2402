import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type OpenedWorkspace, openWorkspace } from "../../main/console/index.ts";
import { createActs } from "../support/interop/acts.ts";
import { writeNetwork } from "../support/interop/network.ts";
import { createProgram, type Env, type Program, type ProgramEnd } from "../support/interop/program.ts";
import { lockInput, takeLock } from "../support/lock-inputs.ts";
import { installPackage } from "../support/npm-package.ts";
import { type KintoneFixture, openStore, startKintoneFixture } from "../support/store-fixture.ts";
import { printTable } from "./machine.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
const INSTANT = path.join(ROOT, "tests", "fixtures", "children", "instant-runner.sh");
const PROFILE = "local";
/** A lock that was taken this long ago has run out for everybody, milliseconds. */
const LONG_AGO_MS = 3_600_000;

/** Round trips that ours may need once its workspace is open (fenced-writes section 4), of three nodes. */
const BUDGET: Readonly<Record<string, number>> = {
  NEW: 20,
  NOOP: 3,
  status: 5,
  CLOSE: 4,
  "force-unlock": 3,
};

interface Field {
  readonly kintone: KintoneFixture;
  readonly folder: string;
  readonly scripts: string;
  readonly workspace: OpenedWorkspace;
  readonly programs: Readonly<Record<"ours" | "peer", Program>>;
  readonly reasonFile: string;
}

function variables(kintone: KintoneFixture, folder: string, scripts: string): Env {
  const access = (role: "state" | "audit" | "jobLog", prefix: string): Env => ({
    [`${prefix}_APP_ID`]: String(kintone.apps[role]),
    [`${prefix}_API_TOKEN`]: kintone.tokens.get(kintone.apps[role])?.[0] ?? "",
  });
  return {
    KSQL_FLOWNET_PROFILE: PROFILE,
    KSQL_FLOWNET_BASE_URL: `http://localhost:${kintone.port}`,
    KSQL_FLOWNET_REQUESTED_BY: "bench",
    KSQL_FLOWNET_SERVICE_PRINCIPAL: "bench",
    ...access("state", "KSQL_FLOWNET_STATE"),
    ...access("audit", "KSQL_FLOWNET_AUDIT"),
    ...access("jobLog", "KSQL_FLOW_LOG"),
    KSQL_FLOW_BIN: "/bin/sh",
    KSQL_FLOW_BIN_ARGS: JSON.stringify([INSTANT, scripts]),
    KSQL_FLOW_CONFIG: path.join(folder, "ksql.config.json"),
    KSQL_FLOW_WORKDIR: path.join(folder, "work"),
  };
}

async function openField(kintone: KintoneFixture, folder: string): Promise<Field> {
  const scripts = path.join(folder, "scripts");
  await mkdir(scripts);
  const profile = {
    baseUrl: `http://localhost:${kintone.port}`,
    timezone: "Asia/Tokyo",
    auth: { type: "apiToken" },
    apps: {},
  };
  await writeFile(
    path.join(folder, "ksql.config.json"),
    JSON.stringify({ profiles: { [PROFILE]: profile } }),
  );
  const reasonFile = path.join(folder, "why.txt");
  await writeFile(reasonFile, "bench\n");
  const env = variables(kintone, folder, scripts);
  const workspace = await openWorkspace({ dataDir: path.join(folder, "open"), env });
  // Another program gets the complete block, as an operator would hand it on.
  const block = { ...env, ...workspace.environment() };
  const { path: peer } = await installPackage({ name: "@rex0220/ksql-flownet", version: "1.0.0" });
  const own = path.join(ROOT, "main", "cli", "index.ts");
  const lastArgs = ["--data-dir", path.join(folder, "own")];
  const programs = {
    ours: createProgram({ name: "ours", file: own, env: block, lastArgs }),
    peer: createProgram({ name: "peer", file: path.join(peer, "dist", "cli", "index.js"), env: block }),
  };
  return { kintone, folder, scripts, workspace, programs, reasonFile };
}

interface Figure {
  readonly trips: number;
  readonly counted: number;
  readonly ms: number;
}

async function measured<T>(
  { kintone }: Field,
  work: () => Promise<T>,
): Promise<Figure & { readonly value: T }> {
  kintone.seen.clear();
  const startedAt = performance.now();
  const value = await work();
  const ms = Math.round(performance.now() - startedAt);
  const seen = kintone.seen.list();
  const counted = seen.reduce((sum, { subRequests }) => sum + Math.max(1, subRequests), 0);
  return { trips: seen.length, counted, ms, value };
}

/** A lock whose owner is gone and whose lease is over; answers the owner. */
async function staleLock({ kintone }: Field, networkId: string): Promise<string> {
  const clock = { nowMs: () => Date.now() - LONG_AGO_MS, monotonicMs: () => performance.now() };
  const store = openStore(kintone, { clock });
  const input = lockInput({ profile: PROFILE, networkId });
  await takeLock(store, input);
  await store.dispose();
  return input.ownerInvocationId;
}

type Figures = ReadonlyMap<string, Figure>;

/** Every command once, by a program of its own: starting it and checking its connection are counted. */
async function commands(field: Field, name: "ours" | "peer", network: string): Promise<Figures> {
  const program = field.programs[name];
  const acts = createActs(field);
  const figures = new Map<string, Figure>();
  const files = path.join(field.folder, "networks");
  const nodes = [{ id: "n1" }, { id: "n2", dependsOn: ["n1"] }, { id: "n3", dependsOn: ["n2"] }];
  const good = await writeNetwork(files, { id: `good_${network}`, nodes });
  const bad = await writeNetwork(files, { id: `bad_${network}`, nodes });
  const fail = path.join(field.scripts, `bad_${network}_n3.fail`);
  await writeFile(fail, "");
  async function row<T>(what: string, work: () => Promise<T>, isGood: (value: T) => boolean): Promise<T> {
    const { value, ...figure } = await measured(field, work);
    if (!isGood(value)) throw new Error(`${name} ${what}: ${JSON.stringify(value)}`);
    figures.set(what, figure);
    return value;
  }
  const ended = ({ exitCode }: ProgramEnd): boolean => exitCode === 0;

  const made = await row(
    "NEW",
    () => acts.create(program, good, "k"),
    ({ aggregate }) => aggregate === "SUCCESS",
  );
  await row(
    "NOOP",
    () => acts.create(program, good, "k"),
    ({ outcome }) => outcome === "NOOP",
  );
  const detail = ["status", `good_${network}`, "--profile", PROFILE, "--run-id", made.runId, "--json"];
  await row("status", () => program.run(detail), ended);
  const { runId } = await acts.create(program, bad, "k");
  await rm(fail);
  await row(
    "RESUME, 1 node",
    () => acts.resume(program, bad, runId),
    ({ aggregate }) => aggregate === "SUCCESS",
  );
  await writeFile(fail, "");
  const failed = await acts.create(program, bad, "k2");
  await row("CLOSE", () => acts.close(program, bad, failed.runId), ended);
  const owner = await staleLock(field, `bad_${network}`);
  await row("force-unlock", () => acts.unlock(program, `bad_${network}`, owner), ended);
  return figures;
}

/** The same two with a workspace that is open already, as in a console: what the budget is about. */
async function resident(field: Field, network: string): Promise<Figures> {
  const nodes = [{ id: "n1" }, { id: "n2", dependsOn: ["n1"] }, { id: "n3", dependsOn: ["n2"] }];
  const id = `open_${network}`;
  const definitionPath = await writeNetwork(path.join(field.folder, "networks"), { id, nodes });
  const { orchestrator } = field.workspace;
  const run = () => orchestrator.runNetwork({ definitionPath, businessKey: "k", requestedBy: "bench" });
  const made = await measured(field, run);
  if (made.value.aggregateStatus !== "SUCCESS") throw new Error(JSON.stringify(made.value));
  const again = await measured(field, run);
  const runId = made.value.runId ?? "";
  const status = () => orchestrator.status({ networkId: id, profile: PROFILE, runId });
  return new Map<string, Figure>([
    ["NEW", made],
    ["NOOP", again],
    ["status", await measured(field, status)],
  ]);
}

const cells = (who: string, figure: Figure | undefined) => ({
  [`${who} trips`]: figure?.trips ?? "-",
  [`${who} counted`]: figure?.counted ?? "-",
  [`${who} ms`]: figure?.ms ?? "-",
});

/**
 * Both orchestrators in one run, on one server, with one child that ends at once (fenced-writes section 4). Programs are
 * processes of their own, start included; `open` is ours in a workspace that is open already.
 */
export async function benchPeer(): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const delayMs of [0, 50, 100]) {
    const folder = await mkdtemp(path.join(os.tmpdir(), "bench-peer-"));
    const kintone = await startKintoneFixture({ delayMs });
    const field = await openField(kintone, folder);
    try {
      const open = await resident(field, "o");
      const ours = await commands(field, "ours", "a");
      const peer = await commands(field, "peer", "b");
      for (const [command, figure] of peer) {
        rows.push({
          command,
          "ms per call": delayMs,
          budget: BUDGET[command] ?? "-",
          ...cells("open", open.get(command)),
          ...cells("ours", ours.get(command)),
          ...cells("peer", figure),
        });
      }
    } finally {
      await field.workspace.dispose();
      await kintone.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  }
  printTable("ours and kSQL-FlowNet 1.0.0, three nodes, the same server and child", rows);
}
