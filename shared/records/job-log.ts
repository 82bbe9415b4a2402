import { z } from "zod";
import type { JobLog, Stored } from "../domain/model.ts";
import { ok, type Result } from "../domain/problem.ts";
import { filled, lenientInteger, lenientText, readRecord } from "./wire.ts";

const schema = z.object({
  status: filled(),
  attempt_id: filled(),
  execution_id: lenientText(),
  correlation_id: lenientText(),
  job_id: lenientText(),
  job_key: lenientText(),
  runner_execution_started_at: lenientText(),
  started_at: lenientText(),
  finished_at: lenientText(),
  read_count: lenientInteger(),
  written_count: lenientInteger(),
  last_written_key: lenientText(),
  error_message: lenientText(),
  host: lenientText(),
});

/**
 * A JOB record as the orchestrator reads it, or `RECORD_UNREADABLE` (wire-format §1.4). The app belongs to
 * the runner and may be older than this program, so only status and attempt id have to be there; an unknown
 * status is kept and judged as "other".
 */
export function decode(wire: unknown): Result<Stored<JobLog>> {
  const read = readRecord(schema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  return ok({
    status: row.status,
    attemptId: row.attempt_id,
    executionId: row.execution_id,
    correlationId: row.correlation_id,
    jobId: row.job_id,
    jobKey: row.job_key,
    runnerExecutionStartedAt: row.runner_execution_started_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    readCount: row.read_count,
    writtenCount: row.written_count,
    lastWrittenKey: row.last_written_key,
    errorMessage: row.error_message,
    host: row.host,
    ref,
  });
}

/** A JOB record as its lock is judged: by the runner and by the job lock screen (execution-contract §7). */
export interface JobLock {
  readonly status: string;
  readonly jobKey: string | null;
  readonly jobKeyDone: string | null;
  readonly batchId: string;
  readonly startedAt: string | null;
  readonly host: string;
  readonly scriptName: string;
  readonly runnerExecutionStartedAt: string | null;
  readonly logDetail: string;
}

const lockSchema = z.object({
  status: filled(),
  job_key: lenientText(),
  job_key_done: lenientText(),
  batch_id: lenientText(),
  started_at: lenientText(),
  host: lenientText(),
  script_name: lenientText(),
  runner_execution_started_at: lenientText(),
  log_detail: lenientText(),
});

/** The lock side of a JOB record, also of one no orchestrator started, or `RECORD_UNREADABLE`. */
export function decodeLock(wire: unknown): Result<Stored<JobLock>> {
  const read = readRecord(lockSchema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  return ok({
    status: row.status,
    jobKey: row.job_key,
    jobKeyDone: row.job_key_done,
    batchId: row.batch_id ?? "",
    startedAt: row.started_at,
    host: row.host ?? "",
    scriptName: row.script_name ?? "",
    runnerExecutionStartedAt: row.runner_execution_started_at,
    logDetail: row.log_detail ?? "",
    ref,
  });
}
