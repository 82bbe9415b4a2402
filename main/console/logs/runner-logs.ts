import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of a first line that are looked at: its ids stand in front of everything else (execution-contract §10). */
const HEAD_BYTES = 2_048;
/** A living attempt's log is among the newest; older ones were moved away or belong to no attempt. */
const NEWEST = 200;

export interface RunnerLogs {
  readonly dir: string;
  /** The event log of an attempt, null when there is none. Absolute. */
  pathOf(attemptId: string): Promise<string | null>;
}

/**
 * The event logs below a runner's own log folder. Their names are execution ids, which nobody knows while a child
 * lives, so an attempt's is found by the id in its lines (execution-contract §10).
 */
export function createRunnerLogs(dir: string): RunnerLogs {
  // A first line never changes.
  const owners = new Map<string, string>();
  const ownerOf = async (name: string): Promise<string | null> => {
    const known = owners.get(name);
    if (known !== undefined) return known;
    const owner = attemptIn(await headOf(join(dir, name)));
    if (owner !== null) owners.set(name, owner);
    return owner;
  };
  return {
    dir,
    async pathOf(attemptId) {
      const names = await newestIn(dir);
      for (const known of owners.keys()) if (!names.includes(known)) owners.delete(known);
      for (const name of names) if ((await ownerOf(name)) === attemptId) return join(dir, name);
      return null;
    },
  };
}

/** The attempt a log of the runner names in its first line; null for one that names none. Never throws. */
export const attemptOfLog = async (path: string): Promise<string | null> => attemptIn(await headOf(path));

async function newestIn(dir: string): Promise<readonly string[]> {
  const names = (await readdir(dir).catch((): string[] => [])).filter((name) => name.endsWith(".jsonl"));
  const dated = names.map(async (name) => {
    const found = await stat(join(dir, name)).catch(() => null);
    return { name, at: found?.isFile() === true ? found.mtimeMs : -1 };
  });
  const found = (await Promise.all(dated)).filter(({ at }) => at >= 0);
  return found
    .sort((left, right) => right.at - left.at)
    .slice(0, NEWEST)
    .map(({ name }) => name);
}

async function headOf(path: string): Promise<string> {
  const handle = await open(path).catch(() => null);
  if (handle === null) return "";
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The attempt a first line names. Pure. */
export const attemptIn = (head: string): string | null =>
  /^[^\n]*?"attemptId":"([A-Za-z0-9._:-]{1,128})"/.exec(head)?.[1] ?? null;
