import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { appendFile, mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workFolderOf } from "../../../../../main/attempt/index.ts";
import {
  createLogKeeper,
  createLogPlaces,
  createLogStore,
  createRunnerLogs,
  type LogStore,
} from "../../../../../main/console/logs/index.ts";
import type { LogSearchEvent, LogState } from "../../../../../shared/api/index.ts";

const ID = "attempt:0001";
const LOG = { attemptId: ID, name: "stdout.log" };
const never = new AbortController().signal;
let root: string;
let logs: LogStore;
let paths: { kept: string; work: string; runner: string; stdout: string };

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "flownet-logs-"));
  const work = join(root, "work");
  paths = {
    kept: join(root, "kept"),
    work,
    runner: join(root, "runner"),
    stdout: workFolderOf(work, ID).stdoutPath,
  };
  await mkdir(workFolderOf(work, ID).cwd, { recursive: true });
  await mkdir(paths.runner);
  logs = createLogStore(
    createLogPlaces({ keptDir: paths.kept, workDir: work, runnerLogs: createRunnerLogs(paths.runner) }),
  );
});
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));

const texts = (lines: readonly { readonly text: string }[]): readonly string[] =>
  lines.map(({ text }) => text);
const tail = async (count: number) => texts((await logs.tail({ ...LOG, count }, never)).lines);
const range = async (first: number, count: number) =>
  texts((await logs.range({ ...LOG, first, count }, never)).lines);

async function search(text: string, matchCase = false, fromLine = 0): Promise<readonly LogSearchEvent[]> {
  const events: LogSearchEvent[] = [];
  for await (const event of logs.search({ ...LOG, text, matchCase, fromLine }, never)) events.push(event);
  return events;
}
const hitsOf = (events: readonly LogSearchEvent[]) =>
  events.flatMap((event) => (event.kind === "found" ? event.hits : []));

async function writeLines(count: number, lineOf: (at: number) => string): Promise<void> {
  const out = createWriteStream(paths.stdout);
  for (let at = 0; at < count; at += 10_000) {
    const block = Array.from({ length: Math.min(10_000, count - at) }, (_, each) => lineOf(at + each));
    if (!out.write(`${block.join("\n")}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

/** Takes states until one is as wanted. */
async function until(
  states: AsyncGenerator<LogState>,
  wanted: (state: LogState) => boolean,
): Promise<LogState> {
  for (;;) {
    const { value, done } = await states.next();
    if (done === true) throw new Error("the following ended before");
    if (wanted(value)) return value;
  }
}

describe("a log of a million lines (operator-ux §3.2)", () => {
  it("gives its end, any of its lines, and every hit", async () => {
    await writeLines(1_000_000, (at) => (at % 250_000 === 7 ? `${at} 失敗 Error` : `${at} ok`));
    expect(await tail(3)).toEqual(["999997 ok", "999998 ok", "999999 ok"]);
    for (const line of [0, 4_095, 4_096, 500_000, 999_999]) {
      expect(await range(line, 1)).toEqual([line === 7 ? "" : `${line} ok`]);
    }
    expect(await range(999_998, 10)).toEqual(["999998 ok", "999999 ok"]);
    expect(await range(1_000_000, 10)).toEqual([]);
    const events = await search("error");
    expect(hitsOf(events)).toEqual(
      [7, 250_007, 500_007, 750_007].map((line) => ({ line, excerpt: `${line} 失敗 Error` })),
    );
    expect(events.at(-1)).toEqual({ kind: "ended", limited: false, nextLine: 750_008 });
    expect(hitsOf(await search("失敗", true, 250_008)).map(({ line }) => line)).toEqual([500_007, 750_007]);
    expect(hitsOf(await search("error", true))).toEqual([]);
  });

  it("ends a search at its bound on hits, and goes on from there", async () => {
    await writeLines(3_000, (at) => `${at} hit`);
    const first = await search("hit");
    expect(hitsOf(first)).toHaveLength(1_000);
    expect(first.at(-1)).toEqual({ kind: "ended", limited: true, nextLine: 1_000 });
    expect(hitsOf(await search("hit", false, 2_500))).toHaveLength(500);
  });

  it("ends at once when its reader leaves", async () => {
    await writeLines(1_000_000, (at) => `line ${at} of a log`);
    const leaving = new AbortController();
    const events = logs.search({ ...LOG, text: "nowhere", matchCase: true, fromLine: 0 }, leaving.signal);
    const first = await events.next();
    expect(first.value).toMatchObject({ kind: "found", hits: [] });
    leaving.abort();
    await expect(events.next()).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("lines of any length and content (operator-ux §3.2, electron-desktop R7)", () => {
  it("folds a line of a megabyte and finds what stands in it, before and behind it", async () => {
    const long = `${"x".repeat(600_000)}needle${"y".repeat(400_000)}`;
    await writeFile(paths.stdout, `before needle\n${long}\nafter needle`);
    const { lines } = await logs.range({ ...LOG, first: 0, count: 10 }, never);
    expect(lines.map(({ bytes, folded }) => [bytes, folded])).toEqual([
      [13, false],
      [1_000_006, true],
      [12, false],
    ]);
    expect(lines[1]?.text).toHaveLength(64 * 1024);
    expect(hitsOf(await search("needle")).map(({ line }) => line)).toEqual([0, 1, 2]);
    expect(await tail(1)).toEqual(["after needle"]);
  });

  it("finds what lies across the pieces of a line without an end, once", async () => {
    const half = 4 * 1024 * 1024 - 3;
    await writeFile(paths.stdout, `${"x".repeat(half)}needle${"y".repeat(5_000_000)}needle`);
    expect(hitsOf(await search("needle")).map(({ line }) => line)).toEqual([0]);
    const { lines } = await logs.tail({ ...LOG, count: 5 }, never);
    expect(lines).toHaveLength(1);
  });

  it("gives long lines in smaller pages, and still the end of the file as its tail", async () => {
    await writeLines(100, (at) => `${at} ${"z".repeat(60_000)}`);
    const page = await range(0, 100);
    expect(page.length).toBeGreaterThan(10);
    expect(page.length).toBeLessThan(30);
    expect((await tail(100)).at(-1)?.slice(0, 3)).toBe("99 ");
  });

  it("keeps what is no UTF-8, and an empty file empty", async () => {
    await writeFile(paths.stdout, Buffer.from([0x61, 0xff, 0x0a, 0x1b, 0x5b, 0x33, 0x31, 0x6d]));
    expect(await range(0, 5)).toEqual(["a\udcff", "\u001b[31m"]);
    await writeFile(paths.stdout, "");
    expect(await tail(5)).toEqual([]);
    expect(await range(0, 5)).toEqual([]);
  });
});

describe("following a log (operator-ux §1.3)", () => {
  it("tells of growth, of truncation as of another content, and of the end", async () => {
    await writeFile(paths.stdout, "one\ntwo\n");
    const states = logs.follow(LOG, never);
    expect(await until(states, ({ complete }) => complete)).toMatchObject({
      lines: 2,
      generation: 0,
      growing: true,
    });
    await appendFile(paths.stdout, "three\nfo");
    expect(await until(states, ({ lines }) => lines === 4)).toMatchObject({ generation: 0, sizeBytes: 16 });
    expect(await range(2, 5)).toEqual(["three", "fo"]);
    await appendFile(paths.stdout, "ur\n");
    await until(states, ({ sizeBytes }) => sizeBytes === 19);
    expect(await range(3, 1)).toEqual(["four"]);
    await truncate(paths.stdout, 0);
    await appendFile(paths.stdout, "new\n");
    expect(await until(states, ({ generation }) => generation > 0)).toMatchObject({ lines: 1 });
    expect(await range(0, 5)).toEqual(["new"]);
    await rm(paths.stdout);
    await until(states, ({ gone }) => gone);
    expect((await states.next()).done).toBe(true);
  });

  it("takes a rotated file for another one, even when it is longer", async () => {
    await writeFile(paths.stdout, "old\n");
    const states = logs.follow(LOG, never);
    await until(states, ({ complete }) => complete);
    await writeFile(`${paths.stdout}.next`, "other 1\nother 2\n");
    await rename(`${paths.stdout}.next`, paths.stdout);
    expect(await until(states, ({ generation }) => generation === 1)).toMatchObject({ lines: 2 });
    await states.return();
  });

  it("goes on without a break when the attempt is settled and its log moves", async () => {
    await writeFile(paths.stdout, "one\n");
    const states = logs.follow(LOG, never);
    await until(states, ({ complete }) => complete);
    await appendFile(paths.stdout, "two\n");
    const keep = createLogKeeper({ keptDir: paths.kept, runnerLogs: null });
    await keep({ attemptId: ID, folder: workFolderOf(paths.work, ID) });
    const state = await until(states, ({ growing }) => !growing);
    expect(state).toMatchObject({ lines: 2, generation: 0, gone: false });
    await states.return();
  });

  it("ends when its reader leaves while nothing happens", async () => {
    await writeFile(paths.stdout, "one\n");
    const leaving = new AbortController();
    const states = logs.follow(LOG, leaving.signal);
    await until(states, ({ complete }) => complete);
    const waiting = states.next();
    leaving.abort();
    expect((await waiting).done).toBe(true);
  });
});

describe("where logs lie (operator-ux §1.1)", () => {
  const folder = () => workFolderOf(paths.work, ID);
  const names = async (attemptId = ID) => (await logs.files(attemptId)).files.map(({ name }) => name);

  it("finds output and the runner's events by the attempt's id, and keeps them when the folder goes", async () => {
    await writeFile(paths.stdout, "out\n");
    await writeFile(folder().stderrPath, "");
    await writeFile(join(paths.runner, "batch-1.jsonl"), `{"v":1,"attemptId":"${ID}"}\n`);
    await writeFile(join(paths.runner, "batch-2.jsonl"), '{"v":1,"attemptId":"another"}\n');
    expect(await names()).toEqual(["stdout.log", "stderr.log", "batch-1.jsonl"]);
    await createLogKeeper({ keptDir: paths.kept, runnerLogs: createRunnerLogs(paths.runner) })({
      attemptId: ID,
      folder: folder(),
    });
    await rm(folder().root, { recursive: true });
    expect(await logs.files(ID)).toEqual({
      attemptId: ID,
      files: [
        { name: "stdout.log", sizeBytes: 4, growing: false },
        { name: "batch-1.jsonl", sizeBytes: 35, growing: false },
      ],
    });
    expect(await names("another")).toEqual(["batch-2.jsonl"]);
  });

  it("finds the events of a runner that keeps its logs below its working directory", async () => {
    await mkdir(join(folder().cwd, ".ksql", "logs"), { recursive: true });
    await writeFile(join(folder().cwd, ".ksql", "logs", "e1.jsonl"), "{}\n");
    expect(await names()).toEqual(["e1.jsonl"]);
  });

  it.each(["..", ".", "a/b", "..\\x", "", "a\0b", "x".repeat(129)])(
    "knows nothing of the id %j",
    async (id) => {
      expect((await logs.files(id)).files).toEqual([]);
    },
  );

  it("gives nothing that is no listed log: a link, a folder, another file", async () => {
    await writeFile(join(root, "secret.log"), "token\n");
    await symlink(join(root, "secret.log"), paths.stdout);
    await mkdir(folder().stderrPath);
    await writeFile(join(folder().root, "config.json"), "{}");
    expect(await names()).toEqual([]);
    for (const name of ["stdout.log", "stderr.log", "config.json", "../../secret.log"]) {
      await expect(logs.tail({ attemptId: ID, name, count: 1 }, never)).rejects.toMatchObject({
        problem: { code: "LOG_NOT_FOUND" },
      });
    }
  });

  it("removes the oldest beyond the limits after each attempt", async () => {
    const keep = createLogKeeper({
      keptDir: paths.kept,
      runnerLogs: null,
      limits: { attempts: 2, bytes: 1_000 },
    });
    for (const id of ["a1", "a2", "a3"]) {
      const each = workFolderOf(paths.work, id);
      await mkdir(each.root, { recursive: true });
      await writeFile(each.stdoutPath, `${id}\n`);
      await keep({ attemptId: id, folder: each });
    }
    expect(await names("a1")).toEqual([]);
    expect(await names("a2")).toEqual(["stdout.log"]);
    expect(await names("a3")).toEqual(["stdout.log"]);
  });
});
