import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLatest } from "../../../../main/console/attention/latest.ts";
import { createRunRecords, needsRecords } from "../../../../main/console/attention/run-records.ts";
import { createSchedules, readSchedules } from "../../../../main/console/attention/schedules.ts";
import { systemClock, waitOrAbort } from "../../../../main/console/index.ts";
import type { RunGraph } from "../../../../main/store/index.ts";
import type { RunRow } from "../../../../shared/api/index.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";
import { row } from "../../../support/run-rows.ts";

const never = new AbortController().signal;

describe("which Runs cost requests (operator-ux U2)", () => {
  it.each<[string, Partial<RunRow>, boolean]>([
    ["a success", { status: "SUCCESS" }, false],
    ["a closed failure", { status: "FAILED", lifecycle: "ARCHIVED" }, false],
    ["a Run at work", { status: "RUNNING", activity: "LIVE" }, false],
    ["a Run at work with an unknown result", { status: "UNKNOWN", activity: "LIVE" }, true],
    ["an interrupted one", { status: "RUNNING", activity: "INTERRUPTED" }, true],
    ["a failure", { status: "FAILED" }, true],
    ["one that waits", { status: "CREATED", activity: "IDLE" }, true],
  ])("%s", (_, change, expected) => {
    expect(needsRecords(row(change))).toBe(expected);
  });
});

describe("the records behind the list", () => {
  const graph: RunGraph = {
    run: null,
    states: [],
    hold: null,
    invocations: [],
    attempts: [],
    resolutions: [],
  };
  const open = (perRound = 2, most = 100) => {
    const asked: string[] = [];
    const broken = new Set<string>();
    let failing = false;
    let now = 0;
    const records = createRunRecords({
      readRunGraph: async (runId) => {
        asked.push(runId);
        if (failing) throw new FlowError({ code: "STORE_UNREACHABLE", message: "m" });
        if (broken.has(runId)) throw new FlowError({ code: "RECORD_UNREADABLE", message: "m" });
        return graph;
      },
      nowMs: () => now,
      perRound: () => perRound,
      most,
      refreshMs: 1000,
    });
    return {
      records,
      asked,
      broken,
      fail: (on: boolean) => {
        failing = on;
      },
      at: (ms: number) => {
        now = ms;
      },
    };
  };
  const failedRuns = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      row({ runId: `r${index}`, recordId: String(100 - index), status: "FAILED" }),
    );

  it("are those of the Runs most in need, up to a bound; beyond it the row alone is told", async () => {
    const { records, asked } = open(10, 3);
    const rows = [
      ...failedRuns(2),
      row({ runId: "cancelled", recordId: "900", status: "CANCELLED" }),
      row({ runId: "open", recordId: "1", status: "RUNNING", activity: "INTERRUPTED" }),
      row({ runId: "unknown", recordId: "2", status: "UNKNOWN" }),
    ];
    expect(await records.round(rows, never, true)).toMatchObject({ pending: 0 });
    expect(asked).toEqual(["unknown", "open", "r0"]);
  });

  it("are read a bounded number a round, and said to be incomplete until they are not", async () => {
    const { records, asked } = open();
    const rows = failedRuns(3);
    expect(await records.round(rows, never, true)).toMatchObject({ pending: 1, readAt: null });
    expect(await records.round(rows, never, true)).toMatchObject({ pending: 0, problem: null });
    await records.round(rows, never, true);
    expect(asked).toEqual(["r0", "r1", "r2"]);
  });

  it("are read again when the Run changes; an open one also after a while", async () => {
    const { records, asked, at } = open();
    const failed = row({ runId: "f", status: "FAILED" });
    const waiting = row({ runId: "w", status: "RUNNING", activity: "INTERRUPTED" });
    await records.round([failed, waiting], never, true);
    await records.round([{ ...failed, revision: 2 }, waiting], never, true);
    at(1001);
    await records.round([{ ...failed, revision: 2 }, waiting], never, true);
    expect(asked).toEqual(["w", "f", "f", "w"]);
  });

  it("stay known when a reading fails, which ends the round", async () => {
    const { records, asked, fail } = open();
    const [first, ...others] = failedRuns(3);
    await records.round(first === undefined ? [] : [first], never, true);
    fail(true);
    const round = await records.round(failedRuns(3), never, true);
    expect(others).toHaveLength(2);
    expect(asked).toEqual(["r0", "r1"]);
    expect([...round.records.keys()]).toEqual(["r0"]);
    expect(round).toMatchObject({ pending: 2, problem: { code: "STORE_UNREACHABLE" } });
  });

  it("of one Run that cannot be read keep no other from being read, and are asked for again after a while (operator-ux U2)", async () => {
    const { records, asked, broken, at } = open(2);
    broken.add("r0");
    const rows = failedRuns(3);
    const unreadable = { pending: 1, readAt: null, problem: { code: "RECORD_UNREADABLE" } };
    await records.round(rows, never, true);
    expect(await records.round(rows, never, true)).toMatchObject(unreadable);
    expect(await records.round(rows, never, true)).toMatchObject(unreadable);
    expect(asked).toEqual(["r0", "r1", "r2"]);
    broken.clear();
    at(1001);
    expect(await records.round(rows, never, true)).toMatchObject({ pending: 0, problem: null });
    expect(asked).toEqual(["r0", "r1", "r2", "r0"]);
  });

  it("of one Run that could not be read are asked for at once when it changes", async () => {
    const { records, asked, broken } = open();
    broken.add("r0");
    await records.round(failedRuns(1), never, true);
    await records.round([row({ runId: "r0", recordId: "100", status: "FAILED", revision: 2 })], never, true);
    expect(asked).toEqual(["r0", "r0"]);
  });

  it("are not read while the state app does not answer, and are forgotten with their Run", async () => {
    const { records, asked } = open();
    expect(await records.round(failedRuns(1), never, false)).toMatchObject({ pending: 1, readAt: null });
    expect(asked).toEqual([]);
    await records.round(failedRuns(1), never, true);
    expect((await records.round([], never, true)).records.size).toBe(0);
  });
});

describe("schedules.json on the disk (decisions §2)", () => {
  it("is none, one, or a problem with its place", async () => {
    const folder = await mkdtemp(join(tmpdir(), "flownet-schedules-"));
    try {
      const file = join(folder, "schedules.json");
      expect(await readSchedules(file)).toEqual({ expectations: [], problem: null, absent: true });
      await writeFile(file, JSON.stringify({ kind: "FLOWNET_SCHEDULES", formatVersion: 1, networks: [] }));
      expect(await readSchedules(file)).toEqual({ expectations: [], problem: null, absent: false });
      await writeFile(file, "not json");
      expect((await readSchedules(file)).problem).toMatchObject({
        code: "SCHEDULES_INVALID",
        place: `${file} $`,
      });
      expect((await readSchedules(folder)).problem).toMatchObject({
        code: "SCHEDULES_UNREADABLE",
        place: folder,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("schedules that are followed (operator-ux §2.1)", () => {
  const usable = JSON.stringify({
    kind: "FLOWNET_SCHEDULES",
    formatVersion: 1,
    networks: [
      {
        networkId: "sales_import",
        zone: "Asia/Tokyo",
        from: "2026-09-01",
        repeat: { every: "day" },
        businessKey: "{network_id}@{yyyy}-{MM}-{dd}",
        existsBy: "06:30",
      },
    ],
  });
  it("are the last usable ones while the file is broken, with its problem; gone with the file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "flownet-schedules-"));
    try {
      const file = join(folder, "schedules.json");
      const followed = createSchedules();
      await writeFile(file, usable);
      const { expectations } = await followed.read(file);
      expect(expectations).toHaveLength(1);
      await writeFile(file, usable.slice(0, 40));
      expect(await followed.read(file)).toMatchObject({
        expectations,
        problem: { code: "SCHEDULES_INVALID" },
      });
      const other = join(folder, "other.json");
      await writeFile(other, "half");
      expect((await followed.read(other)).expectations).toEqual([]);
      await rm(file);
      expect(await followed.read(file)).toEqual({ expectations: [], problem: null, absent: true });
      await writeFile(file, "half");
      expect((await followed.read(file)).expectations).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("one value for many readers", () => {
  it("is told as it stands, then its newest only, until nobody wants it", async () => {
    const latest = createLatest(0, { clock: systemClock, wait: waitOrAbort, gapMs: 1 });
    const stop = new AbortController();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const value of latest.watch(stop.signal, async () => undefined)) {
        seen.push(value);
        if (value === 0) for (const next of [1, 2, 3]) latest.set(next);
        if (value === 3) stop.abort();
      }
    })();
    await reading;
    expect(seen).toEqual([0, 3]);
    expect(latest.get()).toBe(3);
  });

  it("waits for a line that can take no more, and then tells the newest", async () => {
    const latest = createLatest("old", { clock: systemClock, wait: waitOrAbort, gapMs: 0 });
    const writable = Promise.withResolvers<void>();
    const stop = new AbortController();
    const first = latest.watch(stop.signal, () => writable.promise).next();
    latest.set("new");
    writable.resolve();
    expect((await first).value).toBe("new");
    stop.abort();
  });
});
