import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { errorText, FlowError } from "../../shared/domain/problem.ts";

/** Virus scanners hold fresh files for a moment on Windows; the retries are bounded. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const;

/** A folder with the stored bundle's files; the deployed files are never used for an existing Run. */
export interface UnpackedBundle {
  readonly folder: string;
  sqlPath(nodeId: string): string;
  /** Never rejects. */
  remove(): Promise<void>;
}

/**
 * Writes a verified bundle into a fresh folder of its own below `workDir` (orchestration section 4.1).
 * Node ids were checked to be safe path segments when the bundle was verified. Throws `WORK_FOLDER_UNAVAILABLE`.
 */
export async function unpackBundle(
  workDir: string,
  invocationId: string,
  files: {
    readonly networkYaml: Uint8Array;
    readonly jobs: readonly { readonly nodeId: string; readonly sql: Uint8Array }[];
  },
): Promise<UnpackedBundle> {
  const folder = path.join(workDir, invocationId, "bundle");
  const sqlPath = (nodeId: string): string => path.join(folder, "jobs", `${nodeId}.sql`);
  // A folder that cannot be removed changes nothing about the Run, whose end is in the records by now.
  const remove = (): Promise<void> => rm(path.join(workDir, invocationId), REMOVAL).catch(() => undefined);
  try {
    await mkdir(path.join(folder, "jobs"), { recursive: true, mode: 0o700 });
    await writeFile(path.join(folder, "network.yaml"), files.networkYaml, { mode: 0o600 });
    for (const job of files.jobs) await writeFile(sqlPath(job.nodeId), job.sql, { mode: 0o600 });
  } catch (error) {
    await remove();
    throw new FlowError({
      code: "WORK_FOLDER_UNAVAILABLE",
      message: `The stored bundle could not be unpacked: ${errorText(error)}`,
      place: folder,
      remedy: "Check free space and rights of the work folder, then resume the Run.",
    });
  }
  return {
    folder,
    sqlPath,
    remove,
  };
}
