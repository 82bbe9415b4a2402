import { z } from "zod";
import { recordKeys } from "../domain/keys.ts";
import type { Resolution, Stored } from "../domain/model.ts";
import { ok, type Result } from "../domain/problem.ts";
import { requireKey } from "./record-key.ts";
import {
  anyText,
  choice,
  filled,
  jsonText,
  optionalText,
  readRecord,
  text,
  type WireRecord,
} from "./wire.ts";

const reasonJson = z.object({
  resolution_type: z.enum([
    "OUTCOME_CONFIRMED",
    "NODE_MANUAL_COMPLETION_CONFIRMED",
    "NODE_COMPENSATION_COMPLETED",
  ]),
  reason: z.string(),
  stop_confirmed_by: z.string(),
  stop_evidence_ref: z.string(),
  resolved_at: z.string(),
});

const schema = z.object({
  record_type: z.object({ value: z.literal("ATTEMPT_RESOLUTION") }),
  attempt_id: filled(),
  resolved_outcome: choice(["SUCCESS", "FAILED", "CANCELLED"]),
  evidence_ref: anyText(),
  service_principal: anyText(),
  requested_by: anyText(),
  approved_by: optionalText(),
  reason: jsonText(reasonJson),
});

/** `record_key` of a Resolution, from attempt id and the millisecond form of its time (wire-format §2.3). */
export const recordKey = (resolution: Pick<Resolution, "attemptId" | "resolvedAt">): string =>
  requireKey(recordKeys.resolution(resolution.attemptId, resolution.resolvedAt));

/** JSON of a Resolution's `reason` column, keys in the order of wire-format §1.5. */
function encodeReason(resolution: Resolution): string {
  return JSON.stringify({
    resolution_type: resolution.resolutionType,
    reason: resolution.reason,
    stop_confirmed_by: resolution.stopConfirmedBy,
    stop_evidence_ref: resolution.stopEvidenceRef,
    resolved_at: resolution.resolvedAt,
  });
}

/** Whole ATTEMPT_RESOLUTION record for the insert; `run_id` is not written (wire-format §1.2). */
export function encode(resolution: Resolution): WireRecord {
  return {
    record_key: text(recordKey(resolution)),
    record_type: text("ATTEMPT_RESOLUTION"),
    event_type: text("ATTEMPT_RESOLVED"),
    attempt_id: text(resolution.attemptId),
    resolved_outcome: text(resolution.outcome),
    evidence_ref: text(resolution.evidenceRef),
    service_principal: text(resolution.servicePrincipal),
    requested_by: text(resolution.requestedBy),
    approved_by: text(resolution.approvedBy),
    reason: text(encodeReason(resolution)),
    resolved_at: text(resolution.resolvedAt),
  };
}

/**
 * A stored ATTEMPT_RESOLUTION record, or `RECORD_UNREADABLE`. The time is the one inside `reason`: the
 * column has minute precision only (wire-format §5).
 */
export function decode(wire: unknown): Result<Stored<Resolution>> {
  const read = readRecord(schema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  return ok({
    attemptId: row.attempt_id,
    outcome: row.resolved_outcome,
    evidenceRef: row.evidence_ref,
    servicePrincipal: row.service_principal,
    requestedBy: row.requested_by,
    approvedBy: row.approved_by,
    resolutionType: row.reason.resolution_type,
    reason: row.reason.reason,
    stopConfirmedBy: row.reason.stop_confirmed_by,
    stopEvidenceRef: row.reason.stop_evidence_ref,
    resolvedAt: row.reason.resolved_at,
    ref,
  });
}

const named = z.object({ attempt_id: z.object({ value: z.string() }) });

/** The Attempt a record names, also of a Resolution that cannot be read; null when it names none. */
export function attemptIdOf(wire: unknown): string | null {
  const read = named.safeParse(wire);
  return read.success ? read.data.attempt_id.value : null;
}
