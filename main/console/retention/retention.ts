import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type JournalFile, readJournal, removeWorkFolder, workFolderOf } from "../../attempt/index.ts";
import type { DataDir } from "../data-dir.ts";
import { pruneLogs } from "../logs/prune.ts";
import { attemptOfLog } from "../logs/runner-logs.ts";
import { outdatedLogs } from "../program-log/index.ts";
import { USUAL_LIMITS } from "../program-log/rotation.ts";
import { KEEP, type KeepLimits, type KeptEntry, outdated } from "./limits.ts";
import { type Decided, type NeedReads, readDecided } from "./needs.ts";

export interface RetentionDeps {
  readonly dataDir: Pick<DataDir, "journal" | "work" | "log" | "runnerLogs">;
  readonly reads: NeedReads;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  /** When this process started: its own journal is never touched, however long it has been quiet. Epoch milliseconds. */
  readonly startedAtMs: number;
}

/** How many went, by kind. */
export interface Pruned {
  readonly journal: number;
  readonly work: number;
  readonly runnerLogs: number;
  readonly programLogs: number;
}

/**
 * Removes what nobody needs any more from a data folder: journals, work folders and logs beyond their age or size. The
 * records are asked first, and everything is read before anything goes: when they cannot be asked, nothing is removed.
 * What belongs to an open Attempt, an undecided one, a held lock or a Run these records do not know stays. `evidence/` is
 * never touched. Errors: those of the reads and of an unreadable journal.
 */
export async function pruneOnce(deps: RetentionDeps, signal?: AbortSignal): Promise<Pruned> {
  const { dataDir, startedAtMs } = deps;
  const now = deps.nowMs();
  const journal = await readJournal(dataDir.journal);
  const attempts = attemptsOf(journal);
  const oldJournals = (await oldIn(dataDir.journal, now, KEEP.journal)).filter(
    ({ createdMs }) => createdMs < startedAtMs,
  );
  const oldFolders = await oldIn(dataDir.work, now, KEEP.work);
  const oldLogs = await oldIn(dataDir.runnerLogs, now, KEEP.runnerLogs);
  const candidates = journal.filter(({ name }) => oldJournals.some((old) => old.name === name));
  const folders = oldFolders.flatMap(({ name }) => attempts.byFolder(dataDir.work, name) ?? []);
  const logs = await Promise.all(
    oldLogs.map(async (log) => ({
      ...log,
      attemptId: await attemptOfLog(join(dataDir.runnerLogs, log.name)),
    })),
  );
  const runIds = new Set([
    ...candidates.flatMap(runsIn),
    ...[...folders, ...logs.map(({ attemptId }) => attemptId)].flatMap((id) => attempts.runOf(id) ?? []),
  ]);
  const decided = await readDecided(deps.reads, [...runIds], signal);
  const settled = (attemptId: string | null): boolean =>
    decided.settledRuns.has(attempts.runOf(attemptId) ?? "");
  const removable = logs.filter(
    ({ attemptId, modifiedMs }) =>
      attemptId === null ||
      settled(attemptId) ||
      // Its journal has gone before it, which only what was decided does.
      (attempts.runOf(attemptId) === null && now - modifiedMs > KEEP.journal.keepMs),
  );
  const pruned = {
    work: await count(folders.filter(settled), (id) => removeWorkFolder(workFolderOf(dataDir.work, id))),
    runnerLogs: await count(removable, ({ name }) => remove(join(dataDir.runnerLogs, name))),
    journal: await count(
      candidates.filter((file) => isDecided(file, decided)),
      ({ name }) => remove(join(dataDir.journal, name)),
    ),
    programLogs: await pruneProgramLogs(dataDir.log, now),
  };
  await pruneLogs(join(dataDir.log, "attempts"));
  return pruned;
}

const runsIn = ({ lines }: JournalFile): readonly string[] =>
  lines.flatMap((line) => (line.event === "intent" ? [line.runId] : []));

/** A file with a line that could not be read may know of an attempt nobody can ask about; it stays. */
function isDecided(file: JournalFile, { settledRuns, lockOwners }: Decided): boolean {
  if (file.lostLines > 0) return false;
  return file.lines.every((line) => {
    if (line.event === "intent") return settledRuns.has(line.runId);
    return line.event !== "lock-owner" || !lockOwners.has(line.invocationId);
  });
}

/** Attempts the journal knows, by what leads to them. */
function attemptsOf(journal: readonly JournalFile[]) {
  const runs = new Map<string, string>();
  for (const { lines } of journal) {
    for (const line of lines) if (line.event === "intent") runs.set(line.attemptId, line.runId);
  }
  return {
    runOf: (attemptId: string | null): string | null => runs.get(attemptId ?? "") ?? null,
    /** Null for a folder that is nobody's here: another runner may work beside ours. */
    byFolder: (workDir: string, name: string): string | null =>
      [...runs.keys()].find((attemptId) => workFolderOf(workDir, attemptId).name === name) ?? null,
  };
}

interface OldEntry extends KeptEntry {
  /** Epoch milliseconds. */
  readonly createdMs: number;
}

async function oldIn(folder: string, nowMs: number, limits: KeepLimits): Promise<readonly OldEntry[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const entries: OldEntry[] = [];
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found === null) continue;
    const bytes = found.isDirectory() ? await sizeOf(join(folder, name)) : found.size;
    entries.push({ name, modifiedMs: found.mtimeMs, createdMs: found.birthtimeMs || found.mtimeMs, bytes });
  }
  const going = new Set(outdated(entries, nowMs, limits));
  return entries.filter(({ name }) => going.has(name));
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function pruneProgramLogs(folder: string, nowMs: number): Promise<number> {
  const names = await readdir(folder).catch((): string[] => []);
  const files = await Promise.all(
    names.map(async (name) => ({
      name,
      modifiedMs: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? nowMs,
    })),
  );
  return count(outdatedLogs(files, nowMs, USUAL_LIMITS), (name) => remove(join(folder, name)));
}

const remove = async (path: string): Promise<boolean> => {
  await rm(path, { force: true });
  return true;
};

/** What cannot be removed now, somebody reading it, is tried again the next day. */
async function count<T>(items: readonly T[], removing: (item: T) => Promise<boolean>): Promise<number> {
  let gone = 0;
  for (const item of items) if (await removing(item).catch(() => false)) gone += 1;
  return gone;
}
