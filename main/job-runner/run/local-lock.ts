import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { codeOf } from "../config.ts";
import { RunFailure } from "./failure.ts";

const contentSchema = z.object({
  pid: z.int().min(1),
  host: z.string(),
  profile: z.string(),
  startedAt: z.string(),
  batchId: z.string(),
});
type Content = z.infer<typeof contentSchema>;

export interface LocalLockInput {
  readonly directory: string;
  readonly profile: string;
  readonly host: string;
  readonly batchId: string;
  readonly nowMs: number;
  /** Age in seconds from which another host's file is stale; null = never. */
  readonly staleAfterSec: number | null;
}

/** Two profiles never share a file: the readable part may collide, the hash does not (execution-contract §13 W12). */
function fileName(profile: string): string {
  const hash = createHash("sha256").update(profile, "utf8").digest("hex").slice(0, 12);
  return `lock-${profile.replace(/[^A-Za-z0-9_.-]/g, "_")}-${hash}.json`;
}

function readContent(path: string): Content | null {
  try {
    const parsed = contentSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A process that may not be signalled exists (execution-contract §13 W13). */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

function isStale(content: Content | null, input: LocalLockInput): boolean {
  if (content === null) return true;
  if (content.host === input.host) return !isAlive(content.pid);
  const started = Date.parse(content.startedAt);
  return input.staleAfterSec !== null && started < input.nowMs - input.staleAfterSec * 1000;
}

function create(path: string, content: Content): boolean {
  try {
    writeFileSync(path, `${JSON.stringify(content)}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    const message = `The local lock file cannot be created: ${codeOf(error)}.`;
    throw new RunFailure("LOCK_UNAVAILABLE", "LOCK_UNAVAILABLE", message);
  }
}

function makeFolder(directory: string): string {
  const folder = join(directory, ".ksql");
  try {
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch (error) {
    const message = `The folder .ksql cannot be created: ${codeOf(error)}.`;
    throw new RunFailure("LOCK_UNAVAILABLE", "LOCK_UNAVAILABLE", message);
  }
}

/**
 * Takes the local lock file of a profile in a working directory: one job at a time there (execution-contract
 * §7.4). Throws RunFailure `LOCK_CONFLICT` or `LOCK_UNAVAILABLE`. `release` removes only our own file.
 */
export function takeLocalLock(input: LocalLockInput): { release(): void } {
  const path = join(makeFolder(input.directory), fileName(input.profile));
  const { host, profile, batchId } = input;
  const content: Content = {
    pid: process.pid,
    host,
    profile,
    startedAt: new Date(input.nowMs).toISOString(),
    batchId,
  };
  if (!create(path, content)) {
    const holder = readContent(path);
    if (!isStale(holder, input) || !removeStale(path) || !create(path, content)) {
      const who = holder === null ? "another process" : `process ${holder.pid} on ${holder.host}`;
      const message = `A job of this profile is running in this directory: ${who}.`;
      throw new RunFailure("LOCK_CONFLICT", "LOCK_CONFLICT", message);
    }
  }
  return {
    release() {
      if (readContent(path)?.batchId === batchId) rmSync(path, { force: true });
    },
  };
}

/** Removes the lock file of a profile, whoever holds it; true when there was one (execution-contract §4.5). */
export function forceLocalLock(directory: string, profile: string): boolean {
  const path = join(directory, ".ksql", fileName(profile));
  return existsSync(path) && removeStale(path);
}

/** Moves the file away before removing it, so that of two removers only one goes on. */
function removeStale(path: string): boolean {
  const aside = `${path}.${randomUUID()}.stale`;
  try {
    renameSync(path, aside);
    rmSync(aside, { force: true });
    return true;
  } catch {
    return false;
  }
}
