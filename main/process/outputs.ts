import { type FileHandle, open } from "node:fs/promises";
import { removeLocked } from "./locked-files.ts";

/** The two output files of a child, opened by the parent (electron-desktop §4 C6). */
export interface Outputs {
  readonly stdout: number;
  readonly stderr: number;
  /** Closes the parent's ends; the child keeps its own. */
  close(): Promise<void>;
  /** Closes and removes both files, for a child that never ran. */
  discard(): Promise<void>;
}

/**
 * Creates both files, readable by this account alone, for appending: the child then writes at the end also after the
 * parent has shortened a file. Rejects when one exists already, leaving none behind.
 */
export async function openOutputs(stdoutPath: string, stderrPath: string): Promise<Outputs> {
  const stdout = await open(stdoutPath, "ax", 0o600);
  let stderr: FileHandle;
  try {
    stderr = await open(stderrPath, "ax", 0o600);
  } catch (error) {
    await stdout.close();
    await removeLocked(stdoutPath);
    throw error;
  }
  const close = async (): Promise<void> => {
    await Promise.all([stdout.close(), stderr.close()]);
  };
  return {
    stdout: stdout.fd,
    stderr: stderr.fd,
    close,
    discard: async () => {
      await close();
      await Promise.all([removeLocked(stdoutPath), removeLocked(stderrPath)]);
    },
  };
}
