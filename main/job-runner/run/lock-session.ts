import { sameMinute } from "../../../shared/domain/datetime.ts";
import type { RecordRef } from "../../../shared/domain/model.ts";
import {
  type JobCheckpoint,
  type JobEnd,
  jobLogWrites,
  type WireRecord,
} from "../../../shared/records/index.ts";
import { isBusy, isStaleRevision, type KintoneAnswer, type WriteResult } from "../../kintone-client/index.ts";
import { answerFailure, RunFailure } from "./failure.ts";
import type { FoundRecord, LogRecords } from "./log-record.ts";

/** What became of the final update. */
export type FinishOutcome =
  | { readonly kind: "written" }
  /** Somebody else released or took the lock meanwhile; the record was left as they made it (W8). */
  | { readonly kind: "conflict"; readonly holder: string }
  /** Not learnt; `record` and `revision` are what a later resend needs. */
  | {
      readonly kind: "unwritten";
      readonly ref: RecordRef;
      readonly record: WireRecord;
      readonly reason: string;
    };

/**
 * The held job lock: the only writer of its record, one request at a time, always with the revision known
 * last (execution-contract §6.2, W8, W9).
 */
export interface LockSession {
  readonly recordId: string;
  /** The durable start marker (execution-contract §6.4). Throws RunFailure `LOCK_UNAVAILABLE`. */
  mark(startedAt: string): Promise<void>;
  /** Checkpoint that doubles as sign of life (W4). False when the lock is no longer ours; errors are ignored. */
  beat(checkpoint: JobCheckpoint): Promise<boolean>;
  /** The final update, which releases the key. Never throws. */
  finish(end: JobEnd): Promise<FinishOutcome>;
}

export interface LockSessionInput {
  readonly records: LogRecords;
  readonly ref: RecordRef;
  readonly batchId: string;
  readonly jobKey: string;
  /** Waits before try number `next` (2, 3, …) of the final update. */
  readonly pause: (next: number) => Promise<void>;
}

/** Times the final update is tried again after its record was found unfinished and still ours. */
const FINISH_TRIES = 3;
/** Times the marker is tried while the record is proven ours and only its revision moved. */
const MARK_TRIES = 3;

/** Starts from the `$id` and revision the insert answered; nothing is sent by creating it. */
export function createLockSession({ records, ref, batchId, jobKey, pause }: LockSessionInput): LockSession {
  const { recordId } = ref;
  let revision = ref.revision;
  let queue: Promise<unknown> = Promise.resolve();

  /** One after the other: a beat in flight would make the revision of the next write stale. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  }

  function learn(answer: KintoneAnswer<WriteResult>): boolean {
    if (answer.kind !== "ok") return false;
    revision = answer.value.refs[0]?.revision ?? revision + 1;
    return true;
  }

  const isOurs = (record: FoundRecord): boolean =>
    record.batchId === batchId && record.jobKey === jobKey && record.status === "RUNNING";

  async function mark(startedAt: string): Promise<void> {
    let reason = "";
    for (let attempt = 1; attempt <= MARK_TRIES; attempt += 1) {
      const answer = await records.update(recordId, revision, jobLogWrites.encodeMarker(startedAt));
      if (learn(answer) || answer.kind === "ok") return;
      reason = answerFailure(answer, "write the start marker").message;
      const found = await records.findById(recordId);
      // The revision of a record that is no longer ours must never be learnt: it would let us overwrite it.
      if (found.kind !== "found" || !isOurs(found.record)) break;
      revision = found.record.ref.revision;
      const stored = found.record.runnerExecutionStartedAt;
      if (stored !== null && sameMinute(stored, startedAt)) return;
      // A customization touched our record first: the refused copy did not run, so another may (W9).
      if (answer.kind !== "refused" || !isStaleRevision(answer)) break;
    }
    throw new RunFailure(
      "LOCK_UNAVAILABLE",
      "LOCK_UNAVAILABLE",
      `The start marker is not durable, so no SQL was started: ${reason}`,
    );
  }

  async function beat(checkpoint: JobCheckpoint): Promise<boolean> {
    const answer = await records.update(recordId, revision, jobLogWrites.encodeCheckpoint(checkpoint));
    if (learn(answer)) return true;
    const found = await records.findById(recordId);
    if (found.kind === "unreadable") return true;
    if (found.kind === "none" || !isOurs(found.record)) return false;
    revision = found.record.ref.revision;
    return true;
  }

  async function finish(end: JobEnd): Promise<FinishOutcome> {
    let record = jobLogWrites.encodeEnd(end);
    let reason = "";
    for (let attempt = 1; attempt <= FINISH_TRIES; attempt += 1) {
      if (attempt > 1) await pause(attempt);
      const answer = await records.update(recordId, revision, record);
      if (answer.kind === "ok") return { kind: "written" };
      reason = answerFailure(answer, "write the end of the job").message;
      const found = await records.findById(recordId);
      if (found.kind === "none") return { kind: "conflict", holder: "the record was deleted" };
      if (found.kind === "unreadable") continue;
      if (!isOurs(found.record)) {
        const written = found.record.batchId === batchId && found.record.status === end.status;
        return written ? { kind: "written" } : { kind: "conflict", holder: found.record.status };
      }
      revision = found.record.ref.revision;
      // An older log app may lack the option CANCELLED: better FAILED with the truth than a key kept (W10).
      const isInvalid = answer.kind === "refused" && !isStaleRevision(answer) && !isBusy(answer);
      if (isInvalid && end.status === "CANCELLED") {
        const errorMessage = `CANCELLED (the log app has no such status). ${end.errorMessage ?? ""}`.trim();
        record = jobLogWrites.encodeEnd({ ...end, status: "FAILED", errorMessage });
      }
    }
    return { kind: "unwritten", ref: { recordId, revision }, record, reason };
  }

  return {
    recordId,
    mark: (startedAt) => inTurn(() => mark(startedAt)),
    beat: (checkpoint) => inTurn(() => beat(checkpoint)),
    finish: (end) => inTurn(() => finish(end)),
  };
}
