import { mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { resultFileName } from "../../shared/contract/index.ts";
import { fail, ok, type Result } from "../../shared/domain/problem.ts";

/** Where one attempt works. */
export interface WorkFolder {
  readonly name: string;
  readonly root: string;
  /**
   * The child's working directory, its own: the runner keeps a lock file below it that would let one job run
   * at a time (execution-contract §7.4).
   */
  readonly cwd: string;
  readonly resultPath: string;
  readonly stdoutPath: string;
  readonly stderrPath: string;
}

/** Paths of an attempt's folder below the work folder (execution-contract §4.1). Pure. */
export function workFolderOf(workDir: string, attemptId: string): WorkFolder {
  const resultName = resultFileName(attemptId);
  const name = resultName.slice(0, -".json".length);
  const root = join(resolve(workDir), name);
  return {
    name,
    root,
    cwd: join(root, "cwd"),
    resultPath: join(root, "metadata", resultName),
    stdoutPath: join(root, "stdout.log"),
    stderrPath: join(root, "stderr.log"),
  };
}

/**
 * Makes the folder of an attempt. It must not exist yet: a result of an earlier attempt could be taken for this
 * one's (execution-contract W17). Error: `WORK_FOLDER_UNAVAILABLE`.
 */
export async function makeWorkFolder(folder: WorkFolder): Promise<Result<WorkFolder>> {
  // A name of dots is the work folder itself or one above it, and would be removed with the attempt.
  if (/^\.*$/.test(folder.name)) return unavailable(folder, "its attempt id is no name for a folder");
  try {
    await mkdir(resolve(folder.root, ".."), { recursive: true, mode: 0o700 });
    await mkdir(folder.root, { mode: 0o700 });
    await mkdir(folder.cwd);
    await mkdir(resolve(folder.resultPath, ".."));
    return ok(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    return unavailable(folder, code);
  }
}

function unavailable(folder: WorkFolder, why: string): Result<never> {
  return fail({
    code: "WORK_FOLDER_UNAVAILABLE",
    message: `The folder of this attempt could not be made (${why}), so the job was not started.`,
    place: folder.root,
    remedy: "Check free space and rights of the work folder.",
  });
}

/**
 * Removes the folder of an attempt, unless the runner left updates of its log there that it could not send
 * (execution-contract §10, `pending`): without them the job lock stays held. True when it is gone.
 */
export async function removeWorkFolder(folder: WorkFolder): Promise<boolean> {
  if ((await namesIn(join(folder.cwd, ".ksql", "logs", "pending"))).length > 0) return false;
  // Virus scanners hold fresh files for a moment on Windows; the retries are bounded.
  await rm(folder.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return true;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
