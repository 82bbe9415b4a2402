import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { createRecovery, type RecoveryDeps } from "../../../main/orchestrator/recovery/index.ts";
import type {
  ArchiveRunInput,
  Recovery,
  ResolveNodeInput,
} from "../../../main/orchestrator/recovery-ports.ts";
import type { FlowStore } from "../../../main/store/ports.ts";
import type { LockOwnerVerdict } from "../../../shared/domain/lock-owner.ts";
import type { Run } from "../../../shared/domain/model.ts";
import { type BadLine, badLineForTests, bulkError } from "../../support/bad-line.ts";
import { isBulk } from "../../support/fault-proxy.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { systemClock } from "../../support/store-fixture.ts";
import { seedRun } from "./seeded-run.ts";

const line = badLineForTests();
let bad: BadLine;
let store: FlowStore;
let other: FlowStore;
let recovery: Recovery;
let owner: LockOwnerVerdict = { kind: "gone", by: "pid" };
/** Lets time pass for the operations only: the lease of a lock that was left behind is over at once. */
let ahead = 0;

beforeAll(() => {
  bad = line();
  ({ store, other } = bad);
  const deps: RecoveryDeps = {
    store,
    clock: { ...systemClock, nowMs: () => Date.now() + ahead },
    ids: { uuid: () => randomUUID() },
    profile: "prod",
    host: "HOST-A",
    ownerInstanceId: "local-pid://HOST-A/99",
    journalLockOwner: async () => {},
    judgeOwner: async () => owner,
    askCloudRun: async () => ({ kind: "unknown", why: "not asked" }),
  };
  recovery = createRecovery(deps);
});

const FAILED = { status: "FAILED", statusReason: "SQL_ERROR" } as const;
const failedRun = (): Promise<{ readonly run: Run }> => seedRun(other, "FAILED", { a: FAILED });

describe("STOP and RELEASE (orchestration §4.7)", () => {
  const wish = (runId: string, release = false) => ({
    runId,
    release,
    reason: "wait",
    requestedBy: "ops1",
    seen: null,
  });

  it("holds a Run, does nothing the second time, and frees it", async () => {
    const { run } = await seedRun(other, "RUNNING", { a: {} });
    expect(await recovery.cancelRun(wish(run.runId))).toMatchObject({ value: { changed: true } });
    expect(await recovery.cancelRun(wish(run.runId))).toMatchObject({ value: { changed: false } });
    expect(await recovery.cancelRun(wish(run.runId, true))).toMatchObject({
      value: { changed: true, hold: { state: "RELEASED" } },
    });
    expect(await other.findHold(run.runId)).toMatchObject({ state: "RELEASED", releaseRequestedBy: "ops1" });
  });

  it("refuses an ended Run and one nobody knows", async () => {
    const { run } = await failedRun();
    expect(await recovery.cancelRun(wish(run.runId))).toMatchObject({
      error: { code: "RUN_ALREADY_TERMINAL" },
    });
    expect(await recovery.cancelRun(wish("netrun_none"))).toMatchObject({ error: { code: "RUN_NOT_FOUND" } });
  });

  it("refuses what was decided on an older picture, and says what moved", async () => {
    const { run } = await seedRun(other, "RUNNING", { a: {} });
    const stored = await other.findRunById(run.runId);
    const seen = { run: stored?.ref ?? null, hold: null };
    await recovery.cancelRun({ ...wish(run.runId), seen });
    expect(await recovery.cancelRun({ ...wish(run.runId, true), seen })).toMatchObject({
      error: { code: "PLAN_STALE", details: { moved: [{ name: "hold", before: null }] } },
    });
  });
});

describe("CLOSE (orchestration §4.8)", () => {
  const close = (run: Run, over: Partial<ArchiveRunInput> = {}): ArchiveRunInput => ({
    profile: "prod",
    networkId: run.networkId,
    runId: run.runId,
    reason: "settled by hand",
    requestedBy: "ops1",
    servicePrincipal: "svc",
    seen: null,
    ...over,
  });

  it("archives Run and audit in one request of four (fenced-writes §4)", async () => {
    const { run } = await failedRun();
    const before = await other.findRunById(run.runId);
    bad.kintone.seen.clear();
    const outcome = await recovery.archiveRun(close(run));
    expect(bad.kintone.seen.list()).toHaveLength(4);
    expect(outcome).toMatchObject({ outcome: "ARCHIVED", audit: "RECORDED", lockReleased: true, code: null });
    expect(await other.findRunById(run.runId)).toMatchObject({ lifecycle: "ARCHIVED", status: "FAILED" });
    expect(await other.findAudit(outcome.eventId)).toMatchObject({
      resultCode: "RUN_ARCHIVED",
      event: {
        run_revision_before: before?.ref.revision,
        previous_status: "FAILED",
        reason: "settled by hand",
      },
    });
    expect(await other.findLock({ profile: "prod", networkId: run.networkId })).toBeNull();
  });

  it("a second close finds it done and writes nothing", async () => {
    const { run } = await failedRun();
    await recovery.archiveRun(close(run));
    const revision = (await other.findRunById(run.runId))?.ref.revision;
    expect(await recovery.archiveRun(close(run))).toMatchObject({
      outcome: "ALREADY_ARCHIVED",
      lockReleased: true,
      runRevision: revision,
    });
  });

  it("is refused while somebody holds the network", async () => {
    const { run } = await failedRun();
    const session = await takeLock(other, lockInput({ networkId: run.networkId }));
    expect(await recovery.archiveRun(close(run))).toMatchObject({
      outcome: "REJECTED",
      code: "LOCK_CONFLICT",
      lockReleased: true,
    });
    await session.dispose();
  });

  it.each([
    ["the answer is lost", { kind: "lose-answer" }, "ARCHIVED"],
    ["the request is lost", { kind: "lose-request" }, "ARCHIVED"],
    ["the audit is refused", { kind: "answer", status: 403, body: bulkError(2, "GAIA_NO01") }, "REJECTED"],
  ] as const)("when %s: %s, and never an archived Run without its audit", async (_name, fault, expected) => {
    const { run } = await failedRun();
    bad.proxy.on(isBulk, fault);
    const outcome = await recovery.archiveRun(close(run));
    expect(outcome.outcome).toBe(expected);
    const audit = await other.findAudit(outcome.eventId);
    const stored = await other.findRunById(run.runId);
    expect(audit === null).toBe(stored?.lifecycle === "ACTIVE");
    expect(outcome.lockReleased).toBe(true);
  });

  it("a missing audit is added once, and only to a closed Run with these facts (decisions §3)", async () => {
    const { run } = await failedRun();
    const eventId = `archive_${randomUUID()}`;
    const facts = {
      runId: run.runId,
      eventId,
      reason: "completes the audit",
      archivedAt: "2026-09-02T00:00:00.123Z",
      previousStatus: "FAILED",
      runRevisionBefore: 1,
      requestedBy: "ops1",
      servicePrincipal: "svc",
      seen: null,
    } as const;
    expect(await recovery.completeAudit(facts)).toMatchObject({ error: { code: "RUN_NOT_ARCHIVED" } });
    await recovery.archiveRun(close(run));
    expect(await recovery.completeAudit({ ...facts, previousStatus: "CANCELLED" })).toMatchObject({
      error: { code: "AUDIT_FACTS_MISMATCH" },
    });
    expect(await recovery.completeAudit(facts)).toMatchObject({ ok: true });
    expect(await recovery.completeAudit(facts)).toMatchObject({ ok: true });
    expect(await recovery.completeAudit({ ...facts, reason: "other" })).toMatchObject({
      error: { code: "AUDIT_CONFLICT" },
    });
  });
});

describe("resolve-node (orchestration §5.4, W-21)", () => {
  const UNKNOWN = { status: "UNKNOWN", statusReason: "NO_EXECUTION_RESULT" } as const;
  const ended = { status: "UNKNOWN", resultCode: "NO_EXECUTION_RESULT" } as const;
  const resolve = (runId: string, over: Partial<ResolveNodeInput["wish"]> = {}): ResolveNodeInput => ({
    runId,
    seen: null,
    wish: {
      nodeId: "a",
      outcome: "SUCCESS",
      manualCompletion: true,
      compensation: false,
      reason: "rows counted",
      evidenceRef: "INC-1",
      stopConfirmedBy: "ops2",
      stopEvidenceRef: "INC-1#2",
      approvedBy: null,
      requestedBy: "ops1",
      servicePrincipal: "svc",
      ...over,
    },
  });

  it("writes Resolution, node and recomputed Run together, and gives the lock back", async () => {
    const { run } = await seedRun(other, "UNKNOWN", { a: UNKNOWN, b: { status: "SUCCESS" } }, { a: ended });
    expect(await recovery.resolveNode(resolve(run.runId))).toMatchObject({
      ok: true,
      value: { outcome: "SUCCESS", revision: 2, runStatus: "SUCCESS" },
    });
    const graph = await other.readRunGraph(run.runId);
    expect(graph.run).toMatchObject({ status: "SUCCESS" });
    expect(graph.states.find(({ nodeId }) => nodeId === "a")).toMatchObject({
      status: "SUCCESS",
      statusReason: "NODE_MANUAL_COMPLETION_CONFIRMED",
      revision: 2,
    });
    expect(graph.attempts[0]).toMatchObject({ status: "UNKNOWN" });
    expect(graph.resolutions).toMatchObject([{ outcome: "SUCCESS", evidenceRef: "INC-1" }]);
    expect(await other.findLock({ profile: "prod", networkId: run.networkId })).toBeNull();
  });

  it("a refusal under the lock writes nothing and leaves no lock", async () => {
    const { run } = await seedRun(other, "FAILED", { a: FAILED }, { a: { status: "FAILED" } });
    expect(await recovery.resolveNode(resolve(run.runId))).toMatchObject({
      error: { code: "NODE_NOT_RESOLVABLE" },
    });
    expect(await other.findLock({ profile: "prod", networkId: run.networkId })).toBeNull();
    expect((await other.readRunGraph(run.runId)).resolutions).toEqual([]);
  });

  it("a lost answer is settled, and the node is resolved once", async () => {
    const { run } = await seedRun(other, "UNKNOWN", { a: UNKNOWN }, { a: ended });
    bad.proxy.on(isBulk, { kind: "lose-answer" });
    expect(await recovery.resolveNode(resolve(run.runId))).toMatchObject({ ok: true });
    expect((await other.readRunGraph(run.runId)).resolutions).toHaveLength(1);
  });
});

describe("force-unlock-network (orchestration §3.5)", () => {
  async function leftLock() {
    const input = lockInput({ leaseMs: 60_000 });
    const session = await takeLock(other, input);
    await session.dispose();
    return input;
  }
  const force = (lock: { readonly networkId: string; readonly ownerInvocationId: string }, over = {}) => ({
    wish: {
      networkId: lock.networkId,
      profile: "prod",
      expectedOwnerInvocationId: lock.ownerInvocationId,
      reason: "host lost",
      evidenceRef: "INC-1",
      stopConfirmedBy: "ops2",
      stopEvidenceRef: "pid 4321 ended",
      stopMethod: "local_pid",
      servicePrincipal: "svc",
      requestedBy: "ops1",
      expectedPid: 4321,
      ...over,
    },
    seen: null,
    evidenceFile: { name: "tasklist.txt", sha256: "a".repeat(64) },
    withoutAudit: false,
  });

  it("refuses while the lease stands, then releases with its audit, in three requests (fenced-writes §4)", async () => {
    const lock = await leftLock();
    ahead = 0;
    expect(await recovery.forceUnlock(force(lock))).toMatchObject({ error: { code: "LEASE_STILL_ACTIVE" } });
    ahead = 180_000;
    bad.kintone.seen.clear();
    const outcome = await recovery.forceUnlock(force(lock));
    expect(bad.kintone.seen.list()).toHaveLength(3);
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(outcome.value).toMatchObject({
      audit: "RECORDED",
      previousOwnerInvocationId: lock.ownerInvocationId,
    });
    expect(await other.findAudit(outcome.value.eventId)).toMatchObject({
      event: { stop_method: "local_pid", stop_evidence_sha256: "a".repeat(64), stop_confirmed_by: "ops2" },
    });
    expect(await recovery.forceUnlock(force(lock))).toMatchObject({ error: { code: "LOCK_NOT_FOUND" } });
  });

  it.each<[string, LockOwnerVerdict, object, string]>([
    ["the process lives", { kind: "alive", by: "creation-time" }, {}, "STOP_NOT_CONFIRMED"],
    ["nobody can tell", { kind: "cannot-tell", by: "unreadable" }, {}, "STOP_NOT_CONFIRMED"],
    ["another PID was looked for", { kind: "gone", by: "pid" }, { expectedPid: 4322 }, "PID_MISMATCH"],
    [
      "another owner is named",
      { kind: "gone", by: "pid" },
      { expectedOwnerInvocationId: "x" },
      "OWNER_MISMATCH",
    ],
    ["no confirmer is named", { kind: "gone", by: "pid" }, { stopConfirmedBy: " " }, "INVALID_ARGUMENT"],
  ])("refuses when %s and changes nothing", async (_name, verdict, over, code) => {
    const lock = await leftLock();
    ahead = 180_000;
    owner = verdict;
    expect(await recovery.forceUnlock(force(lock, over))).toMatchObject({ error: { code } });
    owner = { kind: "gone", by: "pid" };
    expect(await other.findLock({ profile: "prod", networkId: lock.networkId })).not.toBeNull();
  });
});

describe("record-job-unlock (orchestration §5.5)", () => {
  const record = (runId: string, result: unknown) => ({
    result,
    runId,
    nodeId: "a",
    reason: "killed",
    evidenceRef: "INC-1",
    stopConfirmedBy: "ops2",
    requestedBy: "ops1",
    servicePrincipal: "svc",
  });
  const released = (jobKey: string) => ({
    kind: "LOCK_RECOVERY_RESULT",
    formatVersion: 1,
    jobKey,
    recordId: "7",
    outcome: "RELEASED",
    before: { batchId: "b", startedAt: null, host: "HOST-A" },
    executedAt: "2026-09-02T00:00:00.000Z",
  });

  it("keeps the runner's result with the node, and refuses that of another job", async () => {
    const { run, states } = await seedRun(other, "FAILED", { a: FAILED });
    const jobId = states.get("a")?.jobId ?? "";
    const outcome = await recovery.recordJobUnlock(record(run.runId, released(`prod:${jobId}`)));
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(await other.findAudit(outcome.value.eventId)).toMatchObject({
      runId: run.runId,
      resultCode: "RELEASED",
      event: { event_type: "JOB_LOCK_FORCE_UNLOCK_RECORDED", job_id: jobId },
    });
    expect(await recovery.recordJobUnlock(record(run.runId, released("prod:other")))).toMatchObject({
      error: { code: "JOB_KEY_MISMATCH" },
    });
  });

  it.each([
    [{ kind: "something" }],
    [{ ...released("prod:a"), recordId: null }],
    [{ ...released("prod:a"), outcome: "NOT_FOUND" }],
  ])("refuses a result that cannot be: %j", async (result) => {
    const { run } = await seedRun(other, "FAILED", { a: FAILED });
    expect(await recovery.recordJobUnlock(record(run.runId, result))).toMatchObject({
      error: { code: "INVALID_LOCK_RECOVERY_RESULT" },
    });
  });
});
