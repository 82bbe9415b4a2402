import type { ForcedReleaseWish } from "../../shared/domain/forced-release.ts";
import type { Hold, NodeStatus, ResolvedOutcome, RunStatus, Stored } from "../../shared/domain/model.ts";
import type { SeenRecords } from "../../shared/domain/operations/seen.ts";
import type { Problem, Result } from "../../shared/domain/problem.ts";
import type { RealignWish } from "../../shared/domain/realign-node.ts";
import type { CloseEnd } from "../../shared/domain/request-end.ts";
import type { ResolveWish } from "../../shared/domain/resolve-node.ts";

/**
 * What a person does about a Run, a node or a lock: the operations beside `run-network`, in the words of command
 * line, poller and console alike. None of them throws for a refusal; a refusal is the result.
 */

/** Who acts, for the records. */
export interface Actor {
  /** `requested_by` (orchestration section 9.3). */
  readonly requestedBy: string;
  /** `service_principal`. */
  readonly servicePrincipal: string;
}

/** The records a person decided on; null: none were shown. Execution on other records is refused (`PLAN_STALE`). */
export interface Seen {
  readonly seen: SeenRecords | null;
}

/** `cancel-run` (orchestration section 4.7). */
export interface CancelRunInput extends Seen {
  readonly runId: string;
  readonly release: boolean;
  readonly reason: string;
  readonly requestedBy: string;
  readonly signal?: AbortSignal;
}
export interface CancelRunOutcome {
  /** The hold as it stands now; null: the Run never had one. */
  readonly hold: Stored<Hold> | null;
  /** False: it was so already. */
  readonly changed: boolean;
}

/** `archive-run` (orchestration section 4.8). */
export interface ArchiveRunInput extends Seen, Actor {
  readonly profile: string;
  readonly networkId: string;
  readonly runId: string;
  readonly reason: string;
  readonly signal?: AbortSignal;
}
export interface ArchiveRunOutcome extends CloseEnd {
  readonly runId: string;
  readonly eventId: string;
  /** `$revision` of the Run afterwards; null when it is not known. */
  readonly runRevision: number | null;
  readonly problem: Problem | null;
}

/** `complete-audit`: the one audit a CLOSE left out (decisions section 3). */
export interface CompleteAuditInput extends Seen, Actor {
  readonly runId: string;
  readonly eventId: string;
  readonly reason: string;
  /** As the interrupted CLOSE told them. */
  readonly archivedAt: string;
  readonly previousStatus: "FAILED" | "CANCELLED";
  readonly runRevisionBefore: number;
  readonly signal?: AbortSignal;
}

/** `force-unlock-network` (orchestration section 3.5). */
export interface ForceUnlockInput extends Seen {
  readonly wish: ForcedReleaseWish;
  /** Evidence kept beside the record; its SHA-256 goes into the audit (decisions section 3). */
  readonly evidenceFile: { readonly name: string; readonly sha256: string } | null;
  /** Release although the audit was refused a moment ago (fenced-writes R7). */
  readonly withoutAudit: boolean;
  readonly signal?: AbortSignal;
}
export interface ForceUnlockOutcome {
  readonly lockKey: string;
  readonly previousOwnerInvocationId: string;
  readonly postRevision: number;
  readonly eventId: string;
  readonly audit: "RECORDED" | "PENDING";
}

/** `resolve-node` (orchestration section 5.4). */
export interface ResolveNodeInput extends Seen {
  readonly runId: string;
  readonly wish: Omit<ResolveWish, "resolvedAt">;
  readonly signal?: AbortSignal;
}
export interface ResolveNodeOutcome {
  readonly runId: string;
  readonly nodeId: string;
  readonly outcome: ResolvedOutcome;
  /** `$revision` of the Node State afterwards. */
  readonly revision: number;
  /** The Run's status recomputed in the same request (W-21). */
  readonly runStatus: RunStatus;
}

/** `realign-node`: a Node State that was edited by hand is taken up again (orchestration section 11.1). */
export interface RealignNodeInput extends Seen {
  readonly runId: string;
  readonly wish: RealignWish;
  readonly signal?: AbortSignal;
}
export interface RealignNodeOutcome {
  readonly runId: string;
  readonly nodeId: string;
  /** `$revision` of the Node State afterwards, and its own. */
  readonly revision: number;
  /** As it was found. */
  readonly status: NodeStatus;
  /** Of the audit. */
  readonly eventId: string;
}

/** `record-job-unlock` (orchestration section 5.5). `result`: the runner's LOCK_RECOVERY_RESULT as read from its file. */
export interface RecordJobUnlockInput extends Actor {
  readonly result: unknown;
  readonly runId: string;
  readonly nodeId: string;
  readonly reason: string;
  readonly evidenceRef: string;
  readonly stopConfirmedBy: string;
  readonly signal?: AbortSignal;
}
export interface RecordJobUnlockOutcome {
  readonly eventId: string;
  readonly jobKey: string;
  readonly outcome: string;
}

export interface Recovery {
  cancelRun(input: CancelRunInput): Promise<Result<CancelRunOutcome>>;
  archiveRun(input: ArchiveRunInput): Promise<ArchiveRunOutcome>;
  completeAudit(input: CompleteAuditInput): Promise<Result<{ readonly eventId: string }>>;
  forceUnlock(input: ForceUnlockInput): Promise<Result<ForceUnlockOutcome>>;
  resolveNode(input: ResolveNodeInput): Promise<Result<ResolveNodeOutcome>>;
  realignNode(input: RealignNodeInput): Promise<Result<RealignNodeOutcome>>;
  recordJobUnlock(input: RecordJobUnlockInput): Promise<Result<RecordJobUnlockOutcome>>;
}
