import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createFaultControl,
  createProvisioner,
  type FaultControl,
  journalEntrySchema,
  kintonePaths,
  type Provisioner,
  readFaultControl,
  readServerFile,
} from "../../../main/local-kintone/index.ts";

const ENTRY = fileURLToPath(new URL("../../../main/local-kintone/serve.ts", import.meta.url));

let dataDir: string;
let children: ChildProcess[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "local-kintone-faults-"));
  children = [];
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  rmSync(dataDir, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly control: FaultControl;
  readonly provisioner: Provisioner;
  readonly baseUrl: string;
}

async function start(...args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [ENTRY, "--data-dir", dataDir, "--resident", "--control", ...args], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  children.push(child);
  const [message] = await once(child, "message");
  expect(message).toMatchObject({ outcome: "listening" });
  const [server, address] = [readServerFile(dataDir), readFaultControl(dataDir)];
  if (server === null || address === null) throw new Error("the server has not told where it is");
  return {
    child,
    control: createFaultControl(address),
    provisioner: createProvisioner(server.controlUrl, server.controlToken),
    baseUrl: server.baseUrl,
  };
}

async function seeded({ provisioner }: Running): Promise<{ app: string; headers: Record<string, string> }> {
  const fields = { note: { type: "SINGLE_LINE_TEXT" } } as const;
  const app = (await provisioner.createApps([{ name: "a", code: "A", fields }])).get("A") ?? "";
  const rights = ["view", "add", "edit"] as const;
  const [token = ""] = await provisioner.createTokens([{ appId: app, label: "t", rights: [...rights] }]);
  return { app, headers: { "X-Cybozu-API-Token": token, "Content-Type": "application/json" } };
}

describe("faults of the server process (kintone-rest §19)", () => {
  it("F29 dies between commit and answer; a restart has the write, and no rule", async () => {
    const journal = join(dataDir, "journal.jsonl");
    const first = await start("--fault-journal", journal);
    const { app, headers } = await seeded(first);
    const match = { methods: ["POST" as const] };
    await first.control.add({ id: "kill", match, effect: { kind: "crash" } });
    const died = once(first.child, "exit");
    const insert = fetch(`${first.baseUrl}/k/v1/record.json`, {
      method: "POST",
      headers,
      body: JSON.stringify({ app, record: { note: { value: "kept" } } }),
    });
    await expect(insert).rejects.toThrow();
    expect((await died)[1]).toBe("SIGKILL");
    const lines = readFileSync(journal, "utf8").trim().split("\n");
    const last = journalEntrySchema.parse(JSON.parse(lines.at(-1) ?? ""));
    expect(last).toMatchObject({ kind: "action", action: "crash", rule: "kill" });

    const second = await start();
    expect(await second.control.rules()).toEqual([]);
    const read = await fetch(`${second.baseUrl}/k/v1/records.json?app=${app}`, { headers });
    expect(JSON.parse(await read.text())).toMatchObject({ records: [{ note: { value: "kept" } }] });
    await second.provisioner.stop();
    await once(second.child, "exit");
    expect(existsSync(kintonePaths(dataDir).faultControl)).toBe(false);
  });

  it("tells its control port in a closed file only, and takes rules from a file", async () => {
    const rulesFile = join(dataDir, "rules.json");
    const rules = [{ id: "down", match: { methods: ["GET"] }, effect: { kind: "status", status: 503 } }];
    writeFileSync(
      rulesFile,
      JSON.stringify({ kind: "LOCAL_KINTONE_FAULT_RULES", formatVersion: 1, seed: 5, rules }),
    );
    const server = await start("--fault-rules", rulesFile);
    const path = kintonePaths(dataDir).faultControl;
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    const { headers, app } = await seeded(server);
    const read = (): Promise<Response> =>
      fetch(`${server.baseUrl}/k/v1/records.json?app=${app}`, { headers });
    expect((await read()).status).toBe(503);
    expect((await read()).status).toBe(200);
    expect((await server.control.journal())[0]).toMatchObject({
      kind: "faults_started",
      seed: 5,
      rules: ["down"],
    });
    await server.control.add({ id: "closed", effect: { kind: "block", how: "refuse" } });
    await expect(read()).rejects.toThrow();
    await server.control.clear();
    expect((await read()).status).toBe(200);
  });
});
