import { type FSWatcher, watch } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import type { LogPlace } from "./places.ts";

/** A writer of a thousand lines a second is told of four times a second (operator-ux §3.2). Milliseconds. */
const SHORTEST_MS = 250;
/** What the file system does not tell (a share, a moved file) is seen at the next look. */
const LONGEST_MS = 1_000;
/** A settled attempt's log changes no more; it may only be pruned. */
const SETTLED_MS = 10_000;

/** Waits until a file may have changed, within a bound. Ends early, without an error, when aborted. */
export async function waitForChange({ path, growing }: LogPlace, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  const longest = growing ? LONGEST_MS : SETTLED_MS;
  const { promise: changed, resolve } = Promise.withResolvers<void>();
  const watcher = growing ? watchFile(path, resolve) : null;
  try {
    await Promise.race([changed, quiet(longest, either)]);
    // A change right after the look ends the wait at once; the next one has to give the reader time.
    if (growing) await quiet(SHORTEST_MS, either);
  } finally {
    ended.abort();
    watcher?.close();
  }
}

/** Null when the file is gone or moved between the look and now: the bound ends the wait. */
function watchFile(path: string, changed: () => void): FSWatcher | null {
  try {
    return watch(path, { persistent: false }, changed).on("error", changed);
  } catch {
    return null;
  }
}

const quiet = async (ms: number, signal: AbortSignal): Promise<void> => {
  await after(ms, undefined, { signal, ref: false }).catch(() => undefined);
};
