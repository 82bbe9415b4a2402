import { z } from "zod";
import { fail, ok, type Result } from "../domain/problem.ts";
import { text, type WireRecord } from "./wire.ts";

/** Request record as field code to bare value, the shape the request rules judge (wire-format §1.3). */
export type RequestRow = Readonly<Record<string, unknown>>;

const cells = z.record(z.string(), z.unknown());

/**
 * The plain row of a request record. Values are not judged here: people add these records, and every
 * malformed value has its own issue code in the request rules (wire-format §1.3), so only an answer that is
 * not a record at all is `RECORD_UNREADABLE`. A column without `value` counts as absent.
 */
export function decode(wire: unknown): Result<RequestRow> {
  const record = cells.safeParse(wire);
  if (record.success) return ok(plain(record.data));
  return fail({
    code: "RECORD_UNREADABLE",
    message: "An operation request could not be read: the answer is not a record.",
    place: "record without a readable $id, field (whole record)",
    remedy: "Check that the configured app is the operation request app.",
  });
}

function plain(record: Readonly<Record<string, unknown>>): RequestRow {
  const row: [string, unknown][] = [];
  for (const [code, field] of Object.entries(record)) {
    if (typeof field === "object" && field !== null && "value" in field) row.push([code, field.value]);
  }
  return Object.fromEntries(row);
}

/** What a person asks for (wire-format §1.3); null leaves a column empty. */
export interface NewRequest {
  readonly type: "RERUN" | "STOP" | "RELEASE" | "START" | "CLOSE";
  readonly runId: string | null;
  readonly networkId: string | null;
  readonly businessKey: string | null;
  readonly scheduledFor: string | null;
  readonly rerunFromNode: string | null;
  readonly reason: string;
}

/** Record of a new request in state `REQUESTED`. Empty optional columns are left out: an older app lacks them. */
export function encode(request: NewRequest): WireRecord {
  const optional: [string, string | null][] = [
    ["run_id", request.runId],
    ["network_id", request.networkId],
    ["business_key", request.businessKey],
    ["scheduled_for", request.scheduledFor],
    ["rerun_from_node", request.rerunFromNode],
  ];
  return {
    request_type: text(request.type),
    ...Object.fromEntries(
      optional.filter(([, value]) => value !== null).map(([code, value]) => [code, text(value)]),
    ),
    reason: text(request.reason),
    request_state: text("REQUESTED"),
  };
}

/** Columns of a claim (wire-format §4.1). */
export const encodeClaim = (claim: { readonly host: string; readonly at: string }): WireRecord => ({
  request_state: text("ACCEPTED"),
  claimed_at: text(claim.at),
  claimed_host: text(claim.host),
  claim_heartbeat_at: text(claim.at),
});

/** Column of a request heartbeat (wire-format §4.1). */
export const encodeHeartbeat = (at: string): WireRecord => ({ claim_heartbeat_at: text(at) });

/** How a request ended (wire-format §1.3). */
export interface RequestResult {
  readonly state: "DONE" | "REJECTED" | "CANCELLED";
  readonly resultCode: string;
  readonly resultMessage: string;
}

/** Columns of a request result (wire-format §4.1). */
export const encodeResult = (result: RequestResult): WireRecord => ({
  request_state: text(result.state),
  result_code: text(result.resultCode),
  result_message: text(result.resultMessage),
});

/** Column with which the creator takes a request back (wire-format §1.3). */
export const encodeCancelTick = (ticked: boolean): WireRecord => ({
  cancel_requested: { value: ticked ? ["取消"] : [] },
});
