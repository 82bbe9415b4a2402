import type { RunRow } from "../../shared/api/index.ts";
import type { HoldState, NetworkLock, Run, Stored } from "../../shared/domain/model.ts";
import { isTerminalRunStatus } from "../../shared/domain/run-status.ts";
import type { FlowReads } from "../store/index.ts";
import { lockOver, rowOf } from "./live-model-rows.ts";

export interface PictureReader {
  /** Every Run of the state app as a row. */
  readAll(signal: AbortSignal): Promise<readonly RunRow[]>;
  /** The Runs that may look different since the reading before: written since, unfinished, or under a held lock. */
  readChanges(signal: AbortSignal): Promise<readonly RunRow[]>;
  /** One Run, judged; null when it is not in the store. */
  readOne(runId: string, signal: AbortSignal): Promise<RunRow | null>;
}

/** Asked again this far back: a kintone's clock need not be ours, and it keeps the minute only. Milliseconds. */
const OVERLAP_MS = 5 * 60_000;

/**
 * Reads rows within the request budget (operator-ux U2): a reading costs one request however many Runs there are,
 * because only what was written since is asked for. Which Run a lock owner belongs to never changes and is asked once.
 */
export function createPictureReader(reads: FlowReads, nowMs: () => number): PictureReader {
  const runs = new Map<string, Stored<Run>>();
  const holds = new Map<string, HoldState>();
  /** Runs that a lock owner was at work on when last read: their row changes when it leaves. */
  let owned = new Set<string>();
  let readFromMs: number | null = null;
  const owners = createOwners(reads);

  const rowsOf = async (
    wanted: Iterable<Stored<Run>>,
    locks: readonly NetworkLock[],
    signal: AbortSignal,
  ): Promise<readonly RunRow[]> => {
    const runOf = await owners(locks, signal);
    owned = new Set([...runOf.values()].filter((runId) => runId !== null));
    return [...wanted].map((run) => judgedRow(run, locks, runOf, holds.get(run.runId) ?? null, nowMs()));
  };
  const take = async (since: string | null, signal: AbortSignal) => {
    const startedMs = nowMs();
    const news = await reads.readOverview(since, signal);
    if (since === null) holds.clear();
    for (const run of news.runs) runs.set(run.runId, run);
    for (const hold of news.holds) holds.set(hold.runId, hold.state);
    readFromMs = startedMs;
    return news;
  };
  const readAll = async (signal: AbortSignal): Promise<readonly RunRow[]> => {
    const { runs: found, locks } = await take(null, signal);
    const present = new Set(found.map((run) => run.runId));
    for (const runId of runs.keys()) if (!present.has(runId)) runs.delete(runId);
    return rowsOf(runs.values(), locks, signal);
  };
  return {
    readAll,
    async readChanges(signal) {
      if (readFromMs === null) return readAll(signal);
      const before = owned;
      const news = await take(new Date(readFromMs - OVERLAP_MS).toISOString(), signal);
      const changed = new Set([...news.runs, ...news.holds].map((each) => each.runId));
      const wanted = [...runs.values()].filter(
        (run) =>
          changed.has(run.runId) ||
          before.has(run.runId) ||
          !isTerminalRunStatus(run.status) ||
          lockOver(run, news.locks) !== null,
      );
      return rowsOf(wanted, news.locks, signal);
    },
    async readOne(runId, signal) {
      // The lock before the Run: released in between, it would make a Run that just ended look interrupted.
      const before = await reads.listHeldLocks(signal);
      const run = await reads.findRunById(runId, signal);
      if (run === null) return null;
      runs.set(runId, run);
      // An end gives the lock back in the same request. One that was read before it says nothing of an ended Run.
      const again = isTerminalRunStatus(run.status) && lockOver(run, before) !== null;
      const locks = again ? await reads.listHeldLocks(signal) : before;
      const over = lockOver(run, locks);
      const [runOf, hold] = await Promise.all([
        owners(over === null ? [] : [over], signal),
        isTerminalRunStatus(run.status) ? null : reads.findHold(runId, signal),
      ]);
      if (hold !== null) holds.set(runId, hold.state);
      return judgedRow(run, locks, runOf, hold?.state ?? null, nowMs());
    },
  };
}

/** Which Run each lock's owner works on. */
function createOwners(reads: FlowReads) {
  const known = new Map<string, string>();
  const runOf = async ({ ownerInvocationId: owner }: NetworkLock, signal: AbortSignal) => {
    if (owner === null) return null;
    const asked = known.get(owner);
    if (asked !== undefined) return asked;
    const runId = await reads.findRunIdOfInvocation(owner, signal);
    // An owner takes the lock before its Invocation is written: not found yet is asked again.
    if (runId !== null) known.set(owner, runId);
    return runId;
  };
  return async (locks: readonly NetworkLock[], signal: AbortSignal) =>
    new Map(await Promise.all(locks.map(async (lock) => [lock, await runOf(lock, signal)] as const)));
}

function judgedRow(
  run: Stored<Run>,
  locks: readonly NetworkLock[],
  owners: ReadonlyMap<NetworkLock, string | null>,
  hold: HoldState | null,
  nowMs: number,
): RunRow {
  const lock = lockOver(run, locks);
  const owner = lock?.ownerInvocationId ?? null;
  const own = lock !== null && owner !== null && owners.get(lock) === run.runId;
  return rowOf(run, { lock, invocationIds: own ? [owner] : [], hold }, nowMs);
}
