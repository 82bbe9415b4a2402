import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backupStore } from "../../../main/local-kintone/admin/backup.ts";
import { checkStore } from "../../../main/local-kintone/admin/check.ts";
import { compactStore } from "../../../main/local-kintone/admin/compact.ts";
import { exportStore } from "../../../main/local-kintone/admin/export.ts";
import { importStore } from "../../../main/local-kintone/admin/import.ts";
import { createLocalKintone } from "../../../main/local-kintone/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { keyed, type Rig, startRig, systemClock, systemIds } from "./support.ts";

let rig: Rig;
let folder: string;
let database: string;
beforeEach(async () => {
  rig = await startRig();
  folder = mkdtempSync(join(tmpdir(), "local-kintone-admin-"));
  database = join(rig.folder, "kintone.sqlite");
});
afterEach(async () => {
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    return error instanceof FlowError ? error.code : String(error);
  }
  return "it worked";
};

/** Three records: one updated, one with an attachment, one deleted again. */
async function someRecords(): Promise<void> {
  const { client, app } = rig;
  const { fileKey } = await client.file.uploadFile({
    file: { name: "束.zip", data: Buffer.from([0, 1, 2, 255]) },
  });
  await client.record.addRecord({ app, record: keyed("一", { bundle: { value: [{ fileKey }] } }) });
  await client.record.addRecord({ app, record: keyed("二", { note: { value: "複数\n行 \u0000" } }) });
  await client.record.addRecord({ app, record: keyed("三") });
  await client.record.updateRecord({ app, id: 2, record: { status: { value: "RUNNING" } } });
  await client.record.deleteRecords({ app, ids: [3] });
}

/** Everything a client can see through a token: records with ids, revisions and times, and the attachment's bytes. */
async function seen(client: KintoneRestAPIClient, app: string): Promise<unknown> {
  const { records } = await client.record.getRecords({ app, query: "order by $id asc" });
  const [file] = records.flatMap((record) => (record.bundle?.type === "FILE" ? record.bundle.value : []));
  const bytes = file === undefined ? null : await client.file.downloadFile({ fileKey: file.fileKey });
  return { records, bytes: bytes === null ? null : Buffer.from(bytes).toString("hex") };
}

/** Opens a store made here, with a token made anew, and answers what `work` sees. */
async function within<T>(path: string, work: (client: KintoneRestAPIClient) => Promise<T>): Promise<T> {
  const server = createLocalKintone({ databasePath: path, clock: systemClock, ids: systemIds });
  try {
    const { port } = await server.listen({ port: 0 });
    const apiToken = server.provision.createToken(rig.app, ["view", "add", "edit", "delete"], "again");
    const baseUrl = `http://localhost:${port}`;
    return await work(new KintoneRestAPIClient({ baseUrl, auth: { apiToken }, proxy: false }));
  } finally {
    await server.dispose();
  }
}

const exported = (target: string, withTokens = false): ReturnType<typeof exportStore> =>
  exportStore({ source: database, target, withTokens, port: 21_234, now: 0, signal });

describe("an export and its import", () => {
  it("bring back every record with its id, revision and times, and every attachment", async () => {
    await someRecords();
    const file = join(folder, "all.gz");
    expect(await exported(file)).toMatchObject({ apps: 1, records: 2, files: 1, withTokens: false });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const target = join(folder, "kintone.sqlite");
    const imported = await importStore({ source: file, target, signal });
    expect(imported).toMatchObject({ apps: 1, records: 2, files: 1, port: 21_234 });
    expect(imported.databaseId).toBe(rig.server.provision.databaseId());
    expect(await within(target, (client) => seen(client, rig.app))).toEqual(await seen(rig.client, rig.app));
    expect(checkStore(target).findings).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
  });

  it("never give an id twice: the counter of the app comes along (kintone-rest §6)", async () => {
    await someRecords();
    const target = join(folder, "kintone.sqlite");
    await exported(join(folder, "all.gz"));
    await importStore({ source: join(folder, "all.gz"), target, signal });
    const added = await within(target, (client) =>
      client.record.addRecord({ app: rig.app, record: keyed("四") }),
    );
    expect(added.id).toBe("4");
  });

  it("carry tokens and users only when asked to", async () => {
    rig.server.provision.createUser({ code: "sato", name: "佐藤" }, "a password nobody guesses");
    await exported(join(folder, "plain.gz"));
    await exported(join(folder, "secret.gz"), true);
    const plain = gunzipSync(readFileSync(join(folder, "plain.gz"))).toString("utf8");
    const secret = gunzipSync(readFileSync(join(folder, "secret.gz"))).toString("utf8");
    expect(plain).not.toContain(rig.token);
    expect(plain).not.toContain("佐藤");
    expect(secret).toContain(rig.token);
    const target = join(folder, "kintone.sqlite");
    await importStore({ source: join(folder, "secret.gz"), target, signal });
    const server = createLocalKintone({ databasePath: target, clock: systemClock, ids: systemIds });
    expect(server.provision.createToken(rig.app, ["view"], "test")).toBe(rig.token);
    await server.dispose();
  });

  it("leave a workspace that has apps alone", async () => {
    await exported(join(folder, "all.gz"));
    const target = join(folder, "kintone.sqlite");
    await importStore({ source: join(folder, "all.gz"), target, signal });
    const before = readFileSync(target);
    expect(await codeOf(() => importStore({ source: join(folder, "all.gz"), target, signal }))).toBe(
      "TARGET_NOT_EMPTY",
    );
    expect(readFileSync(target).equals(before)).toBe(true);
    expect(await codeOf(() => exported(join(folder, "all.gz")))).toBe("TARGET_EXISTS");
    expect(await codeOf(() => exported(join(folder, "nowhere", "all.gz")))).toBe("TARGET_FOLDER_MISSING");
  });

  const END = /\n([^\n]*)\n$/;
  const broken: readonly (readonly [string, (plain: string) => Buffer, string])[] = [
    ["cut in the middle", (plain) => gzipSync(plain).subarray(0, 400), "EXPORT_DAMAGED"],
    ["cut at a line", (plain) => gzipSync(plain.replace(END, "\n")), "EXPORT_DAMAGED"],
    ["with one letter changed", (plain) => gzipSync(plain.replace("複数", "復数")), "EXPORT_DAMAGED"],
    ["with a row less", (plain) => gzipSync(plain.replace(/\n\[[^\n]*\n/, "\n")), "EXPORT_DAMAGED"],
    ["with lines behind its end", (plain) => gzipSync(`${plain}[0]\n`), "EXPORT_DAMAGED"],
    ["that is no gzip", (plain) => Buffer.from(plain), "EXPORT_DAMAGED"],
    ["of something else", () => gzipSync('{"kind":"OTHER"}\n'), "EXPORT_INVALID"],
    [
      "of a newer layout",
      (plain) => gzipSync(plain.replace(/"layout":\d+/, '"layout":9999')),
      "EXPORT_NEWER",
    ],
    [
      "with a table that is none",
      (plain) => gzipSync(plain.replace('"name":"apps"', '"name":"appz"')),
      "EXPORT_DAMAGED",
    ],
  ];
  it.each(broken)("refuse a file %s, and leave nothing behind", async (_, spoil, code) => {
    await someRecords();
    await exported(join(folder, "all.gz"));
    const plain = gunzipSync(readFileSync(join(folder, "all.gz"))).toString("utf8");
    writeFileSync(join(folder, "spoiled.gz"), spoil(plain));
    const target = join(folder, "kintone.sqlite");
    expect(await codeOf(() => importStore({ source: join(folder, "spoiled.gz"), target, signal }))).toBe(
      code,
    );
    expect(readdirSync(folder).sort()).toEqual(["all.gz", "spoiled.gz"]);
  });
});

describe("a backup while serving", () => {
  it("is one sound file of one moment, whatever is written meanwhile", async () => {
    await someRecords();
    let written = 0;
    const stop = new AbortController();
    const writing = (async () => {
      for (; !stop.signal.aborted; written += 1) {
        await rig.client.record.addRecord({ app: rig.app, record: keyed(`w${written}`) });
      }
    })();
    await expect.poll(() => written).toBeGreaterThan(20);
    const target = join(folder, "copy.sqlite");
    const made = await backupStore(database, target);
    stop.abort();
    await writing;
    expect(made.databaseId).toBe(rig.server.provision.databaseId());
    const checked = checkStore(target);
    expect(checked.findings).toEqual([]);
    expect(checked.records).toBe(made.records);
    expect(made.records).toBeGreaterThan(20);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["copy.sqlite"]);
  });

  it("can take the place of the store", async () => {
    await someRecords();
    const target = join(folder, "kintone.sqlite");
    await backupStore(database, target);
    expect(await within(target, (client) => seen(client, rig.app))).toEqual(await seen(rig.client, rig.app));
  });

  it("overwrites nothing", async () => {
    writeFileSync(join(folder, "mine"), "mine");
    expect(await codeOf(() => backupStore(database, join(folder, "mine")))).toBe("TARGET_EXISTS");
    expect(readFileSync(join(folder, "mine"), "utf8")).toBe("mine");
  });
});

describe("the check of a store", () => {
  const wrongs: readonly (readonly [string, string])[] = [
    ["index-missing", "DELETE FROM unique_index WHERE record % 2 = 0"],
    ["index-missing", "DELETE FROM field_index WHERE value = 'RUNNING'"],
    ["index-surplus", "INSERT INTO field_index VALUES (1, 'nowhere', 1)"],
    ["record-body", "UPDATE records SET revision = revision + 1"],
    ["record-app", "UPDATE records SET key = key + 4294967296 * 40"],
    ["record-counter", "UPDATE record_ids SET last = 1"],
    ["file-record", "UPDATE files SET record = 1"],
    ["file-size", "UPDATE files SET size = size + 1"],
  ];
  it.each(wrongs)("finds what breaks the rule %s (%s)", async (rule, statement) => {
    await someRecords();
    expect(checkStore(database)).toMatchObject({ apps: 1, records: 2, files: 1, findings: [] });
    const handle = new DatabaseSync(database);
    handle.exec(statement);
    handle.close();
    expect(checkStore(database).findings.map((finding) => finding.rule)).toContain(rule);
  });
});

describe("compacting", () => {
  it("gives unused space back while served, and changes nothing else", async () => {
    const { client, app } = rig;
    await someRecords();
    const note = "x".repeat(50_000);
    const records = Array.from({ length: 40 }, (_, n) => keyed(`n${n}`, { note: { value: note } }));
    const { ids } = await client.record.addRecords({ app, records });
    await client.record.deleteRecords({ app, ids: ids.map(Number) });
    const before = await seen(client, app);
    const { bytesBefore, bytesAfter } = compactStore(database);
    expect(bytesAfter).toBeLessThan(bytesBefore / 2);
    expect(await seen(client, app)).toEqual(before);
    expect(existsSync(database)).toBe(true);
    expect(checkStore(database).findings).toEqual([]);
  });
});
