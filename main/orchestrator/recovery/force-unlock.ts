import {
  checkForcedReleaseInputs,
  checkHeldLock,
  checkStop,
  checkUnmoved,
  type StopMethod,
} from "../../../shared/domain/forced-release.ts";
import type { NetworkLock, OperationAudit, Stored } from "../../../shared/domain/model.ts";
import { forceUnlockSeen } from "../../../shared/domain/operations/force-unlock.ts";
import { checkSeen } from "../../../shared/domain/operations/seen.ts";
import { FlowError, fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { networkUnlockAudit } from "../../../shared/records/audit-events.ts";
import { isoNow } from "../deps.ts";
import type { ForceUnlockInput, ForceUnlockOutcome } from "../recovery-ports.ts";
import type { RecoveryDeps } from "./deps.ts";
import { readStopFacts } from "./stop-facts.ts";

/**
 * Takes a Network lock from an owner that has stopped (orchestration section 3.5), in the peer's order of checks; the owner is
 * judged at this moment, not from the form. Tombstone and audit are one request. Codes: those of the checks,
 * `PLAN_STALE`, `REVISION_CONFLICT`, `AUDIT_FAILED`, `RELEASE_UNCONFIRMED`, `LOCK_READ_FAILED`.
 */
export async function forceUnlock(
  deps: RecoveryDeps,
  input: ForceUnlockInput,
): Promise<Result<ForceUnlockOutcome>> {
  const { wish } = input;
  const inputs = checkForcedReleaseInputs(wish);
  if (!inputs.ok) return inputs;
  const first = await readLock(deps, input);
  if (!first.ok) return first;
  const held = checkHeldLock(first.value, wish, deps.clock.nowMs());
  if (!held.ok) return held;
  const seen = checkSeen(input.seen, forceUnlockSeen(held.value));
  if (!seen.ok) return seen;
  const stop = checkStop(
    wish.stopMethod,
    await readStopFacts(deps, wish.stopMethod, held.value, input.signal),
  );
  if (!stop.ok) return stop;
  const second = await readLock(deps, input);
  if (!second.ok) return second;
  const unmoved = checkUnmoved(held.value, second.value);
  return unmoved.ok ? release(deps, input, held.value, stop.value) : unmoved;
}

async function readLock(
  deps: RecoveryDeps,
  { wish, signal }: ForceUnlockInput,
): Promise<Result<Stored<NetworkLock> | null>> {
  try {
    return ok(await deps.store.findLock({ profile: wish.profile, networkId: wish.networkId }, signal));
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return fail({ ...error.problem, code: "LOCK_READ_FAILED", details: { cause: error.code } });
  }
}

function auditOf(
  deps: RecoveryDeps,
  { wish, evidenceFile }: ForceUnlockInput,
  lock: Stored<NetworkLock>,
  stopMethod: StopMethod,
): OperationAudit {
  return networkUnlockAudit({
    eventId: `net_unlock_${deps.ids.uuid()}`,
    networkId: wish.networkId,
    profile: wish.profile,
    lockKey: lock.lockKey ?? "",
    recordId: lock.ref.recordId,
    previousOwnerInvocationId: lock.ownerInvocationId ?? "",
    previousLeaseToken: lock.leaseToken ?? "",
    previousHeartbeatAt: lock.heartbeatAt,
    previousLeaseExpiresAt: lock.leaseExpiresAt,
    servicePrincipal: wish.servicePrincipal,
    requestedBy: wish.requestedBy,
    stopConfirmedBy: wish.stopConfirmedBy,
    stopMethod,
    stopEvidenceRef: wish.stopEvidenceRef,
    reason: wish.reason,
    evidenceRef: wish.evidenceRef,
    releasedAt: isoNow(deps.clock),
    postReleaseRevision: lock.revision + 1,
    stopEvidenceSha256: evidenceFile?.sha256,
  });
}

async function release(
  deps: RecoveryDeps,
  input: ForceUnlockInput,
  lock: Stored<NetworkLock>,
  stopMethod: StopMethod,
): Promise<Result<ForceUnlockOutcome>> {
  const audit = auditOf(deps, input, lock, stopMethod);
  const forced = { lock, releasedAt: audit.resolvedAt, audit: input.withoutAudit ? null : audit };
  const outcome = await deps.store.forceRelease(forced, input.signal);
  if (outcome.kind !== "released") return fail(outcome.problem);
  return ok({
    lockKey: lock.lockKey ?? "",
    previousOwnerInvocationId: lock.ownerInvocationId ?? "",
    postRevision: outcome.ref.revision,
    eventId: audit.eventId,
    audit: outcome.audit,
  });
}
