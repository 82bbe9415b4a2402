import { instantOf } from "../../../shared/domain/datetime.ts";
import type { RecordRef } from "../../../shared/domain/model.ts";
import { type JobLockInsert, jobLogWrites } from "../../../shared/records/index.ts";
import { isBusy, isStaleRevision } from "../../kintone-client/index.ts";
import { answerFailure, RunFailure } from "./failure.ts";
import type { FoundRecord, LogRecords, Lookup } from "./log-record.ts";

export interface JobLockInput {
  readonly insert: JobLockInsert;
  /** Age in seconds from which a foreign lock may be taken over; null = never (execution-contract §13 W4). */
  readonly staleAfterSec: number | null;
  readonly nowMs: () => number;
  readonly onTakeover: (holder: FoundRecord) => void;
  /** Told before the first insert: from then on the lock may be ours. */
  readonly onInsert: () => void;
  /** Waits before try number `next` (2, 3, …) of the insert. */
  readonly pause: (next: number) => Promise<void>;
}

/** Copies of the insert that may be sent while its outcome is unknown; the unique key lets only one in. */
const INSERT_TRIES = 3;

function conflict(holder: FoundRecord): RunFailure {
  return new RunFailure(
    "LOCK_CONFLICT",
    "LOCK_CONFLICT",
    `The job is already running: record ${holder.ref.recordId}, batch ${holder.batchId}, on ${holder.host || "an unknown host"} since ${holder.startedAt ?? "an unknown time"}.`,
  );
}

function unavailable(message: string): RunFailure {
  return new RunFailure("LOCK_UNAVAILABLE", "LOCK_UNAVAILABLE", message);
}

function unreadable(lookup: Extract<Lookup, { kind: "unreadable" }>): RunFailure {
  const reason =
    lookup.answer === null
      ? "a record in the log app could not be understood"
      : answerFailure(lookup.answer, "look for the job lock").message;
  return unavailable(`The job lock could not be looked up: ${reason}`);
}

/**
 * Old enough, and nothing has touched the record within the same time: our own runs touch theirs on a timer,
 * so a living holder is never taken over (execution-contract §7.2, W4).
 */
export function isStaleLock(holder: FoundRecord, nowMs: number, staleAfterSec: number | null): boolean {
  if (staleAfterSec === null) return false;
  const started = instantOf(holder.startedAt);
  if (started === null) return false;
  const limit = nowMs - staleAfterSec * 1000;
  const changed = instantOf(holder.changedAt);
  // The time of change is cut to its minute: the last second it may stand for counts.
  return started < limit && (changed === null || changed + 59_999 < limit);
}

async function takeOver(records: LogRecords, holder: FoundRecord, input: JobLockInput): Promise<void> {
  const finishedAt = secondsText(input.nowMs());
  const logDetail = `stale lock recovered by batch ${input.insert.batchId} on ${input.insert.host}: older than ${input.staleAfterSec} s`;
  const recovery = jobLogWrites.encodeRecovery({
    status: "TIMEOUT",
    jobKey: input.insert.jobKey,
    finishedAt,
    logDetail,
  });
  const answer = await records.update(holder.ref.recordId, holder.ref.revision, recovery);
  if (answer.kind === "ok") return input.onTakeover(holder);
  const again = await records.findByKey(input.insert.jobKey);
  if (again.kind === "none") return input.onTakeover(holder);
  if (again.kind === "unreadable") throw unreadable(again);
  if (answer.kind === "unknown") throw unavailable("Whether the stale job lock was released is unknown.");
  if (isStaleRevision(answer) || isBusy(answer)) throw conflict(again.record);
  throw unavailable(answerFailure(answer, "release a stale job lock").message);
}

/**
 * Takes the job lock `profile-job-v0` by inserting the RUNNING record (execution-contract §7.2) and gives its
 * `$id` and revision. After any answer but a plain yes the key is read again: a record with our own batch id
 * is our lock, whose answer was lost (W3). Throws RunFailure `LOCK_CONFLICT` or `LOCK_UNAVAILABLE`.
 */
export async function acquireJobLock(records: LogRecords, input: JobLockInput): Promise<RecordRef> {
  const { jobKey, batchId } = input.insert;
  const before = await records.findByKey(jobKey);
  if (before.kind === "unreadable") throw unreadable(before);
  if (before.kind === "found") {
    if (!isStaleLock(before.record, input.nowMs(), input.staleAfterSec)) throw conflict(before.record);
    await takeOver(records, before.record, input);
  }
  let last = "";
  input.onInsert();
  for (let attempt = 1; attempt <= INSERT_TRIES; attempt += 1) {
    if (attempt > 1) await input.pause(attempt);
    const answer = await records.insert(jobLogWrites.encodeInsert(input.insert));
    if (answer.kind === "ok") {
      const ref = answer.value.refs[0];
      if (ref?.recordId != null) return { recordId: ref.recordId, revision: ref.revision };
    }
    const after = await records.findByKey(jobKey);
    if (after.kind === "unreadable") throw unreadable(after);
    if (after.kind === "found") {
      if (after.record.batchId !== batchId) throw conflict(after.record);
      return after.record.ref;
    }
    if (answer.kind !== "ok") last = answerFailure(answer, "insert the job lock").message;
    if (answer.kind === "refused" && !isBusy(answer)) break;
  }
  throw unavailable(`The job lock could not be established: ${last}`);
}

/** `YYYY-MM-DDTHH:MM:SSZ`, the DATETIME form the runner sends (execution-contract §6.1). */
export function secondsText(instantMs: number): string {
  return `${new Date(instantMs).toISOString().slice(0, 19)}Z`;
}
