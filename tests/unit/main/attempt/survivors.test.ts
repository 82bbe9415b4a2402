import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type AttemptJournal,
  createJournal,
  createSurvivors,
  readHostFacts,
  type Survivors,
  workFolderOf,
} from "../../../../main/attempt/index.ts";
import { openChildrenOf } from "../../../../main/attempt/journal/open-children.ts";
import {
  createInspector,
  createProcessManager,
  type ProcessIdentity,
  type ProcessManager,
  systemBootId,
} from "../../../../main/process/index.ts";

const CONSOLE = fileURLToPath(
  new URL("../../../fixtures/children/console-with-attempt.mjs", import.meta.url),
);
const inspector = createInspector();
const facts = readHostFacts(systemBootId);

/** One start of the program: its own journal file, its own manager, one folder with the others. */
interface Program {
  readonly journal: AttemptJournal;
  readonly manager: ProcessManager;
  readonly survivors: Survivors;
}

let folder = "";
const programs: Program[] = [];
const living: ProcessIdentity[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flownet survivors "));
});
afterEach(async () => {
  for (const identity of living.splice(0)) inspector.end(identity);
  for (const { manager, journal } of programs.splice(0)) {
    await manager.dispose();
    await journal.dispose();
  }
  rmSync(folder, { recursive: true, force: true });
});

function program(): Program {
  const journal = createJournal({
    folder: join(folder, "journal"),
    hostFacts: facts,
    clock: { nowMs: () => Date.now() },
    ids: { uuid: randomUUID },
  });
  const manager = createProcessManager({ inspector });
  const workDir = join(folder, "work");
  const survivors = createSurvivors({ journal, processes: manager, inspector, workDir });
  programs.push({ journal, manager, survivors });
  return { journal, manager, survivors };
}

/** A console of its own with one attempt under way, killed once its child runs. */
async function killedConsole(attemptId: string): Promise<ProcessIdentity> {
  const child = spawn(process.execPath, [CONSOLE, folder, attemptId, "spawn"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = await once(lines, "line");
  const identity: ProcessIdentity = JSON.parse(String(line));
  living.push(identity);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  return identity;
}

/** A process that lives until it is ended, with the attempt in its environment. */
function sleeper(attemptId: string): { readonly process: ChildProcess; readonly identity: ProcessIdentity } {
  const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 60_000)"], {
    env: { FLOWNET_ATTEMPT_ID: attemptId },
    stdio: "ignore",
  });
  const identity = inspector.identify(child.pid ?? 0);
  if (identity === null) throw new Error("the sleeper is not there");
  living.push(identity);
  return { process: child, identity };
}

const intent = (attemptId: string) =>
  ({ event: "intent", attemptId, runId: "run_1", nodeId: "load", jobId: "j", attemptNo: 1 }) as const;

/** Journals a child as an earlier program that never said more of it. */
async function journalled(attemptId: string, child: ProcessIdentity, owner?: ProcessIdentity): Promise<void> {
  const { journal } = program();
  if (owner !== undefined)
    await journal.append({ event: "lock-owner", invocationId: "invoke_1", process: owner });
  await journal.append(intent(attemptId));
  await journal.append({ event: "spawned", attemptId, process: child });
  await journal.dispose();
}

const goneOf = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
};

describe("survivors of an earlier program (decisions §3, electron-desktop §4 C3 and C5)", () => {
  it("a child that outlived its console is followed, and its end is journalled with its result", async () => {
    const identity = await killedConsole("attempt_a");
    const { journal, survivors, manager } = program();
    const told = Promise.withResolvers<string>();
    survivors.onEnd(({ attempt }) => told.resolve(attempt.attemptId));
    const found = await survivors.adopt();
    expect(found.adopted.map(({ attempt, process }) => [attempt.nodeId, process])).toEqual([["n", identity]]);
    expect(manager.followed()).toMatchObject([{ origin: "adopted", attemptId: "attempt_a" }]);
    // A second look does not adopt it twice.
    await survivors.adopt();
    expect(manager.followed()).toHaveLength(1);

    writeFileSync(workFolderOf(join(folder, "work"), "attempt_a").resultPath, "{}");
    inspector.end(identity);
    expect(await told.promise).toBe("attempt_a");
    const evidence = await journal.evidenceFor("attempt_a");
    expect(evidence.exited).toMatchObject({ exitCode: null, signal: null, forced: false });
    expect(evidence.exited?.resultSha256).toMatch(/^[0-9a-f]{64}$/);
    // What it came to is not said here: the next resume judges it.
    expect(evidence.settled).toBeNull();
    expect(manager.followed()).toEqual([]);
    expect((await survivors.adopt()).adopted).toEqual([]);
  });

  it("another process with its number is not followed", async () => {
    const { identity, process: other } = sleeper("other");
    const before = new Date(Date.parse(identity.processStart ?? "") - 60_010).toISOString();
    await journalled("attempt_b", { ...identity, processStart: before });
    const { journal, survivors, manager } = program();
    expect((await survivors.adopt()).adopted).toEqual([]);
    expect(manager.followed()).toEqual([]);
    expect((await journal.evidenceFor("attempt_b")).exited).not.toBeNull();
    expect(inspector.liveness(identity).kind).toBe("alive-ours");
    await goneOf(other);
  });

  it("a child whose own program lives is left to that program", async () => {
    const owner = sleeper("owner");
    const { identity } = sleeper("attempt_c");
    await journalled("attempt_c", identity, owner.identity);
    const { survivors, manager } = program();
    const found = await survivors.adopt();
    expect(found.elsewhere.map(({ attempt }) => attempt.attemptId)).toEqual(["attempt_c"]);
    expect(manager.followed()).toEqual([]);
    await goneOf(owner.process);
    expect((await survivors.adopt()).adopted).toHaveLength(1);
  });

  it("what an ended child left behind is told, and ended as a tree", async () => {
    const root = sleeper("attempt_d");
    const left = sleeper("attempt_d");
    await journalled("attempt_d", root.identity);
    await goneOf(root.process);
    const { survivors, manager } = program();
    const found = await survivors.adopt();
    expect(found.leftovers.map(({ attempt }) => attempt.attemptId)).toEqual(["attempt_d"]);
    const survivor = { identity: root.identity, attemptId: "attempt_d", outputPaths: [] };
    const stopped = await manager.leftovers(survivor).stop({ graceMs: 5_000 });
    expect(stopped.gone).toEqual({ kind: "proven" });
    expect(inspector.liveness(left.identity).kind).toBe("gone");
    expect(await survivors.adopt()).toMatchObject({ adopted: [], leftovers: [] });
  });

  it("a journal that cannot be read finds nobody and says so", async () => {
    writeFileSync(join(folder, "journal"), "no folder");
    const problems: string[] = [];
    const { journal, manager } = program();
    const survivors = createSurvivors({
      journal,
      processes: manager,
      inspector,
      workDir: folder,
      onProblem: ({ code }) => problems.push(code),
    });
    expect((await survivors.adopt()).adopted).toEqual([]);
    await vi.waitFor(() => expect(problems).toEqual(["JOURNAL_UNREADABLE"]));
  });
});

describe("which children of a journal are open (decisions §3)", () => {
  const process = { pid: 7, processStart: "2026-09-04T00:00:00.000Z", image: "/node" };
  const head = { kind: "ATTEMPT_JOURNAL", formatVersion: 1, at: "2026-09-04T00:00:01.000Z" } as const;
  const here = { ...head, host: "h", bootId: "boot-1" } as const;
  const spawned = { event: "spawned", attemptId: "a", process } as const;
  const exited = {
    event: "exited",
    attemptId: "a",
    exitCode: 0,
    signal: null,
    forced: false,
    launchFailure: null,
    resultSha256: null,
  } as const;
  const settled = { event: "settled", attemptId: "a", stored: true } as const;
  const file = (name: string, ...lines: Parameters<typeof openChildrenOf>[0][number]["lines"]) => ({
    name,
    lines,
    lostLines: 0,
  });
  const begun = [
    { ...here, ...intent("a") },
    { ...here, ...spawned },
  ] as const;
  it.each([
    ["spawned here in this boot", [file("1", ...begun)], "boot-1", 1],
    ["ended in its own file", [file("1", ...begun, { ...here, ...exited })], "boot-1", 0],
    [
      "ended in the file of whoever adopted it",
      [file("1", ...begun), file("2", { ...here, ...exited })],
      "boot-1",
      0,
    ],
    ["settled", [file("1", ...begun, { ...here, ...settled })], "boot-1", 0],
    ["in an earlier boot", [file("1", ...begun)], "boot-2", 0],
    ["where the system names no boot", [file("1", ...begun)], null, 0],
    ["whose intent was lost", [file("1", { ...here, ...spawned })], "boot-1", 0],
  ] as const)("%s", (_name, files, bootId, count) => {
    expect(openChildrenOf(files, { host: "h", bootId })).toHaveLength(count);
  });
});
