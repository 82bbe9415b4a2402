import { recordKeys } from "../../../../shared/domain/keys.ts";
import { lockCodec } from "../../../../shared/records/index.ts";
import type { WriteRequest } from "../../../kintone-client/index.ts";
import type { ReleaseAs } from "../../ports.ts";
import type { AppIds } from "../changes/encode.ts";
import type { Part } from "../changes/plan.ts";
import { type Witness, witnessOf } from "../changes/witness.ts";
import { type Lease, leaseFrom, type Stamp } from "./lease.ts";
import type { Candidate } from "./settle.ts";

/** What the holder knows of its lock record; lives in memory only (fenced-writes R4). */
export interface HeldRecord {
  readonly recordId: string;
  readonly revision: number;
  readonly businessRevision: number;
  readonly lockKey: string;
  readonly token: string;
}

/** One fenced request as it leaves, byte for byte, every time it is sent (R1). */
export interface ChangeSet {
  readonly candidate: Candidate;
  readonly part: Part;
  readonly lockRequest: WriteRequest;
  readonly witness: Witness | null;
  /** The lease it renews, if it renews it. */
  readonly lease: Lease;
  readonly release: ReleaseAs | null;
}

function lockRecord(held: HeldRecord, stamp: Stamp, lease: Lease, release: ReleaseAs | null) {
  const revision = held.businessRevision + 1;
  const now = new Date(stamp.wallMs).toISOString();
  if (release === null) {
    const leaseExpiresAt = new Date(lease.expiresAtMs).toISOString();
    return lockCodec.encodeHeartbeat({ heartbeatAt: now, leaseExpiresAt, revision });
  }
  return lockCodec.encodeRelease({
    recordKey: recordKeys.lockTombstone(held.lockKey, held.token),
    status: release.status,
    statusReason: release.resultCode,
    finishedAt: now,
    revision,
  });
}

/**
 * A change set on the revision that is held now: the lock record first, renewed or turned into its tombstone,
 * then the part's changes (fenced-writes §1). `stamp` is the moment its first copy leaves.
 */
export function buildChangeSet(
  id: number,
  held: HeldRecord,
  input: {
    readonly part: Part;
    readonly release: ReleaseAs | null;
    readonly stamp: Stamp;
    readonly leaseMs: number;
    readonly apps: AppIds;
  },
): ChangeSet {
  const { part, release, apps } = input;
  const lease = leaseFrom(input.stamp, input.leaseMs);
  const witness = witnessOf(part.changes, apps);
  return {
    candidate: {
      id,
      leaves:
        release === null
          ? { kind: "held" }
          : { kind: "released", status: release.status, resultCode: release.resultCode },
      witnessed: witness !== null,
    },
    part,
    lockRequest: {
      kind: "updateRecord",
      app: apps.state,
      entry: {
        id: held.recordId,
        revision: held.revision,
        record: lockRecord(held, input.stamp, lease, release),
      },
    },
    witness,
    lease,
    release,
  };
}
