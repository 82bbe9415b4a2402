import type { RunRow } from "../../shared/api/index.ts";
import type { HoldState, NetworkLock, Run, Stored } from "../../shared/domain/model.ts";
import { isTerminalRunStatus } from "../../shared/domain/run-status.ts";
import type { FlowReads } from "../store/index.ts";
import { lockOver, rowOf } from "./live-model-rows.ts";

export interface PictureReader {
  /** Every Run of the state app as a row: the Runs, the locks, the holds of the unfinished ones, the owners. */
  readAll(signal: AbortSignal): Promise<readonly RunRow[]>;
  /** One Run, judged; null when it is not in the store. */
  readOne(runId: string, signal: AbortSignal): Promise<RunRow | null>;
}

/**
 * Reads rows within the request budget (operator-ux U2): a picture costs the same few requests however many Runs are
 * unfinished. Which Run a lock owner belongs to never changes and is asked once.
 */
export function createPictureReader(reads: FlowReads, nowMs: () => number): PictureReader {
  const runOfOwner = new Map<string, string>();

  const ownerRun = async (lock: NetworkLock, signal: AbortSignal): Promise<string | null> => {
    const owner = lock.ownerInvocationId;
    if (owner === null) return null;
    const known = runOfOwner.get(owner);
    if (known !== undefined) return known;
    const runId = await reads.findRunIdOfInvocation(owner, signal);
    // An owner takes the lock before its Invocation is written: not found yet is asked again.
    if (runId !== null) runOfOwner.set(owner, runId);
    return runId;
  };
  const judgedRow = (
    run: Stored<Run>,
    locks: readonly NetworkLock[],
    owners: ReadonlyMap<NetworkLock, string | null>,
    hold: HoldState | null,
  ): RunRow => {
    const lock = lockOver(run, locks);
    const owner = lock?.ownerInvocationId ?? null;
    const own = lock !== null && owner !== null && owners.get(lock) === run.runId;
    return rowOf(run, { lock, invocationIds: own ? [owner] : [], hold }, nowMs());
  };
  const ownersOf = async (locks: readonly NetworkLock[], signal: AbortSignal) =>
    new Map(await Promise.all(locks.map(async (lock) => [lock, await ownerRun(lock, signal)] as const)));
  return {
    async readAll(signal) {
      const [runs, locks] = await Promise.all([reads.listAllRuns(signal), reads.listHeldLocks(signal)]);
      const unfinished = runs.filter((run) => !isTerminalRunStatus(run.status)).map((run) => run.runId);
      const [owners, holds] = await Promise.all([
        ownersOf(locks, signal),
        unfinished.length === 0 ? new Map() : reads.findHolds(unfinished, signal),
      ]);
      return runs.map((run) => judgedRow(run, locks, owners, holds.get(run.runId)?.state ?? null));
    },
    async readOne(runId, signal) {
      const [run, locks] = await Promise.all([reads.findRunById(runId, signal), reads.listHeldLocks(signal)]);
      if (run === null) return null;
      const over = lockOver(run, locks);
      const [owners, hold] = await Promise.all([
        ownersOf(
          locks.filter((lock) => lock.lockKey === over?.lockKey),
          signal,
        ),
        isTerminalRunStatus(run.status) ? null : reads.findHold(runId, signal),
      ]);
      return judgedRow(run, locks, owners, hold?.state ?? null);
    },
  };
}
