import { existsSync, mkdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import { findLocalKintone } from "../client.ts";
import type { Compacted } from "../process/control-contract.ts";
import { takeFolderLock } from "../process/folder-lock.ts";
import { kintonePaths, makeFolders, readKeptPort, writeAtomically } from "../process/server-file.ts";
import { workspaceDatabase, workspaceNames } from "../process/workspaces.ts";
import { storageProblem } from "../storage/failures.ts";
import { compactStore } from "./compact.ts";
import { type ImportResult, importStore } from "./import.ts";

/** One workspace of a data folder; `name` null is the one at the root path. */
export interface Workspace {
  readonly dataDir: string;
  readonly name: string | null;
}

/** Database of a workspace that is there. Throws FlowError `WORKSPACE_NAME_INVALID`, `WORKSPACE_UNKNOWN`. */
export function requireStore({ dataDir, name }: Workspace): string {
  const path = workspaceDatabase(dataDir, name);
  if (existsSync(path)) return path;
  throw new FlowError({
    code: "WORKSPACE_UNKNOWN",
    message: name === null ? "The data folder has no local kintone yet." : `There is no workspace "${name}".`,
    place: path,
    remedy: "Name the right folder with --data-dir, or make the apps: flownet local-kintone create-apps",
  });
}

/** Works on the files of a folder nobody serves, and keeps everybody from serving it meanwhile: `FOLDER_IN_USE`. */
async function withFolder<T>(dataDir: string, work: () => Promise<T> | T): Promise<T> {
  makeFolders(dataDir);
  const lock = takeFolderLock(dataDir);
  if (lock === null) throw inUse(dataDir);
  try {
    return await work();
  } catch (error) {
    const problem = storageProblem(error, dataDir);
    throw problem === null ? error : new FlowError(problem, error);
  } finally {
    lock.release();
  }
}

const inUse = (dataDir: string): FlowError =>
  new FlowError({
    code: "FOLDER_IN_USE",
    message: "A local kintone serves this data folder; its files are left alone.",
    place: dataDir,
    remedy: "End it: flownet local-kintone stop",
  });

/** Compacts through the running server, or in the file when nobody serves it. */
export async function compactWorkspace(workspace: Workspace, signal: AbortSignal): Promise<Compacted> {
  const { dataDir, name } = workspace;
  const path = requireStore(workspace);
  const running = await findLocalKintone(dataDir, signal);
  if (running === null) return withFolder(dataDir, () => compactStore(path));
  try {
    const { provisioner } = running;
    return await (name === null ? provisioner : provisioner.inWorkspace(name)).compact();
  } finally {
    await running.release();
  }
}

/**
 * Makes a workspace from an export. The root workspace of a folder without a port takes the one of the export: the
 * base URL is part of every stored Run (decisions §2). Rejects like `importStore`, and with `FOLDER_IN_USE`.
 */
export function importWorkspace(
  workspace: Workspace,
  source: string,
  signal: AbortSignal,
): Promise<ImportResult> {
  const { dataDir, name } = workspace;
  const target = workspaceDatabase(dataDir, name);
  return withFolder(dataDir, async () => {
    const { workspaces, port: portFile } = kintonePaths(dataDir);
    if (name !== null) mkdirSync(workspaces, { recursive: true, mode: 0o700 });
    const result = await importStore({ source, target, signal });
    if (name === null && result.port !== null && readKeptPort(dataDir) === null) {
      writeAtomically(portFile, { kind: "LOCAL_KINTONE_PORT", formatVersion: 1, port: result.port });
    }
    return result;
  });
}

export const folderStatusSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_FOLDER"),
  formatVersion: z.literal(1),
  dataDir: z.string(),
  /** Null when nobody serves the folder. */
  server: z
    .object({ pid: z.number(), baseUrl: z.string(), users: z.number(), databaseId: z.string() })
    .nullable(),
  /** The kept port; null before the first start. */
  port: z.number().nullable(),
  workspaces: z.array(z.string()).readonly(),
});
export type FolderStatus = z.output<typeof folderStatusSchema>;

/** Who serves a data folder, and what is in it. */
export async function folderStatus(dataDir: string, signal: AbortSignal): Promise<FolderStatus> {
  const running = await findLocalKintone(dataDir, signal);
  const head = {
    kind: "LOCAL_KINTONE_FOLDER",
    formatVersion: 1,
    dataDir,
    port: readKeptPort(dataDir),
    workspaces: workspaceNames(dataDir),
  } as const;
  if (running === null) return { ...head, server: null };
  try {
    const { pid, baseUrl, leases, databaseId } = await running.provisioner.status();
    // Ours is one of the leases.
    return { ...head, server: { pid, baseUrl, users: leases - 1, databaseId } };
  } finally {
    await running.release();
  }
}

const LOOK_AGAIN_MS = 50;

/** Ends the server of a folder, whoever uses it, and waits until the folder is free; false when none ran. */
export async function stopServer(dataDir: string, signal: AbortSignal): Promise<boolean> {
  const running = await findLocalKintone(dataDir, signal);
  if (running === null) return false;
  try {
    await running.provisioner.stop();
  } finally {
    await running.release();
  }
  for (;;) {
    signal.throwIfAborted();
    const lock = takeFolderLock(dataDir);
    if (lock !== null) {
      lock.release();
      return true;
    }
    await pause(LOOK_AGAIN_MS, undefined, { signal });
  }
}
