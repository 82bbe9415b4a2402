import { recordKeys } from "../../../../shared/domain/keys.ts";
import type { NetworkLock, RecordRef, Stored } from "../../../../shared/domain/model.ts";
import { FlowError, type Problem } from "../../../../shared/domain/problem.ts";
import {
  LOCK_UNIQUE_FIELDS,
  lockCodec,
  operationAuditCodec,
  RECORD_KEY_FIELD,
  recordsByIds,
  recordsByKeys,
} from "../../../../shared/records/index.ts";
import {
  bulk,
  duplicateField,
  getRecords,
  isRecordGone,
  isStaleRevision,
  type KintoneOperation,
  type Refusal,
  refusalProblem,
  sendRead,
  unknownProblem,
  type WriteRequest,
  type WriteResult,
  write,
} from "../../../kintone-client/index.ts";
import type { ForcedRelease, ForcedReleaseOutcome } from "../../ports.ts";
import type { AppIds } from "../changes/encode.ts";
import { type LoneDeps, type Sight, sendLone } from "./send-lone.ts";

/** Result code of a forced release (wire-format §4.5). */
const FORCE_RELEASED = "NETWORK_LOCK_FORCE_RELEASED";

const REVISION_CONFLICT: Problem = {
  code: "REVISION_CONFLICT",
  message: "The lock changed since the stop was confirmed. It was not released.",
  remedy: "Look at the lock again; its owner, or somebody else, has written it.",
};

function tombstone({ lock, releasedAt }: ForcedRelease, withId: boolean) {
  const { lockKey, leaseToken, ref } = lock;
  if (lockKey === null || leaseToken === null) {
    throw new FlowError({
      code: "LOCK_NOT_FOUND",
      message: "The record is no held lock: it carries no lock key or no lease token.",
      place: `record ${ref.recordId}`,
    });
  }
  return lockCodec.encodeRelease({
    recordKey: recordKeys.lockTombstone(lockKey, leaseToken, withId ? ref.recordId : undefined),
    status: "CANCELLED",
    statusReason: FORCE_RELEASED,
    finishedAt: releasedAt,
    revision: lock.revision + 1,
  });
}

function operationOf(
  apps: AppIds,
  release: ForcedRelease,
  withId: boolean,
): KintoneOperation<readonly WriteResult[]> {
  const { ref } = release.lock;
  const entry = { id: ref.recordId, revision: ref.revision, record: tombstone(release, withId) };
  const lock: WriteRequest = { kind: "updateRecord", app: apps.state, entry };
  const { audit } = release;
  if (audit === null) {
    const alone = write(lock);
    return {
      request: alone.request,
      parse(raw) {
        const result = alone.parse(raw);
        return result && [result];
      },
    };
  }
  const record = operationAuditCodec.encode(audit);
  return bulk([lock, { kind: "addRecord", app: apps.audit, record }]);
}

/** The tombstone a forced release of this lock leaves: nobody else's says all of it (fenced-writes R2). */
function isTombstone(before: Stored<NetworkLock>, now: Stored<NetworkLock>): boolean {
  return (
    now.ref.revision === before.ref.revision + 1 &&
    now.leaseToken === null &&
    now.lockKey === null &&
    now.status === "CANCELLED" &&
    now.statusReason === FORCE_RELEASED
  );
}

/**
 * Takes a Network lock from its owner (orchestration §3.5, fenced-writes §3, R6, R7): the tombstone and the audit in one
 * request, so that neither exists without the other. Throws `LOCK_NOT_FOUND` for a record that is no held lock.
 */
export function createForcedRelease(deps: LoneDeps, apps: AppIds) {
  async function lookAtLock(before: Stored<NetworkLock>, signal?: AbortSignal): Promise<Sight> {
    const query = getRecords(apps.state, recordsByIds([before.ref.recordId]));
    const answer = await sendRead(deps, query, signal ? { signal } : {});
    if (answer.kind !== "ok") {
      const what = "read the lock";
      const problem = answer.kind === "refused" ? refusalProblem(answer, what) : unknownProblem(answer, what);
      return { kind: "unreadable", problem };
    }
    const [raw] = answer.value;
    if (raw === undefined) return { kind: "theirs", problem: REVISION_CONFLICT };
    const lock = lockCodec.decode(raw);
    if (!lock.ok) return { kind: "unreadable", problem: lock.error };
    const { ref } = lock.value;
    if (ref.revision === before.ref.revision) return { kind: "untouched" };
    return isTombstone(before, lock.value)
      ? { kind: "ours", ref }
      : { kind: "theirs", problem: REVISION_CONFLICT };
  }

  /** Two people may force the same lock: only the audit says whose release it was. */
  async function look({ lock, audit }: ForcedRelease, signal?: AbortSignal): Promise<Sight> {
    const seen = await lookAtLock(lock, signal);
    if (seen.kind !== "ours" || audit === null) return seen;
    const key = operationAuditCodec.recordKey(audit.eventId);
    const answer = await sendRead(
      deps,
      getRecords(apps.audit, recordsByKeys([key])),
      signal ? { signal } : {},
    );
    if (answer.kind !== "ok") {
      const what = "read the audit";
      const problem = answer.kind === "refused" ? refusalProblem(answer, what) : unknownProblem(answer, what);
      return { kind: "unreadable", problem };
    }
    return answer.value.length === 1 ? seen : { kind: "theirs", problem: REVISION_CONFLICT };
  }

  async function attempt(
    release: ForcedRelease,
    withId: boolean,
    signal?: AbortSignal,
  ): Promise<ForcedReleaseOutcome | "tombstone-taken"> {
    const { ref } = release.lock;
    let refusedAudit: Problem | null = null;
    let taken = false;
    const outcome = await sendLone(
      deps,
      {
        operation: operationOf(apps, release, withId),
        refOf: ([lock]): RecordRef | null =>
          lock?.refs[0]?.revision === ref.revision + 1
            ? { recordId: ref.recordId, revision: ref.revision + 1 }
            : null,
        judge(refusal) {
          if (refusal.bulkIndex === 1) {
            refusedAudit = auditFailed(refusal);
            return "refused";
          }
          taken = duplicateField(refusal, LOCK_UNIQUE_FIELDS) === RECORD_KEY_FIELD;
          return isStaleRevision(refusal) || isRecordGone(refusal) ? "theirs" : "refused";
        },
        look: (at) => look(release, at),
        what: "release the lock",
        lost: REVISION_CONFLICT,
      },
      signal ? { signal } : {},
    );
    if (outcome.kind === "refused" && taken) return "tombstone-taken";
    if (outcome.kind === "refused" && refusedAudit !== null)
      return { kind: "audit-refused", problem: refusedAudit };
    return shown(outcome, release.audit !== null);
  }

  return async (release: ForcedRelease, signal?: AbortSignal): Promise<ForcedReleaseOutcome> => {
    const outcome = await attempt(release, false, signal);
    if (outcome !== "tombstone-taken") return outcome;
    const second = await attempt(release, true, signal);
    return second === "tombstone-taken" ? { kind: "refused", problem: REVISION_CONFLICT } : second;
  };
}

function shown(outcome: Awaited<ReturnType<typeof sendLone>>, audited: boolean): ForcedReleaseOutcome {
  switch (outcome.kind) {
    case "applied":
      return { kind: "released", ref: outcome.ref, audit: audited ? "RECORDED" : "PENDING" };
    case "conflict":
      return outcome;
    case "refused":
      return outcome;
    case "unsettled":
      return { kind: "unconfirmed", problem: { ...outcome.problem, code: "RELEASE_UNCONFIRMED" } };
  }
}

const auditFailed = (refusal: Refusal): Problem => ({
  ...refusalProblem(refusal, "add the audit of the release"),
  code: "AUDIT_FAILED",
  remedy: "Nothing was changed. Repair the audit app, or release without an audit and add it afterwards.",
});
