import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createProvisioner,
  type EnsuredKintone,
  ensureLocalKintone,
  readServerFile,
  serverFileSchema,
} from "../../../main/local-kintone/index.ts";

const ENTRY = fileURLToPath(new URL("../../../main/local-kintone/serve.ts", import.meta.url));

let dataDir: string;
let pids: Set<number>;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "local-kintone-process-"));
  pids = new Set();
});
afterEach(async () => {
  for (const pid of pids) {
    kill(pid);
    await gone(pid);
  }
  rmSync(dataDir, { recursive: true, force: true });
});

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone, which is what is wanted.
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A killed process stays in the table until its parent reads its end.
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};
/** The fact of a process being gone, within the time limit of the test. */
const gone = (pid: number): Promise<void> =>
  expect.poll(() => isRunning(pid), { timeout: 20_000, interval: 20 }).toBe(false);

async function ensure(extra: readonly string[] = [], port?: number): Promise<EnsuredKintone> {
  const kintone = await ensureLocalKintone({
    dataDir,
    execPath: process.execPath,
    signal: AbortSignal.timeout(25_000),
    extraArguments: extra,
    ...(port === undefined ? {} : { port }),
  });
  pids.add(kintone.pid);
  return kintone;
}

/** Runs the entry by hand and reads its standard output to the end. */
async function runEntry(
  ...args: readonly string[]
): Promise<{ child: ChildProcess; text: Promise<string>; exit: Promise<unknown> }> {
  const child = spawn(process.execPath, [ENTRY, "--data-dir", dataDir, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) pids.add(child.pid);
  const chunks: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  const exit = once(child, "close").then(([code]) => code);
  return { child, exit, text: exit.then(() => chunks.join("")) };
}

const APP = {
  name: "実行管理",
  code: "STATE",
  fields: { key: { type: "SINGLE_LINE_TEXT", unique: true, required: true }, n: { type: "NUMBER" } },
} as const;

async function provisioned(kintone: EnsuredKintone): Promise<{ app: string; client: KintoneRestAPIClient }> {
  const app = (await kintone.provisioner.createApps([APP])).get("STATE") ?? "";
  const rights = ["view", "add", "edit", "delete"] as const;
  const [apiToken = ""] = await kintone.provisioner.createTokens([
    { appId: app, label: "test", rights: [...rights] },
  ]);
  const client = new KintoneRestAPIClient({ baseUrl: kintone.baseUrl, auth: { apiToken }, proxy: false });
  return { app, client };
}

describe("the local kintone as a process (decisions §2)", () => {
  it("starts on demand, is found by the next user, and ends after the last lease", async () => {
    const first = await ensure(["--idle-ms", "300"]);
    const second = await ensure();
    expect(second.pid).toBe(first.pid);
    expect(second.baseUrl).toBe(`http://localhost:${first.port}`);
    const file = readServerFile(dataDir);
    expect(serverFileSchema.parse(file)).toMatchObject({ kind: "LOCAL_KINTONE_SERVER", pid: first.pid });
    if (process.platform === "linux") expect(file?.processStart).toMatch(/^\d{4}-/);

    await first.release();
    expect((await second.provisioner.status()).leases).toBe(1);
    expect(isRunning(first.pid)).toBe(true);
    await second.release();
    await gone(first.pid);
    expect(readServerFile(dataDir)).toBeNull();
  });

  it("keeps apps, token texts and the port over a restart, and creates nothing twice", async () => {
    const first = await ensure();
    const { app, client } = await provisioned(first);
    const tokens = [{ appId: app, label: "test", rights: ["view" as const, "add" as const] }];
    const before = await first.provisioner.createTokens(tokens);
    const seed = { appId: app, records: [{ key: { value: "seed" } }], onlyIfEmpty: true };
    expect(await first.provisioner.insertRecords(seed)).toEqual(["1"]);
    expect(await first.provisioner.insertRecords(seed)).toEqual([]);
    await first.provisioner.stop();
    await gone(first.pid);
    expect(first.lost.aborted).toBe(true);

    const second = await ensure();
    expect(second.port).toBe(first.port);
    expect(second.pid).not.toBe(first.pid);
    expect((await provisioned(second)).app).toBe(app);
    expect(await second.provisioner.createTokens(tokens)).toEqual(before);
    const { records } = await client.record.getRecords({ app });
    expect(records).toHaveLength(1);
    await second.release();
  });

  it("tells a refused seed with the causes", async () => {
    const kintone = await ensure();
    const { app } = await provisioned(kintone);
    await expect(kintone.provisioner.insertRecords({ appId: app, records: [{}] })).rejects.toMatchObject({
      code: "RECORDS_REFUSED",
      problem: { details: { "records[0].key.value": ["Required."] } },
    });
    await kintone.release();
  });

  it("makes one server of eight starters racing", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => ensure(["--idle-ms", "300"])));
    expect(new Set(all.map((kintone) => kintone.pid)).size).toBe(1);
    const [one] = all;
    expect((await one?.provisioner.status())?.leases).toBe(8);
    await Promise.all(all.map((kintone) => kintone.release()));
    await gone(one?.pid ?? 0);
  });

  it("lets a second entry end cleanly without touching the first", async () => {
    const first = await ensure();
    const second = await runEntry("--json");
    expect(await second.exit).toBe(0);
    expect(await second.text).toContain("another server owns the data folder");
    expect((await first.provisioner.status()).pid).toBe(first.pid);
    await first.release();
  });

  it("does not trust a pid: a server file of a dead or foreign server is replaced", async () => {
    const first = await ensure();
    const file = readServerFile(dataDir);
    process.kill(first.pid, "SIGKILL");
    await gone(first.pid);
    writeFileSync(join(dataDir, "kintone", "server.json"), JSON.stringify({ ...file, pid: process.pid }));
    const second = await ensure();
    expect(second.pid).not.toBe(process.pid);
    expect(second.port).toBe(first.port);
    await second.release();
  });

  it("ends cleanly on SIGTERM and prints its address as JSON without the control token", async () => {
    const { child, text, exit } = await runEntry("--resident", "--json");
    await expect.poll(() => readServerFile(dataDir)?.pid, { timeout: 20_000 }).toBe(child.pid);
    const token = readServerFile(dataDir)?.controlToken ?? "";
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    const [json = ""] = (await text).split("\n").filter((line) => line.startsWith("{"));
    expect(JSON.parse(json)).toMatchObject({ kind: "LOCAL_KINTONE_SERVER", pid: child.pid });
    expect(await text).not.toContain(token);
    expect(existsSync(join(dataDir, "kintone", "server.json"))).toBe(false);
  });

  it("refuses another port for a folder that has one, and names who holds its port", async () => {
    const first = await ensure();
    await first.provisioner.stop();
    await gone(first.pid);
    await expect(ensure([], first.port + 1)).rejects.toMatchObject({ code: "PORT_ALREADY_CHOSEN" });
    const squatter = createServer().listen(first.port, "127.0.0.1");
    await once(squatter, "listening");
    try {
      const message = expect.stringContaining(`Port ${first.port} is already in use`);
      await expect(ensure()).rejects.toMatchObject({ code: "PORT_BUSY", problem: { message } });
    } finally {
      squatter.close();
    }
  });

  it("guesses no port when the file that keeps it is damaged", async () => {
    const first = await ensure();
    await first.provisioner.stop();
    await gone(first.pid);
    writeFileSync(join(dataDir, "kintone", "port.json"), "{");
    await expect(ensure()).rejects.toMatchObject({ code: "PORT_FILE_INVALID" });
  });

  it("keeps its secrets to its own account", async () => {
    const kintone = await ensure();
    // Windows has no such bits; there the folder of the account protects the files.
    const others = process.platform === "win32" ? 0 : 0o077;
    for (const name of ["kintone.sqlite", "server.json"]) {
      expect(statSync(join(dataDir, "kintone", name)).mode & others).toBe(0);
    }
    await kintone.release();
  });

  it("answers its control port to nobody without the token, and to no browser page", async () => {
    const kintone = await ensure();
    const file = readServerFile(dataDir);
    const url = `${file?.controlUrl}/status`;
    const authorization = `Bearer ${file?.controlToken}`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization, origin: "http://localhost" } })).status).toBe(401);
    const fromPage = { authorization, "sec-fetch-site": "cross-site" };
    expect((await fetch(url, { headers: fromPage })).status).toBe(401);
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${kintone.baseUrl}/status`, { headers: { authorization } })).status).toBe(404);
    await expect(createProvisioner(file?.controlUrl ?? "", "x".repeat(40)).status()).rejects.toMatchObject({
      code: "LOCAL_KINTONE_CONTROL_FAILED",
    });
    await kintone.release();
  });
});
