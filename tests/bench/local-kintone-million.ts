import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { createLocalKintone, kintonePaths, type LocalKintone } from "../../main/local-kintone/index.ts";
import { makeFolders, writeAtomically } from "../../main/local-kintone/process/server-file.ts";
import { perSecond, printTable } from "./machine.ts";

const MILLION = 1_000_000;
const BATCH = 5_000;
const INSERTS = 5_000;
const ROUNDS = 3;
const LANES = 16;
const STARTS = 7;
const FIRST_PAGES = 50;
const LOAD = path.join(import.meta.dirname, "kintone-load.ts");
const SERVE = path.join(import.meta.dirname, "..", "..", "main", "local-kintone", "serve.ts");

interface Store {
  readonly dataDir: string;
  readonly server: LocalKintone;
  readonly app: string;
  readonly token: string;
  readonly port: number;
}

/** Keys in no order, as the keys of Runs are: an index that is only ever appended to would look too good. */
const keyOf = (n: number): string => createHash("sha256").update(`record ${n}`).digest("hex").slice(0, 46);

function fill(server: LocalKintone, app: string, count: number): void {
  for (let from = 0; from < count; from += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) => ({
      key: { value: keyOf(from + offset) },
      amount: { value: from + offset },
      note: { value: `note ${from + offset}` },
    }));
    server.provision.insertRecords(app, records);
  }
}

async function openStore(dataDir: string, count: number): Promise<Store> {
  makeFolders(dataDir);
  const server = createLocalKintone({
    databasePath: kintonePaths(dataDir).database,
    clock: { now: () => Date.now() },
    ids: { random: (bytes) => randomBytes(bytes) },
    synchronous: "NORMAL",
  });
  const app = server.provision.createApp({
    code: "BENCH",
    name: "bench",
    fields: {
      key: { type: "SINGLE_LINE_TEXT", code: "key", label: "key", unique: true },
      amount: { type: "NUMBER", code: "amount", label: "amount" },
      note: { type: "MULTI_LINE_TEXT", code: "note", label: "note" },
    },
  });
  const token = server.provision.createToken(app, ["view", "add"], "bench");
  fill(server, app, count);
  const { port } = await server.listen({ port: 0 });
  return { dataDir, server, app, token, port };
}

interface Load {
  readonly requests: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly firstMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

async function load(store: Store, kind: string, count: number, lanes: number): Promise<Load> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    LOAD,
    `http://localhost:${store.port}`,
    store.app,
    store.token,
    kind,
    String(count),
    String(lanes),
  ]);
  return JSON.parse(stdout) as Load;
}

/** Rounds alternate between the two stores, so that what else the machine does weighs on both. */
async function compareInserts(small: Store, large: Store): Promise<void> {
  const rates = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, store] of [
      ["small", small],
      ["large", large],
    ] as const) {
      const { requests, ms } = await load(store, "insert-unordered", INSERTS, LANES);
      rates[name].push(perSecond(requests, ms));
    }
  }
  const best = { small: Math.max(...rates.small), large: Math.max(...rates.large) };
  printTable(`unique insert over HTTP, ${LANES} connections, ${INSERTS} a round, synchronous=NORMAL`, [
    { records: "1,000", "per second": rates.small.join(" "), best: best.small, ratio: "" },
    {
      records: "1,000,000",
      "per second": rates.large.join(" "),
      best: best.large,
      ratio: (best.large / best.small).toFixed(2),
    },
  ]);
}

/** Processor time of each page in the server alone, in milliseconds: what else the machine does is not in it. */
async function pageCpu(store: Store): Promise<{ readonly first: number; readonly p95: number }> {
  const page = async (from: number): Promise<number> => {
    const query = encodeURIComponent(`$id > ${from} order by $id asc limit 500`);
    const before = process.cpuUsage();
    await store.server.handle({
      method: "GET",
      target: `/k/v1/records.json?app=${store.app}&query=${query}`,
      headers: { host: "localhost", "x-cybozu-api-token": store.token },
    });
    const used = process.cpuUsage(before);
    return (used.user + used.system) / 1000;
  };
  for (let run = 0; run < 200; run += 1) await page(0);
  const all: number[] = [];
  for (let from = 0; from < MILLION; from += 500) all.push(await page(from));
  const at = (values: readonly number[], share: number): number =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
  // The first pages of the same walk: as cold as all that follow, which a page asked for twice is not.
  return { first: at(all.slice(1, 1 + FIRST_PAGES), 0.5), p95: at(all, 0.95) };
}

async function walk(store: Store): Promise<void> {
  const cpu = await pageCpu(store);
  const pages = await load(store, "walk", MILLION, 1);
  printTable("`$id` keyset over 1,000,000 records, 500 a page, one connection", [
    {
      pages: pages.requests,
      "per second": perSecond(pages.requests, pages.ms),
      "first pages ms": pages.firstMs.toFixed(2),
      "p95 ms": pages.p95Ms.toFixed(2),
      "max ms": pages.maxMs.toFixed(2),
      "p95 / first": (pages.p95Ms / pages.firstMs).toFixed(2),
      "CPU first pages ms": cpu.first.toFixed(2),
      "CPU p95 ms": cpu.p95.toFixed(2),
      "CPU ratio": (cpu.p95 / cpu.first).toFixed(2),
    },
  ]);
}

function ask(port: number, target: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get(
      { host: "localhost", port, path: target, agent: false, headers: { "X-Cybozu-API-Token": token } },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode === 200));
      },
    );
    request.on("error", () => resolve(false));
  });
}

/** Processor time of another process in milliseconds, where `/proc` tells it. */
function cpuOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

/** Milliseconds from the start of the process to its first answer, a keyed read; and its processor time until then. */
async function coldStart(store: Store): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const target = `/k/v1/records.json?app=${store.app}&query=${encodeURIComponent(`key in ("${keyOf(7)}")`)}`;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [SERVE, "--data-dir", store.dataDir, "--synchronous", "NORMAL"], {
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!(await ask(store.port, target, store.token))) {
    // A pause of its own: asking without one would take the processor the start needs.
    await pause(5);
    if (child.exitCode !== null) throw new Error("the server did not start");
  }
  const ms = performance.now() - startedAt;
  const cpuMs = cpuOf(child.pid);
  child.kill("SIGTERM");
  await ended;
  return { ms, cpuMs };
}

async function coldStarts(store: Store): Promise<void> {
  writeAtomically(kintonePaths(store.dataDir).port, {
    kind: "LOCAL_KINTONE_PORT",
    formatVersion: 1,
    port: store.port,
  });
  const starts = [];
  for (let run = 0; run < STARTS; run += 1) starts.push(await coldStart(store));
  const times = starts.map(({ ms }) => ms).sort((a, b) => a - b);
  const cpu = starts.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  const bytes = (await stat(kintonePaths(store.dataDir).database)).size;
  printTable("cold start of the server's process on 1,000,000 records, to the first answer", [
    {
      starts: STARTS,
      "file MiB": Math.round(bytes / 2 ** 20),
      "best ms": Math.round(times[0] ?? 0),
      "median ms": Math.round(times[STARTS >> 1] ?? 0),
      "worst ms": Math.round(times.at(-1) ?? 0),
      "CPU median ms": Math.round(cpu[STARTS >> 1] ?? 0),
    },
  ]);
}

/** What a million records cost: inserts, pages, and the start. */
export async function benchMillion(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "bench-kintone-million-"));
  const stores: Store[] = [];
  try {
    const startedAt = performance.now();
    const large = await openStore(path.join(folder, "large"), MILLION);
    stores.push(large);
    console.log(`\n${MILLION} records filled in ${Math.round((performance.now() - startedAt) / 1000)} s`);
    const small = await openStore(path.join(folder, "small"), 1_000);
    stores.push(small);
    await walk(large);
    await compareInserts(small, large);
    for (const store of stores.splice(0)) await store.server.dispose();
    await coldStarts(large);
  } finally {
    for (const store of stores) await store.server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}
