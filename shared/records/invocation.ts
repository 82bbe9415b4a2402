import { z } from "zod";
import { recordKeys } from "../domain/keys.ts";
import { type Invocation, OUTCOME_STATUSES, RUN_MODES, type Stored } from "../domain/model.ts";
import { ok, type Result } from "../domain/problem.ts";
import { requireKey } from "./record-key.ts";
import {
  anyText,
  choice,
  filled,
  list,
  optionalText,
  readRecord,
  stringList,
  text,
  type WireRecord,
} from "./wire.ts";

const schema = z.object({
  record_type: z.object({ value: z.literal("RUN_INVOCATION") }),
  invocation_id: filled(),
  run_id: filled(),
  mode: choice(RUN_MODES),
  requested_by: anyText(),
  host: anyText(),
  started_at: filled(),
  finished_at: optionalText(),
  selected_node_ids: stringList(),
  preserved_node_ids: stringList(),
  blocked_node_ids: stringList(),
  reason: anyText(),
  status: choice(OUTCOME_STATUSES),
  result_code: filled(),
});

/** `record_key` of an Invocation (wire-format §2.3). */
export const recordKey = (invocationId: string): string => requireKey(recordKeys.invocation(invocationId));

/** Whole RUN_INVOCATION record for the insert (wire-format §1.2). */
export function encode(invocation: Invocation): WireRecord {
  return {
    record_key: text(recordKey(invocation.invocationId)),
    record_type: text("RUN_INVOCATION"),
    run_id: text(invocation.runId),
    started_at: text(invocation.startedAt),
    finished_at: text(invocation.finishedAt),
    status: text(invocation.status),
    result_code: text(invocation.resultCode),
    invocation_id: text(invocation.invocationId),
    mode: text(invocation.mode),
    requested_by: text(invocation.requestedBy),
    host: text(invocation.host),
    selected_node_ids: list(invocation.selectedNodeIds),
    preserved_node_ids: list(invocation.preservedNodeIds),
    blocked_node_ids: list(invocation.blockedNodeIds),
    reason: text(invocation.reason),
  };
}

/** What closes an Invocation; lists and reason are sent only when they changed (wire-format §1.2). */
export type InvocationFinal = Pick<Invocation, "status" | "resultCode"> & {
  readonly finishedAt: string;
} & Partial<Pick<Invocation, "selectedNodeIds" | "preservedNodeIds" | "blockedNodeIds" | "reason">>;

/** Columns that finalise an Invocation, once, from `RUNNING` (wire-format §1.2). */
export function encodeFinal(final: InvocationFinal): WireRecord {
  return {
    status: text(final.status),
    result_code: text(final.resultCode),
    finished_at: text(final.finishedAt),
    ...(final.selectedNodeIds && { selected_node_ids: list(final.selectedNodeIds) }),
    ...(final.preservedNodeIds && { preserved_node_ids: list(final.preservedNodeIds) }),
    ...(final.blockedNodeIds && { blocked_node_ids: list(final.blockedNodeIds) }),
    ...(final.reason !== undefined && { reason: text(final.reason) }),
  };
}

/** A stored RUN_INVOCATION record, or `RECORD_UNREADABLE` (wire-format §1.2). */
export function decode(wire: unknown): Result<Stored<Invocation>> {
  const read = readRecord(schema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  return ok({
    invocationId: row.invocation_id,
    runId: row.run_id,
    mode: row.mode,
    requestedBy: row.requested_by,
    host: row.host,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    selectedNodeIds: row.selected_node_ids,
    preservedNodeIds: row.preserved_node_ids,
    blockedNodeIds: row.blocked_node_ids,
    reason: row.reason,
    status: row.status,
    resultCode: row.result_code,
    ref,
  });
}
