import type {
  Attempt,
  Hold,
  Invocation,
  JobLog,
  NetworkLock,
  NodeState,
  OperationAudit,
  RecordEdits,
  RecordRef,
  Resolution,
  Run,
  RunStatus,
  Stored,
  TerminalStatus,
} from "../../shared/domain/model.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import type { AuditReads } from "./audit-reads.ts";
import type { HoldWrites, LockAdministration } from "./lone-writes.ts";

export type * from "./audit-reads.ts";
export type * from "./lone-writes.ts";

/**
 * What the orchestrator needs to read and write, in domain words. `store/kintone` is the only
 * implementation; it alone knows apps, field codes and requests (architecture section 3).
 */

export interface NetworkScope {
  readonly profile: string;
  readonly networkId: string;
}

/** JOB log lookup by attempt id, compared exactly in memory (wire-format section 4.2). */
export type JobLogLookup =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly log: JobLog }
  | { readonly kind: "ambiguous"; readonly count: number }
  | { readonly kind: "unreadable"; readonly problem: Problem };

/**
 * Reads page by `$id` and retry only what is safe to repeat, within bounds. Any failure that remains is
 * thrown as a `FlowError` (`STORE_UNREACHABLE`, `STORE_REFUSED`, `RECORD_UNREADABLE`, `MULTIPLE_RECORDS`).
 */
export interface FlowReads {
  /** By the unique key `R1`, which is recomputed from the stored fields and compared. */
  findRunByKey(
    scope: NetworkScope & { readonly businessKey: string },
    signal?: AbortSignal,
  ): Promise<Stored<Run> | null>;
  findRunById(runId: string, signal?: AbortSignal): Promise<Stored<Run> | null>;
  /** All Runs of one profile and network, by `$id` ascending. */
  listRuns(scope: NetworkScope, signal?: AbortSignal): Promise<readonly Stored<Run>[]>;
  /** Runs by `$id` ascending, the holds of these Runs and the held lock of one network, in one query (W-20). */
  readNetwork(scope: NetworkScope, signal?: AbortSignal): Promise<NetworkOverview>;
  /** Every Run of every network in the state app, by `$id` ascending, from `afterRecordId` on (live model). */
  listAllRuns(signal?: AbortSignal): Promise<readonly Stored<Run>[]>;
  /**
   * Runs and holds written at or after `since` (ISO-8601 UTC; null for all of them) and every held lock, in one
   * query (live model, operator-ux U2). kintone keeps that time to the minute and by its own clock: leave a margin.
   */
  readOverview(since: string | null, signal?: AbortSignal): Promise<StateOverview>;
  listNodeStates(runId: string, signal?: AbortSignal): Promise<readonly Stored<NodeState>[]>;
  /**
   * Node States of several Runs by run id, in as few requests as possible: one condition names up to a hundred Runs,
   * and a page holds five hundred states. A Run without states has an empty list. `nodeId`: of this node alone.
   */
  listNodeStatesOfRuns(
    runIds: readonly string[],
    signal?: AbortSignal,
    nodeId?: string,
  ): Promise<ReadonlyMap<string, readonly Stored<NodeState>[]>>;
  listInvocations(runId: string, signal?: AbortSignal): Promise<readonly Stored<Invocation>[]>;
  listAttempts(runId: string, signal?: AbortSignal): Promise<readonly Stored<Attempt>[]>;
  /** These very attempts, of whatever Runs; one request names up to a hundred. What does not exist is left out. */
  listAttemptsByNumber(
    wanted: readonly Pick<Attempt, "runId" | "nodeId" | "attemptNo">[],
    signal?: AbortSignal,
  ): Promise<readonly Stored<Attempt>[]>;
  /** Resolutions of the given attempts only, paged (wire-format section 7, row 1). */
  listResolutions(
    attemptIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Stored<Resolution>[]>;
  findHold(runId: string, signal?: AbortSignal): Promise<Stored<Hold> | null>;
  /** The held lock of a network, expired or not; null when free. */
  findLock(scope: NetworkScope, signal?: AbortSignal): Promise<Stored<NetworkLock> | null>;
  /** Every lock record that is held, whatever its network (live model, W-26). */
  listHeldLocks(signal?: AbortSignal): Promise<readonly Stored<NetworkLock>[]>;
  findJobLog(attemptId: string, signal?: AbortSignal): Promise<JobLogLookup>;
  /**
   * Everything about one Run in three queries: `run_id` on the state app (Run, Node States, hold), on the
   * audit app (Invocations, Attempts), and the Resolutions of those Attempts. Lists by `$id` ascending.
   */
  readRunGraph(runId: string, signal?: AbortSignal): Promise<RunGraph>;
  /** Holds of the given Runs by run id, in as few requests as possible. */
  findHolds(runIds: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, Stored<Hold>>>;
  /** Which Run an Invocation belongs to; null when the record does not exist (yet). */
  findRunIdOfInvocation(invocationId: string, signal?: AbortSignal): Promise<string | null>;
}

/** One network as the state app tells it. */
export interface NetworkOverview {
  readonly runs: readonly Stored<Run>[];
  /** By run id. */
  readonly holds: ReadonlyMap<string, Stored<Hold>>;
  /** Null when the network is free, or when its lock is among the unreadable. */
  readonly lock: Stored<NetworkLock> | null;
  /**
   * `RECORD_UNREADABLE` of every row nothing can be said of, its `recordId`, `revision`, `recordType` and `runId` in the
   * details as far as they are legible. The other rows are whole.
   */
  readonly unreadable: readonly Problem[];
}

/** What changed in the state app, for the picture of all Runs. Lists by `$id` ascending. */
export interface StateOverview {
  readonly runs: readonly Stored<Run>[];
  readonly holds: readonly Stored<Hold>[];
  readonly locks: readonly Stored<NetworkLock>[];
}

export interface RunGraph {
  readonly run: Stored<Run> | null;
  readonly states: readonly Stored<NodeState>[];
  readonly hold: Stored<Hold> | null;
  readonly invocations: readonly Stored<Invocation>[];
  readonly attempts: readonly Stored<Attempt>[];
  readonly resolutions: readonly Stored<Resolution>[];
  /** Of Node States whose revision does not follow kintone's, as far as it names anybody; read with the record. */
  readonly edits?: RecordEdits;
}

export interface BundleStore {
  /** Uploads the ZIP; the key is single-use (wire-format section 3). Throws `BUNDLE_UPLOAD_FAILED`. */
  uploadBundle(zip: Uint8Array, signal?: AbortSignal): Promise<string>;
  /** Downloads with the key read from the Run record. Throws `BUNDLE_UPLOAD_FAILED` (the peer's code for both ways). */
  downloadBundle(fileKey: string, signal?: AbortSignal): Promise<Uint8Array>;
}

/**
 * One change to one record (or one batch of new Node States). A change set is what one fenced request
 * carries behind the lock record (fenced-writes sections 1 and 3). Updates carry the revision they were
 * planned on.
 */
export type Change =
  | { readonly kind: "run.insert"; readonly run: Run }
  | {
      readonly kind: "run.aggregate";
      readonly runId: string;
      readonly recordKey: RunKeyParts;
      readonly ref: RecordRef;
      readonly status: RunStatus;
      readonly startedAt: string | null;
      readonly finishedAt: string | null;
      readonly updatedAt: string;
    }
  /** CLOSE: `ARCHIVED`, for good (orchestration section 4.8). */
  | { readonly kind: "run.archive"; readonly ref: RecordRef; readonly updatedAt: string }
  | { readonly kind: "invocation.insert"; readonly invocation: Invocation }
  /** `next` is terminal; the columns of wire-format section 1.2 are rewritten. */
  | { readonly kind: "invocation.finalise"; readonly ref: RecordRef; readonly next: Invocation }
  | { readonly kind: "nodeStates.insert"; readonly states: readonly NodeState[] }
  /** `next.revision` must be `ref.revision + 1` (REVISION_SERIES_INVERTED otherwise). */
  | { readonly kind: "nodeState.update"; readonly ref: RecordRef; readonly next: NodeState }
  | { readonly kind: "attempt.insert"; readonly attempt: Attempt }
  | { readonly kind: "attempt.finalise"; readonly ref: RecordRef; readonly next: Attempt }
  | { readonly kind: "hold.update"; readonly ref: RecordRef; readonly next: Hold }
  | { readonly kind: "resolution.insert"; readonly resolution: Resolution }
  | { readonly kind: "audit.insert"; readonly audit: OperationAudit };

/** What the Run's unique key is derived from. */
export interface RunKeyParts {
  readonly profile: string;
  readonly networkId: string;
  readonly businessKey: string;
}

/** How the lock record leaves the request: renewed, or turned into its tombstone. */
export interface ReleaseAs {
  readonly status: TerminalStatus;
  readonly resultCode: string;
}

/** What became of one change set (fenced-writes R1, R3). */
export type WriteOutcome =
  /** In the store. `refs` stand in the order of the changes; a batch of Node States contributes one each. */
  | { readonly kind: "applied"; readonly refs: readonly RecordRef[] }
  /** Proven not applied and never to be: a revision was stale or a key taken at `index`. Read again, plan again. */
  | { readonly kind: "dead"; readonly index: number | null; readonly problem: Problem }
  /** Answered with another refusal; nothing was written. Act by the code. */
  | { readonly kind: "refused"; readonly index: number | null; readonly problem: Problem }
  /** Somebody else holds or held the lock since. Nothing more may be written. */
  | { readonly kind: "fence-lost"; readonly problem: Problem }
  /** Not learnt before the deadline: the lease is uncertain, nothing may rest on this write. */
  | { readonly kind: "unsettled"; readonly problem: Problem };

export type LockState = "HELD" | "LEASE_UNCERTAIN" | "FENCE_LOST" | "RELEASED";

/**
 * A held Network lock and the queue of everything its holder writes. Token and revision live in here,
 * in memory only (R4). Beats run from acquisition on; a write that is due anyway postpones the next beat.
 */
export interface LockSession {
  readonly lockKey: string;
  readonly ownerInvocationId: string;
  readonly startedAt: string;
  state(): LockState;
  /** True once the lease was uncertain, also after it was proven again: no further node may be started (orchestration section 3.4). */
  interrupted(): boolean;
  /** Milliseconds of proven lease left by the larger of wall and monotonic elapsed time; 0 when uncertain. */
  remainingLeaseMs(): number;
  /** `changes` may be planned when its turn in the queue comes, on the refs known by then. */
  write(
    changes: readonly Change[],
    options?: { readonly release?: ReleaseAs; readonly signal?: AbortSignal },
  ): Promise<WriteOutcome>;
  /** One beat now; used before a spawn that is due with too little lease left (R5). */
  beat(signal?: AbortSignal): Promise<WriteOutcome>;
  /** Releases alone, after the queue has emptied (R7, W-27). */
  release(as: ReleaseAs, signal?: AbortSignal): Promise<WriteOutcome>;
  /** Stops the beats and waits for the request in flight. Does not release. Never rejects. */
  dispose(): Promise<void>;
}

export type AcquireOutcome =
  | { readonly kind: "acquired"; readonly session: LockSession }
  /** `LOCK_CONFLICT`; `holder` when it could be read. */
  | { readonly kind: "conflict"; readonly problem: Problem; readonly holder: Stored<NetworkLock> | null }
  /** `LOCK_UNAVAILABLE`. */
  | { readonly kind: "unavailable"; readonly problem: Problem };

export interface AcquireInput extends NetworkScope {
  readonly ownerInvocationId: string;
  /** `local-pid://<host>/<pid>` or the configured owner instance. */
  readonly ownerInstanceId: string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

export interface FlowLocks {
  /** Insert only; an expired lock is still a conflict (wire-format section 4.5, fenced-writes R6). */
  acquireLock(input: AcquireInput, signal?: AbortSignal): Promise<AcquireOutcome>;
}

export interface FlowStore
  extends FlowReads,
    AuditReads,
    BundleStore,
    FlowLocks,
    HoldWrites,
    LockAdministration {
  dispose(): Promise<void>;
}

/** The clock of a shell. Monotonic time never steps; wall time is what records carry. */
export interface Clock {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Milliseconds from an arbitrary origin, never stepping back. */
  monotonicMs(): number;
}

/** Random identifiers, lower-case UUID v4 (wire-format section 2.4). */
export interface Ids {
  uuid(): string;
}
