import {
  checkForcedReleaseInputs,
  checkHeldLock,
  checkStop,
  type ForcedReleaseWish,
  type StopFacts,
} from "../forced-release.ts";
import type { NetworkLock, Stored } from "../model.ts";
import type { Problem } from "../problem.ts";
import { inserted, needed, type OperationPlan, operationPlan, says, updated } from "./operation.ts";
import type { SeenRecords } from "./seen.ts";

export interface ForceUnlockFacts {
  readonly wish: ForcedReleaseWish;
  readonly lock: Stored<NetworkLock> | null;
  /** Null when nobody asked, because an earlier check refused. */
  readonly stop: StopFacts | null;
  readonly withoutAudit: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly readAt: string;
}

/** The record a forced release is decided on (orchestration §3.5). */
export const forceUnlockSeen = (lock: Stored<NetworkLock> | null): SeenRecords => ({
  lock: lock?.ref ?? null,
});

function refusalsOf({ wish, lock, stop, now }: ForceUnlockFacts): readonly Problem[] {
  const checks = [
    checkForcedReleaseInputs(wish),
    checkHeldLock(lock, wish, now),
    ...(stop === null ? [] : [checkStop(wish.stopMethod, stop)]),
  ];
  return checks.flatMap((check) => (check.ok ? [] : [check.error]));
}

/** force-unlock-network (orchestration §3.5): tombstone and audit in one request; nothing else is touched. */
export function planForceUnlockOperation(facts: ForceUnlockFacts): OperationPlan {
  const { wish, lock, withoutAudit } = facts;
  const { networkId, profile, stopMethod } = wish;
  return operationPlan({
    operation: "FORCE_UNLOCK",
    subject: { profile, networkId },
    seen: forceUnlockSeen(lock),
    readAt: facts.readAt,
    refusals: refusalsOf(facts),
    evidence: [
      ...needed("reason", "evidenceRef", "stopConfirmedBy", "stopEvidenceRef", "stopMethod"),
      { field: "expectedPid", required: false },
    ],
    writes: [
      {
        ...updated(
          "lock",
          networkId,
          { status: lock?.status ?? null, ownerInvocationId: lock?.ownerInvocationId ?? null },
          { status: "CANCELLED", ownerInvocationId: null, statusReason: "NETWORK_LOCK_FORCE_RELEASED" },
        ),
        action: "release",
      },
      ...(withoutAudit
        ? []
        : [
            inserted("audit", null, {
              eventType: "NETWORK_LOCK_FORCE_RELEASED",
              previousOwnerInvocationId: wish.expectedOwnerInvocationId,
              stopMethod,
              stopConfirmedBy: wish.stopConfirmedBy,
              stopEvidenceRef: wish.stopEvidenceRef,
              reason: wish.reason,
            }),
          ]),
    ],
    consequences: [
      says("cannotBeUndone"),
      says("recordsStayAsTheyAre"),
      ...(stopMethod === "manual" ? [says("restsOnYourWord")] : []),
      ...(withoutAudit ? [says("auditLeftOut")] : []),
    ],
  });
}
