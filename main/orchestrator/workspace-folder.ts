import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";

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
 * Node ids were checked to be safe path segments when the bundle was verified.
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
  await mkdir(path.join(folder, "jobs"), { recursive: true, mode: 0o700 });
  await writeFile(path.join(folder, "network.yaml"), files.networkYaml, { mode: 0o600 });
  for (const job of files.jobs) await writeFile(sqlPath(job.nodeId), job.sql, { mode: 0o600 });
  return {
    folder,
    sqlPath,
    // A folder that cannot be removed changes nothing about the Run, whose end is in the records by now.
    remove: () => rm(path.join(workDir, invocationId), REMOVAL).catch(() => undefined),
  };
}
