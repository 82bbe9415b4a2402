import { z } from "zod";
import { attemptKey, recordKeys } from "../domain/keys.ts";
import { type Attempt, OUTCOME_STATUSES, type Stored } from "../domain/model.ts";
import { ok, type Result } from "../domain/problem.ts";
import { requireKey } from "./record-key.ts";
import {
  choice,
  filled,
  integer,
  number,
  optionalInteger,
  optionalNumber,
  optionalText,
  readRecord,
  text,
  type WireRecord,
  withoutKey,
} from "./wire.ts";

const schema = z.object({
  record_type: z.object({ value: z.literal("NODE_ATTEMPT") }),
  node_attempt_id: filled(),
  run_id: filled(),
  node_id: filled(),
  job_id: filled(),
  invocation_id: filled(),
  attempt_no: integer(),
  state_revision_before: optionalInteger(),
  status: choice(OUTCOME_STATUSES),
  result_code: filled(),
  execution_started_at: optionalText(),
  runner_execution_started_at: optionalText(),
  finished_at: optionalText(),
  execution_id: optionalText(),
  duration_sec: optionalNumber(),
  read_count: optionalInteger(),
  written_count: optionalInteger(),
  last_successful_chunk_no: optionalInteger(),
  last_written_key: optionalText(),
  error_message: optionalText(),
});

/** `record_key` of an Attempt (wire-format §2.3). */
export const recordKey = (attemptId: string): string => requireKey(recordKeys.attempt(attemptId));

/** Whole NODE_ATTEMPT record for the insert, also when it is inserted terminal (wire-format §1.2). */
export function encode(attempt: Attempt): WireRecord {
  return {
    record_key: text(recordKey(attempt.attemptId)),
    record_type: text("NODE_ATTEMPT"),
    run_id: text(attempt.runId),
    node_attempt_id: text(attempt.attemptId),
    attempt_key: text(requireKey(attemptKey(attempt.runId, attempt.nodeId, attempt.attemptNo))),
    node_id: text(attempt.nodeId),
    job_id: text(attempt.jobId),
    invocation_id: text(attempt.invocationId),
    attempt_no: number(attempt.attemptNo),
    state_revision_before: number(attempt.stateRevisionBefore),
    status: text(attempt.status),
    result_code: text(attempt.resultCode),
    execution_started_at: text(attempt.executionStartedAt),
    runner_execution_started_at: text(attempt.runnerExecutionStartedAt),
    finished_at: text(attempt.finishedAt),
    execution_id: text(attempt.executionId),
    duration_sec: number(attempt.durationSec),
    read_count: number(attempt.readCount),
    written_count: number(attempt.writtenCount),
    last_successful_chunk_no: number(attempt.lastSuccessfulChunkNo),
    last_written_key: text(attempt.lastWrittenKey),
    error_message: text(attempt.errorMessage),
  };
}

/** Columns (c) of an Attempt: finalisation rewrites all but `record_key` (wire-format §1.2). */
export const encodeFinal = (attempt: Attempt): WireRecord => withoutKey(encode(attempt));

/** A stored NODE_ATTEMPT record, or `RECORD_UNREADABLE` (wire-format §1.2). */
export function decode(wire: unknown): Result<Stored<Attempt>> {
  const read = readRecord(schema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  return ok({
    attemptId: row.node_attempt_id,
    runId: row.run_id,
    nodeId: row.node_id,
    jobId: row.job_id,
    invocationId: row.invocation_id,
    attemptNo: row.attempt_no,
    stateRevisionBefore: row.state_revision_before,
    status: row.status,
    resultCode: row.result_code,
    executionStartedAt: row.execution_started_at,
    runnerExecutionStartedAt: row.runner_execution_started_at,
    finishedAt: row.finished_at,
    executionId: row.execution_id,
    durationSec: row.duration_sec,
    readCount: row.read_count ?? 0,
    writtenCount: row.written_count ?? 0,
    lastSuccessfulChunkNo: row.last_successful_chunk_no,
    lastWrittenKey: row.last_written_key,
    errorMessage: row.error_message,
    ref,
  });
}
