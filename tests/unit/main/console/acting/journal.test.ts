import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { actionsOf } from "../../../../../main/console/acting/journal/actions.ts";
import { actionLineSchema, createActionJournal } from "../../../../../main/console/acting/journal/index.ts";
import type { ActionEntry } from "../../../../../main/console/acting/journal/line.ts";
import { operationOf, recoverOpen } from "../../../../../main/console/acting/recorder.ts";

const WHO = {
  account: "SITE\\tanaka",
  requestedBy: "tanaka",
  servicePrincipal: "HOST-A",
  host: "HOST-A",
  version: "0.1.0",
  pid: 4321,
};
let folder: string;
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-actions-"));
  now = Date.parse("2026-09-30T23:59:58.000Z");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const journal = () =>
  createActionJournal({ folder: join(folder, "actions"), who: WHO, nowMs: () => (now += 1_000) });

const accepted = (operationId: string, over: Partial<Extract<ActionEntry, { step: "accepted" }>> = {}) =>
  ({
    step: "accepted",
    operationId,
    action: "stop",
    operation: "STOP",
    subject: {
      profile: "prod",
      networkId: "net",
      businessKey: "night",
      runId: "netrun_1",
      nodeId: null,
      requestId: null,
      jobKey: null,
    },
    arguments: { runId: "netrun_1", reason: "look first" },
    seen: { run: { recordId: "7", revision: 3 }, hold: null },
    reason: "look first",
    evidence: [],
    fingerprint: "0123456789abcdef",
    planAgeMs: 1200,
    probes: [],
    consent: { kind: "none", account: null },
    filed: null,
    ...over,
  }) as const;

const ended = (operationId: string) =>
  ({
    step: "ended",
    operationId,
    state: "done",
    code: null,
    message: null,
    detail: { holdState: "REQUESTED" },
    probes: [],
    recovered: false,
  }) as const;

const fileNames = (): Promise<string[]> => readdir(join(folder, "actions"));
const lastFile = async (): Promise<string> =>
  join(folder, "actions", (await fileNames()).sort().at(-1) ?? "");

describe("the action journal (operator-ux §2.5)", () => {
  it("ties each line to the one before, through the months and through a restart", async () => {
    const first = journal();
    await Promise.all([first.append(accepted("a")), first.append(ended("a")), first.append(accepted("b"))]);
    await journal().append(ended("b"));
    expect((await fileNames()).sort()).toEqual(["actions-2026-09.jsonl", "actions-2026-10.jsonl"]);
    expect(await journal().check()).toMatchObject({ lines: 4, breaks: [] });
  });

  it("has no lines and a sound chain before anything was done", async () => {
    expect(await journal().check()).toEqual({ lines: 0, breaks: [], head: "0".repeat(64) });
    expect(await journal().read({ before: null, limit: 10, filter: {} })).toEqual({
      actions: [],
      nextBefore: null,
    });
  });

  it.each([
    ["changed", (text: string) => text.replace("look first", "look later"), "unlinked"],
    ["left out", (text: string) => text.split("\n").slice(1).join("\n"), "unlinked"],
    ["made unreadable", (text: string) => text.replace('"step":"ended"', '"step":"gone"'), "unreadable"],
  ])("tells of a line that was %s", async (_, spoil, kind) => {
    now = Date.parse("2026-09-02T00:00:00.000Z");
    const written = journal();
    await written.append(accepted("a"));
    await written.append(ended("a"));
    await written.append(accepted("b"));
    const file = await lastFile();
    await writeFile(file, spoil(await readFile(file, "utf8")));
    const { breaks } = await journal().check();
    expect(breaks[0]?.kind).toBe(kind);
  });

  it("goes on behind a line that a dying program left unfinished, and says so", async () => {
    now = Date.parse("2026-09-02T00:00:00.000Z");
    await journal().append(accepted("a"));
    const file = await lastFile();
    await writeFile(file, `${await readFile(file, "utf8")}{"kind":"FLOWNET_ACT`);
    await journal().append(ended("a"));
    expect((await journal().check()).breaks).toEqual([
      { file: "actions-2026-09.jsonl", line: 2, kind: "unreadable" },
    ]);
    expect((await journal().find("a"))?.ended?.state).toBe("done");
  });

  it("goes on behind the last line of an older month where a full disk left the newest file empty", async () => {
    now = Date.parse("2026-09-02T00:00:00.000Z");
    await journal().append(accepted("a"));
    await writeFile(join(folder, "actions", "actions-2026-10.jsonl"), "");
    await journal().append(ended("a"));
    await writeFile(join(folder, "actions", "actions-2026-11.jsonl"), '{"kind":"FLOWNET_ACT');
    await journal().append(accepted("b"));
    const { lines, breaks } = await journal().check();
    expect(lines).toBe(3);
    expect(breaks).toEqual([{ file: "actions-2026-11.jsonl", line: 1, kind: "unreadable" }]);
    const { actions } = await journal().read({ before: null, limit: 9, filter: {} });
    expect(actions.map(({ accepted: { seq } }) => seq)).toEqual([3, 1]);
  });

  it("takes an id once: nothing done in secret is hidden behind a later action of the same id", async () => {
    const alone = { consent: { kind: "breakGlass", account: null }, action: "close" } as const;
    await journal().append(accepted("a", alone));
    await journal().append(ended("a"));
    const later = accepted("a", { action: "processStop", operation: "PROCESS_STOP" });
    await expect(journal().append(later)).rejects.toMatchObject({ code: "OPERATION_UNDER_WAY" });
    const unseen = await journal().read({ before: null, limit: 9, filter: { needsReview: true } });
    expect(unseen.actions.map(({ accepted: { action } }) => action)).toEqual(["close"]);
    expect(await journal().check()).toMatchObject({ lines: 2, breaks: [] });
  });

  it("shows both where two lines claim one id all the same", () => {
    const line = (seq: number, action: "close" | "stop") =>
      actionLineSchema.parse({
        ...accepted("a", { action }),
        ...{ kind: "FLOWNET_ACTION", formatVersion: 1, seq, previous: "0".repeat(64) },
        ...{ at: "2026-09-02T00:00:00.000Z", who: WHO },
      });
    const found = actionsOf([line(1, "close"), line(2, "stop")]);
    expect(found.map(({ accepted: { action } }) => action)).toEqual(["stop", "close"]);
  });

  it("is read a page at a time, newest first, each operation with its end", async () => {
    const written = journal();
    for (const id of ["a", "b", "c"]) {
      await written.append(accepted(id));
      await written.append(ended(id));
    }
    const first = await journal().read({ before: null, limit: 2, filter: {} });
    expect(first.actions.map((each) => [each.accepted.operationId, each.ended?.state])).toEqual([
      ["c", "done"],
      ["b", "done"],
    ]);
    const second = await journal().read({ before: first.nextBefore, limit: 2, filter: {} });
    expect(second.actions.map((each) => each.accepted.operationId)).toEqual(["a"]);
    expect(second.nextBefore).toBeNull();
  });

  it("finds what is looked for", async () => {
    const written = journal();
    await written.append(accepted("a"));
    await written.append(accepted("b", { consent: { kind: "breakGlass", account: null }, action: "close" }));
    const ids = async (filter: Parameters<typeof written.read>[0]["filter"]) =>
      (await written.read({ before: null, limit: 9, filter })).actions.map(
        (each) => each.accepted.operationId,
      );
    expect(await ids({ needsReview: true })).toEqual(["b"]);
    expect(await ids({ actions: ["stop"] })).toEqual(["a"]);
    expect(await ids({ account: "site\\TANAKA", runId: "netrun_1" })).toEqual(["b", "a"]);
    expect(await ids({ networkId: "other" })).toEqual([]);
    const ofOneself = { kind: "person", account: "bob", passphraseBy: "tanaka" } as const;
    await written.append(accepted("c", { consent: ofOneself }));
    await written.append(accepted("d", { consent: { kind: "person", account: "suzuki" } }));
    expect(await ids({ needsReview: true })).toEqual(["c", "b"]);
    expect((await written.find("c"))?.accepted.consent).toEqual(ofOneself);
  });
});

describe("an operation a console did not live to end (electron-desktop I5)", () => {
  const own = (pid: number) => ({ pid, since: "2026-09-01T00:00:00.000Z" });

  it("gets its end also where every start has the same process number", async () => {
    const written = journal();
    await written.append(accepted("a"));
    const since = new Date(now + 1).toISOString();
    await written.append(accepted("b"));
    const found = await recoverOpen(written, { pid: WHO.pid, since });
    expect(found.map(({ operationId }) => operationId)).toEqual(["a"]);
  });

  it("gets its end from the next start: uncertain, once, and never from its own process", async () => {
    const written = journal();
    await written.append(accepted("a"));
    expect(await recoverOpen(written, own(WHO.pid))).toEqual([]);
    const [operation] = await recoverOpen(written, own(9999));
    expect(operation).toMatchObject({
      operationId: "a",
      kind: "stop",
      runId: "netrun_1",
      state: "uncertain",
      problem: { code: "OPERATION_END_UNKNOWN" },
    });
    expect(await recoverOpen(written, own(9999))).toEqual([]);
    const found = await written.find("a");
    expect(found?.ended).toMatchObject({ state: "uncertain", recovered: true });
    expect(found && operationOf(found).problem?.code).toBe("OPERATION_END_UNKNOWN");
  });
});
