import type { NodeStatus, RunStatus } from "./model.ts";

/** Inconsistency codes of wire-format §6, and ours for W-07. */
export type FindingCode =
  | "ATTEMPT_NODE_STATE_MISSING"
  | "MULTIPLE_RUNNING_ATTEMPTS"
  | "REVISION_SERIES_INVERTED"
  | "REVISION_SERIES_UNDETERMINED"
  | "ACTIVE_ATTEMPT_ID_MISSING"
  | "ACTIVE_ATTEMPT_NOT_FOUND"
  | "TERMINAL_ATTEMPT_PENDING_APPLY"
  | "STATE_TERMINAL_ATTEMPT_RUNNING"
  | "STATE_ATTEMPT_STATUS_MISMATCH"
  | "CONFLICTING_ATTEMPT_RESOLUTIONS"
  | "RESOLUTION_ATTEMPT_NOT_UNKNOWN"
  | "RESOLUTION_NOT_CURRENT_ATTEMPT"
  | "ATTEMPT_RESOLUTION_PENDING_APPLY"
  | "RESOLUTION_STATE_NOT_UNKNOWN"
  | "RUN_AGGREGATE_MISMATCH"
  | "CREATION_INCOMPLETE";

/** What a repair writes; the first three carry the peer's repair type (wire-format §1.5). */
export type Repair =
  | { readonly type: "TERMINAL_ATTEMPT_APPLIED"; readonly status: NodeStatus; readonly statusReason: string }
  | {
      readonly type: "ATTEMPT_RESOLUTION_APPLIED";
      readonly status: NodeStatus;
      readonly statusReason: string;
    }
  | { readonly type: "RUN_AGGREGATE_RECOMPUTED"; readonly status: RunStatus }
  /** W-01: only when the JOB log knows nothing of the Attempt and the Network lock is held. */
  | { readonly type: "UNSTARTED_ATTEMPT_WITHDRAWN"; readonly attemptId: string; readonly attemptNo: number }
  | { readonly type: "CREATION_COMPLETED"; readonly missingNodeIds: readonly string[] };

export interface Finding {
  readonly code: FindingCode;
  readonly nodeId: string | null;
  readonly detail: string;
  readonly attemptIds: readonly string[];
  readonly severity: "blocking" | "repairable" | "notice";
  /** A resume by the peer would stop at this. */
  readonly peerBlocks: boolean;
  readonly repair: Repair | null;
}
