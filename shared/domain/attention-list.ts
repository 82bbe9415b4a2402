import { type AttentionItem, byUrgency } from "./attention.ts";
import { lateAttention, withLateness } from "./attention-late.ts";
import { type LockPicture, lockAttention } from "./attention-lock.ts";
import type { RunInPicture, RunRecordsRead } from "./attention-picture.ts";
import { type RequestsPicture, requestAttention } from "./attention-request.ts";
import { runAttention } from "./attention-run.ts";
import { instantOf } from "./datetime.ts";
import type { Expectation } from "./expectation.ts";
import { networkLockKey } from "./keys.ts";
import { DATETIME_ALLOWANCE_MS, isStaleCandidate } from "./lease.ts";

/** Everything the list is made of, as last read. */
export interface AttentionWorld {
  readonly profile: string;
  readonly runs: readonly RunInPicture[];
  /** Records by run id, for those Runs whose records were read. */
  readonly records: ReadonlyMap<string, RunRecordsRead>;
  readonly locks: readonly LockPicture[];
  readonly expectations: readonly Expectation[];
  /** Null where no request app is configured, or before it was read. */
  readonly requests: RequestsPicture | null;
}

/** What needs somebody, most urgent first. `now` in epoch milliseconds. */
export function attentionList(world: AttentionWorld, now: number): readonly AttentionItem[] {
  const lockOver = lockFinder(world.locks);
  const ofRuns = world.runs.flatMap((run) => {
    const lock = lockOver(run);
    return runAttention({
      run,
      records: world.records.get(run.runId) ?? null,
      lock,
      lockStands: lock !== null && !isStaleCandidate(lock.leaseExpiresAt, now),
    });
  });
  const ofLocks = world.locks.flatMap((picture) => lockAttention(picture, now) ?? []);
  const ofRequests = world.requests === null ? [] : requestAttention(world.requests, now);
  const late = lateAttention(world, now);
  // Whose Run a lock is tells nothing of that Run's lateness: only a Run's own items take it in.
  return [...ofLocks, ...ofRequests, ...withLateness(ofRuns, late)].sort(byUrgency);
}

/** Finds the lock over a Run's network. A key is a hash: it is made once a network, and only where there are locks. */
function lockFinder(pictures: readonly LockPicture[]) {
  const held = new Map(pictures.map(({ lock }) => [lock.lockKey, lock]));
  const found = new Map<string, LockPicture["lock"] | null>();
  return ({ profile, networkId }: RunInPicture): LockPicture["lock"] | null => {
    if (held.size === 0) return null;
    const network = `${profile}\u0000${networkId}`;
    const known = found.get(network);
    if (known !== undefined) return known;
    const key = networkLockKey(profile, networkId);
    const lock = key.ok ? (held.get(key.value) ?? null) : null;
    found.set(network, lock);
    return lock;
  };
}

/**
 * The next instant at which the list changes although nothing is read: a lease that passes its allowance. Epoch
 * milliseconds, null when time alone changes nothing.
 */
export function nextLeaseEnd(locks: readonly LockPicture[], now: number): number | null {
  const ends = locks.flatMap(({ lock }) => {
    const expiry = instantOf(lock.leaseExpiresAt);
    return expiry === null || expiry + DATETIME_ALLOWANCE_MS < now
      ? []
      : [expiry + DATETIME_ALLOWANCE_MS + 1];
  });
  return ends.length === 0 ? null : Math.min(...ends);
}
