import type { Handle, Native } from "./native.ts";
import { timesOf } from "./process-facts.ts";

const FOREVER = 0xffff_ffff;
const ONCE = 0x0000_0008;
/** Only where the system has no waiting thread left. */
const ASK_AGAIN_MS = 500;
/** As long as a timer can wait: it only keeps the program alive while somebody waits for a child. */
const KEEP_ALIVE_MS = 2_147_483_647;

/** Tells of processes that ended. The system's own waiting threads wait: nothing is asked again and again. */
export interface ExitWatch {
  /** Calls `onExit` once, on this thread, after the process has ended. */
  watch(processHandle: Handle, onExit: () => void): Waiting;
  /** Forgets every wait. */
  dispose(): void;
}

export interface Waiting {
  /** Lets this program end although the process runs on. */
  unref(): void;
  /** Waits no longer; call it before the handle is closed. */
  cancel(): void;
}

interface Entry {
  /** Null where the system gave no wait and is asked again and again instead. */
  readonly wait: Handle | null;
  readonly onExit: () => void;
  readonly keepAlive: NodeJS.Timeout;
}

/**
 * Waits for the end of processes that are not children of this Node (or were not started by it). One function of ours
 * serves all waits, since the system's thread may still be inside it when an exit has been told.
 */
export function createExitWatch(native: Native): ExitWatch {
  const entries = new Map<number, Entry>();
  let lastKey = 0;
  let disposed = false;
  const forget = (key: number): Entry | null => {
    const entry = entries.get(key) ?? null;
    if (entry === null) return null;
    entries.delete(key);
    clearInterval(entry.keepAlive);
    if (entry.wait !== null) native.call.UnregisterWait(entry.wait);
    return entry;
  };
  const callback = native.callback((key) => forget(key)?.onExit());

  const register = (processHandle: Handle, key: number): Handle | null => {
    const wait = Buffer.alloc(8);
    const { RegisterWaitForSingleObject: ask } = native.call;
    const given = ask(wait, processHandle, callback.address, BigInt(key), FOREVER, ONCE);
    return given === 0n ? null : wait.readBigInt64LE();
  };

  return {
    watch: (processHandle, onExit) => {
      const key = ++lastKey;
      const wait = register(processHandle, key);
      const look = (): void => {
        if (timesOf(native, processHandle)?.ended === true) forget(key)?.onExit();
      };
      const keepAlive =
        wait === null ? setInterval(look, ASK_AGAIN_MS) : setInterval(() => undefined, KEEP_ALIVE_MS);
      entries.set(key, { wait, onExit, keepAlive });
      return { unref: () => void keepAlive.unref(), cancel: () => void forget(key) };
    },
    dispose: () => {
      if (disposed) return;
      disposed = true;
      // A wait that was taken back may be telling its end at this moment; only an unused function can be given back.
      const unused = entries.size === 0;
      for (const key of [...entries.keys()]) forget(key);
      if (unused) callback.release();
    },
  };
}
