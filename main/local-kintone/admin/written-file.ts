import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { FlowError } from "../../../shared/domain/problem.ts";

/**
 * Makes `target` whole or not at all: `work` fills a file beside it, which is put on the disk, closed to other
 * accounts, and then takes the name. Rejects with FlowError `TARGET_EXISTS` or `TARGET_FOLDER_MISSING`, and with what
 * `work` rejects with.
 */
export async function writeWhole<T>(target: string, work: (part: string) => Promise<T>): Promise<T> {
  refuseExisting(target);
  refuseNoFolder(target);
  const part = `${target}.part`;
  removeStore(part);
  try {
    const result = await work(part);
    chmodSync(part, 0o600);
    sync(part);
    refuseExisting(target);
    renameSync(part, target);
    // On Windows a folder cannot be opened for this, and needs no telling.
    if (process.platform !== "win32") sync(dirname(target));
    return result;
  } catch (error) {
    removeStore(part);
    throw error;
  }
}

/** Removes a database with the files SQLite keeps beside it. */
export function removeStore(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
}

function refuseExisting(target: string): void {
  if (!existsSync(target)) return;
  throw new FlowError({
    code: "TARGET_EXISTS",
    message: "There is a file of that name already; nothing was written.",
    place: target,
    remedy: "Name another file, or move that one away.",
  });
}

function refuseNoFolder(target: string): void {
  if (existsSync(dirname(target))) return;
  throw new FlowError({
    code: "TARGET_FOLDER_MISSING",
    message: "There is no such folder to write into; nothing was written.",
    place: dirname(target),
    remedy: "Make the folder, or name another place.",
  });
}

function sync(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
