import { z } from "zod";
import { recordKeys } from "../domain/keys.ts";
import type { Hold, Stored } from "../domain/model.ts";
import { ok, type Result } from "../domain/problem.ts";
import { requireKey } from "./record-key.ts";
import { filled, jsonText, readRecord, text, type WireRecord } from "./wire.ts";

// A key that is not there says the same as null; a hold must not become unreadable for it.
const nullable = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

const holdJson = z.object({
  state: z.enum(["REQUESTED", "ACCEPTED", "RELEASED"]),
  requested_by: z.string(),
  reason: z.string(),
  requested_at: z.string(),
  accepted_at: nullable,
  released_at: nullable,
  release_reason: nullable,
  release_requested_by: nullable,
});

const schema = z.object({
  record_type: z.object({ value: z.literal("CANCEL_REQUEST") }),
  run_id: filled(),
  status_reason: jsonText(holdJson),
});

/** `record_key` of a hold: at most one for a Run, reused (wire-format §1.1). */
export const recordKey = (runId: string): string => requireKey(recordKeys.hold(runId));

/** JSON of a hold, keys in the order of wire-format §1.5. */
export function encodeJson(hold: Hold): string {
  return JSON.stringify({
    state: hold.state,
    requested_by: hold.requestedBy,
    reason: hold.reason,
    requested_at: hold.requestedAt,
    accepted_at: hold.acceptedAt,
    released_at: hold.releasedAt,
    release_reason: hold.releaseReason,
    release_requested_by: hold.releaseRequestedBy,
  });
}

/** Whole CANCEL_REQUEST record for the insert; no `status` is written (wire-format §1.1). */
export function encode(hold: Hold): WireRecord {
  return {
    record_key: text(recordKey(hold.runId)),
    record_type: text("CANCEL_REQUEST"),
    run_id: text(hold.runId),
    status_reason: text(encodeJson(hold)),
  };
}

/** Column of a hold update (wire-format §4.1). */
export const encodeUpdate = (hold: Hold): WireRecord => ({ status_reason: text(encodeJson(hold)) });

/** A stored CANCEL_REQUEST record, or `RECORD_UNREADABLE` (wire-format §1.1, §1.5). */
export function decode(wire: unknown): Result<Stored<Hold>> {
  const read = readRecord(schema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  const json = row.status_reason;
  return ok({
    runId: row.run_id,
    state: json.state,
    requestedBy: json.requested_by,
    reason: json.reason,
    requestedAt: json.requested_at,
    acceptedAt: json.accepted_at,
    releasedAt: json.released_at,
    releaseReason: json.release_reason,
    releaseRequestedBy: json.release_requested_by,
    ref,
  });
}
