import { type NetworkLock, OUTCOME_STATUSES, type Stored } from "../../shared/domain/index.ts";
import { text, type VectorCase } from "./load.ts";

/** The member a vector's text names; fails the test for any other. */
export const member = <T extends string>(choices: readonly T[], value: string): T => {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Error(`unexpected value ${value}`);
  return found;
};

/** The flat record of a vector as the domain's lock; an empty text means "no value" (wire-format, conventions). */
export function lockOf(record: VectorCase["input"]): Stored<NetworkLock> {
  return {
    ref: { recordId: text(record, "record_id"), revision: Number(record.revision_meta) },
    recordKey: text(record, "record_key"),
    lockKey: text(record, "lock_key") || null,
    profile: text(record, "profile"),
    ownerInvocationId: text(record, "owner_invocation_id") || null,
    leaseToken: text(record, "lease_token") || null,
    startedAt: text(record, "started_at"),
    heartbeatAt: text(record, "heartbeat_at"),
    leaseExpiresAt: text(record, "lease_expires_at"),
    finishedAt: null,
    status: member(OUTCOME_STATUSES, text(record, "status")),
    statusReason: text(record, "status_reason"),
    revision: Number(text(record, "revision")),
  };
}
