import { access } from "node:fs/promises";
import { FlowError } from "../../shared/domain/problem.ts";
import { kintonePaths } from "../local-kintone/index.ts";
import type { DataDir } from "./data-dir.ts";
import { readWorkspaceConfig, type WorkspaceConfig } from "./workspace-config.ts";

/**
 * Refuses a data folder that was set up and has lost its database, before a server makes an empty one in its place:
 * every Run would be forgotten without a word. Errors: `WORKSPACE_DATABASE_MISSING`, `WORKSPACE_CONFIG_INVALID`.
 */
export async function requireDatabase(dataDir: DataDir): Promise<void> {
  const known = await readWorkspaceConfig(dataDir.configFile);
  if (known === null) return;
  const { database } = kintonePaths(dataDir.root);
  const there = await access(database).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
  if (there) return;
  throw new FlowError({
    code: "WORKSPACE_DATABASE_MISSING",
    message:
      "This data folder was set up, but the database that holds its Runs is not there. No new one was made in its place.",
    place: database,
    remedy: `Put the database back from a backup, with the files -wal and -shm if they are there. To begin anew without the Runs, move ${dataDir.configFile} away.`,
  });
}

/** Refuses a database that is not the one this data folder was set up with: `WORKSPACE_DATABASE_OTHER`. */
export function requireSameDatabase(
  known: WorkspaceConfig | null,
  databaseId: string,
  dataDir: DataDir,
): void {
  // A configuration of before databases had an id takes over the one that is there.
  if (known?.databaseId === undefined || known.databaseId === databaseId) return;
  throw new FlowError({
    code: "WORKSPACE_DATABASE_OTHER",
    message:
      "The database of this data folder is not the one the folder was set up with; its Runs would be missing or foreign.",
    place: kintonePaths(dataDir.root).database,
    remedy: `Put the right database back while no FlowNet program runs. To work with this one on purpose, move ${dataDir.configFile} away.`,
    details: { expected: known.databaseId, found: databaseId },
  });
}
