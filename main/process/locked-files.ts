import { rename, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** What a virus scanner, a backup or an open handle of somebody else answers with for a moment (electron-desktop §4 C8). */
const FOR_A_MOMENT: ReadonlySet<string> = new Set(["EPERM", "EBUSY", "EACCES"]);
/** A removed file that somebody still has open stays in its folder until it is let go. */
const FOR_A_MOMENT_IN_FOLDERS: ReadonlySet<string> = new Set([...FOR_A_MOMENT, "ENOTEMPTY"]);
/** About three seconds in all: longer than a scanner holds a file, shorter than somebody waits in silence. */
const WAITS_MS = [20, 50, 100, 200, 400, 800, 1_500] as const;

export interface RetryOptions {
  /** Ends the waiting; the last error is then thrown. */
  readonly signal?: AbortSignal;
  readonly waitsMs?: readonly number[];
  /** Codes that may pass by themselves. */
  readonly codes?: ReadonlySet<string>;
}

/**
 * Does something again while the system says that the file is held by somebody, a bounded number of times. Rejects
 * with the last error, and at once with any other (toolchain §9, "retry with backoff").
 */
export async function retryWhileLocked<T>(action: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { signal, waitsMs = WAITS_MS, codes = FOR_A_MOMENT } = options;
  for (const waitMs of waitsMs) {
    try {
      return await action();
    } catch (error) {
      if (!codes.has(codeOf(error)) || signal?.aborted === true) throw error;
      // The signal ends the wait and not the action: one more try answers with the error of the file itself.
      await delay(waitMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  }
  return await action();
}

/** Renames over what is there, waiting for whoever holds one of both for a moment. */
export function renameLocked(from: string, to: string, options?: RetryOptions): Promise<void> {
  return retryWhileLocked(() => rename(from, to), options);
}

/** Removes a file or a folder with everything in it; what is not there is no error. */
export function removeLocked(path: string, options?: RetryOptions): Promise<void> {
  const codes = options?.codes ?? FOR_A_MOMENT_IN_FOLDERS;
  return retryWhileLocked(() => rm(path, { recursive: true, force: true }), { ...options, codes });
}

/** The system's code of an error, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
