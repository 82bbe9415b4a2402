import { EventEmitter } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mostImportant } from "../../../../main/console/program-log/held-lines.ts";
import {
  createProgramLog,
  LOG_NAME,
  logLine,
  outdatedLogs,
  type ProgramLogDeps,
  watchFaults,
} from "../../../../main/console/program-log/index.ts";
import { redact } from "../../../../main/console/program-log/redact.ts";
import { openConsole } from "../../../support/console-fixture.ts";

let folder: string;
let nowMs = Date.parse("2026-09-05T03:00:00.123Z");
const clock = { nowMs: () => nowMs, monotonicMs: () => 42.5 };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-program-log-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (change: Partial<ProgramLogDeps> = {}) => createProgramLog({ folder, clock, pid: 7, ...change });
const lines = async (name = LOG_NAME): Promise<readonly Record<string, unknown>[]> =>
  (await readFile(join(folder, name), "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("the log of the program (electron-desktop G1)", () => {
  it("is JSON lines with time, level, stable id, module and fields", async () => {
    const log = open();
    log.write("info", "desktop", "DESKTOP_LINE", { text: "started" });
    log.problem("process", {
      code: "CONTROL_PIPE_UNAVAILABLE",
      message: "no pipe",
      place: "/tmp",
      remedy: "look",
    });
    await log.dispose();
    const written = await lines();
    for (const line of written) expect(logLine.safeParse(line).success).toBe(true);
    expect(written).toEqual([
      {
        time: "2026-09-05T03:00:00.123Z",
        monotonicMs: 42.5,
        pid: 7,
        level: "info",
        id: "DESKTOP_LINE",
        module: "desktop",
        fields: { text: "started" },
      },
      expect.objectContaining({
        level: "warn",
        id: "CONTROL_PIPE_UNAVAILABLE",
        fields: { message: "no pipe", place: "/tmp", remedy: "look" },
      }),
    ]);
  });

  it("leaves out what is below its level, and keeps the order of what was said at once", async () => {
    const log = open({ level: "warn" });
    log.write("info", "a", "QUIET");
    for (let at = 0; at < 50; at += 1) log.write("warn", "a", `LINE_${at}`);
    await log.dispose();
    expect((await lines()).map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `LINE_${at}`));
  });

  it("has written everything when it is told that the process may end", async () => {
    const log = open();
    log.write("error", "a", "LAST_WORDS");
    log.flushNow();
    const found = await lines();
    await log.dispose();
    expect(found.map(({ id }) => id)).toEqual(["LAST_WORDS"]);
    expect(await lines()).toEqual(found);
  });
});

describe("no secret stands in the log (electron-desktop S4)", () => {
  it.each<[unknown, unknown]>([
    ["token s3cretvalue here", "token [redacted] here"],
    [
      { apiToken: "x", note: "s3cretvalue" },
      { apiToken: "[redacted]", note: "[redacted]" },
    ],
    [{ a: [{ Authorization: "Basic abc" }] }, { a: [{ Authorization: "[redacted]" }] }],
    [{ s3cretvalue: 1 }, { "[redacted]": 1 }],
    [{ password: { deep: "x" } }, { password: "[redacted]" }],
    [
      { count: 3, ok: true, none: null },
      { count: 3, ok: true, none: null },
    ],
    // Too short to be searched for: it would blot out half of every text.
    ["an ab in a text", "an ab in a text"],
  ])("%j is written as %j", (value, written) => {
    expect(redact(value, ["s3cretvalue", "ab"])).toEqual(written);
  });

  it("also where a quote of it stands escaped, and none of one that begins like another", () => {
    const log = open();
    log.hide(["pass", 'pass"word\\1']);
    const line = JSON.stringify({ text: 'pass"word\\1' });
    expect(log.leaks(line)).toBe(true);
    expect(log.clean(line)).toBe('{"text":"[redacted]"}');
    expect(log.clean('pass"word\\1')).toBe("[redacted]");
  });

  it("whatever part of a problem carries it", async () => {
    const log = open();
    log.hide(["canary-0123456789"]);
    log.problem("attempt", {
      code: "X",
      message: "canary-0123456789",
      details: { seen: ["canary-0123456789"] },
    });
    await log.dispose();
    expect(await readFile(join(folder, LOG_NAME), "utf8")).not.toContain("canary");
  });
});

describe("the log is put aside when it is full (electron-desktop G2)", () => {
  it("keeps no more full files than it may, the newest", async () => {
    const log = open({ limits: { maxBytes: 400, keep: 2, keepMs: 1e12 } });
    for (let at = 0; at < 12; at += 1) {
      log.write("info", "a", `LINE_${at}`, { text: "x".repeat(100) });
      // Lines said at once are written at once; here each is written alone.
      await log.dispose();
      nowMs += 1_000;
    }
    const names = (await readdir(folder)).sort();
    expect(names).toHaveLength(3);
    const kept: string[] = [];
    for (const name of names) kept.push(...(await lines(name)).map(({ id }) => String(id)));
    // What is left is the end of what was written, whole and in order.
    const all = Array.from({ length: 12 }, (_, at) => `LINE_${at}`);
    expect(kept.length).toBeGreaterThan(2);
    expect(kept).toEqual(all.slice(-kept.length));
  });

  it("names what goes by count and by age, and nothing that is not its own", () => {
    const day = 86_400_000;
    const names = ["flownet-20260903T000000000Z.jsonl", "flownet-20260904T000000000Z.jsonl"];
    const files = [
      ...names.map((name, at) => ({ name, modifiedMs: (at + 1) * day })),
      { name: "flownet-20260905T000000000Z-2.jsonl", modifiedMs: 3 * day },
      { name: "flownet.jsonl", modifiedMs: 0 },
      { name: "notes.jsonl", modifiedMs: 0 },
    ];
    const limits = { maxBytes: 1, keep: 2, keepMs: 30 * day };
    expect(outdatedLogs(files, 3 * day, limits)).toEqual([names[0]]);
    expect(outdatedLogs(files, 32.5 * day, { ...limits, keep: 9 })).toEqual([names[1], names[0]]);
  });
});

describe("a disk that takes nothing (electron-desktop G2)", () => {
  it("costs no line as long as few wait, and they are written when it is back", async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, "a file where the folder was");
    const log = open();
    log.write("info", "a", "WAITS");
    await log.dispose();
    await rm(folder);
    log.write("info", "a", "FOLLOWS");
    await log.dispose();
    expect((await lines()).map(({ id }) => id)).toEqual(["WAITS", "FOLLOWS"]);
    expect(log.state()).toEqual({ file: join(folder, LOG_NAME), dropped: 0 });
  });

  it("costs the least important lines first, counts them and says so afterwards", async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, "a file where the folder was");
    const log = open({ level: "debug" });
    log.write("error", "a", "IMPORTANT");
    for (let at = 0; at < 2_050; at += 1) log.write("debug", "a", "CHATTER");
    await log.dispose();
    await rm(folder);
    log.write("info", "a", "AFTER");
    await log.dispose();
    const ids = (await lines()).map(({ id }) => id);
    expect(ids).toContain("IMPORTANT");
    expect(ids).toContain("LOG_LINES_DROPPED");
    expect(log.state().dropped).toBeGreaterThan(50);
  });

  it("gives up the oldest of the least important", () => {
    const line = (level: "debug" | "error", text: string) => ({ level, text });
    const all = [line("error", "1"), line("debug", "2"), line("debug", "3"), line("error", "4")];
    expect(mostImportant(all, 3).map(({ text }) => text)).toEqual(["1", "3", "4"]);
    expect(mostImportant(all, 1).map(({ text }) => text)).toEqual(["4"]);
    expect(mostImportant(all, 4)).toEqual(all);
  });
});

describe("what nobody caught (electron-desktop L10)", () => {
  it.each([
    ["uncaughtException", "UNCAUGHT_EXCEPTION"],
    ["unhandledRejection", "UNHANDLED_REJECTION"],
  ])("%s is on the disk before anybody is told, and told of once", async (event, id) => {
    const log = open();
    const process = new EventEmitter();
    const told: unknown[] = [];
    const end = watchFaults(process, log, (error) => told.push(error));
    const error = new Error("boom");
    process.emit(event, error);
    const [line] = await lines();
    expect(line).toMatchObject({ level: "fatal", id, fields: { message: "boom" } });
    expect(told).toEqual([error]);
    end();
    expect(process.listenerCount(event)).toBe(0);
    await log.dispose();
  });
});

describe("where a workspace tells what went wrong beside its work", () => {
  it("a job without a control pipe is in the log, and the settings say where that is", async () => {
    const before = process.env.TMPDIR;
    const opened = await openConsole({
      async prepare({ orchestrator }) {
        process.env.TMPDIR = join(folder, "nowhere");
        const definitionPath = join(import.meta.dirname, "../../../../examples/failing-assert/network.yaml");
        await orchestrator.runNetwork({ definitionPath, businessKey: "k", requestedBy: "tester" });
      },
    }).finally(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    });
    const answer = await opened.api.settings.get({});
    const file = join(opened.dataDir, "log", LOG_NAME);
    const text = await readFile(file, "utf8");
    await opened.close();
    expect(answer).toMatchObject({ ok: true, value: { log: { file, dropped: 0 } } });
    expect(text).toContain('"id":"CONTROL_PIPE_UNAVAILABLE"');
  }, 60_000);
});
