import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";

const port = z.number().int().min(1).max(65_535);

/** `kintone/server.json`: where the running server is found. Mode 0600: it holds the control token. */
export const serverFileSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_SERVER"),
  formatVersion: z.literal(1),
  pid: z.number().int().positive(),
  /** Start of the process as ISO UTC where `/proc` tells it, else null. */
  processStart: z.string().nullable(),
  port,
  baseUrl: z.string(),
  startedAt: z.string(),
  controlUrl: z.string(),
  controlToken: z.string().min(32),
});
export type ServerFile = z.infer<typeof serverFileSchema>;

/** `kintone/port.json`: chosen once, because the base URL is part of every stored Run (decisions §2). */
const portFileSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_PORT"),
  formatVersion: z.literal(1),
  port,
});

/** Paths inside a data folder. */
export function kintonePaths(dataDir: string): {
  readonly folder: string;
  readonly database: string;
  readonly server: string;
  /** Of the port over which faults are set, while the server has one (kintone-rest §19). */
  readonly faultControl: string;
  readonly port: string;
  readonly lock: string;
  readonly log: string;
  /** One database a named workspace. */
  readonly workspaces: string;
} {
  const folder = join(dataDir, "kintone");
  return {
    folder,
    database: join(folder, "kintone.sqlite"),
    server: join(folder, "server.json"),
    faultControl: join(folder, "control.json"),
    port: join(folder, "port.json"),
    lock: join(folder, "owner.lock"),
    log: join(dataDir, "log"),
    workspaces: join(folder, "workspaces"),
  };
}

/** Creates the folders of the server, closed to other accounts. */
export function makeFolders(dataDir: string): void {
  const paths = kintonePaths(dataDir);
  mkdirSync(paths.folder, { recursive: true, mode: 0o700 });
  mkdirSync(paths.log, { recursive: true, mode: 0o700 });
}

/** Replaces a file in one step: a reader sees the old text or the new one, never a part. */
export function writeAtomically(path: string, value: unknown): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const handle = openSync(temporary, "wx", 0o600);
  try {
    writeSync(handle, `${JSON.stringify(value, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, path);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** The server file, or null when there is none that can be read: then no server is known. */
export function readServerFile(dataDir: string): ServerFile | null {
  const parsed = serverFileSchema.safeParse(readJson(kintonePaths(dataDir).server));
  return parsed.success ? parsed.data : null;
}

/** Removes the server file if it is still the one with this control token. */
export function removeServerFile(dataDir: string, controlToken: string): void {
  if (readServerFile(dataDir)?.controlToken === controlToken) rmSync(kintonePaths(dataDir).server);
}

/** The port kept for this folder, or null before the first start; throws on a damaged file. */
export function readKeptPort(dataDir: string): number | null {
  const path = kintonePaths(dataDir).port;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return null;
  }
  const parsed = portFileSchema.safeParse(readJson(path));
  if (parsed.success) return parsed.data.port;
  // A new port would make every stored Run's base URL differ, so nothing is guessed here.
  throw new FlowError({
    code: "PORT_FILE_INVALID",
    message: `The file that keeps the local kintone's port cannot be read (${text.length} characters).`,
    place: path,
    remedy:
      'Write {"kind":"LOCAL_KINTONE_PORT","formatVersion":1,"port":N} with the port of the stored Runs.',
  });
}
