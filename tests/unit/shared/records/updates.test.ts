import { describe, expect, it } from "vitest";
import {
  attemptCodec,
  holdCodec,
  invocationCodec,
  jobLogCodec,
  jobLogWrites,
  jobUnlockAudit,
  lockCodec,
  networkUnlockAudit,
  nodeStateCodec,
  requestCodec,
  resolutionCodec,
  runArchivedAudit,
  runCodec,
  type WireRecord,
} from "../../../../shared/records/index.ts";
import { asRead, attempt, hold, invocation, lock, nodeState, REF, resolution, run } from "./samples.ts";

const plain = (record: WireRecord) =>
  Object.fromEntries(Object.entries(record).map(([code, { value }]) => [code, value]));

describe("columns per update (wire-format §4.1)", () => {
  it("a Run aggregate sends status and times, a close the life cycle", () => {
    expect(plain(runCodec.encodeAggregate({ ...run, status: "RUNNING" }))).toEqual({
      status: "RUNNING",
      started_at: "",
      finished_at: "",
      updated_at: run.updatedAt,
    });
    expect(plain(runCodec.encodeClose({ lifecycle: "ARCHIVED", updatedAt: "t" }))).toEqual({
      lifecycle_status: "ARCHIVED",
      updated_at: "t",
    });
  });

  it("a Node State and an Attempt send all but record_key", () => {
    for (const [whole, update] of [
      [nodeStateCodec.encode(nodeState), nodeStateCodec.encodeUpdate(nodeState)],
      [attemptCodec.encode(attempt), attemptCodec.encodeFinal(attempt)],
    ] as const) {
      const { record_key: key, ...rest } = whole;
      expect(key).toBeDefined();
      expect(update).toEqual(rest);
    }
  });

  it("a heartbeat sends times and the business revision as a number", () => {
    expect(plain(lockCodec.encodeHeartbeat(lock))).toEqual({
      heartbeat_at: lock.heartbeatAt,
      lease_expires_at: lock.leaseExpiresAt,
      revision: 2,
    });
  });

  it("a release moves the record to its tombstone key and empties key, owner and token", () => {
    const release = lockCodec.encodeRelease({
      recordKey: "LOCKDONE:x",
      status: "SUCCESS",
      statusReason: "OK",
      finishedAt: "2026-09-01T00:06:00.000Z",
      revision: 3,
    });
    expect(plain(release)).toEqual({
      record_key: "LOCKDONE:x",
      lock_key: "",
      owner_invocation_id: "",
      lease_token: "",
      status: "SUCCESS",
      status_reason: "OK",
      finished_at: "2026-09-01T00:06:00.000Z",
      revision: 3,
    });
    const tombstone = lockCodec.decode(asRead({ ...lockCodec.encode(lock), ...release }));
    expect(tombstone).toMatchObject({
      ok: true,
      value: { lockKey: null, ownerInvocationId: null, ref: REF },
    });
  });

  it("a held lock is inserted without finished_at", () => {
    expect(Object.keys(lockCodec.encode(lock))).not.toContain("finished_at");
  });

  it("a hold sends its JSON, keys in written order (wire-format §1.5)", () => {
    const { status_reason: reason, ...none } = plain(holdCodec.encodeUpdate({ ...hold, reason: "r" }));
    expect(none).toEqual({});
    expect(reason).toBe(
      '{"state":"REQUESTED","requested_by":"ops","reason":"r","requested_at":"2026-09-01T00:00:00.123Z",' +
        '"accepted_at":null,"released_at":null,"release_reason":null,"release_requested_by":null}',
    );
  });

  it("a hold without its nullable keys is read as one whose keys are null", () => {
    const json = '{"state":"ACCEPTED","requested_by":"o","reason":"r","requested_at":"t"}';
    const read = holdCodec.decode(asRead(holdCodec.encode(hold), { status_reason: { value: json } }));
    expect(read).toMatchObject({
      ok: true,
      value: { state: "ACCEPTED", acceptedAt: null, releaseReason: null },
    });
  });

  it("an Invocation is finalised with its three columns, lists and reason only when given", () => {
    const final = { status: "SUCCESS", resultCode: "OK", finishedAt: "t" } as const;
    expect(plain(invocationCodec.encodeFinal(final))).toEqual({
      status: "SUCCESS",
      result_code: "OK",
      finished_at: "t",
    });
    const more = { selectedNodeIds: ["a"], preservedNodeIds: [], blockedNodeIds: ["b"], reason: "" };
    expect(plain(invocationCodec.encodeFinal({ ...final, ...more }))).toMatchObject({
      selected_node_ids: '["a"]',
      preserved_node_ids: "[]",
      blocked_node_ids: '["b"]',
      reason: "",
    });
    expect(invocationCodec.recordKey(invocation.invocationId)).toBe("INV:invoke_1");
  });

  it("a Resolution carries event type and JSON reason but no run_id, and its JSON time wins (wire-format §5)", () => {
    const record = resolutionCodec.encode({ ...resolution, reason: "r" });
    expect(Object.keys(record)).not.toContain("run_id");
    expect(plain(record)).toMatchObject({
      event_type: "ATTEMPT_RESOLVED",
      approved_by: "",
      reason:
        '{"resolution_type":"OUTCOME_CONFIRMED","reason":"r","stop_confirmed_by":"ops2",' +
        '"stop_evidence_ref":"INC-1#2","resolved_at":"2026-09-01T00:00:09.250Z"}',
    });
    const read = resolutionCodec.decode(asRead(record, { resolved_at: { value: "2026-09-01T00:00:00Z" } }));
    expect(read).toMatchObject({ ok: true, value: { resolvedAt: "2026-09-01T00:00:09.250Z" } });
  });

  it("identifiers that make no key are a thrown problem with the key's own code (wire-format §2.1)", () => {
    expect(() => runCodec.encode({ ...run, businessKey: "a:b" })).toThrow(
      expect.objectContaining({ code: "RECORD_KEY_IDENTIFIER_SEPARATOR" }),
    );
  });
});

describe("operation audit events (wire-format §1.2, §1.5)", () => {
  const recovery = {
    jobKey: "prod:j",
    recordId: "5",
    outcome: "RELEASED",
    before: { batchId: "b", startedAt: null, host: "h" },
    executedAt: "t",
  } as const;
  const unlock = {
    eventId: "job_unlock_1",
    runId: "netrun_1",
    nodeId: "n",
    jobId: "j",
    servicePrincipal: "svc",
    requestedBy: "ops",
    stopConfirmedBy: "ops2",
    reason: "r",
    evidenceRef: "e",
    recordedAt: "t2",
    recovery,
  };

  it("a job unlock keeps the runner's answer in its own key order, nextAction only when there", () => {
    const audit = jobUnlockAudit(unlock);
    expect(audit).toMatchObject({ resultCode: "RELEASED", resolvedAt: "t2", runId: "netrun_1" });
    expect(JSON.stringify(audit.event)).toBe(
      '{"event_id":"job_unlock_1","event_type":"JOB_LOCK_FORCE_UNLOCK_RECORDED","run_id":"netrun_1","node_id":"n",' +
        '"job_id":"j","service_principal":"svc","requested_by":"ops","stop_confirmed_by":"ops2","reason":"r",' +
        '"evidence_ref":"e","recorded_at":"t2","lock_recovery_result":{"kind":"LOCK_RECOVERY_RESULT",' +
        '"formatVersion":1,"jobKey":"prod:j","recordId":"5","outcome":"RELEASED",' +
        '"before":{"batchId":"b","startedAt":null,"host":"h"},"executedAt":"t"}}',
    );
    const next = jobUnlockAudit({ ...unlock, recovery: { ...recovery, before: null, nextAction: "look" } });
    expect(JSON.stringify(next.event)).toContain('"before":null,"executedAt":"t","nextAction":"look"}');
  });

  it("a forced network release has no Run, and an evidence hash stands last", () => {
    const audit = networkUnlockAudit({
      eventId: "net_unlock_1",
      networkId: "n",
      profile: "prod",
      lockKey: "N1:x",
      recordId: "50",
      previousOwnerInvocationId: "invoke_1",
      previousLeaseToken: "t",
      previousHeartbeatAt: "h",
      previousLeaseExpiresAt: "l",
      servicePrincipal: "svc",
      requestedBy: "ops1",
      stopConfirmedBy: "ops2",
      stopMethod: "manual",
      stopEvidenceRef: "INC-1#2",
      reason: "host lost",
      evidenceRef: "INC-1",
      releasedAt: "r",
      postReleaseRevision: 4,
      stopEvidenceSha256: "d".repeat(64),
    });
    expect(audit).toMatchObject({ runId: null, resultCode: "NETWORK_LOCK_FORCE_RELEASED", resolvedAt: "r" });
    expect(Object.keys(audit.event)).toEqual([
      "event_id",
      "event_type",
      "network_id",
      "profile",
      "lock_key",
      "record_id",
      "previous_owner_invocation_id",
      "previous_lease_token",
      "previous_heartbeat_at",
      "previous_lease_expires_at",
      "service_principal",
      "requested_by",
      "stop_confirmed_by",
      "stop_method",
      "stop_evidence_ref",
      "reason",
      "evidence_ref",
      "released_at",
      "post_release_revision",
      "stop_evidence_sha256",
    ]);
  });

  it("a close says what the Run was before", () => {
    const audit = runArchivedAudit({
      eventId: "archive_1",
      runId: "netrun_1",
      requestedBy: "ops",
      reason: "r",
      archivedAt: "a",
      previousStatus: "FAILED",
      runRevisionBefore: 7,
      servicePrincipal: "svc",
    });
    expect(JSON.stringify(audit.event)).toBe(
      '{"event_id":"archive_1","event_type":"RUN_ARCHIVED","run_id":"netrun_1","result_code":"RUN_ARCHIVED",' +
        '"requested_by":"ops","reason":"r","archived_at":"a","previous_status":"FAILED","run_revision_before":7,' +
        '"service_principal":"svc"}',
    );
  });
});

describe("operation requests (wire-format §1.3)", () => {
  it("become plain rows, malformed values untouched for the rules to judge", () => {
    const wire = { $id: { value: "7" }, 作成者: { value: { code: "u" } }, run_id: { value: 5 }, reason: {} };
    expect(requestCodec.decode(wire)).toEqual({
      ok: true,
      value: { $id: "7", 作成者: { code: "u" }, run_id: 5 },
    });
    expect(requestCodec.decode(null)).toMatchObject({ ok: false, error: { code: "RECORD_UNREADABLE" } });
  });

  it("are claimed, kept alive, settled and taken back with exactly their columns", () => {
    expect(plain(requestCodec.encodeClaim({ host: "h", at: "t" }))).toEqual({
      request_state: "ACCEPTED",
      claimed_at: "t",
      claimed_host: "h",
      claim_heartbeat_at: "t",
    });
    expect(plain(requestCodec.encodeHeartbeat("t"))).toEqual({ claim_heartbeat_at: "t" });
    expect(
      plain(requestCodec.encodeResult({ state: "REJECTED", resultCode: "STALE", resultMessage: "m" })),
    ).toEqual({ request_state: "REJECTED", result_code: "STALE", result_message: "m" });
    expect(plain(requestCodec.encodeCancelTick(true))).toEqual({ cancel_requested: ["取消"] });
  });

  it("are added without columns that would stay empty", () => {
    const request = {
      type: "STOP",
      runId: "netrun_1",
      networkId: null,
      businessKey: null,
      scheduledFor: null,
      rerunFromNode: null,
      reason: "r",
    } as const;
    expect(plain(requestCodec.encode(request))).toEqual({
      request_type: "STOP",
      run_id: "netrun_1",
      reason: "r",
      request_state: "REQUESTED",
    });
  });
});

describe("JOB log (wire-format §1.4, execution-contract §6.2)", () => {
  const insert = {
    jobKey: "prod:j",
    batchId: "b",
    parentBatchId: null,
    scriptName: "j.sql",
    profile: "prod",
    asOf: "t",
    startedAt: "t",
    executedBy: "u",
    host: "h",
    gitRef: "",
    ksqlVersion: "flow 1 / engine 2",
    correlation: { correlationId: "netrun_1", attemptId: "attempt_1", executionId: "b", jobId: "j" },
  };
  const end = {
    status: "SUCCESS",
    jobKey: "prod:j",
    finishedAt: "f",
    durationSec: 1.6,
    readCount: 3,
    writtenCount: 2,
    deletedCount: 1,
    apiCalls: 9,
    lastWrittenKey: null,
    errorMessage: null,
    logDetail: "#1",
  } as const;

  it("is read with columns missing from an older app, and an unknown status is kept", () => {
    const wire = { $id: { value: "1" }, $revision: { value: "2" }, status: { value: "ODD" } };
    expect(jobLogCodec.decode({ ...wire, attempt_id: { value: "attempt_1" } })).toMatchObject({
      ok: true,
      value: { status: "ODD", attemptId: "attempt_1", readCount: null, executionId: null },
    });
    expect(jobLogCodec.decode(wire)).toMatchObject({
      ok: false,
      error: { place: "record 1 (revision 2), field attempt_id" },
    });
  });

  it("is written with every value a string, and both sides of the lock are read back", () => {
    const record = { ...jobLogWrites.encodeInsert(insert), ...jobLogWrites.encodeEnd(end) };
    expect(Object.values(record).every(({ value }) => typeof value === "string")).toBe(true);
    expect(plain(record)).toMatchObject({ job_key: "", job_key_done: "prod:j", duration_sec: "2" });
    expect(jobLogCodec.decode(asRead(record))).toMatchObject({
      ok: true,
      value: { attemptId: "attempt_1", readCount: 3, writtenCount: 2, jobKey: null },
    });
    expect(
      jobLogCodec.decodeLock(asRead(jobLogWrites.encodeInsert({ ...insert, correlation: null }))),
    ).toEqual({
      ok: true,
      value: {
        status: "RUNNING",
        jobKey: "prod:j",
        jobKeyDone: null,
        batchId: "b",
        startedAt: "t",
        host: "h",
        scriptName: "j.sql",
        runnerExecutionStartedAt: null,
        logDetail: "",
        ref: REF,
      },
    });
  });

  it("a forced release leaves its audit in log_detail, keys in written order (execution-contract §2.5)", () => {
    const detail = jobLogWrites.forcedReleaseDetail({
      jobKey: "prod:j",
      reason: "r",
      confirmedBy: "c",
      evidenceRef: "https://e",
      profile: "prod",
      executedAt: "t",
    });
    expect(detail).toBe(
      'LOCK_RECOVERY {"operation":"force-unlock-job","jobKey":"prod:j","reason":"r","confirmedBy":"c",' +
        '"evidenceRef":"https://e","authenticationSubject":"profile:prod","executedAt":"t"}',
    );
  });

  it("columns the app lacks are left out", () => {
    const written = jobLogWrites.onlyFieldsOf(jobLogWrites.encodeCheckpoint(end), new Set(["written_count"]));
    expect(plain(written)).toEqual({ written_count: "2" });
  });
});
