import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { evidenceOf } from "../../../../main/attempt/journal/evidence.ts";
import { type HostFacts, readHostFacts } from "../../../../main/attempt/journal/host-facts.ts";
import { type AttemptJournal, createJournal } from "../../../../main/attempt/journal/journal.ts";
import { parseJournal } from "../../../../main/attempt/journal/reader.ts";
import { journalLockOwner, localFactsOf } from "../../../../main/attempt/local-facts.ts";
import { createInspector, systemBootId } from "../../../../main/process/index.ts";

const clock = { nowMs: () => Date.parse("2026-08-01T09:00:00.000Z") };
const here: HostFacts = { host: "host-a", bootId: "boot-1" };
const intent = {
  event: "intent",
  attemptId: "a-1",
  runId: "r-1",
  nodeId: "n",
  jobId: "j",
  attemptNo: 1,
} as const;
const spawned = {
  event: "spawned",
  attemptId: "a-1",
  process: { pid: 4242, processStart: "2026-08-01T09:00:00.120Z", image: "/usr/bin/node" },
} as const;

let folder = "";
let open: AttemptJournal[] = [];
let serial = 0;
const journal = (hostFacts: HostFacts = here): AttemptJournal => {
  const made = createJournal({
    folder: join(folder, "journal"),
    hostFacts,
    clock,
    ids: { uuid: () => `${String(serial++).padStart(8, "0")}-0000-4000-8000-000000000000` },
  });
  open.push(made);
  return made;
};
const onlyFile = (): string => {
  const [name, ...more] = readdirSync(join(folder, "journal"));
  if (name === undefined || more.length > 0) throw new Error("expected one journal file");
  return join(folder, "journal", name);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flownet-journal-"));
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((one) => one.dispose()));
  rmSync(folder, { recursive: true, force: true });
});

describe("the attempt journal (decisions §3)", () => {
  it("writes one JSON line an event, with kind, format version and the facts of the host", async () => {
    const mine = journal();
    await mine.append(intent);
    expect(JSON.parse(readFileSync(onlyFile(), "utf8"))).toEqual({
      kind: "ATTEMPT_JOURNAL",
      formatVersion: 1,
      at: "2026-08-01T09:00:00.000Z",
      host: "host-a",
      bootId: "boot-1",
      ...intent,
    });
    expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
  });

  it("keeps lines written at once whole and in order", async () => {
    const mine = journal();
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => mine.append({ ...intent, attemptId: `a-${i}`, attemptNo: i + 1 })),
    );
    const { lines, lostLines } = parseJournal(readFileSync(onlyFile(), "utf8"));
    expect(lostLines).toBe(0);
    expect(lines.map((line) => "attemptNo" in line && line.attemptNo)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
  });

  it("finds what another program on this data folder wrote", async () => {
    await journal().append(intent);
    await journal().append({ ...intent, attemptId: "a-2" });
    expect((await journal().evidenceFor("a-2")).intent?.attemptId).toBe("a-2");
    expect(readdirSync(join(folder, "journal"))).toHaveLength(2);
  });

  it("knows nothing, and says so, of an attempt that is not in it", async () => {
    expect(await journal().evidenceFor("a-1")).toEqual({
      intent: null,
      spawned: null,
      exited: null,
      settled: null,
      thisHostAndBoot: false,
      mayBeIncomplete: true,
    });
  });

  it("reads past a torn last line and no longer proves an absence with it", async () => {
    const mine = journal();
    await mine.append(intent);
    await mine.dispose();
    expect(await journal().evidenceFor("a-1")).toMatchObject({
      thisHostAndBoot: true,
      mayBeIncomplete: false,
    });
    appendFileSync(onlyFile(), JSON.stringify(spawned).slice(0, 30));
    const evidence = await journal().evidenceFor("a-1");
    expect(evidence).toMatchObject({ intent, spawned: null, mayBeIncomplete: true });
  });

  it("refuses to judge by a journal that cannot be read", async () => {
    writeFileSync(join(folder, "journal"), "a file where the folder should be");
    await expect(journal().evidenceFor("a-1")).rejects.toMatchObject({ code: "JOURNAL_UNREADABLE" });
    await expect(journal().append(intent)).rejects.toMatchObject({ code: "JOURNAL_WRITE_FAILED" });
  });

  it.each<[string, HostFacts, boolean]>([
    ["the same host and boot", here, true],
    ["another boot", { ...here, bootId: "boot-2" }, false],
    ["another host", { ...here, host: "host-b" }, false],
    ["an unknown boot", { ...here, bootId: null }, false],
  ])("owns an attempt only on the same host and boot: %s", async (_name, facts, owned) => {
    await journal().append(intent);
    expect((await journal(facts).evidenceFor("a-1")).thisHostAndBoot).toBe(owned);
  });

  it("never calls two unknown boots the same", () => {
    const head = { kind: "ATTEMPT_JOURNAL", formatVersion: 1, at: "2026-08-01T09:00:00.000Z" } as const;
    const unknown: HostFacts = { host: "host-a", bootId: null };
    const file = { name: "f", lines: [{ ...head, ...unknown, ...intent }], lostLines: 0 };
    expect(evidenceOf([file], "a-1", unknown).thisHostAndBoot).toBe(false);
  });

  it("tells who held the lock for an invocation, the last line counting", async () => {
    const mine = journal();
    const inspector = createInspector();
    expect(await mine.lockOwner("i-1")).toBeNull();
    await journalLockOwner("i-1", mine, inspector);
    expect(await mine.lockOwner("i-1")).toEqual({ ...here, process: inspector.identify(process.pid) });
  });

  it("reads the boot id of this system, null where there is none", () => {
    expect(readHostFacts(systemBootId).bootId).toMatch(/^[0-9a-f-]{36}$/);
    expect(readHostFacts(() => null).bootId).toBeNull();
    expect(readHostFacts(systemBootId).host).not.toBe("");
  });
});

describe("what this host knows of an orphan (decisions §3)", () => {
  it("is ownership without a spawn and without a living process", async () => {
    const mine = journal();
    await mine.append(intent);
    expect(await localFactsOf("a-1", mine, createInspector())).toEqual({
      owned: true,
      spawned: false,
      alive: false,
    });
  });

  it("is a spawn once the journal says so", async () => {
    const mine = journal();
    await mine.append(intent);
    await mine.append(spawned);
    expect((await localFactsOf("a-1", mine, createInspector())).spawned).toBe(true);
  });

  it("does not own what a torn line may hide, and cannot tell about life on a system that hides processes", async () => {
    const mine = journal();
    await mine.append(intent);
    appendFileSync(onlyFile(), "{");
    expect(await localFactsOf("a-1", mine, createInspector("win32"))).toEqual({
      owned: false,
      spawned: false,
      alive: null,
    });
  });
});
