import { createHash, randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
  /** When the process began, as its system counts it; absent where it does not tell. */
  processStart: z.string().optional(),
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

/** What Linux says of a process; null elsewhere and when there is none. */
function processFacts(pid: number): { readonly state: string; readonly start: string | undefined } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name may hold blanks and brackets, so the fields are counted behind its last bracket.
    const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, start: fields[18] };
  } catch {
    return null;
  }
}

/**
 * The process that wrote the file, and not another one with its number; one that may not be signalled exists
 * (execution-contract §13 W13).
 */
function isAlive({ pid, processStart }: Content): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
  const facts = processFacts(pid);
  if (facts === null) return true;
  // A killed process that nobody collects keeps its number and does nothing any more.
  if (facts.state === "Z" || facts.state === "X") return false;
  return processStart === undefined || processStart === facts.start;
}

function isStale(content: Content | null, input: LocalLockInput): boolean {
  if (content === null) return true;
  if (content.host === input.host) return !isAlive(content);
  const started = Date.parse(content.startedAt);
  return input.staleAfterSec !== null && started < input.nowMs - input.staleAfterSec * 1000;
}

/** Appears with its content: somebody who found it still empty would take it for stale and remove it. */
function create(path: string, content: Content): boolean {
  const text = `${JSON.stringify(content)}\n`;
  const aside = `${path}.${randomUUID()}.new`;
  try {
    writeFileSync(aside, text, { flag: "wx", mode: 0o600 });
    place(aside, path, text);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    const message = `The local lock file cannot be created: ${codeOf(error)}.`;
    throw new RunFailure("LOCK_UNAVAILABLE", "LOCK_UNAVAILABLE", message);
  } finally {
    removeQuietly(aside);
  }
}

function place(aside: string, path: string, text: string): void {
  try {
    linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    // A file system without hard links.
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  }
}

/** A file left behind holds nobody up: its process is gone by then. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
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
  const processStart = processFacts(process.pid)?.start;
  const content: Content = {
    pid: process.pid,
    ...(processStart !== undefined && { processStart }),
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
      if (readContent(path)?.batchId === batchId) removeQuietly(path);
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
