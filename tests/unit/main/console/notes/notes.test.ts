import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notesFile } from "../../../../../main/console/notes/index.ts";
import type { AttentionPicture, ConsoleApi } from "../../../../../shared/api/index.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../../support/console-fixture.ts";

const SLOW = 120_000;
let opened: EmbeddedConsole;
let api: ConsoleApi;
let itemId = "";

beforeAll(async () => {
  opened = await openConsole();
  api = opened.api;
}, SLOW);
afterAll(() => opened.close(), SLOW);

async function picture(shows: (seen: AttentionPicture) => boolean): Promise<AttentionPicture> {
  const giveUp = AbortSignal.timeout(60_000);
  for await (const seen of await api.attention.watch({}, { signal: giveUp })) if (shows(seen)) return seen;
  throw new Error("the stream ended");
}

async function start(networkId: string, businessKey: string): Promise<void> {
  const target = { networkId, businessKey };
  const { fingerprint } = value(await api.start.preview(target));
  value(
    await api.start.execute({ ...target, operationId: randomUUID(), fingerprint, reason: "a failing night" }),
  );
}

async function onDisk() {
  const name = (await readdir(opened.dataDir)).find((each) => each.startsWith("notes-")) ?? "";
  const path = join(opened.dataDir, name);
  return { path, file: notesFile.parse(JSON.parse(await readFile(path, "utf8"))) };
}

describe("対応中 (operator-ux §1.2): a mark on a row, never instead of it", () => {
  it(
    "is shown on the row with name, note and account, and on the disk before it is answered",
    async () => {
      await start("failing_assert", "night");
      const seen = await picture(({ items }) => items.some((item) => item.nodeId !== null));
      itemId = seen.items[0]?.id ?? "";
      const mark = value(await api.notes.acknowledge({ itemId, name: " 佐藤 ", note: "データを確認中" }));
      expect(mark).toMatchObject({ name: "佐藤", note: "データを確認中" });
      expect((await onDisk()).file.acknowledgements[itemId]).toEqual(mark);
      const marked = await picture(({ items }) => items[0]?.acknowledged !== undefined);
      expect(marked.items[0]?.acknowledged).toEqual(mark);
      expect(marked.total).toBe(seen.total);
      expect(marked.calm).toBe(false);
    },
    SLOW,
  );

  it("is taken back", async () => {
    value(await api.notes.release({ itemId }));
    const seen = await picture(({ items }) => items[0]?.acknowledged === undefined);
    expect(seen.items[0]?.id).toBe(itemId);
  });

  it("goes by itself once the list was read to its end and does not hold its item any more", async () => {
    value(await api.notes.acknowledge({ itemId: "something that is over", name: "佐藤", note: "" }));
    value(await api.notes.acknowledge({ itemId, name: "佐藤", note: "" }));
    await picture(({ items }) => items[0]?.acknowledged !== undefined);
    expect(Object.keys((await onDisk()).file.acknowledgements)).toEqual([itemId]);
  });

  it("is refused in the mode for looking, and without a name", async () => {
    value(await api.workspace.setMode({ mode: "view" }));
    expect(code(await api.notes.acknowledge({ itemId, name: "佐藤", note: "" }))).toBe("MODE_VIEW_ONLY");
    expect(code(await api.notes.release({ itemId }))).toBe("MODE_VIEW_ONLY");
    value(await api.workspace.setMode({ mode: "operate" }));
    await expect(api.notes.acknowledge({ itemId, name: "  ", note: "" })).rejects.toThrow();
  });
});

describe("notes on a Run (operator-ux §1.2)", () => {
  const runId = "netrun_1";
  it("are kept newest first with author, account and time; the same one twice is one", async () => {
    const noteId = randomUUID();
    value(await api.notes.add({ noteId, runId, author: "佐藤", text: "業務側に連絡済み" }));
    value(await api.notes.add({ noteId, runId, author: "佐藤", text: "業務側に連絡済み" }));
    value(await api.notes.add({ noteId: randomUUID(), runId: "netrun_2", author: "佐藤", text: "別" }));
    const { notes } = value(
      await api.notes.add({ noteId: randomUUID(), runId, author: "鈴木", text: "明朝に再開" }),
    );
    expect(notes.map(({ author, text }) => [author, text])).toEqual([
      ["鈴木", "明朝に再開"],
      ["佐藤", "業務側に連絡済み"],
    ]);
    const { notes: left } = value(await api.notes.remove({ runId, noteId }));
    expect(left.map(({ author }) => author)).toEqual(["鈴木"]);
    expect(value(await api.notes.list({ runId: "netrun_2" })).notes).toHaveLength(1);
  });

  it("are never written over when their file cannot be read, and the list of what needs somebody stays", async () => {
    const { path } = await onDisk();
    await writeFile(path, "{half");
    expect(code(await api.notes.list({ runId }))).toBe("NOTES_UNREADABLE");
    const add = { noteId: randomUUID(), runId, author: "佐藤", text: "x" };
    expect(code(await api.notes.add(add))).toBe("NOTES_UNREADABLE");
    expect(await readFile(path, "utf8")).toBe("{half");
    expect(value(await api.attention.list({})).items).toHaveLength(1);
  });
});
