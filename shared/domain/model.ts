/**
 * The things the records speak of, in the field's words. Wire names live in `shared/records` only.
 *
 * Times are ISO-8601 UTC texts. A time that came back from kintone has minute precision and must never
 * be used to order events; `$revision`, `$id` and `attemptNo` do that (wire-format section 5).
 */

export const NODE_STATUSES = [
  "WAITING",
  "RUNNING",
  "SUCCESS",
  "FAILED",
  "BLOCKED",
  "SKIPPED",
  "CANCELLED",
  "UNKNOWN",
] as const;
export type NodeStatus = (typeof NODE_STATUSES)[number];

export const RUN_STATUSES = ["CREATED", "RUNNING", "SUCCESS", "FAILED", "CANCELLED", "UNKNOWN"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Status of an Attempt, an Invocation or a released lock. */
export const OUTCOME_STATUSES = ["RUNNING", "SUCCESS", "FAILED", "CANCELLED", "UNKNOWN"] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];
export type AttemptStatus = OutcomeStatus;
export type TerminalStatus = Exclude<OutcomeStatus, "RUNNING">;

export const TRIGGER_RULES = ["all_success", "none_failed", "all_done"] as const;
export type TriggerRule = (typeof TRIGGER_RULES)[number];

export const RUN_MODES = ["NEW", "RESUME", "RERUN_FROM"] as const;
export type RunMode = (typeof RUN_MODES)[number];

export const ACTIVITIES = ["LIVE", "IDLE", "STOPPED", "INTERRUPTED"] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** Where a record stands: its `$id` and the `$revision` last read or known to be written. */
export interface RecordRef {
  readonly recordId: string;
  readonly revision: number;
}
export type Stored<T> = T & { readonly ref: RecordRef };

/** Whom kintone names as the last to change a record, and when: a hint for people, never a proof. */
export interface RecordEdit {
  /** Login name; `Administrator` for whoever wrote with an API token. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  /** ISO-8601 UTC, to the minute; null when the record shows none. */
  readonly at: string | null;
}
/** By `$id` of the record. */
export type RecordEdits = ReadonlyMap<string, RecordEdit>;

export interface ProfileSnapshot {
  readonly profile: string;
  readonly baseUrl: string;
  readonly guestSpaceId: number | null;
  readonly timezone: string;
  readonly apps: Readonly<Record<string, number>>;
  readonly limits: {
    readonly maxApiCalls: number | null;
    readonly maxReadRows: number | null;
    readonly batchTimeoutSec: number | null;
  };
}

export interface Run {
  readonly runId: string;
  readonly networkId: string;
  readonly businessKey: string;
  readonly maxActiveRuns: number;
  readonly status: RunStatus;
  readonly lifecycle: "ACTIVE" | "ARCHIVED";
  readonly resumeAllowed: boolean;
  readonly asOf: string | null;
  readonly definitionSchemaVersion: number;
  readonly definitionSha256: string;
  readonly bundleSha256: string;
  /** Upload key when writing, download key when read; null when the record has no attachment. */
  readonly bundleFileKey: string | null;
  readonly profileSnapshot: ProfileSnapshot;
  readonly profileSha256: string;
  readonly flowVersion: string;
  readonly engineVersion: string;
  readonly dialect: number;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly updatedAt: string;
}

export interface NodeState {
  readonly nodeStateId: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly jobId: string;
  readonly status: NodeStatus;
  /** Business revision; must equal `$revision` (REVISION_SERIES_INVERTED otherwise). */
  readonly revision: number;
  readonly latestAttemptNo: number;
  readonly activeAttemptId: string | null;
  readonly idempotent: boolean;
  readonly triggerRule: TriggerRule;
  readonly blockedBy: readonly string[];
  readonly statusReason: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly updatedAt: string;
}

export interface NetworkLock {
  readonly recordKey: string;
  /** Null once released: the record stays as a tombstone. */
  readonly lockKey: string | null;
  readonly profile: string;
  readonly ownerInvocationId: string | null;
  readonly leaseToken: string | null;
  readonly startedAt: string;
  readonly heartbeatAt: string;
  readonly leaseExpiresAt: string;
  readonly finishedAt: string | null;
  readonly status: OutcomeStatus;
  /** `owner_instance_id=<id>` while held, the result code after release. */
  readonly statusReason: string;
  readonly revision: number;
}

export type HoldState = "REQUESTED" | "ACCEPTED" | "RELEASED";
export interface Hold {
  readonly runId: string;
  readonly state: HoldState;
  readonly requestedBy: string;
  readonly reason: string;
  readonly requestedAt: string;
  readonly acceptedAt: string | null;
  readonly releasedAt: string | null;
  readonly releaseReason: string | null;
  readonly releaseRequestedBy: string | null;
}

export interface Invocation {
  readonly invocationId: string;
  readonly runId: string;
  readonly mode: RunMode;
  readonly requestedBy: string;
  readonly host: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly selectedNodeIds: readonly string[];
  readonly preservedNodeIds: readonly string[];
  readonly blockedNodeIds: readonly string[];
  readonly reason: string;
  readonly status: OutcomeStatus;
  readonly resultCode: string;
}

export interface Attempt {
  readonly attemptId: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly jobId: string;
  readonly invocationId: string;
  readonly attemptNo: number;
  readonly stateRevisionBefore: number | null;
  readonly status: AttemptStatus;
  readonly resultCode: string;
  /** The orchestrator's durable start marker (`execution_started_at`); null = no child was ever to be spawned. */
  readonly executionStartedAt: string | null;
  /** The runner's own marker, copied from its JOB log. */
  readonly runnerExecutionStartedAt: string | null;
  readonly finishedAt: string | null;
  readonly executionId: string | null;
  readonly durationSec: number | null;
  readonly readCount: number;
  readonly writtenCount: number;
  readonly lastSuccessfulChunkNo: number | null;
  readonly lastWrittenKey: string | null;
  /** Error text, input baseline JSON or IO audit JSON (wire-format 1.5). */
  readonly errorMessage: string | null;
}

export type ResolvedOutcome = "SUCCESS" | "FAILED" | "CANCELLED";
export type ResolutionType =
  | "OUTCOME_CONFIRMED"
  | "NODE_MANUAL_COMPLETION_CONFIRMED"
  | "NODE_COMPENSATION_COMPLETED";
export interface Resolution {
  readonly attemptId: string;
  readonly outcome: ResolvedOutcome;
  readonly evidenceRef: string;
  readonly servicePrincipal: string;
  readonly requestedBy: string;
  readonly approvedBy: string | null;
  readonly resolutionType: ResolutionType;
  readonly reason: string;
  readonly stopConfirmedBy: string;
  readonly stopEvidenceRef: string;
  /** Full precision, from the JSON in `reason`; authoritative over the column. */
  readonly resolvedAt: string;
}

/** An OPERATION_AUDIT event: the JSON is the record, the columns are its index. */
export interface OperationAudit {
  readonly eventId: string;
  readonly runId: string | null;
  readonly resultCode: string;
  readonly resolvedAt: string;
  /** Key order is part of the wire format (wire-format 1.5). */
  readonly event: Readonly<Record<string, unknown>>;
}

export const JOB_LOG_STATUSES = [
  "SUCCESS",
  "NO_DATA",
  "FAILED",
  "ABORTED",
  "SKIPPED",
  "RUNNING",
  "TIMEOUT",
  "CANCELLED",
] as const;
export type JobLogStatus = (typeof JOB_LOG_STATUSES)[number];

/** One JOB record of the runner's log, as the orchestrator reads it. */
export interface JobLog {
  /** As stored; a value outside {@link JOB_LOG_STATUSES} is kept and judged as "other". */
  readonly status: string;
  readonly attemptId: string;
  readonly executionId: string | null;
  readonly correlationId: string | null;
  readonly jobId: string | null;
  readonly jobKey: string | null;
  readonly runnerExecutionStartedAt: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly readCount: number | null;
  readonly writtenCount: number | null;
  readonly lastWrittenKey: string | null;
  readonly errorMessage: string | null;
  readonly host: string | null;
}
