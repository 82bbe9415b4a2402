import type { Problem } from "../../shared/domain/problem.ts";
import type {
  HeldNetworkLock,
  Orchestrator,
  RunNetworkInput,
  RunNetworkResult,
} from "../orchestrator/index.ts";

/** A Run of this process, while it has one: its lock, and its id once it was created. */
export interface RunUnderWay {
  readonly lock: HeldNetworkLock;
  readonly runId: string | null;
}

/** What this process holds right now, for the words of a process that ends at once. */
export interface HeldLocks {
  /** Runs a network and keeps account of its lock. */
  readonly runNetwork: (input: RunNetworkInput) => Promise<RunNetworkResult>;
  held(): readonly RunUnderWay[];
}

/** Follows the locks of one orchestrator. */
export function followLocks(orchestrator: Pick<Orchestrator, "runNetwork">): HeldLocks {
  const underWay = new Set<{ lock: HeldNetworkLock | null; runId: string | null }>();
  return {
    async runNetwork(input) {
      const entry: { lock: HeldNetworkLock | null; runId: string | null } = { lock: null, runId: null };
      underWay.add(entry);
      try {
        return await orchestrator.runNetwork({
          ...input,
          onLock(lock) {
            entry.lock = lock;
            input.onLock?.(lock);
          },
          onEvent(event) {
            entry.runId = event.runId;
            input.onEvent?.(event);
          },
        });
      } finally {
        underWay.delete(entry);
      }
    },
    held: () => [...underWay].flatMap(({ lock, runId }) => (lock === null ? [] : [{ lock, runId }])),
  };
}

/** `ABANDONED`: this process ended at once, and what it held stays as it was. */
export function abandonedProblem(held: readonly RunUnderWay[]): Problem {
  const what = "Ended at once by a second request to stop.";
  if (held.length === 0) {
    return {
      code: "ABANDONED",
      message: `${what} No Network lock was held.`,
      place: "this process",
      remedy: "Look at the status of the network before starting again.",
    };
  }
  const runs = held.flatMap(({ runId }) => (runId === null ? [] : [runId]));
  const stays = runs.length === 0 ? "" : `; unfinished: ${runs.join(", ")}`;
  return {
    code: "ABANDONED",
    message: `${what} The lock stays held${stays}. A node that was running goes on by itself to its end.`,
    place: held.map(({ lock }) => lockPlace(lock)).join("; "),
    remedy:
      "Once nothing of this Run is alive any more, release the lock by force and resume the Run: kSQL-FlowNet 1.0.0 does both on the same records.",
    details: {
      locks: held.map(({ lock, runId }) => ({ ...lock, runId })),
    },
  };
}

const lockPlace = (lock: HeldNetworkLock): string =>
  `lock of ${lock.profile}/${lock.networkId} (${lock.lockKey}), owner ${lock.ownerInvocationId} ${lock.ownerInstanceId}`;
