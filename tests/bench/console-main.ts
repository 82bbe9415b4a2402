import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { openEmbedded } from "../../main/console/index.ts";
import { createLiveModel } from "../../main/console/live-model.ts";
import { createPictureReader } from "../../main/console/live-model-read.ts";
import type { Look } from "../../shared/api/index.ts";
import { openConsoleOver, value } from "../support/console-fixture.ts";
import { lockInput, takeLock } from "../support/lock-inputs.ts";
import { freshInvocation, freshRun } from "../support/store-entities.ts";
import { openStore, startKintoneFixture } from "../support/store-fixture.ts";
import { printTable } from "./machine.ts";

const HOUR_MS = 3_600_000;
const IDLE_MS = 10_000;

/** Main's side of the console (operator-ux §3.2, U2): what it asks of a kintone, how soon it shows, what it costs idle. */
export async function benchConsoleMain(): Promise<void> {
  printTable("kintone requests of one console in an hour", await requestFigures());
  printTable("Console over the embedded workspace", await startAndIdleFigures());
}

/** A clock that stands while anything is read, and otherwise jumps to the next moment somebody waits for. */
function createJumpingClock() {
  const startMs = Date.now();
  let ms = startMs;
  let reading = 0;
  const waits = new Set<{ readonly dueMs: number; readonly end: () => void }>();
  return {
    clock: { nowMs: () => ms, monotonicMs: () => ms },
    async read<T>(work: () => Promise<T>): Promise<T> {
      reading += 1;
      return work().finally(() => {
        reading -= 1;
      });
    },
    async wait(waitMs: number, signal: AbortSignal): Promise<void> {
      if (signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry = { dueMs: ms + waitMs, end: resolve };
      waits.add(entry);
      signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
      waits.delete(entry);
    },
    async pass(spanMs: number): Promise<void> {
      const endMs = ms + spanMs;
      while (ms < endMs) {
        // Answers come over a real socket: some turns until everybody waits again.
        for (let quiet = 0; quiet < 5; quiet = reading === 0 ? quiet + 1 : 0) await turn();
        const next = [...waits].sort((a, b) => a.dueMs - b.dueMs)[0];
        if (next === undefined || next.dueMs > endMs) {
          ms = endMs;
          return;
        }
        ms = Math.max(ms, next.dueMs);
        next.end();
        await turn();
      }
    },
  };
}

async function requestFigures() {
  const figures: Record<string, string | number>[] = [];
  for (const [what, runOpen, visible] of [
    ["watching a live Run", true, true],
    ["looking at the list", false, true],
    ["nobody looks", false, false],
  ] as const) {
    figures.push({ what, "requests / h": await requestsOfAnHour(runOpen, visible) });
  }
  return figures;
}

async function requestsOfAnHour(runOpen: boolean, visible: boolean): Promise<number> {
  const kintone = await startKintoneFixture();
  const store = openStore(kintone);
  const run = freshRun({ status: "RUNNING", startedAt: new Date().toISOString() });
  const invocation = freshInvocation(run.runId);
  const owner = { networkId: run.networkId, ownerInvocationId: invocation.invocationId };
  const session = await takeLock(store, lockInput({ ...owner, leaseMs: 3 * HOUR_MS, heartbeatMs: HOUR_MS }));
  await session.write([
    { kind: "run.insert", run },
    { kind: "invocation.insert", invocation },
  ]);
  const time = createJumpingClock();
  const reader = createPictureReader(store, time.clock.nowMs);
  const model = createLiveModel({
    reader: {
      readAll: (signal) => time.read(() => reader.readAll(signal)),
      readChanges: (signal) => time.read(() => reader.readChanges(signal)),
      readOne: (runId, signal) => time.read(() => reader.readOne(runId, signal)),
    },
    embedded: false,
    clock: time.clock,
    random: () => 0.5,
    wait: time.wait,
    probes: new Map([
      ["audit", () => time.read(async () => void (await store.findRunIdOfInvocation("invoke_nobody")))],
    ]),
    budget: () => [],
    serverClock: () => null,
    kept: null,
  });
  const viewerId = randomUUID();
  const look: Look = { viewerId, visible, sources: ["state"], runId: runOpen ? run.runId : null };
  model.look(look);
  await model.rows();
  kintone.seen.clear();
  await time.pass(HOUR_MS);
  const count = kintone.seen.list().length;
  await model.dispose();
  await session.dispose();
  await store.dispose();
  await kintone.dispose();
  return count;
}

async function startAndIdleFigures() {
  const dataDir = await mkdtemp(join(tmpdir(), "flownet-bench-"));
  // The first start sets the workspace up; what counts is the one of every day.
  await (await openEmbedded({ dataDir, env: process.env, endServer: true })).dispose();
  const startMs = performance.now();
  const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
  const opened = await openConsoleOver(workspace);
  value(await opened.api.runs.list({ limit: 100 }));
  const pictureMs = performance.now() - startMs;
  await delay(2_000);
  const before = process.cpuUsage();
  await delay(IDLE_MS);
  const used = process.cpuUsage(before);
  await opened.close();
  await workspace.dispose();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  const percent = (used.user + used.system) / 10 / IDLE_MS;
  return [
    { what: "start to first picture, server included", figure: `${Math.round(pictureMs)} ms` },
    { what: "CPU of main, idle, one core", figure: `${percent.toFixed(2)} %` },
  ];
}
