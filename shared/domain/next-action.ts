import type { AttentionItem, AttentionKind } from "./attention.ts";
import type { OperationName } from "./operations/operation.ts";

/** Who is to act (orchestration §11.4); the owners of a file or of the server beside the two responders. */
export const ACTORS = ["none", "first", "second", "fileOwner", "serverOwner"] as const;
export type Actor = (typeof ACTORS)[number];

/** What has to be at hand before it is done. */
export const PROOFS = [
  "jobLog",
  "businessData",
  "stop",
  "author",
  "records",
  "configuration",
  "file",
  "eventId",
] as const;
export type Proof = (typeof PROOFS)[number];

type Row = readonly [who: Actor, operation: OperationName | null, proofs: readonly Proof[]];

/**
 * Result code to next action (orchestration §11.4): who acts, with which operation and which proof. The one table behind
 * pages, guidance and command line; its words stand in `shared/text/operations.*.json` under `next.<code>`.
 */
const TABLE = {
  OK: ["none", null, []],
  NOOP_ALREADY_SUCCESS: ["none", null, []],
  NODE_FAILED_OR_BLOCKED: ["first", "RESUME", ["jobLog"]],
  RETRY_BRAKE: ["second", "RERUN_FROM", ["jobLog"]],
  NODES_DEFERRED: ["first", "RESUME", []],
  NODE_CANCELLED: ["first", "RESUME", ["jobLog"]],
  NODE_RESULT_UNKNOWN: ["second", "RESOLVE_NODE", ["stop", "jobLog", "businessData"]],
  STOP_REQUESTED: ["first", "RELEASE", ["author"]],
  RUN_ON_HOLD: ["first", "RELEASE", ["author"]],
  NETWORK_LEASE_INTERRUPTED: ["first", "RESUME", []],
  SCHEDULER_FAILED: ["second", "RESUME", ["jobLog"]],
  RUN_NETWORK_FAILED: ["second", "RESUME", ["jobLog"]],
  LOCK_CONFLICT: ["second", "FORCE_UNLOCK", ["stop"]],
  RUN_ALREADY_EXISTS: ["first", "RESUME", []],
  MAX_ACTIVE_RUNS: ["first", "CLOSE", []],
  RUN_LIVE: ["first", "STOP", []],
  RUN_STATUS_NOT_RERUNNABLE: ["second", "RESOLVE_NODE", ["jobLog", "businessData"]],
  RUN_NOT_RESUMABLE: ["second", null, []],
  RECONCILIATION_REQUIRED: ["second", null, ["records"]],
  CREATION_INCOMPLETE: ["second", "RESUME", []],
  PROFILE_SNAPSHOT_MISMATCH: ["second", null, ["configuration"]],
  RUN_SNAPSHOT_MISMATCH: ["second", null, ["configuration"]],
  BUNDLE: ["second", null, ["configuration"]],
  INPUT_FILE_MISSING: ["fileOwner", "RESUME", ["file"]],
  INPUT_FILE_MUTATED: ["fileOwner", "RESUME", ["file"]],
  INPUT_RETENTION_EXPIRED: ["fileOwner", "START", ["file"]],
  STALE: ["second", null, ["records", "jobLog"]],
  CANCELLED_BY_REQUESTER: ["none", null, []],
  RUN_ARCHIVED_AUDIT_PENDING: ["second", "COMPLETE_AUDIT", ["eventId"]],
  RUN_ARCHIVED_LOCK_UNRELEASED: ["second", "FORCE_UNLOCK", ["stop"]],
  ARCHIVE_UNCONFIRMED: ["second", "CLOSE", ["records"]],
  CHILD_RESULT_INVALID: ["second", null, ["records"]],
  CHILD_SPAWN_FAILED: ["serverOwner", null, ["configuration"]],
  STATUS_UNAVAILABLE: ["serverOwner", null, ["configuration"]],
  LOCK_UNAVAILABLE: ["serverOwner", null, ["configuration"]],
  RUN_OVERDUE: ["first", null, []],
  POLLER_SILENT: ["serverOwner", null, ["configuration"]],
} as const satisfies Readonly<Record<string, Row>>;
export type KnownNextCode = keyof typeof TABLE;
export const NEXT_CODES = Object.keys(TABLE) as readonly KnownNextCode[];

export interface NextAction {
  /** Key of its words; null for a code that has none of its own. */
  readonly code: KnownNextCode | null;
  readonly who: Actor;
  /** What is offered as a button; null when nothing of ours is to be done. */
  readonly operation: OperationName | null;
  readonly proofs: readonly Proof[];
}

const isKnown = (code: string): code is KnownNextCode => Object.hasOwn(TABLE, code);

function known(code: KnownNextCode): NextAction {
  const [who, operation, proofs] = TABLE[code];
  return { code, who, operation, proofs };
}

/** The next action after a result code (orchestration §11.4); one for a code that the table does not know, too. */
export function nextActionOf(code: string): NextAction {
  if (isKnown(code)) return known(code);
  if (code === "UNKNOWN") return known("NODE_RESULT_UNKNOWN");
  if (code.startsWith("BUNDLE_")) return known("BUNDLE");
  return { code: null, who: "second", operation: null, proofs: [] };
}

const OF_KIND: Readonly<Record<AttentionKind, KnownNextCode>> = {
  unknown: "NODE_RESULT_UNKNOWN",
  staleLock: "LOCK_CONFLICT",
  interrupted: "SCHEDULER_FAILED",
  staleRequest: "STALE",
  pollerSilent: "POLLER_SILENT",
  retryBrake: "RETRY_BRAKE",
  failed: "NODE_FAILED_OR_BLOCKED",
  contradictory: "RECONCILIATION_REQUIRED",
  held: "RUN_ON_HOLD",
  halfCreated: "CREATION_INCOMPLETE",
  lateMissing: "RUN_OVERDUE",
  lateUnfinished: "RUN_OVERDUE",
  cancelled: "NODE_CANCELLED",
};

/**
 * The next action about something that needs a person: what its own code asks for where that says more than its kind. An
 * interrupted Run whose network somebody still holds is not resumed but freed first: its resume would be refused
 * (wire-format §4.5). A claim that fell silent may be ended by whoever made sure; one that was ended so is `STALE` as well
 * and is not (orchestration §7.4).
 */
export function nextActionFor({
  kind,
  code,
  lockRecordId,
}: Pick<AttentionItem, "kind" | "code" | "lockRecordId">): NextAction {
  if (kind === "interrupted" && lockRecordId !== null) return known("LOCK_CONFLICT");
  if (kind === "staleRequest") return { ...known("STALE"), operation: "REQUEST_SETTLE" };
  const own = kind === "failed" && code !== null ? nextActionOf(code) : null;
  return own?.code == null ? known(OF_KIND[kind]) : own;
}
