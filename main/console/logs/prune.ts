import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { logsIn } from "./places.ts";

/** How much is kept: the newest attempts, as many and as large together. */
export interface RetentionLimits {
  readonly attempts: number;
  readonly bytes: number;
}
const RETENTION: RetentionLimits = { attempts: 500, bytes: 2 ** 30 };

export interface KeptFolder {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly keptAtMs: number;
  readonly bytes: number;
}

/**
 * The folders that go: from the newest on, those beyond the number and those with which the sum would pass the size.
 * The newest stays whatever its size: it is the one somebody is about to look at. Pure.
 */
export function foldersToPrune(folders: readonly KeptFolder[], limits: RetentionLimits): readonly string[] {
  const newestFirst = folders.toSorted((left, right) => right.keptAtMs - left.keptAtMs);
  let sum = 0;
  let full = false;
  const going: string[] = [];
  for (const [at, folder] of newestFirst.entries()) {
    sum += folder.bytes;
    // No older folder slips in behind one that was too large: what is kept is one stretch of time.
    full ||= at > 0 && (at >= limits.attempts || sum > limits.bytes);
    if (full) going.push(folder.name);
  }
  return going;
}

/** Removes kept logs beyond the limits. A folder that cannot be removed now is tried again after the next attempt. */
export async function pruneLogs(keptDir: string, limits: RetentionLimits = RETENTION): Promise<void> {
  const names = await readdir(keptDir).catch((): string[] => []);
  const folders: KeptFolder[] = [];
  for (const name of names) {
    const found = await stat(join(keptDir, name)).catch(() => null);
    if (found?.isDirectory() !== true) continue;
    const logs = await logsIn(join(keptDir, name), false);
    const bytes = logs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    folders.push({ name, keptAtMs: found.mtimeMs, bytes });
  }
  for (const name of foldersToPrune(folders, limits)) {
    await rm(join(keptDir, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
