import type { JobLogStatus } from "../domain/model.ts";
import type { WireRecord } from "./wire.ts";

/** The runner sends every value as a string, numbers included (wire-format §1.4). */
const asText = (columns: Readonly<Record<string, string | number | null>>): WireRecord =>
  Object.fromEntries(Object.entries(columns).map(([code, value]) => [code, { value: String(value ?? "") }]));

/** What an orchestrator's run adds to the lock record (execution-contract §6.2). */
export interface Correlation {
  readonly correlationId: string;
  readonly attemptId: string;
  readonly executionId: string;
  readonly jobId: string;
}

/** The insert that is the job lock (execution-contract §6.2, "Lock"). Times are UTC with seconds. */
export interface JobLockInsert {
  readonly jobKey: string;
  readonly batchId: string;
  readonly parentBatchId: string | null;
  readonly scriptName: string;
  readonly profile: string;
  readonly asOf: string;
  readonly startedAt: string;
  readonly executedBy: string;
  readonly host: string;
  readonly gitRef: string;
  readonly ksqlVersion: string;
  readonly correlation: Correlation | null;
}

/** Columns of the lock insert; `correlation` null for a run without an orchestrator. */
export function encodeInsert(lock: JobLockInsert): WireRecord {
  const { correlation } = lock;
  return asText({
    record_type: "JOB",
    status: "RUNNING",
    job_key: lock.jobKey,
    batch_id: lock.batchId,
    parent_batch_id: lock.parentBatchId,
    script_name: lock.scriptName,
    profile: lock.profile,
    as_of: lock.asOf,
    started_at: lock.startedAt,
    executed_by: lock.executedBy,
    host: lock.host,
    git_ref: lock.gitRef,
    ksql_version: lock.ksqlVersion,
    ...(correlation !== null && {
      correlation_id: correlation.correlationId,
      attempt_id: correlation.attemptId,
      execution_id: correlation.executionId,
      job_id: correlation.jobId,
    }),
  });
}

/** Column of the start marker, UTC with seconds (execution-contract §6.4). */
export const encodeMarker = (startedAt: string): WireRecord =>
  asText({ runner_execution_started_at: startedAt });

/** Counters of a checkpoint (execution-contract §6.2). */
export interface JobCheckpoint {
  readonly writtenCount: number;
  readonly deletedCount: number;
  readonly lastWrittenKey: string | null;
  readonly apiCalls: number;
}

/** Columns of a checkpoint update. */
export const encodeCheckpoint = (checkpoint: JobCheckpoint): WireRecord =>
  asText({
    written_count: checkpoint.writtenCount,
    deleted_count: checkpoint.deletedCount,
    last_written_key: checkpoint.lastWrittenKey,
    api_calls: checkpoint.apiCalls,
  });

/** Everything the final update says (execution-contract §6.2, "End"). */
export interface JobEnd extends JobCheckpoint {
  readonly status: Exclude<JobLogStatus, "RUNNING">;
  readonly jobKey: string;
  readonly finishedAt: string;
  /** Seconds; sent rounded. */
  readonly durationSec: number;
  readonly readCount: number;
  readonly errorMessage: string | null;
  readonly logDetail: string;
}

const releaseKey = (jobKey: string) => ({ job_key: "", job_key_done: jobKey });

/** Columns of the final update, which releases the job lock. */
export const encodeEnd = (end: JobEnd): WireRecord => ({
  ...asText({
    status: end.status,
    ...releaseKey(end.jobKey),
    finished_at: end.finishedAt,
    duration_sec: Math.round(end.durationSec),
    read_count: end.readCount,
  }),
  ...encodeCheckpoint(end),
  ...asText({ error_message: end.errorMessage, log_detail: end.logDetail }),
});

/** A lock taken from somebody else: stale recovery (`TIMEOUT`) or forced release (`FAILED`). */
export interface JobLockRecovery {
  readonly status: "TIMEOUT" | "FAILED";
  readonly jobKey: string;
  readonly finishedAt: string;
  /** For a forced release `LOCK_RECOVERY {json}`, see {@link forcedReleaseDetail}. */
  readonly logDetail: string;
}

/** Columns of a stale recovery or forced release (execution-contract §6.2, §2.5). */
export const encodeRecovery = (recovery: JobLockRecovery): WireRecord =>
  asText({
    status: recovery.status,
    ...releaseKey(recovery.jobKey),
    finished_at: recovery.finishedAt,
    log_detail: recovery.logDetail,
  });

/** Who forced a job lock open, and on what evidence. */
export interface ForcedRelease {
  readonly jobKey: string;
  readonly reason: string;
  readonly confirmedBy: string;
  readonly evidenceRef: string;
  readonly profile: string;
  /** UTC, seconds precision. */
  readonly executedAt: string;
}

/** `log_detail` of a forced release, JSON keys in the order of execution-contract §2.5. */
export const forcedReleaseDetail = (release: ForcedRelease): string =>
  `LOCK_RECOVERY ${JSON.stringify({
    operation: "force-unlock-job",
    jobKey: release.jobKey,
    reason: release.reason,
    confirmedBy: release.confirmedBy,
    evidenceRef: release.evidenceRef,
    authenticationSubject: `profile:${release.profile}`,
    executedAt: release.executedAt,
  })}`;

/** The five columns without which an orchestrated run must not start (wire-format §1.4). */
export const ORCHESTRATED_FIELDS = [
  "correlation_id",
  "attempt_id",
  "execution_id",
  "job_id",
  "runner_execution_started_at",
] as const;

/** The record without columns the app lacks: they are silently left out (wire-format §1.4). */
export const onlyFieldsOf = (record: WireRecord, formFields: ReadonlySet<string>): WireRecord =>
  Object.fromEntries(Object.entries(record).filter(([code]) => formFields.has(code)));
