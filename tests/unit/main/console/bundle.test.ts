import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCollection } from "../../../../main/console/bundle/collect.ts";
import { packBundle } from "../../../../main/console/bundle/pack.ts";
import { tailOf } from "../../../../main/console/bundle/tails.ts";
import type { AttentionPicture, ConsoleApi, SavedBundle } from "../../../../shared/api/index.ts";
import {
  EVIDENCE_MANIFEST_PATH,
  type EvidenceManifest,
  evidenceManifest,
  readZip,
} from "../../../../shared/bundle/index.ts";
import { sha256Hex } from "../../../../shared/domain/hash.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../support/console-fixture.ts";

const SLOW = 120_000;
let opened: EmbeddedConsole;
let api: ConsoleApi;
let runId = "";
let secrets: readonly string[] = [];

beforeAll(async () => {
  opened = await openConsole();
  api = opened.api;
  const variables = opened.workspace.environment();
  secrets = Object.entries(variables).flatMap(([name, text]) => (name.includes("TOKEN") ? [text] : []));
  runId = await failingRun();
}, SLOW);
afterAll(() => opened.close(), SLOW);

async function failingRun(): Promise<string> {
  const target = { networkId: "failing_assert", businessKey: "night" };
  const { fingerprint } = value(await api.start.preview(target));
  const operationId = randomUUID();
  value(await api.start.execute({ ...target, operationId, fingerprint, reason: "a failing night" }));
  const seen = await picture(({ items }) => items.some((item) => item.nodeId !== null));
  const found = seen.items[0]?.runId ?? "";
  const giveUp = AbortSignal.timeout(60_000);
  for await (const { operations } of await api.live.watch({}, { signal: giveUp })) {
    if (operations.some((each) => each.operationId === operationId && each.endedAt !== null)) break;
    const known = await api.operations.get({ operationId });
    if (known.ok && known.value.endedAt !== null) break;
  }
  return found;
}

async function picture(shows: (seen: AttentionPicture) => boolean): Promise<AttentionPicture> {
  const giveUp = AbortSignal.timeout(60_000);
  for await (const seen of await api.attention.watch({}, { signal: giveUp })) if (shows(seen)) return seen;
  throw new Error("the stream ended");
}

interface Opened {
  readonly manifest: EvidenceManifest;
  readonly texts: ReadonlyMap<string, string>;
}

/** Fetches a bundle as a page does, and reads it back. */
async function fetched({ file }: SavedBundle): Promise<Opened> {
  const parts: Buffer[] = [];
  for (let index = 0; index < file.parts; index += 1) {
    parts.push(Buffer.from(value(await api.files.part({ fileId: file.fileId, index })).base64, "base64"));
  }
  const entries = value(readZip(Buffer.concat(parts)));
  const texts = new Map(entries.map(({ name, data }) => [name, Buffer.from(data).toString("utf8")]));
  const manifest = evidenceManifest.parse(JSON.parse(texts.get(EVIDENCE_MANIFEST_PATH) ?? ""));
  for (const { path, bytes, sha256 } of manifest.files) {
    const data = entries.find(({ name }) => name === path)?.data ?? new Uint8Array();
    expect([path, data.length, sha256Hex(data)]).toEqual([path, bytes, sha256]);
  }
  expect(entries).toHaveLength(manifest.files.length + 1);
  return { manifest, texts };
}

const json = ({ texts }: Opened, path: string) => JSON.parse(texts.get(path) ?? "null");

describe("証跡を保存 (operator-ux §1.2): what this host can say of one Run, as one file", () => {
  it("holds records with revisions, history, journal, logs, processes and notes, each with its hash", async () => {
    value(await api.notes.add({ noteId: randomUUID(), runId, author: "佐藤", text: "業務側に連絡済み" }));
    const found = await fetched(value(await api.bundle.run({ runId })));
    expect(found.manifest).toMatchObject({
      kind: "FLOWNET_EVIDENCE",
      subject: { runId, businessKey: "night" },
      gaps: [],
    });
    const run = json(found, "records/run.json");
    expect(run.run).toMatchObject({ runId, ref: { revision: expect.any(Number) } });
    expect(run.attempts.length).toBeGreaterThan(0);
    const { entries } = json(found, "audit/history.json");
    expect(entries.some(({ entry }: { entry: { kind: string } }) => entry.kind === "invocation")).toBe(true);
    expect(json(found, "journal/attempts.json")[0].evidence.spawned).toMatchObject({ event: "spawned" });
    expect(json(found, "notes.json")).toMatchObject([{ author: "佐藤", text: "業務側に連絡済み" }]);
    expect([...found.texts.keys()].some((path) => path.startsWith("logs/attempt_"))).toBe(true);
    expect(json(found, "attention.json").items.length).toBeGreaterThan(0);
  });

  it("holds no token, and neither does the diagnosis (electron-desktop S4)", async () => {
    expect(secrets.length).toBeGreaterThan(2);
    for (const saved of [await api.bundle.run({ runId }), await api.bundle.diagnosis({})]) {
      const { texts } = await fetched(value(saved));
      const whole = [...texts].map(([path, text]) => `${path}\n${text}`).join("\n");
      expect(secrets.filter((secret) => whole.includes(secret))).toEqual([]);
    }
  });

  it("is refused for a Run that is not there, and leaves nothing in the data folder", async () => {
    const before = await readdir(opened.dataDir);
    expect(code(await api.bundle.run({ runId: "netrun_nowhere" }))).toBe("RECORD_NOT_FOUND");
    value(await api.bundle.run({ runId }));
    expect(await readdir(opened.dataDir)).toEqual(before);
  });
});

describe("診断一式を保存 (electron-desktop G5)", () => {
  it("holds versions, connection, program log, journals and the data folder's list", async () => {
    opened.workspace.log.problem("test", { code: "A_TEST_PROBLEM", message: "written for the diagnosis" });
    value(await api.runs.refresh({}));
    const found = await fetched(value(await api.bundle.diagnosis({})));
    expect(found.manifest).toMatchObject({ kind: "FLOWNET_DIAGNOSIS", subject: null, gaps: [] });
    expect(json(found, "host.json")).toMatchObject({ versions: { node: process.versions.node } });
    expect(json(found, "connection.json")).toMatchObject({ kind: "embedded" });
    expect(found.texts.get("log/flownet.jsonl")).toContain("A_TEST_PROBLEM");
    expect([...found.texts.keys()].some((path) => path.startsWith("journal/attempts-"))).toBe(true);
    expect(json(found, "journal/chain.json")).toMatchObject({ state: expect.any(String) });
    expect(json(found, "data-folder.json").length).toBeGreaterThan(3);
  });
});

describe("one file of many (operator-ux §1.2)", () => {
  const head = {
    kind: "FLOWNET_DIAGNOSIS" as const,
    formatVersion: 1 as const,
    madeAt: "2026-09-05T05:03:20Z",
    madeBy: { account: "ops1", host: "HOST-A" },
    program: { version: "0", node: "24", electron: null, platform: "linux-x64" },
    workspace: { profile: "prod", baseUrl: "https://example.cybozu.com" },
    subject: null,
  };

  it("names what could not be read instead of failing", async () => {
    const collection = createCollection((value) => value);
    await collection.json("there.json", () => ({ a: 1 }));
    await collection.json("gone.json", async () => {
      throw new Error("no such table");
    });
    const packed = value(packBundle(collection, head, () => false));
    expect(packed.manifest.files.map(({ path }) => path)).toEqual(["there.json"]);
    expect(packed.manifest.gaps).toMatchObject([{ what: "gone.json", message: "no such table" }]);
  });

  it("is refused whole where a secret is left, and the refusal does not say it", async () => {
    const collection = createCollection((value) => value);
    await collection.text("log/flownet.jsonl", () => "token is abcdef123456");
    const packed = packBundle(collection, head, (text) => text.includes("abcdef123456"));
    expect(code(packed)).toBe("BUNDLE_HOLDS_SECRET");
    expect(JSON.stringify(packed)).not.toContain("abcdef123456");
  });

  it("takes the end of a long file from a line's beginning on", async () => {
    const whole = await tailOf(import.meta.filename, 1_000_000);
    const end = await tailOf(import.meta.filename, 300);
    expect(end.length).toBeLessThanOrEqual(300);
    expect(whole.endsWith(end)).toBe(true);
    expect(whole.at(-end.length - 1)).toBe("\n");
    await expect(tailOf(join(import.meta.dirname, "nothing"), 10)).rejects.toThrow();
  });
});
