import { createHash, randomUUID } from "node:crypto";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createActionJournal } from "../../../../../main/console/acting/journal/index.ts";
import { chainHash } from "../../../../../main/console/audit/export.ts";
import type { AuditFilter, AuditPlace, ConsoleApi, SavedFile } from "../../../../../shared/api/index.ts";
import { auditExport } from "../../../../../shared/bundle/index.ts";
import {
  type AuditApp,
  archivedRecord,
  brokenRecord,
  openAuditApp,
  releasedRecord,
  startedRecord,
} from "../../../../support/audit-records.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../../support/console-fixture.ts";

const SLOW = 120_000;
const RUN = "netrun_00000000-0000-4000-8000-0000000000aa";
const proof = Buffer.from("ps -p 8812: no such process\n");
const proofHash = createHash("sha256").update(proof).digest("hex");

let opened: EmbeddedConsole;
let api: ConsoleApi;
let app: AuditApp;
const ids: Record<string, string> = {};
let actions: ReturnType<typeof createActionJournal>;

beforeAll(async () => {
  opened = await openConsole();
  api = opened.api;
  app = openAuditApp(opened.workspace);
  ids.started = await app.add(startedRecord(RUN));
  ids.released = await app.add(releasedRecord(proofHash));
  ids.broken = await app.add(brokenRecord());
  ids.archived = await app.add(archivedRecord(RUN));
  const folder = join(opened.dataDir, "journal", "actions");
  const who = {
    account: "ops1",
    requestedBy: "山田",
    servicePrincipal: "HOST-A",
    host: "HOST-A",
    version: "0",
    pid: 1,
  };
  actions = createActionJournal({ folder, who, nowMs: () => Date.parse("2026-09-05T05:03:19Z") });
  await act(randomUUID());
}, SLOW);
afterAll(async () => {
  await app.dispose();
  await opened.close();
}, SLOW);

async function act(operationId: string): Promise<void> {
  await actions.append({
    step: "accepted",
    operationId,
    action: "forceUnlock",
    operation: "FORCE_UNLOCK",
    subject: {
      profile: "local",
      networkId: "sales_import",
      businessKey: null,
      runId: null,
      nodeId: null,
      requestId: null,
      jobKey: null,
    },
    arguments: { kind: "forceUnlock", stopConfirmedBy: "佐藤" },
    seen: {},
    reason: "ホストで確認しました",
    evidence: [{ name: "ps.txt", sha256: proofHash }],
    fingerprint: "f".repeat(64),
    planAgeMs: 3_000,
    probes: [],
    consent: { kind: "person", account: "suzuki" },
    filed: null,
  });
}

const list = async (filter: AuditFilter = {}, before: AuditPlace | null = null, limit = 100) =>
  value(await api.audit.list({ filter, before, limit }));

async function saved(file: SavedFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let index = 0; index < file.parts; index += 1) {
    parts.push(Buffer.from(value(await api.files.part({ fileId: file.fileId, index })).base64, "base64"));
  }
  const whole = Buffer.concat(parts);
  expect(createHash("sha256").update(whole).digest("hex")).toBe(file.sha256);
  return whole;
}

describe("監査履歴 over a real socket and the embedded workspace (operator-ux §2.5)", () => {
  it("tells who did what, records of the audit app and actions of this console, each in its order", async () => {
    const { entries, next } = await list();
    expect(next).toBeNull();
    expect(entries.filter(({ source }) => source === "records").map(({ order }) => order)).toEqual([
      ids.archived,
      ids.broken,
      ids.released,
      ids.started,
    ]);
    expect(entries.find(({ kind }) => kind === "forceRelease")).toMatchObject({
      networkId: "sales_import",
      who: "山田",
      confirmedBy: "佐藤",
      result: "NETWORK_LOCK_FORCE_RELEASED",
      at: "2026-09-05T05:03:20.123Z",
    });
    expect(entries.find(({ kind }) => kind === "action")).toMatchObject({
      key: "journal-1",
      who: "山田",
      confirmedBy: "佐藤",
      approvedBy: "suzuki",
      result: "accepted",
    });
    expect(entries.find(({ kind }) => kind === "unreadable")).toMatchObject({
      order: ids.broken,
      revision: 1,
    });
  });

  it("goes through pages without losing an entry", async () => {
    const keys: string[] = [];
    let before: AuditPlace | null = null;
    do {
      const page = await list({}, before, 2);
      keys.push(...page.entries.map(({ key }) => key));
      before = page.next;
    } while (before !== null);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual((await list()).entries.map(({ key }) => key));
  });

  it.each<[AuditFilter, readonly string[]]>([
    [{ kind: "close" }, ["close"]],
    // A record that cannot be read but names another Run is not of this one.
    [{ run: RUN }, ["close", "invocation"]],
    [{ networkId: "sales_import" }, ["unreadable", "forceRelease", "action"]],
    [{ who: "佐藤", kind: "action" }, ["action"]],
    [{ who: "nobody", kind: "close" }, []],
  ])("%j finds what it asks for", async (filter, kinds) => {
    expect((await list(filter)).entries.map(({ kind }) => kind)).toEqual(kinds);
  });

  it("opens an entry with every field, and says whether its file is kept and still the same", async () => {
    const key = `record-${ids.released}`;
    expect(value(await api.audit.entry({ key })).evidence).toEqual([
      { sha256: proofHash, name: null, bytes: null, state: "absent" },
    ]);
    const kept = join(opened.workspace.folders.evidence, `${proofHash}-ps.txt`);
    await writeFile(kept, proof);
    const detail = value(await api.audit.entry({ key }));
    expect(detail.evidence).toEqual([
      { sha256: proofHash, name: "ps.txt", bytes: proof.length, state: "matches" },
    ]);
    expect(detail.fields).toContainEqual({ name: "stopMethod", value: "local_pid" });
    expect(detail.fields).toContainEqual({ name: "stopEvidenceSha256", value: proofHash });
    await appendFile(kept, "changed");
    expect(value(await api.audit.entry({ key })).evidence).toMatchObject([{ state: "differs" }]);
    const action = value(await api.audit.entry({ key: "journal-1" }));
    expect(action.evidence).toMatchObject([{ sha256: proofHash, state: "differs" }]);
    expect(code(await api.audit.entry({ key: "record-999999" }))).toBe("RECORD_NOT_FOUND");
  });

  it("opens a record nobody can read with its problem, and guesses nothing", async () => {
    const detail = value(await api.audit.entry({ key: `record-${ids.broken}` }));
    expect(detail.problem?.code).toBe("RECORD_UNREADABLE");
    expect(detail.fields).toEqual([]);
  });

  it("exports what the filter finds: CSV for a spreadsheet, JSON with a chain of hashes", async () => {
    const csv = value(await api.audit.export({ filter: {}, format: "csv" }));
    const text = (await saved(csv.file)).toString("utf8");
    expect(text.startsWith("\uFEFFkey,source,")).toBe(true);
    expect(text.trimEnd().split("\r\n")).toHaveLength(csv.entries + 1);
    expect(csv.complete).toBe(true);
    const json = value(await api.audit.export({ filter: { kind: "close" }, format: "json" }));
    const made = auditExport.parse(JSON.parse((await saved(json.file)).toString("utf8")));
    expect(made.entries).toHaveLength(1);
    const [only] = made.entries;
    expect(only?.hash).toBe(
      chainHash("0".repeat(64), { entry: only?.entry, facts: only?.facts, problem: only?.problem }),
    );
    expect(made.head).toBe(only?.hash);
  });

  it("keeps no file for whoever comes late", async () => {
    const { file } = value(await api.audit.export({ filter: {}, format: "csv" }));
    value(await api.files.done({ fileId: file.fileId }));
    expect(code(await api.files.part({ fileId: file.fileId, index: 0 }))).toBe("FILE_GONE");
  });

  it("checks the chain of its own journal, and names the line that does not follow", async () => {
    expect(value(await api.audit.chain({}))).toMatchObject({ state: "sound", lines: 1, brokenAt: null });
    await act(randomUUID());
    await act(randomUUID());
    const folder = join(opened.dataDir, "journal", "actions");
    const [name = ""] = await readdir(folder);
    const lines = (await readFile(join(folder, name), "utf8")).split("\n");
    await writeFile(join(folder, name), [lines[0], lines[2], ""].join("\n"));
    expect(value(await api.audit.chain({}))).toMatchObject({ state: "broken", brokenAt: 2 });
    expect((await list({ kind: "action" })).entries).toHaveLength(2);
  });
});
