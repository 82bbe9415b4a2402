import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { carriesAttemptId } from "../../../../main/process/inspector/attempt-token.ts";
import { createPosixInspector } from "../../../../main/process/inspector/posix.ts";
import {
  creationTime,
  parseBootSeconds,
  parseMemory,
  parseStat,
} from "../../../../main/process/inspector/proc-stat.ts";
import { mayDifferByClockStep } from "../../../../main/process/inspector/verdict.ts";
import { createWindowsInspector } from "../../../../main/process/inspector/windows.ts";
import { relativesOf } from "../../../../main/process/tree.ts";

const statLine = (name: string, state = "S"): string =>
  `4242 (${name}) ${state} 100 4242 4241 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2 3\n`;

describe("the process table", () => {
  it.each(["node", "a b", "x) S 1 1 1 (", "日本語"])("reads the row of a program named %s", (name) => {
    expect(parseStat(statLine(name))).toEqual({
      pid: 4242,
      parentPid: 100,
      groupId: 4242,
      sessionId: 4241,
      defunct: false,
      startTicks: 987_654,
      cpuMs: 110,
    });
  });

  it("tells what a process has in memory, and of a kernel thread nothing", () => {
    expect(parseMemory("Name:\tnode\nVmHWM:\t   90 kB\nVmRSS:\t   42 kB\n")).toBe(43_008);
    expect(parseMemory("Name:\tkthreadd\n")).toBeNull();
    const own = createPosixInspector().usage(process.pid);
    expect(own?.cpuMs).toBeGreaterThan(0);
    expect(own?.memoryBytes).toBeGreaterThan(1_000_000);
    expect(createPosixInspector({ procRoot: "/nowhere" }).usage(process.pid)).toBeNull();
  });

  it("calls a zombie ended", () => {
    expect(parseStat(statLine("node", "Z"))?.defunct).toBe(true);
  });

  it("does not call a program ended whose first thread alone has", () => {
    expect(parseStat(statLine("node", "Z").replace(" 20 0 1 0 ", " 20 0 3 0 "))?.defunct).toBe(false);
  });

  it.each(["", "4242 node S 1", "4242 (node) S 1 2", "x (node) S 1 2 3"])("refuses %j", (text) => {
    expect(parseStat(text)).toBeNull();
  });

  it("gives creation times to the tick, from the boot time", () => {
    expect(parseBootSeconds("cpu 1 2\nbtime 1700000000\nprocesses 1\n")).toBe(1_700_000_000);
    expect(parseBootSeconds("cpu 1 2\n")).toBeNull();
    expect(creationTime(1_700_000_000, 123)).toBe("2023-11-14T22:13:21.230Z");
  });

  it("takes a difference of whole seconds for a possible change of the clock, any other for another process", () => {
    expect(mayDifferByClockStep("2026-01-01T00:00:01.230Z", "2026-01-01T01:00:01.230Z")).toBe(true);
    expect(mayDifferByClockStep("2026-01-01T00:00:01.230Z", "2026-01-01T00:00:01.240Z")).toBe(false);
    expect(mayDifferByClockStep("2026-01-01T00:00:01.230Z", "2026-01-01T00:00:01.230Z")).toBe(false);
  });
});

describe("the relatives of a process (electron-desktop §4 C4)", () => {
  const row = (
    pid: number,
    parentPid: number,
    more: Partial<Parameters<typeof relativesOf>[0][number]> = {},
  ) => ({
    pid,
    parentPid,
    groupId: pid,
    sessionId: pid,
    defunct: false,
    startTicks: pid,
    ...more,
  });
  const pids = (...args: Parameters<typeof relativesOf>): readonly number[] =>
    relativesOf(...args).map(({ pid }) => pid);

  it("are its descendants, without itself and without zombies", () => {
    const table = [
      row(1, 0),
      row(10, 1),
      row(11, 10),
      row(12, 11),
      row(13, 11, { defunct: true }),
      row(20, 1),
    ];
    expect(pids(table, { pid: 10, startTicks: 10 })).toEqual([11, 12]);
  });

  it("are also who lost their parent but stayed in its group or session", () => {
    const table = [row(1, 0), row(30, 1, { groupId: 10 }), row(31, 1, { sessionId: 10 }), row(32, 31)];
    expect(pids(table, { pid: 10, startTicks: 10 })).toEqual([30, 31, 32]);
  });

  it("are not who is older than the process whose number it names as parent", () => {
    expect(pids([row(10, 1), row(11, 10, { startTicks: 5 })], { pid: 10, startTicks: 10 })).toEqual([]);
  });

  it("are nobody when the number belongs to another process by now", () => {
    expect(pids([row(10, 1, { startTicks: 99 }), row(11, 10)], { pid: 10, startTicks: 10 })).toEqual([]);
  });
});

describe("an attempt id in a command line or an environment", () => {
  it.each([
    ["--attempt-id\0a-1\0", true],
    ["--attempt-id=a-1\0", true],
    ["FLOWNET_ATTEMPT_ID=a-1\0PATH=/bin\0", true],
    ["--attempt-id\0a-10\0", false],
    ["/jobs/a-1/metadata\0", false],
    ["", false],
  ])("is a whole word: %j", (block, expected) => {
    expect(carriesAttemptId(block, "a-1")).toBe(expected);
  });
});

describe("liveness (execution-contract W13, decisions §3)", () => {
  const inspector = createPosixInspector();

  it("knows this process, twice alike", () => {
    const self = inspector.identify(process.pid);
    expect(self?.image).toBe(process.execPath);
    expect(createPosixInspector().identify(process.pid)).toEqual(self);
    expect(self && inspector.liveness(self)).toEqual({ kind: "alive-ours" });
  });

  it("does not guess from the number alone", () => {
    expect(inspector.liveness({ pid: process.pid, processStart: null, image: null }).kind).toBe(
      "cannot-tell",
    );
  });

  it("does not say gone where the table is missing", () => {
    const empty = mkdtempSync(join(tmpdir(), "flownet-proc-"));
    const blind = createPosixInspector({ procRoot: empty });
    const self = inspector.identify(process.pid);
    if (self === null) throw new Error("this process is not there");
    expect(blind.liveness(self).kind).toBe("cannot-tell");
    expect(blind.identify(process.pid)).toEqual({ pid: process.pid, processStart: null, image: null });
    expect(blind.searchByAttemptId("a").inconclusive).not.toBeNull();
    expect(blind.tree(self).incomplete).not.toBeNull();
    rmSync(empty, { recursive: true });
  });

  it("says gone for a number nobody has", () => {
    const pid = 2 ** 22 + 1;
    expect(inspector.identify(pid)).toBeNull();
    expect(inspector.liveness({ pid, processStart: null, image: null })).toEqual({ kind: "gone" });
  });

  it("claims nothing where the calls of Windows cannot be made", () => {
    const windows = createWindowsInspector();
    expect(windows.liveness({ pid: 1, processStart: null, image: null }).kind).toBe("cannot-tell");
    expect(windows.searchByAttemptId("a").inconclusive).not.toBeNull();
    expect(windows.tree({ pid: 1, processStart: null, image: null }).incomplete).not.toBeNull();
    expect(windows.identify(7)).toEqual({ pid: 7, processStart: null, image: null });
  });
});
