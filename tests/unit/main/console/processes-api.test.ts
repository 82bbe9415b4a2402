import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJournal } from "../../../../main/attempt/index.ts";
import type { ChildTree, ConsoleApi, ProcessesPicture, StopOrder } from "../../../../shared/api/index.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../support/console-fixture.ts";
import { leaveSurvivor, type Survivor } from "../../../support/survivor.ts";

const SLOW = 120_000;
let opened: EmbeddedConsole;
let api: ConsoleApi;
let survivor: Survivor;

beforeAll(async () => {
  process.env.KSQL_FLOW_GRACE_PERIOD_MS = "300";
  opened = await openConsole({
    async prepare({ folders, children }) {
      survivor = await leaveSurvivor({
        journal: folders.journal,
        workDir: children.workDir,
        runId: "run_lost",
        nodeId: "load",
      });
    },
  });
  api = opened.api;
  // Nothing may be stopped on an old picture.
  value(await api.runs.refresh({}));
}, SLOW);

afterAll(async () => {
  delete process.env.KSQL_FLOW_GRACE_PERIOD_MS;
  survivor.end();
  await opened.close();
}, SLOW);

/** The first picture that shows the fact, pushed to whoever watches. */
async function picture(shows: (seen: ProcessesPicture) => boolean): Promise<ProcessesPicture> {
  const giveUp = AbortSignal.timeout(60_000);
  for await (const seen of await api.processes.watch({}, { signal: giveUp })) if (shows(seen)) return seen;
  throw new Error("the stream ended");
}

const treeOf = (seen: ProcessesPicture): ChildTree | undefined =>
  seen.trees.find(({ root }) => root.pid === survivor.root.pid);

/** A confirmed stop of the survivor, changed for a test. */
async function order(change: Partial<StopOrder> = {}): Promise<StopOrder> {
  const { pid, processStart } = survivor.root;
  const { fingerprint } = value(await api.processes.plan({ pid, processStart }));
  return {
    operationId: randomUUID(),
    pid,
    processStart,
    fingerprint,
    typed: String(pid),
    reason: "暴走を止める",
    ...change,
  };
}

describe("子プロセス over a real socket (operator-ux §1.1, process view and kill)", () => {
  it("shows the survivor with its tree, its attempt and its verified identity", async () => {
    const tree = treeOf(await picture((seen) => treeOf(seen) !== undefined));
    expect(tree).toMatchObject({
      origin: "adopted",
      identity: "verified",
      notStoppable: null,
      polite: "signal",
      attempt: { attemptId: survivor.attemptId, runId: "run_lost", nodeId: "load", attemptNo: 1 },
      parent: { pid: null, alive: null, self: false },
    });
    expect(tree?.processes.map(({ pid, depth }) => [pid, depth])).toEqual([
      [survivor.root.pid, 0],
      [survivor.grandchild.pid, 1],
    ]);
    for (const each of tree?.processes ?? []) {
      expect(each.commandLine).toContain("unwilling-family");
      expect(each.memoryBytes).toBeGreaterThan(1_000_000);
    }
    expect(tree?.files.map(({ kind, bytes }) => [kind, bytes])).toEqual([
      ["result", null],
      ["stdout", null],
      ["stderr", null],
    ]);
  });

  it("tells the share of a processor once it has looked twice", async () => {
    const seen = await picture((each) => treeOf(each)?.processes[0]?.cpuShare != null);
    expect(treeOf(seen)?.processes[0]?.cpuShare).toBeGreaterThanOrEqual(0);
  });

  it.each<[string, Partial<StopOrder>, string]>([
    ["another number", { typed: "1" }, "IDENTIFIER_MISMATCH"],
    ["a reason of a word", { reason: "stop" }, "REASON_TOO_SHORT"],
    ["a reason nobody can see", { reason: "\u200b\u2060\u3164\u2800\u00ad\u200b" }, "REASON_TOO_SHORT"],
    ["another tree than was seen", { fingerprint: "0123456789abcdef" }, "PLAN_STALE"],
    [
      "a process of that number at another time",
      { processStart: "2020-01-01T00:00:00.000Z" },
      "PROCESS_NOT_OURS",
    ],
    ["a process that is none of ours", { pid: process.pid, processStart: null }, "PROCESS_NOT_OURS"],
  ])("refuses %s, and stops nothing", async (_name, change, expected) => {
    expect(code(await api.processes.stop(await order(change)))).toBe(expected);
    expect(survivor.living()).toBe(true);
  });

  it("refuses in the mode for looking", async () => {
    const wish = await order();
    value(await api.workspace.setMode({ mode: "view" }));
    expect(code(await api.processes.stop(wish))).toBe("MODE_VIEW_ONLY");
    value(await api.workspace.setMode({ mode: "operate" }));
    expect(survivor.living()).toBe(true);
  });

  it("stops politely, then by force, and keeps requested, gone and settled apart (operator-ux §2.3)", async () => {
    const wish = await order();
    const another = { ...wish, operationId: randomUUID() };
    const [first, again, beside] = await Promise.all([
      api.processes.stop(wish),
      api.processes.stop(wish),
      api.processes.stop(another),
    ]);
    expect(value(first)).toEqual(value(again));
    // Two windows, one tree: the second is told, and nothing is asked of the process twice.
    expect(code(beside)).toBe("OPERATION_UNDER_WAY");
    const seen = await picture(({ stops }) => stops.some(({ endedAt }) => endedAt !== null));
    expect(seen.stops).toHaveLength(1);
    expect(seen.stops[0]).toMatchObject({
      operationId: wish.operationId,
      requested: "asked",
      gone: { kind: "proven" },
      reason: "暴走を止める",
    });
    expect(seen.stops[0]?.forcedAt).not.toBeNull();
    expect(survivor.living()).toBe(false);
    // Asked again after a lost answer it is the same stop, although nothing may be stopped any more.
    value(await api.workspace.setMode({ mode: "view" }));
    expect(value(await api.processes.stop(wish))).toEqual(value(first));
    value(await api.workspace.setMode({ mode: "operate" }));
    // Whoever started it is gone: what it came to is judged by the next resume, and not before.
    await picture(({ stops }) => stops[0]?.settled === "onResume");
    await picture((each) => treeOf(each) === undefined);
  });

  it("journals the end of the survivor and the stop, each once", async () => {
    const files = await readJournal(join(opened.dataDir, "journal"));
    const ends = files.flatMap(({ lines }) => lines.filter((line) => line.event === "exited"));
    expect(ends).toMatchObject([{ attemptId: survivor.attemptId, exitCode: null, forced: true }]);
    const { entries } = value(await api.audit.list({ filter: {}, before: null, limit: 50 }));
    expect(entries.some((entry) => JSON.stringify(entry).includes("PROCESS_GONE"))).toBe(true);
  });
});
