import { instantOf } from "./datetime.ts";
import { DATETIME_ALLOWANCE_MS } from "./lease.ts";
import { fail, ok, type Result } from "./problem.ts";
import {
  CREATED_AT_FIELD,
  createFieldReader,
  type FieldReader,
  type RequestIssue,
} from "./request-fields.ts";

export const REQUEST_TYPES = ["RERUN", "STOP", "RELEASE", "START", "CLOSE"] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];
export const REQUEST_STATES = ["REQUESTED", "ACCEPTED", "DONE", "REJECTED", "CANCELLED"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** One operation request of the request app (wire-format §1.3). */
export interface OperationRequest {
  readonly id: string;
  readonly revision: number;
  /** Login name of the creator, the only identity of the requester. */
  readonly creatorCode: string;
  readonly createdAt: string;
  readonly type: RequestType;
  /** Empty for START, which names no Run. */
  readonly runId: string;
  readonly networkId: string | null;
  readonly businessKey: string | null;
  readonly scheduledFor: string | null;
  readonly rerunFromNode: string | null;
  readonly reason: string;
  readonly state: RequestState;
  readonly cancelRequested: boolean;
  readonly claim: { readonly at: string; readonly host: string; readonly heartbeatAt: string } | null;
  readonly resultCode: string | null;
  readonly resultMessage: string | null;
}
export type ParsedRequest =
  | { readonly valid: true; readonly request: OperationRequest }
  | {
      readonly valid: false;
      readonly issues: readonly RequestIssue[];
      /** Null: id, revision or state cannot be read, so the record can only be skipped, not rejected. */
      readonly identity: {
        readonly id: string;
        readonly revision: number;
        readonly state: RequestState;
      } | null;
      /** A malformed tick counts as none (orchestration §7.1). */
      readonly cancelRequested: boolean;
    };

const SHORT = 128;
const LONG = 65_535;
const blank = (text: string): boolean => text.trim() === "";
const orNull = (text: string | null): string | null => (text === "" ? null : text);

type Fields = ReturnType<typeof readFields>;

/** Every field by itself, in the order in which issues are told; null = unreadable and noted. */
function readFields(reader: FieldReader) {
  return {
    id: reader.id(),
    revision: reader.revision(),
    creatorCode: reader.creator(),
    createdAt: readCreatedAt(reader),
    type: reader.choice("request_type", REQUEST_TYPES),
    runId: reader.text("run_id", SHORT),
    networkId: reader.text("network_id", SHORT, "optional"),
    businessKey: reader.text("business_key", SHORT, "optional"),
    scheduledFor: reader.period("scheduled_for"),
    rerunFromNode: reader.text("rerun_from_node", SHORT),
    reason: reader.text("reason", LONG),
    state: reader.choice("request_state", REQUEST_STATES),
    cancelRequested: reader.cancelRequested(),
    claim: [
      reader.instant("claimed_at"),
      reader.text("claimed_host", 256),
      reader.instant("claim_heartbeat_at"),
    ],
    resultCode: reader.text("result_code", SHORT),
    resultMessage: reader.text("result_message", LONG),
  } as const;
}

function readCreatedAt(reader: FieldReader): string | null {
  const createdAt = reader.instant(CREATED_AT_FIELD);
  return createdAt === "" ? reader.note("DATETIME_INVALID", CREATED_AT_FIELD) : createdAt;
}

/** What the fields must be to each other; a field that could not be read raises no second issue. */
function noteIncoherence(reader: FieldReader, fields: Fields): void {
  const { type, runId, rerunFromNode, reason } = fields;
  if (type !== null && type !== "START" && runId !== null && blank(runId)) reader.note("REQUIRED", "run_id");
  if (reason !== null && blank(reason)) reader.note("REQUIRED", "reason");
  if (type !== null && type !== "RERUN" && rerunFromNode !== null && rerunFromNode !== "") {
    reader.note("FIELD_NOT_ALLOWED", "rerun_from_node");
  }
  noteStateIncoherence(reader, fields);
}

function noteStateIncoherence(
  reader: FieldReader,
  { state, claim, resultCode, resultMessage }: Fields,
): void {
  const claimReadable = claim.every((value) => value !== null);
  const set = claim.filter((value) => value !== null && value !== "").length;
  if (claimReadable && set > 0 && set < claim.length) reader.note("CLAIM_FIELDS_INCOMPLETE", "claimed_at");
  const hasResult = (resultCode ?? "") !== "" || (resultMessage ?? "") !== "";
  const invalid = (): null => reader.note("STATE_FIELDS_INVALID", "request_state");
  switch (state) {
    case "REQUESTED":
      if (set > 0 || hasResult) invalid();
      return;
    case "ACCEPTED":
      if ((claimReadable && set < claim.length) || hasResult) invalid();
      return;
    case "DONE":
    case "REJECTED":
    case "CANCELLED":
      if (resultCode !== null && blank(resultCode)) reader.note("RESULT_REQUIRED", "result_code");
      if (state === "CANCELLED" && set > 0) invalid();
      return;
    case null:
      return;
  }
}

/**
 * Judges one request record (wire-format §1.3, orchestration §7.2). `row`: field code to bare value, the
 * creator as `{ code }`, the check box as a list. Fields an older app lacks (`network_id`, `business_key`,
 * `scheduled_for`, `cancel_requested`) read as empty. All issues are collected, fields first.
 */
export function parseRequest(row: Readonly<Record<string, unknown>>): ParsedRequest {
  const reader = createFieldReader(row);
  const fields = readFields(reader);
  noteIncoherence(reader, fields);
  const { id, revision, state, creatorCode, createdAt, type, runId, reason } = fields;
  const cancelRequested = fields.cancelRequested === true;
  const identity = id === null || revision === null || state === null ? null : { id, revision, state };
  const complete =
    creatorCode !== null && createdAt !== null && type !== null && runId !== null && reason !== null;
  if (reader.issues.length > 0 || identity === null || !complete) {
    return { valid: false, issues: reader.issues, identity, cancelRequested };
  }
  const [claimedAt, host, heartbeatAt] = fields.claim;
  const request: OperationRequest = {
    ...identity,
    creatorCode,
    createdAt,
    type,
    runId,
    networkId: orNull(fields.networkId),
    businessKey: orNull(fields.businessKey),
    scheduledFor: orNull(fields.scheduledFor),
    rerunFromNode: orNull(fields.rerunFromNode),
    reason,
    cancelRequested,
    claim: claimedAt ? { at: claimedAt, host: host ?? "", heartbeatAt: heartbeatAt ?? "" } : null,
    resultCode: orNull(fields.resultCode),
    resultMessage: orNull(fields.resultMessage),
  };
  return { valid: true, request };
}

/** Longest `requested_by` of a request, in UTF-16 units (wire-format §4.6). */
const REQUESTED_BY_MAX_UNITS = 1024;

/** `app-request:<id>:<percent-encoded creator code>`, which ties an Invocation to its request (wire-format §4.6). Error `REQUESTED_BY_INVALID`. */
export function requestedBy(requestId: string, creatorCode: string): Result<string> {
  const refuse = (message: string): Result<string> =>
    fail({ code: "REQUESTED_BY_INVALID", message, place: "作成者" });
  let encoded: string;
  try {
    encoded = encodeURIComponent(creatorCode);
  } catch {
    return refuse("The creator's login name contains half of a character; it cannot be recorded.");
  }
  const value = `app-request:${requestId}:${encoded}`;
  if (value.length <= REQUESTED_BY_MAX_UNITS) return ok(value);
  return refuse(
    `The creator's login name is too long to be recorded: ${value.length} characters, ${REQUESTED_BY_MAX_UNITS} fit.`,
  );
}

/** Milliseconds without heartbeat after which a claim may be stale, unless configured (wire-format §4.6). */
export const REQUEST_STALE_AFTER_MS = 900_000;

/** True when a claim has been silent for longer than `staleAfterMs` and the allowance (orchestration §3.3). `now` in epoch milliseconds. */
export function isStaleClaim(
  heartbeatAt: string,
  now: number,
  staleAfterMs = REQUEST_STALE_AFTER_MS,
): boolean {
  const beat = instantOf(heartbeatAt);
  return beat !== null && now > beat + staleAfterMs + DATETIME_ALLOWANCE_MS;
}
