import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { recordKeys } from "../../../../shared/domain/keys.ts";
import type { NetworkLock, Stored } from "../../../../shared/domain/model.ts";
import { lockCodec, networkUnlockAudit } from "../../../../shared/records/index.ts";

const caseSchema = z.object({
  name: z.string(),
  input: z.looseObject({ kind: z.string(), lock_record: z.record(z.string(), z.unknown()).nullish() }),
  expected: z.unknown(),
});
const { cases } = z
  .object({ cases: z.array(caseSchema) })
  .parse(JSON.parse(readFileSync(new URL("../../../vectors/lock-lease.json", import.meta.url), "utf8")));

/** The lock of a case, read by the codec as kintone would answer it. */
function lockOf(input: z.infer<typeof caseSchema>["input"]): Stored<NetworkLock> {
  const { record_id: id, revision_meta: revision, ...columns } = input.lock_record ?? {};
  const fields = Object.entries(columns).map(([code, value]) => [code, { value }]);
  const read = lockCodec.decode({
    ...Object.fromEntries(fields),
    finished_at: { value: "" },
    $id: { value: String(id) },
    $revision: { value: String(revision) },
  });
  if (!read.ok) throw new Error(`${read.error.place}: ${read.error.message}`);
  return read.value;
}

const tombstoneOf = (lock: NetworkLock): string =>
  recordKeys.lockTombstone(lock.lockKey ?? "", lock.leaseToken ?? "");

const unlocked = z.object({
  verdict: z.literal("RELEASED"),
  put: z.object({ id: z.string(), revision: z.number(), record: z.unknown() }),
  audit: z.looseObject({ event_id: z.string() }),
});
const request = z.object({
  now: z.string(),
  request: z.object({
    network_id: z.string(),
    profile: z.string(),
    reason: z.string(),
    evidence_ref: z.string(),
    stop_confirmed_by: z.string(),
    stop_evidence_ref: z.string(),
    stop_method: z.enum(["manual", "local_pid", "cloud_run_job_execution"]),
    service_principal: z.string(),
    requested_by: z.string(),
  }),
});
const forced = cases.flatMap(({ name, input, expected }) => {
  const parsed = unlocked.safeParse(expected);
  return input.kind === "force_unlock" && parsed.success ? [{ name, input, expected: parsed.data }] : [];
});

const beaten = z.object({
  ok: z.literal(true),
  business_revision: z.number(),
  heartbeat_at: z.string(),
  put: z.object({ record: z.unknown() }),
});
const beats = cases.flatMap(({ name, input, expected }) => {
  const parsed = beaten.safeParse(expected);
  return input.kind === "heartbeat" && parsed.success ? [{ name, expected: parsed.data }] : [];
});

describe("lock records against the vectors (wire-format §1.1, §1.5, §8)", () => {
  it("there are cases of both kinds", () => {
    expect(forced.length).toBeGreaterThanOrEqual(5);
    expect(beats.length).toBeGreaterThanOrEqual(2);
  });

  it.each(forced)("$name: tombstone columns and audit JSON, key order included", ({ input, expected }) => {
    const lock = lockOf(input);
    const { now, request: asked } = request.parse(input);
    expect({ id: lock.ref.recordId, revision: lock.ref.revision }).toEqual({
      id: expected.put.id,
      revision: expected.put.revision,
    });
    const release = lockCodec.encodeRelease({
      recordKey: tombstoneOf(lock),
      status: "CANCELLED",
      statusReason: "NETWORK_LOCK_FORCE_RELEASED",
      finishedAt: now,
      revision: lock.revision + 1,
    });
    expect(release).toEqual(expected.put.record);
    const audit = networkUnlockAudit({
      eventId: expected.audit.event_id,
      networkId: asked.network_id,
      profile: asked.profile,
      lockKey: lock.lockKey ?? "",
      recordId: lock.ref.recordId,
      previousOwnerInvocationId: lock.ownerInvocationId ?? "",
      previousLeaseToken: lock.leaseToken ?? "",
      previousHeartbeatAt: lock.heartbeatAt,
      previousLeaseExpiresAt: lock.leaseExpiresAt,
      servicePrincipal: asked.service_principal,
      requestedBy: asked.requested_by,
      stopConfirmedBy: asked.stop_confirmed_by,
      stopMethod: asked.stop_method,
      stopEvidenceRef: asked.stop_evidence_ref,
      reason: asked.reason,
      evidenceRef: asked.evidence_ref,
      releasedAt: now,
      postReleaseRevision: lock.ref.revision + 1,
    });
    expect(JSON.stringify(audit.event)).toBe(JSON.stringify(expected.audit));
  });

  it.each(beats)("$name: columns of the beat", ({ expected }) => {
    const leaseExpiresAt = new Date(Date.parse(expected.heartbeat_at) + 180_000).toISOString();
    const beat = lockCodec.encodeHeartbeat({
      heartbeatAt: expected.heartbeat_at,
      leaseExpiresAt,
      revision: expected.business_revision,
    });
    expect(beat).toEqual(expected.put.record);
  });
});
