import { z } from "zod";
import { recordKeys } from "../domain/keys.ts";
import type { OperationAudit, Stored } from "../domain/model.ts";
import { ok, type Result } from "../domain/problem.ts";
import { requireKey } from "./record-key.ts";
import { anyText, filled, jsonText, optionalText, readRecord, text, type WireRecord } from "./wire.ts";

const eventJson = z.record(z.string(), z.unknown()).refine((event) => typeof event.event_id === "string", {
  message: "event_id: not a text",
});

const schema = z.object({
  record_key: filled(),
  record_type: z.object({ value: z.literal("OPERATION_AUDIT") }),
  run_id: optionalText(),
  result_code: anyText(),
  reason: jsonText(eventJson),
  resolved_at: anyText(),
});

/** JSON key holding the full-precision time of each event type (wire-format §1.2, last table). */
const TIME_KEYS = ["occurred_at", "recorded_at", "released_at", "archived_at"] as const;

/** `record_key` of an operation audit (wire-format §2.3). */
export const recordKey = (eventId: string): string => requireKey(recordKeys.operationAudit(eventId));

/** Whole OPERATION_AUDIT record for the insert; the `event_type` column stays empty (wire-format §1.2). */
export function encode(audit: OperationAudit): WireRecord {
  return {
    record_key: text(recordKey(audit.eventId)),
    record_type: text("OPERATION_AUDIT"),
    run_id: text(audit.runId),
    result_code: text(audit.resultCode),
    reason: text(JSON.stringify(audit.event)),
    resolved_at: text(audit.resolvedAt),
  };
}

/**
 * A stored OPERATION_AUDIT record, or `RECORD_UNREADABLE`. Event id and time come from the JSON, which has
 * full precision; the column serves only where an unknown event type carries no known time (wire-format §5).
 */
export function decode(wire: unknown): Result<Stored<OperationAudit>> {
  const read = readRecord(schema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  const event = row.reason;
  const times = TIME_KEYS.map((key) => event[key]).filter((value) => typeof value === "string");
  return ok({
    eventId: String(event.event_id),
    runId: row.run_id,
    resultCode: row.result_code,
    resolvedAt: times[0] ?? row.resolved_at,
    event,
    ref,
  });
}
