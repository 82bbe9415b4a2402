import { z } from "zod";
import { nodeStateKey, recordKeys } from "../domain/keys.ts";
import { NODE_STATUSES, type NodeState, type Stored, TRIGGER_RULES } from "../domain/model.ts";
import { ok, type Result } from "../domain/problem.ts";
import { requireKey } from "./record-key.ts";
import {
  boolean,
  choice,
  filled,
  flag,
  integer,
  list,
  number,
  optionalText,
  readRecord,
  stringList,
  text,
  type WireRecord,
  withoutKey,
} from "./wire.ts";

const schema = z.object({
  record_type: z.object({ value: z.literal("NODE_STATE") }),
  node_state_id: filled(),
  run_id: filled(),
  node_id: filled(),
  job_id: filled(),
  status: choice(NODE_STATUSES),
  revision: integer(),
  latest_attempt_no: integer(),
  active_attempt_id: optionalText(),
  idempotent: boolean(),
  trigger_rule: choice(TRIGGER_RULES),
  blocked_by: stringList(),
  status_reason: optionalText(),
  started_at: optionalText(),
  finished_at: optionalText(),
  updated_at: filled(),
});

/** `record_key` of a Node State: `STATE:` + `S1:…` (wire-format §2.3). Throws as {@link requireKey}. */
export const recordKey = (state: Pick<NodeState, "runId" | "nodeId">): string =>
  requireKey(recordKeys.nodeState(state.runId, state.nodeId));

/** Whole NODE_STATE record for the insert (wire-format §1.1). */
export function encode(state: NodeState): WireRecord {
  return {
    record_key: text(recordKey(state)),
    record_type: text("NODE_STATE"),
    run_id: text(state.runId),
    node_state_id: text(state.nodeStateId),
    node_state_key: text(requireKey(nodeStateKey(state.runId, state.nodeId))),
    node_id: text(state.nodeId),
    job_id: text(state.jobId),
    status: text(state.status),
    revision: number(state.revision),
    latest_attempt_no: number(state.latestAttemptNo),
    active_attempt_id: text(state.activeAttemptId),
    idempotent: flag(state.idempotent),
    trigger_rule: text(state.triggerRule),
    blocked_by: list(state.blockedBy),
    status_reason: text(state.statusReason),
    started_at: text(state.startedAt),
    finished_at: text(state.finishedAt),
    updated_at: text(state.updatedAt),
  };
}

/** Columns of a Node State update: all but `record_key` (wire-format §4.1). */
export const encodeUpdate = (state: NodeState): WireRecord => withoutKey(encode(state));

/** A stored NODE_STATE record, or `RECORD_UNREADABLE` (wire-format §1.1). */
export function decode(wire: unknown): Result<Stored<NodeState>> {
  const read = readRecord(schema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  return ok({
    nodeStateId: row.node_state_id,
    runId: row.run_id,
    nodeId: row.node_id,
    jobId: row.job_id,
    status: row.status,
    revision: row.revision,
    latestAttemptNo: row.latest_attempt_no,
    activeAttemptId: row.active_attempt_id,
    idempotent: row.idempotent,
    triggerRule: row.trigger_rule,
    blockedBy: row.blocked_by,
    statusReason: row.status_reason,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    updatedAt: row.updated_at,
    ref,
  });
}
