import { chmodSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { kintonePaths } from "./server-file.ts";

export interface FolderLock {
  release(): void;
}

const BUSY = 5;

/**
 * Makes this process the one server of a data folder, or answers null when another is. The lock is an open
 * exclusive SQLite transaction: the system drops it with the process, however that ends, on every platform.
 * A pid file could not promise that.
 */
export function takeFolderLock(dataDir: string): FolderLock | null {
  const handle = new DatabaseSync(kintonePaths(dataDir).lock);
  try {
    handle.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    handle.close();
    if (error instanceof Error && "errcode" in error && error.errcode === BUSY) return null;
    throw error;
  }
  // It holds no secret; it is ours alone like everything beside it.
  chmodSync(kintonePaths(dataDir).lock, 0o600);
  return { release: () => handle.close() };
}
