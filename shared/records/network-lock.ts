import { z } from "zod";
import { type NetworkLock, OUTCOME_STATUSES, type Stored } from "../domain/model.ts";
import { ok, type Result } from "../domain/problem.ts";
import {
  anyText,
  choice,
  filled,
  integer,
  number,
  optionalText,
  readRecord,
  text,
  type WireRecord,
} from "./wire.ts";

const schema = z.object({
  record_key: filled(),
  record_type: z.object({ value: z.literal("NETWORK_LOCK") }),
  lock_key: optionalText(),
  profile: filled(),
  owner_invocation_id: optionalText(),
  lease_token: optionalText(),
  started_at: filled(),
  heartbeat_at: filled(),
  lease_expires_at: filled(),
  finished_at: optionalText(),
  status: choice(OUTCOME_STATUSES),
  status_reason: anyText(),
  revision: integer(),
});

/**
 * NETWORK_LOCK record for the insert that acquires it (wire-format §1.1). `finished_at` is not sent: while
 * the lock is held the column does not exist for the protocol.
 */
export function encode(lock: NetworkLock): WireRecord {
  return {
    record_key: text(lock.recordKey),
    record_type: text("NETWORK_LOCK"),
    lock_key: text(lock.lockKey),
    profile: text(lock.profile),
    owner_invocation_id: text(lock.ownerInvocationId),
    lease_token: text(lock.leaseToken),
    started_at: text(lock.startedAt),
    ...encodeHeartbeat(lock),
    status: text(lock.status),
    status_reason: text(lock.statusReason),
  };
}

/** Columns of a lock heartbeat (wire-format §4.1); `revision` is the business revision after the beat. */
export function encodeHeartbeat(
  lock: Pick<NetworkLock, "heartbeatAt" | "leaseExpiresAt" | "revision">,
): WireRecord {
  return {
    heartbeat_at: text(lock.heartbeatAt),
    lease_expires_at: text(lock.leaseExpiresAt),
    revision: number(lock.revision),
  };
}

/** What a release changes. `recordKey` is the tombstone key, `LOCKDONE:…`. */
export type LockRelease = Pick<NetworkLock, "recordKey" | "status" | "statusReason" | "revision"> & {
  readonly finishedAt: string;
};

/**
 * Columns of a lock release, ordinary or forced (wire-format §4.1): the record moves to its tombstone key
 * and gives up `lock_key`, owner and token, so the unique `lock_key` is free again.
 */
export function encodeRelease(release: LockRelease): WireRecord {
  return {
    record_key: text(release.recordKey),
    lock_key: text(null),
    owner_invocation_id: text(null),
    lease_token: text(null),
    status: text(release.status),
    status_reason: text(release.statusReason),
    finished_at: text(release.finishedAt),
    revision: number(release.revision),
  };
}

/** A stored NETWORK_LOCK record, held or tombstone, or `RECORD_UNREADABLE` (wire-format §1.1). */
export function decode(wire: unknown): Result<Stored<NetworkLock>> {
  const read = readRecord(schema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  return ok({
    recordKey: row.record_key,
    lockKey: row.lock_key,
    profile: row.profile,
    ownerInvocationId: row.owner_invocation_id,
    leaseToken: row.lease_token,
    startedAt: row.started_at,
    heartbeatAt: row.heartbeat_at,
    leaseExpiresAt: row.lease_expires_at,
    finishedAt: row.finished_at,
    status: row.status,
    statusReason: row.status_reason,
    revision: row.revision,
    ref,
  });
}
