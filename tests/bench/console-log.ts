import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { workFolderOf } from "../../main/attempt/index.ts";
import { createLogPlaces, createLogStore, type LogStore } from "../../main/console/logs/index.ts";
import { printTable } from "./machine.ts";

const LINES = 10_000_000;
const LOG = { attemptId: "bench", name: "stdout.log" };
const MIB = 2 ** 20;
const never = new AbortController().signal;

interface Row {
  readonly [column: string]: string | number;
  readonly measure: string;
  readonly figure: number;
  readonly unit: string;
  readonly budget: string;
}

/** A log of 1 GB and 10 million lines, held against the budget of operator-ux §3.2. */
export async function benchConsoleLog(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "flownet-bench-log-"));
  try {
    const workDir = join(root, "work");
    const bytes = await writeLog(workFolderOf(workDir, LOG.attemptId).stdoutPath);
    const places = createLogPlaces({ keptDir: join(root, "kept"), workDir, runnerLogs: null });
    printTable(
      `console log: ${Math.round(bytes / MIB)} MiB, ${LINES} lines`,
      await measure(() => createLogStore(places), bytes),
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function measure(open: () => LogStore, bytes: number): Promise<readonly Row[]> {
  const logs = open();
  const memory = watchMemory();
  const tail = await timed(() => logs.tail({ ...LOG, count: 500 }, never));
  const count = await timed(() => logs.range({ ...LOG, first: LINES - 1, count: 1 }, never));
  const places = Array.from({ length: 50 }, (_, at) => Math.floor((LINES / 50) * at) + 4_095);
  const seeks: number[] = [];
  for (const first of places) seeks.push(await timed(() => logs.range({ ...LOG, first, count: 200 }, never)));
  const early = await timed(() => open().range({ ...LOG, first: LINES / 2, count: 200 }, never));
  const plain = await timed(() => searchAll(logs, "no such text", true));
  const folded = await timed(() => searchAll(logs, "no such text", false));
  const common = await timed(() => searchAll(logs, "エラー", false));
  const peak = memory.stop();
  const perSecond = (ms: number): number => Math.round(bytes / MIB / (ms / 1_000));
  return [
    row("tail visible, 500 lines", tail, "ms", "<= 300"),
    row("seek by line, slowest of 50", Math.max(...seeks), "ms", "<= 500"),
    row("counting every line", count, "ms", ""),
    row("seek to the middle, nothing counted", early, "ms", ""),
    row("search, case kept", perSecond(plain), "MiB/s", ">= 50"),
    row("search, any case", perSecond(folded), "MiB/s", ">= 50"),
    row("search, any case, 1,000 hits at the end", perSecond(common), "MiB/s", ">= 50"),
    row("memory beyond the start, peak", peak.mib, "MiB", "<= 80"),
    row("longest block of the event loop", peak.blockMs, "ms", "<= 50"),
  ];
}

const row = (measure: string, figure: number, unit: string, budget: string): Row => ({
  measure,
  figure: Math.round(figure),
  unit,
  budget,
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function searchAll(logs: LogStore, text: string, matchCase: boolean): Promise<number> {
  let hits = 0;
  for await (const event of logs.search({ ...LOG, text, matchCase, fromLine: 0 }, never)) {
    if (event.kind === "found") hits += event.hits.length;
  }
  return hits;
}

/** Resident memory beyond what was there, and how long the loop stood still, sampled often. */
function watchMemory() {
  const before = process.memoryUsage.rss();
  let peak = before;
  let last = performance.now();
  let blockMs = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    blockMs = Math.max(blockMs, now - last - 5);
    last = now;
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  return {
    stop() {
      clearInterval(timer);
      return { mib: (peak - before) / MIB, blockMs };
    },
  };
}

/** Lines as a job prints them, the last thousand with a word to be found. */
async function writeLog(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const out = createWriteStream(path);
  for (let at = 0; at < LINES; at += 20_000) {
    const block = Array.from({ length: 20_000 }, (_, each) => lineOf(at + each));
    if (!out.write(`${block.join("\n")}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
  return out.bytesWritten;
}

const lineOf = (at: number): string =>
  `2026-09-01T00:00:00.000+09:00 INFO chunk ${String(at).padStart(8, "0")} を書き込みました。件数 500、最終キー C${at}${
    at >= LINES - 1_000 ? " エラー" : ""
  }`;
