import { setTimeout as pause } from "node:timers/promises";
import { type EnsuredKintone, type EnsureOptions, ensureLocalKintone } from "./client.ts";
import type { Provisioner } from "./provisioner.ts";

/** Between two tries to have the server again, in milliseconds: doubled from the first to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** Between two looks whether it is there again, in milliseconds. */
const LOOK_AGAIN_MS = 50;

export interface KeepOptions extends EnsureOptions {
  /** Asked before every start; a rejection refuses it, also later in the life of the lease. */
  readonly guard: () => Promise<void>;
}

/** A server that is there as long as it is needed. */
export interface KeptKintone {
  readonly baseUrl: string;
  readonly port: number;
  /** Of the server that runs now: its control port changes with every start. */
  readonly provisioner: Provisioner;
  /** Resolves once a server is there, or when the signal aborts; at once while none is missed. */
  present(signal: AbortSignal): Promise<void>;
  /** Lets go of the lease; with `end` the server ends now when nobody else uses it. */
  release(end: boolean): Promise<void>;
}

/**
 * Ensures the server of a data folder and keeps it: whoever holds the lease starts it again when it died (decisions
 * §2: started by whoever needs it first). The base URL stays, because the port is kept; requests in between fail and
 * are repeated by their senders. Rejects like {@link ensureLocalKintone} and with what `guard` rejects with.
 */
export async function keepLocalKintone(options: KeepOptions): Promise<KeptKintone> {
  const ended = new AbortController();
  const ensure = async (signal: AbortSignal): Promise<EnsuredKintone> => {
    await options.guard();
    return ensureLocalKintone({ ...options, signal });
  };
  let current = await ensure(options.signal);
  const keeping = keep();

  async function keep(): Promise<void> {
    while (await lostOrEnded(current.lost, ended.signal)) {
      const again = await ensureAgain(ensure, ended.signal);
      if (again === null) return;
      current = again;
    }
  }

  return {
    baseUrl: current.baseUrl,
    port: current.port,
    get provisioner() {
      return current.provisioner;
    },
    async present(signal) {
      while (current.lost.aborted && !signal.aborted && !ended.signal.aborted) {
        await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    },
    async release(end) {
      // First of all: an end that we ask for must not look like a loss.
      ended.abort();
      await keeping;
      if (end && !current.lost.aborted) {
        const status = await current.provisioner.status().catch(() => null);
        if (status?.leases === 1) await current.provisioner.stop().catch(() => undefined);
      }
      await current.release();
    },
  };
}

/** True when the server was lost, false when nobody keeps it any more. */
function lostOrEnded(lost: AbortSignal, ended: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (): void => {
      lost.removeEventListener("abort", settle);
      ended.removeEventListener("abort", settle);
      resolve(!ended.aborted);
    };
    lost.addEventListener("abort", settle);
    ended.addEventListener("abort", settle);
    if (lost.aborted || ended.aborted) settle();
  });
}

/**
 * The server again, however long that takes: what stands in the way (a full disk, a busy port) may go away, and until
 * then every request says that kintone cannot be reached. Null once it is kept no longer.
 */
async function ensureAgain(
  ensure: (signal: AbortSignal) => Promise<EnsuredKintone>,
  ended: AbortSignal,
): Promise<EnsuredKintone | null> {
  for (let pauseMs = FIRST_PAUSE_MS; !ended.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await ensure(ended);
    } catch {
      // The next try tells; the reason stands in the server's own log.
    }
    await pause(pauseMs, undefined, { signal: ended, ref: false }).catch(() => undefined);
  }
  return null;
}
