import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { FlowError } from "../../shared/domain/problem.ts";

/** The folders and files of a data folder (decisions section 2). */
export interface DataDir {
  readonly root: string;
  readonly kintone: string;
  readonly journal: string;
  readonly work: string;
  readonly evidence: string;
  readonly log: string;
  /** Event logs of the built-in runner (execution-contract §10). */
  readonly runnerLogs: string;
  readonly configFile: string;
  readonly runnerConfigFile: string;
  readonly allowListFile: string;
  readonly schedulesFile: string;
  /** CSV files of the embedded workspace, `in` and `out` (orchestration section 8.4). */
  readonly io: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Where data lives unless `--data-dir` says otherwise (decisions section 2): `%ProgramData%\FlowNetConsole`,
 * or `%LOCALAPPDATA%` where a host has no common folder, and `$XDG_DATA_HOME/flownet` elsewhere.
 */
export function defaultDataDir(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") {
    const base = nonEmpty(env.ProgramData) ?? nonEmpty(env.LOCALAPPDATA);
    if (base !== null) return join(base, "FlowNetConsole");
    throw new FlowError({
      code: "DATA_DIR_UNKNOWN",
      message: "Neither ProgramData nor LOCALAPPDATA is set, so there is no place for the data folder.",
      remedy: "Name one with --data-dir.",
    });
  }
  const base = nonEmpty(env.XDG_DATA_HOME) ?? join(nonEmpty(env.HOME) ?? homedir(), ".local", "share");
  return join(base, "flownet");
}

function nonEmpty(value: string | undefined): string | null {
  return value === undefined || value === "" ? null : value;
}

export function dataDirPaths(root: string): DataDir {
  return {
    root,
    kintone: join(root, "kintone"),
    journal: join(root, "journal"),
    work: join(root, "work"),
    evidence: join(root, "evidence"),
    log: join(root, "log"),
    runnerLogs: join(root, "log", "runner"),
    configFile: join(root, "config.json"),
    runnerConfigFile: join(root, "ksql.config.json"),
    allowListFile: join(root, "networks.yaml"),
    schedulesFile: join(root, "schedules.json"),
    io: join(root, "io"),
  };
}

/**
 * Makes the folders, readable by this account alone (0700; on Windows the parent's rights apply).
 * Errors: `DATA_DIR_UNUSABLE` with the folder as its place.
 */
export async function prepareDataDir(root: string): Promise<DataDir> {
  const paths = dataDirPaths(root);
  try {
    const folders = [
      root,
      paths.kintone,
      paths.journal,
      paths.work,
      paths.evidence,
      paths.log,
      paths.runnerLogs,
    ];
    for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
    // A folder that was there before keeps its rights with mkdir: take them back to ours.
    if (process.platform !== "win32") await chmod(root, 0o700);
    return paths;
  } catch (error) {
    throw new FlowError(
      {
        code: "DATA_DIR_UNUSABLE",
        message: `The data folder cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        place: root,
        remedy: "Name a folder this account may write to with --data-dir, or free space on its disk.",
      },
      error,
    );
  }
}

/**
 * Writes a file for this account alone, whole or not at all: a temporary file beside it, flushed, then
 * renamed over it. Readers never see half of it, and a full disk leaves the old one.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, "w", 0o600);
    try {
      await handle.writeFile(text, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new FlowError(
      {
        code: "DATA_FILE_WRITE_FAILED",
        message: `A file of the data folder could not be written: ${error instanceof Error ? error.message : String(error)}`,
        place: path,
        remedy: "Free space on the disk and check that this account may write there.",
      },
      error,
    );
  }
}
