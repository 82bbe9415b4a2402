import type { OperationAudit } from "../domain/model.ts";

/** Facts of a `RECONCILIATION_REPAIR` event (wire-format §1.5). */
export interface RepairEvent {
  readonly eventId: string;
  readonly repairType:
    | "TERMINAL_ATTEMPT_APPLIED"
    | "ATTEMPT_RESOLUTION_APPLIED"
    | "RUN_AGGREGATE_RECOMPUTED"
    | "INVOCATION_FINALIZED";
  readonly runId: string;
  readonly targetType: "NODE_STATE" | "NETWORK_RUN" | "RUN_INVOCATION";
  readonly targetId: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly basis: string;
  readonly occurredAt: string;
}

/** OPERATION_AUDIT of a repair, JSON keys in the order of wire-format §1.5. */
export function repairAudit(event: RepairEvent): OperationAudit {
  return {
    eventId: event.eventId,
    runId: event.runId,
    resultCode: event.repairType,
    resolvedAt: event.occurredAt,
    event: {
      event_id: event.eventId,
      event_type: "RECONCILIATION_REPAIR",
      repair_type: event.repairType,
      run_id: event.runId,
      target_type: event.targetType,
      target_id: event.targetId,
      before: event.before,
      after: event.after,
      basis: event.basis,
      occurred_at: event.occurredAt,
    },
  };
}

/** Facts of the repair a person orders: a Node State that was edited by hand is taken up again. */
export interface RealignEvent {
  readonly eventId: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly nodeStateId: string;
  readonly revisionBefore: number;
  readonly revisionAfter: number;
  /** `$revision` the state was found at. */
  readonly kintoneRevision: number;
  /** What was found, with whom kintone names. */
  readonly basis: string;
  readonly reason: string;
  readonly evidenceRef: string;
  readonly confirmedBy: string;
  readonly requestedBy: string;
  readonly servicePrincipal: string;
  readonly occurredAt: string;
}

/**
 * OPERATION_AUDIT of a re-alignment: the keys of a repair (wire-format §1.5), then who answers for it. Its repair type is
 * none of the four that kSQL-FlowNet 1.0.0 writes, as none of them is true of it; that program never reads operation
 * audits, and the columns take any text.
 */
export function realignAudit(event: RealignEvent): OperationAudit {
  const repair = "REVISION_SERIES_REALIGNED";
  return {
    eventId: event.eventId,
    runId: event.runId,
    resultCode: repair,
    resolvedAt: event.occurredAt,
    event: {
      event_id: event.eventId,
      event_type: "RECONCILIATION_REPAIR",
      repair_type: repair,
      run_id: event.runId,
      target_type: "NODE_STATE",
      target_id: event.nodeStateId,
      before: { revision: event.revisionBefore, kintone_revision: event.kintoneRevision },
      after: { revision: event.revisionAfter },
      basis: event.basis,
      occurred_at: event.occurredAt,
      node_id: event.nodeId,
      reason: event.reason,
      evidence_ref: event.evidenceRef,
      confirmed_by: event.confirmedBy,
      requested_by: event.requestedBy,
      service_principal: event.servicePrincipal,
    },
  };
}

/** The runner's LOCK_RECOVERY_RESULT as it is kept in the audit (wire-format §1.5). */
export interface LockRecoveryFacts {
  readonly jobKey: string;
  readonly recordId: string | null;
  readonly outcome: "RELEASED" | "NOT_FOUND" | "NOT_RUNNING" | "CONFLICT" | "UNCONFIRMED";
  readonly before: {
    readonly batchId: string;
    readonly startedAt: string | null;
    readonly host: string;
  } | null;
  readonly executedAt: string;
  readonly nextAction?: string | undefined;
}

/** Facts of a `JOB_LOCK_FORCE_UNLOCK_RECORDED` event (wire-format §1.5). */
export interface JobUnlockEvent {
  readonly eventId: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly jobId: string;
  readonly servicePrincipal: string;
  readonly requestedBy: string;
  readonly stopConfirmedBy: string;
  readonly reason: string;
  readonly evidenceRef: string;
  readonly recordedAt: string;
  readonly recovery: LockRecoveryFacts;
}

function recoveryJson(recovery: LockRecoveryFacts): Readonly<Record<string, unknown>> {
  const { before } = recovery;
  return {
    kind: "LOCK_RECOVERY_RESULT",
    formatVersion: 1,
    jobKey: recovery.jobKey,
    recordId: recovery.recordId,
    outcome: recovery.outcome,
    before: before && { batchId: before.batchId, startedAt: before.startedAt, host: before.host },
    executedAt: recovery.executedAt,
    ...(recovery.nextAction !== undefined && { nextAction: recovery.nextAction }),
  };
}

/** OPERATION_AUDIT of a recorded job unlock, JSON keys in the order of wire-format §1.5. */
export function jobUnlockAudit(event: JobUnlockEvent): OperationAudit {
  return {
    eventId: event.eventId,
    runId: event.runId,
    resultCode: event.recovery.outcome,
    resolvedAt: event.recordedAt,
    event: {
      event_id: event.eventId,
      event_type: "JOB_LOCK_FORCE_UNLOCK_RECORDED",
      run_id: event.runId,
      node_id: event.nodeId,
      job_id: event.jobId,
      service_principal: event.servicePrincipal,
      requested_by: event.requestedBy,
      stop_confirmed_by: event.stopConfirmedBy,
      reason: event.reason,
      evidence_ref: event.evidenceRef,
      recorded_at: event.recordedAt,
      lock_recovery_result: recoveryJson(event.recovery),
    },
  };
}

/** Facts of a `NETWORK_LOCK_FORCE_RELEASED` event (wire-format §1.5). */
export interface NetworkUnlockEvent {
  readonly eventId: string;
  readonly networkId: string;
  readonly profile: string;
  readonly lockKey: string;
  readonly recordId: string;
  readonly previousOwnerInvocationId: string;
  readonly previousLeaseToken: string;
  readonly previousHeartbeatAt: string;
  readonly previousLeaseExpiresAt: string;
  readonly servicePrincipal: string;
  readonly requestedBy: string;
  readonly stopConfirmedBy: string;
  readonly stopMethod: "manual" | "local_pid" | "cloud_run_job_execution";
  readonly stopEvidenceRef: string;
  readonly reason: string;
  readonly evidenceRef: string;
  readonly releasedAt: string;
  /** Business or kintone revision after the release, as a number. */
  readonly postReleaseRevision: number;
  /** SHA-256 of an evidence file; last key, absent without a file. */
  readonly stopEvidenceSha256?: string | undefined;
}

/** OPERATION_AUDIT of a forced Network lock release, JSON keys in the order of wire-format §1.5. */
export function networkUnlockAudit(event: NetworkUnlockEvent): OperationAudit {
  return {
    eventId: event.eventId,
    runId: null,
    resultCode: "NETWORK_LOCK_FORCE_RELEASED",
    resolvedAt: event.releasedAt,
    event: {
      event_id: event.eventId,
      event_type: "NETWORK_LOCK_FORCE_RELEASED",
      network_id: event.networkId,
      profile: event.profile,
      lock_key: event.lockKey,
      record_id: event.recordId,
      previous_owner_invocation_id: event.previousOwnerInvocationId,
      previous_lease_token: event.previousLeaseToken,
      previous_heartbeat_at: event.previousHeartbeatAt,
      previous_lease_expires_at: event.previousLeaseExpiresAt,
      service_principal: event.servicePrincipal,
      requested_by: event.requestedBy,
      stop_confirmed_by: event.stopConfirmedBy,
      stop_method: event.stopMethod,
      stop_evidence_ref: event.stopEvidenceRef,
      reason: event.reason,
      evidence_ref: event.evidenceRef,
      released_at: event.releasedAt,
      post_release_revision: event.postReleaseRevision,
      ...(event.stopEvidenceSha256 !== undefined && { stop_evidence_sha256: event.stopEvidenceSha256 }),
    },
  };
}

/** Facts of a `RUN_ARCHIVED` event (wire-format §1.5). */
export interface RunArchivedEvent {
  readonly eventId: string;
  readonly runId: string;
  readonly requestedBy: string;
  readonly reason: string;
  readonly archivedAt: string;
  readonly previousStatus: "FAILED" | "CANCELLED";
  readonly runRevisionBefore: number;
  readonly servicePrincipal: string;
}

/** OPERATION_AUDIT of a close, JSON keys in the order of wire-format §1.5. */
export function runArchivedAudit(event: RunArchivedEvent): OperationAudit {
  return {
    eventId: event.eventId,
    runId: event.runId,
    resultCode: "RUN_ARCHIVED",
    resolvedAt: event.archivedAt,
    event: {
      event_id: event.eventId,
      event_type: "RUN_ARCHIVED",
      run_id: event.runId,
      result_code: "RUN_ARCHIVED",
      requested_by: event.requestedBy,
      reason: event.reason,
      archived_at: event.archivedAt,
      previous_status: event.previousStatus,
      run_revision_before: event.runRevisionBefore,
      service_principal: event.servicePrincipal,
    },
  };
}
