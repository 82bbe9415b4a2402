import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createProvisioner,
  kintonePaths,
  type LocalKintoneProcess,
  type Provisioner,
  startLocalKintoneProcess,
} from "../../../main/local-kintone/index.ts";
import { workspaceNames } from "../../../main/local-kintone/process/workspaces.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { FIELDS, keyed, systemClock } from "./support.ts";

let dataDir: string;
let running: LocalKintoneProcess;
let root: Provisioner;
const lines: string[] = [];
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "local-kintone-workspaces-"));
  lines.length = 0;
  running = await start();
  root = createProvisioner(running.server.controlUrl, running.server.controlToken);
});
afterEach(async () => {
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<LocalKintoneProcess> {
  const started = await startLocalKintoneProcess({
    dataDir,
    clock: systemClock,
    port: null,
    idleMs: null,
    synchronous: "NORMAL",
    log: (line) => lines.push(line),
  });
  if (started === null) throw new Error("another server holds the folder");
  return started;
}

interface Domain {
  readonly client: KintoneRestAPIClient;
  readonly app: string;
  readonly token: string;
}

/** An app with a token in a workspace; `path` is where its API begins. */
async function domain(provisioner: Provisioner, path: string): Promise<Domain> {
  const ids = await provisioner.createApps([{ name: "状態", code: "S", fields: { ...FIELDS } }]);
  const app = ids.get("S") ?? "";
  const [token = ""] = await provisioner.createTokens([
    { appId: app, label: "test", rights: ["view", "add", "edit", "delete"] },
  ]);
  const baseUrl = `${running.server.baseUrl}${path}`;
  return {
    client: new KintoneRestAPIClient({ baseUrl, auth: { apiToken: token }, proxy: false }),
    app,
    token,
  };
}

const keysOf = async ({ client, app }: Domain): Promise<unknown[]> => {
  const { records } = await client.record.getRecords({ app, query: "order by $id asc" });
  return records.map((record) => record.record_key?.value);
};

describe("workspaces by sub-path (kintone-rest §1.1)", () => {
  it("hold apps, records and tokens of their own behind one port", async () => {
    const main = await domain(root, "");
    const north = await domain(await root.createWorkspace("north"), "/north");
    const south = await domain(await root.createWorkspace("south"), "/south");
    // The same app id and the same unique key in each: nothing is shared.
    expect([main.app, north.app, south.app]).toEqual(["1", "1", "1"]);
    await north.client.record.addRecord({ app: north.app, record: keyed("K") });
    await south.client.record.addRecord({ app: south.app, record: keyed("K") });
    await south.client.record.addRecord({ app: south.app, record: keyed("L") });
    expect(await keysOf(main)).toEqual([]);
    expect(await keysOf(north)).toEqual(["K"]);
    expect(await keysOf(south)).toEqual(["K", "L"]);
    const foreign = await fetch(`${running.server.baseUrl}/south/k/v1/records.json?app=1`, {
      headers: { "X-Cybozu-API-Token": north.token },
    });
    expect(foreign.status).toBe(400);
    expect(await foreign.json()).toMatchObject({ code: "GAIA_IA02" });
  });

  it("keep a bulkRequest inside, whose inner paths never carry the sub-path", async () => {
    const main = await domain(root, "");
    const north = await domain(await root.createWorkspace("north"), "/north");
    // 250 records travel as one bulkRequest of three.
    const records = Array.from({ length: 250 }, (_, n) => keyed(`n${n}`));
    await north.client.record.addAllRecords({ app: north.app, records });
    expect(await keysOf(main)).toEqual([]);
    expect(await keysOf(north)).toHaveLength(100);
    expect((await north.client.record.getAllRecordsWithId({ app: north.app })).length).toBe(250);
  });

  it("are there again after a restart, and are told from the folder", async () => {
    const north = await domain(await root.createWorkspace("north"), "/north");
    await north.client.record.addRecord({ app: north.app, record: keyed("K") });
    await running.stop();
    expect(workspaceNames(dataDir)).toEqual(["north"]);
    running = await start();
    // The first request may still take the connection of the server that ended.
    await expect.poll(() => keysOf(north).catch(() => null)).toEqual(["K"]);
  });

  it("answer 404 for a name nobody made, and make no file for it", async () => {
    const answer = await fetch(`${running.server.baseUrl}/nobody/k/v1/records.json?app=1`);
    expect(answer.status).toBe(404);
    expect(readdirSync(kintonePaths(dataDir).folder)).not.toContain("workspaces");
  });

  it.each(["k", "", "North", "a/b", "..", "-a", "a-", "x".repeat(33)])(
    "cannot be called %j",
    async (name) => {
      const refused = await root.createWorkspace(name).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(FlowError);
      expect(refused).toMatchObject({ code: "WORKSPACE_NAME_INVALID" });
    },
  );

  it("answer 503 while their file cannot be read; the others go on", async () => {
    const main = await domain(root, "");
    await root.createWorkspace("north");
    await running.stop();
    writeFileSync(
      join(kintonePaths(dataDir).workspaces, "north.sqlite"),
      "no database at all, but long enough",
    );
    running = await start();
    const answer = await fetch(`${running.server.baseUrl}/north/k/v1/records.json?app=1`);
    expect(answer.status).toBe(503);
    expect(await keysOf(main)).toEqual([]);
    expect(lines.some((line) => line.startsWith("failure: "))).toBe(true);
  });
});
