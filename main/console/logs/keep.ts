import { copyFile, mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import type { KeptLogs } from "../../attempt/index.ts";
import { liveFolders, logsIn } from "./places.ts";
import { pruneLogs, type RetentionLimits } from "./prune.ts";
import type { RunnerLogs } from "./runner-logs.ts";

export interface LogKeeperDeps {
  readonly keptDir: string;
  readonly runnerLogs: RunnerLogs | null;
  readonly limits?: RetentionLimits;
}

/**
 * Moves what an attempt's child printed, and the runner's event log of it, to where it stays after the work folder
 * is gone (operator-ux §1.1: logs stay with their attempt). Nothing else of the folder is kept, and nothing is added:
 * the runner masks what it prints (execution-contract §11). Then the oldest beyond the limits go.
 */
export function createLogKeeper({ keptDir, runnerLogs, limits }: LogKeeperDeps) {
  let pruning: Promise<void> = Promise.resolve();
  return async ({ folder, attemptId }: KeptLogs): Promise<void> => {
    const living = (await Promise.all(liveFolders(folder).map((each) => logsIn(each, true)))).flat();
    const events = (await runnerLogs?.pathOf(attemptId)) ?? null;
    const paths = [
      ...living.filter(({ sizeBytes }) => sizeBytes > 0).map(({ path }) => path),
      ...(events === null ? [] : [events]),
    ];
    if (paths.length === 0) return;
    const target = join(keptDir, folder.name);
    await mkdir(target, { recursive: true, mode: 0o700 });
    for (const path of paths) await move(path, join(target, basename(path)));
    // Nodes end side by side; one look at the folder at a time.
    pruning = pruning.catch(() => undefined).then(() => pruneLogs(keptDir, limits));
    await pruning;
  };
}

/** Renames; copies where the work folder lies on another disk, the original going with its folder. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    await copyFile(from, to);
  }
}
