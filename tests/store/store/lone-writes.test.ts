import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { getRecords } from "../../../main/kintone-client/index.ts";
import type { FlowStore } from "../../../main/store/ports.ts";
import type { Hold, NetworkLock, OperationAudit, Stored } from "../../../shared/domain/model.ts";
import { networkUnlockAudit } from "../../../shared/records/index.ts";
import { type BadLine, badLineForTests, bulkError, html } from "../../support/bad-line.ts";
import { type FaultProxy, isBulk, isInsert, isLonePut, isRead } from "../../support/fault-proxy.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { refOf, SETTLED_FAULTS } from "../../support/lone-faults.ts";

const line = badLineForTests();
let proxy: FaultProxy;
/** Through the proxy. */
let store: FlowStore;
/** Past the proxy. */
let other: FlowStore;
let bad: BadLine;
beforeAll(() => {
  bad = line();
  ({ proxy, store, other } = bad);
});

const hold = (over: Partial<Hold> = {}): Hold => ({
  runId: `netrun_${randomUUID()}`,
  state: "REQUESTED",
  requestedBy: "ops1",
  reason: "月末の確認",
  requestedAt: "2026-09-01T00:00:00.123Z",
  acceptedAt: null,
  releasedAt: null,
  releaseReason: null,
  releaseRequestedBy: null,
  ...over,
});

describe("a hold is written once, whatever becomes of the answer (fenced-writes §3, kintone-rest W3)", () => {
  it.each(SETTLED_FAULTS)("inserted when %s", async (_name, fault, count) => {
    const wanted = hold();
    proxy.on(isInsert, fault, count);
    const outcome = await store.insertHold(wanted);
    const stored = await other.findHold(wanted.runId);
    expect(outcome).toEqual({ kind: "applied", ref: stored?.ref });
    expect(stored).toMatchObject(wanted);
    expect(proxy.unmet()).toBe(0);
  });

  it.each(SETTLED_FAULTS)("updated when %s", async (_name, fault, count) => {
    const wanted = hold();
    const made = await refOf(other.insertHold(wanted));
    const next = hold({ ...wanted, state: "ACCEPTED", acceptedAt: "2026-09-01T00:01:00.456Z" });
    proxy.on(isLonePut, fault, count);
    const outcome = await store.updateHold(made, next);
    expect(outcome).toEqual({ kind: "applied", ref: { recordId: made.recordId, revision: 2 } });
    expect(await other.findHold(wanted.runId)).toMatchObject(next);
  });

  it("somebody else's hold of the same Run is a conflict, also when the answer to ours was lost", async () => {
    const first = hold();
    await refOf(other.insertHold(first));
    const second = hold({ runId: first.runId, requestedBy: "ops2" });
    expect(await store.insertHold(second)).toMatchObject({ kind: "conflict" });
    proxy.on(isInsert, { kind: "lose-answer" });
    expect(await store.insertHold(second)).toMatchObject({ kind: "conflict" });
    expect(await other.findHold(first.runId)).toMatchObject({ requestedBy: "ops1" });
  });

  it("a stale revision is a conflict and writes nothing", async () => {
    const first = hold();
    const ref = await refOf(other.insertHold(first));
    await refOf(other.updateHold(ref, { ...first, reason: "changed" }));
    expect(await store.updateHold(ref, { ...first, reason: "mine" })).toMatchObject({
      kind: "conflict",
      problem: { code: "REVISION_CONFLICT" },
    });
    expect(await other.findHold(first.runId)).toMatchObject({ reason: "changed" });
  });

  it("an answer nobody can settle is told as such, never as success or failure", async () => {
    const wanted = hold();
    proxy.on(isInsert, { kind: "lose-answer" });
    proxy.on(isRead, { kind: "lose-request" }, 99);
    expect(await store.insertHold(wanted)).toMatchObject({
      kind: "unsettled",
      problem: { code: "WRITE_UNCERTAIN" },
    });
  });
});

const auditOf = (lock: Stored<NetworkLock>, eventId: string): OperationAudit =>
  networkUnlockAudit({
    eventId,
    networkId: "monthly_jobs",
    profile: lock.profile,
    lockKey: lock.lockKey ?? "",
    recordId: lock.ref.recordId,
    previousOwnerInvocationId: lock.ownerInvocationId ?? "",
    previousLeaseToken: lock.leaseToken ?? "",
    previousHeartbeatAt: lock.heartbeatAt,
    previousLeaseExpiresAt: lock.leaseExpiresAt,
    servicePrincipal: "svc",
    requestedBy: "ops1",
    stopConfirmedBy: "ops2",
    stopMethod: "manual",
    stopEvidenceRef: "INC-1#2",
    reason: "host lost",
    evidenceRef: "INC-1",
    releasedAt: "2026-09-01T00:06:00.001Z",
    postReleaseRevision: lock.revision + 1,
  });

/** A lock whose owner is gone: taken, and its session ended without a release. */
async function abandonedLock(): Promise<Stored<NetworkLock>> {
  const input = lockInput();
  const session = await takeLock(other, input);
  await session.dispose();
  const lock = await other.findLock({ profile: input.profile, networkId: input.networkId });
  if (lock === null) throw new Error("the lock is not to be seen");
  return lock;
}

async function lockRecord(recordId: string): Promise<Readonly<Record<string, { readonly value: unknown }>>> {
  const answer = await bad.person.send(getRecords(bad.kintone.apps.state, `$id in ("${recordId}")`));
  if (answer.kind !== "ok" || answer.value[0] === undefined) throw new Error("no lock record");
  return answer.value[0] as Readonly<Record<string, { readonly value: unknown }>>;
}

describe("a forced release and its audit are one request (fenced-writes §3, R6, R7)", () => {
  const faults = SETTLED_FAULTS.filter(([name]) => !name.startsWith("the lock failure code"));
  it.each([
    ...faults,
    [
      "the lock failure code at the audit",
      { kind: "answer", status: 400, body: bulkError(1, "GAIA_DA02") },
      1,
    ] as const,
  ])("released once when %s", async (_name, fault, count) => {
    const lock = await abandonedLock();
    const audit = auditOf(lock, `net_unlock_${randomUUID()}`);
    proxy.on(isBulk, fault, count);
    const outcome = await store.forceRelease({ lock, releasedAt: audit.resolvedAt, audit });
    expect(outcome).toMatchObject({
      kind: "released",
      audit: "RECORDED",
      ref: { revision: lock.ref.revision + 1 },
    });
    expect(await other.findAudit(audit.eventId)).toMatchObject({ event: audit.event });
    const record = await lockRecord(lock.ref.recordId);
    expect(record).toMatchObject({
      lock_key: { value: "" },
      lease_token: { value: "" },
      owner_invocation_id: { value: "" },
      status: { value: "CANCELLED" },
      status_reason: { value: "NETWORK_LOCK_FORCE_RELEASED" },
      revision: { value: String(lock.revision + 1) },
    });
  });

  it("a lock that moved is left alone, and no audit claims otherwise", async () => {
    const lock = await abandonedLock();
    const audit = auditOf(lock, `net_unlock_${randomUUID()}`);
    const stale = { ...lock, ref: { ...lock.ref, revision: lock.ref.revision + 7 } };
    expect(await store.forceRelease({ lock: stale, releasedAt: audit.resolvedAt, audit })).toMatchObject({
      kind: "conflict",
      problem: { code: "REVISION_CONFLICT" },
    });
    expect(await other.findAudit(audit.eventId)).toBeNull();
    expect(await lockRecord(lock.ref.recordId)).toMatchObject({ status: { value: "RUNNING" } });
  });

  it("two people who force the same lock: one releases it, the other learns so, even over a lost answer", async () => {
    const lock = await abandonedLock();
    const mine = auditOf(lock, `net_unlock_${randomUUID()}`);
    const theirs = auditOf(lock, `net_unlock_${randomUUID()}`);
    proxy.on(isBulk, {
      kind: "answer",
      status: 502,
      body: html,
      type: "text/html",
      run: () => other.forceRelease({ lock, releasedAt: theirs.resolvedAt, audit: theirs }),
    });
    expect(await store.forceRelease({ lock, releasedAt: mine.resolvedAt, audit: mine })).toMatchObject({
      kind: "conflict",
    });
    expect(await other.findAudit(mine.eventId)).toBeNull();
    expect(await other.findAudit(theirs.eventId)).not.toBeNull();
  });

  it("a refused audit changes nothing; released without it, it is added later, once (R7, orchestration §4.8)", async () => {
    const lock = await abandonedLock();
    const audit = auditOf(lock, `net_unlock_${randomUUID()}`);
    proxy.on(isBulk, { kind: "answer", status: 403, body: bulkError(1, "GAIA_NO01") });
    expect(await store.forceRelease({ lock, releasedAt: audit.resolvedAt, audit })).toMatchObject({
      kind: "audit-refused",
      problem: { code: "AUDIT_FAILED" },
    });
    expect(await lockRecord(lock.ref.recordId)).toMatchObject({ status: { value: "RUNNING" } });
    expect(await store.forceRelease({ lock, releasedAt: audit.resolvedAt, audit: null })).toMatchObject({
      kind: "released",
      audit: "PENDING",
    });
    const first = await store.insertAudit(audit);
    expect(first).toMatchObject({ kind: "applied" });
    expect(await store.insertAudit(audit)).toEqual(first);
    const liar = { ...audit, event: { ...audit.event, reason: "something else" } };
    expect(await store.insertAudit(liar)).toMatchObject({
      kind: "conflict",
      problem: { code: "AUDIT_CONFLICT" },
    });
  });

  it("a tombstone key that is taken gives way to the one with the record's own id (R6)", async () => {
    const lock = await abandonedLock();
    const audit = auditOf(lock, `net_unlock_${randomUUID()}`);
    const taken = JSON.stringify({
      results: [
        {
          code: "CB_VA01",
          id: "x",
          message: "入力内容が正しくありません。",
          errors: { "record.record_key.value": { messages: ["値がほかのレコードと重複しています。"] } },
        },
        {},
      ],
    });
    proxy.on(isBulk, { kind: "answer", status: 400, body: taken });
    expect(await store.forceRelease({ lock, releasedAt: audit.resolvedAt, audit })).toMatchObject({
      kind: "released",
    });
    const [first, second] = proxy.requests().filter(isBulk);
    expect(first?.body).not.toBe(second?.body);
  });
});
