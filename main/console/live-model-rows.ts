import type { RunDiff, RunRow } from "../../shared/api/index.ts";
import { networkLockKey } from "../../shared/domain/keys.ts";
import { type LockOwner, runActivity } from "../../shared/domain/lease.ts";
import type { HoldState, NetworkLock, Run, Stored } from "../../shared/domain/model.ts";

/** What was read of one Run besides its record, for judging its activity (orchestration §6.1). */
export interface RunEvidence {
  readonly lock: LockOwner | null;
  readonly invocationIds: readonly string[];
  readonly hold: HoldState | null;
}

/**
 * The list row of a Run. `evidence` null: not judged in this round, so the row claims no activity. `nowMs` in epoch
 * milliseconds. A finished Run whose owner is at work again counts as LIVE although its record says otherwise (W-06).
 */
export function rowOf(run: Stored<Run>, evidence: RunEvidence | null, nowMs: number): RunRow {
  const judged =
    evidence && runActivity({ status: run.status, startedAt: run.startedAt, ...evidence }, nowMs);
  return {
    runId: run.runId,
    networkId: run.networkId,
    profile: run.profileSnapshot.profile,
    businessKey: run.businessKey,
    status: run.status,
    lifecycle: run.lifecycle,
    resumeAllowed: run.resumeAllowed,
    activity: judged?.activity ?? (judged?.live ? "LIVE" : null),
    activityJudgedAt: judged === null ? null : new Date(nowMs).toISOString(),
    asOf: run.asOf,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    updatedAt: run.updatedAt,
    recordId: run.ref.recordId,
    revision: run.ref.revision,
  };
}

const FIELDS = [
  "runId",
  "networkId",
  "profile",
  "businessKey",
  "status",
  "lifecycle",
  "resumeAllowed",
  "activity",
  "activityJudgedAt",
  "asOf",
  "createdAt",
  "startedAt",
  "finishedAt",
  "updatedAt",
  "recordId",
] as const satisfies readonly (keyof RunRow)[];

/**
 * What changed between two pictures of one Run, or null (operator-ux U1). A Run not seen before is its own diff;
 * a picture older than the known one is none (U4).
 */
export function diffRow(known: RunRow | undefined, next: RunRow): RunDiff | null {
  if (known === undefined) return { id: next.runId, revision: next.revision, fields: next };
  if (next.revision < known.revision) return null;
  // That an ended Run was looked at again is no news: a picture of ten thousand would change with every reading.
  const asEnded = known.activity === null && next.activity === null && known.activityJudgedAt !== null;
  const changed = FIELDS.filter(
    (field) => known[field] !== next[field] && !(asEnded && field === "activityJudgedAt"),
  );
  if (changed.length === 0 && next.revision === known.revision) return null;
  return {
    id: next.runId,
    revision: next.revision,
    fields: Object.fromEntries(changed.map((field) => [field, next[field]])),
  };
}

/** The held lock over a Run's network, found by the recomputed lock key; null when the network is free. */
export function lockOver(run: Run, locks: readonly NetworkLock[]): NetworkLock | null {
  const key = networkLockKey(run.profileSnapshot.profile, run.networkId);
  if (!key.ok) return null;
  return locks.find((lock) => lock.lockKey === key.value) ?? null;
}
