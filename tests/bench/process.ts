import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createProcessManager } from "../../main/process/index.ts";
import { printTable } from "./machine.ts";

const ATTEMPTS = 100;
const IDLE_MS = 5_000;
const LONG_LIVED = 10;

/** Milliseconds of processor time this process used while `work` ran. Children are not counted. */
async function ownCpuMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1_000;
}

/** What following children costs the program that follows them: a short attempt, a silent minute, and nothing at all. */
export async function benchProcess(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "bench-process-"));
  const manager = createProcessManager();
  let count = 0;
  const start = async (command: string, args: readonly string[]) => {
    const name = path.join(folder, String(count++));
    const spec = { command, args, cwd: folder, env: { FLOWNET_ATTEMPT_ID: `bench-${count}` } };
    const outcome = await manager.start({
      ...spec,
      stdoutPath: `${name}.out`,
      stderrPath: `${name}.err`,
      controlPipe: true,
    });
    if (outcome.kind !== "started") throw new Error(outcome.message);
    return outcome.child;
  };
  const attempts = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++) await (await start("/bin/true", [])).exited;
  };
  try {
    await attempts(10);
    const short = await ownCpuMs(() => attempts(ATTEMPTS));
    const idle = await ownCpuMs(() => delay(IDLE_MS));
    const sleepers = await Promise.all(
      Array.from({ length: LONG_LIVED }, () => start("/bin/sleep", ["600"])),
    );
    const silent = await ownCpuMs(() => delay(IDLE_MS));
    const stopping = await ownCpuMs(async () => {
      for (const child of sleepers) await child.stop({ graceMs: 10 });
    });
    const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).length;
    const row = (what: string, ms: number, goal: string) => ({
      "own CPU of": what,
      ms: ms.toFixed(3),
      goal,
    });
    printTable(
      `process supervision on POSIX, ${processes} processes on the host (own CPU, without the child's)`,
      [
        row("one attempt: start, follow, exit", short / ATTEMPTS, "<= 5 ms"),
        row("one second with nothing to follow", (idle / IDLE_MS) * 1_000, "0"),
        row("one second of one silent attempt", ((silent / IDLE_MS) * 1_000) / LONG_LIVED, "0"),
        row("one forced stop with its tree", stopping / LONG_LIVED, "-"),
      ],
    );
  } finally {
    await manager.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}
