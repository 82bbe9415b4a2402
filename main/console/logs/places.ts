import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { LOG_NAME_PATTERN } from "../../../shared/api/index.ts";
import { isRunnerId } from "../../../shared/contract/index.ts";
import { type WorkFolder, workFolderOf } from "../../attempt/index.ts";
import type { RunnerLogs } from "./runner-logs.ts";

export interface LogPlacesDeps {
  /** Where logs are kept, a folder an attempt. */
  readonly keptDir: string;
  /** Where attempts work. */
  readonly workDir: string;
  /** Null where the runner keeps its logs below the attempt's own folder, or somewhere unknown. */
  readonly runnerLogs: RunnerLogs | null;
}

/** A log file of an attempt, where it lies now. */
export interface LogPlace {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** It lies where a child may still write it. */
  readonly growing: boolean;
}

export interface LogPlaces {
  /** Files of an attempt, standard output first; none for an id that is none. */
  list(attemptId: string): Promise<readonly LogPlace[]>;
  find(attemptId: string, name: string): Promise<LogPlace | null>;
}

/**
 * Finds logs by listing known folders: a name from outside is only ever compared with what was listed, and an id must
 * have the form of one, so no path can be made to lead elsewhere. Links are no logs.
 */
export function createLogPlaces({ keptDir, workDir, runnerLogs }: LogPlacesDeps): LogPlaces {
  const list = async (attemptId: string): Promise<readonly LogPlace[]> => {
    const folder = attemptFolder(workDir, attemptId);
    if (folder === null) return [];
    const kept = await logsIn(join(keptDir, folder.name), false);
    const living = (await Promise.all(liveFolders(folder).map((each) => logsIn(each, true)))).flat();
    const path = kept.some(({ name }) => name.endsWith(".jsonl"))
      ? null
      : ((await runnerLogs?.pathOf(attemptId)) ?? null);
    const events = path === null ? null : await placeOf(path, true);
    const found = [...kept, ...living, ...(events === null ? [] : [events])];
    // Between the move and the removal of the folder, what is kept wins.
    const byName = new Map(found.toReversed().map((place) => [place.name, place]));
    return [...byName.values()].sort((left, right) => rank(left.name) - rank(right.name));
  };
  return {
    list,
    find: async (attemptId, name) => (await list(attemptId)).find((each) => each.name === name) ?? null,
  };
}

/** The folder of an attempt, null for what is no attempt id or would name the folder above. */
function attemptFolder(workDir: string, attemptId: string): WorkFolder | null {
  if (!isRunnerId(attemptId) || /^\.+$/.test(attemptId)) return null;
  return workFolderOf(workDir, attemptId);
}

/** The runner's default place of its event log is below its working directory (execution-contract §10). */
export const liveFolders = (folder: WorkFolder): readonly string[] => [
  folder.root,
  join(folder.cwd, ".ksql", "logs"),
];

/** The log files directly in a folder. */
export async function logsIn(folder: string, growing: boolean): Promise<readonly LogPlace[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const places = names
    .filter((name) => LOG_NAME_PATTERN.test(name))
    .map((name) => placeOf(join(folder, name), growing));
  return (await Promise.all(places)).filter((place) => place !== null);
}

async function placeOf(path: string, growing: boolean): Promise<LogPlace | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isFile()) return null;
  return { name: path.slice(path.search(/[^\\/]+$/)), path, sizeBytes: found.size, growing };
}

const ORDER = ["stdout.log", "stderr.log"];
const rank = (name: string): number => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1);
