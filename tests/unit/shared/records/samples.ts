import type {
  Attempt,
  Hold,
  Invocation,
  NetworkLock,
  NodeState,
  Resolution,
  Run,
} from "../../../../shared/domain/model.ts";
import type { WireRecord } from "../../../../shared/records/index.ts";

/** Text that has to survive every layer: quotes, escapes, NUL, markup, a surrogate pair, a lone surrogate. */
export const HOSTILE = 'a"b\\c\u0000\n</script>＼𠮷\ud800 in ("x")';

export const run: Run = {
  runId: "netrun_00000000-0000-4000-8000-000000000001",
  networkId: "monthly_jobs",
  businessKey: "monthly_jobs@2026-09",
  maxActiveRuns: 1,
  status: "CREATED",
  lifecycle: "ACTIVE",
  resumeAllowed: true,
  asOf: "2026-09-01T00:00:00+09:00",
  definitionSchemaVersion: 1,
  definitionSha256: "a".repeat(64),
  bundleSha256: "b".repeat(64),
  bundleFileKey: "filekey-upload",
  profileSnapshot: {
    profile: "prod",
    baseUrl: "https://example.cybozu.com",
    guestSpaceId: null,
    timezone: "Asia/Tokyo",
    apps: { 顧客: 10 },
    limits: { maxApiCalls: 5000, maxReadRows: null, batchTimeoutSec: 3600 },
  },
  profileSha256: "c".repeat(64),
  flowVersion: "0.9.0",
  engineVersion: "3.80.0",
  dialect: 1,
  createdAt: "2026-09-01T00:00:30.500Z",
  startedAt: null,
  finishedAt: null,
  updatedAt: "2026-09-01T00:00:30.500Z",
};

export const nodeState: NodeState = {
  nodeStateId: "nodestate_1",
  runId: run.runId,
  nodeId: "extract",
  jobId: "extract_customer",
  status: "BLOCKED",
  revision: 3,
  latestAttemptNo: 2,
  activeAttemptId: null,
  idempotent: false,
  triggerRule: "all_success",
  blockedBy: [HOSTILE, "b"],
  statusReason: HOSTILE,
  startedAt: "2026-09-01T00:00:00Z",
  finishedAt: null,
  updatedAt: "2026-09-01T00:00:30.500Z",
};

export const lock: NetworkLock = {
  recordKey: "LOCK:N1:x",
  lockKey: "N1:x",
  profile: "prod",
  ownerInvocationId: "invoke_1",
  leaseToken: "token",
  startedAt: "2026-09-01T00:00:00.000Z",
  heartbeatAt: "2026-09-01T00:01:00.000Z",
  leaseExpiresAt: "2026-09-01T00:04:00.000Z",
  finishedAt: null,
  status: "RUNNING",
  statusReason: "owner_instance_id=local-pid://host1/4321",
  revision: 2,
};

export const hold: Hold = {
  runId: run.runId,
  state: "REQUESTED",
  requestedBy: "ops",
  reason: HOSTILE,
  requestedAt: "2026-09-01T00:00:00.123Z",
  acceptedAt: null,
  releasedAt: null,
  releaseReason: null,
  releaseRequestedBy: null,
};

export const invocation: Invocation = {
  invocationId: "invoke_1",
  runId: run.runId,
  mode: "RESUME",
  requestedBy: "app-request:7:user1",
  host: "host1",
  startedAt: "2026-09-01T00:00:00.000Z",
  finishedAt: null,
  selectedNodeIds: [HOSTILE],
  preservedNodeIds: [],
  blockedNodeIds: ["x"],
  reason: HOSTILE,
  status: "RUNNING",
  resultCode: "PENDING",
};

export const attempt: Attempt = {
  attemptId: "attempt_1",
  runId: run.runId,
  nodeId: "extract",
  jobId: "extract_customer",
  invocationId: "invoke_1",
  attemptNo: 1,
  stateRevisionBefore: 1,
  status: "FAILED",
  resultCode: "SQL_ERROR",
  executionStartedAt: "2026-09-01T00:00:00Z",
  runnerExecutionStartedAt: "2026-09-01T00:00:00Z",
  finishedAt: "2026-09-01T00:00:09.250Z",
  executionId: "e1",
  durationSec: 9.25,
  readCount: 10,
  writtenCount: 0,
  lastSuccessfulChunkNo: null,
  lastWrittenKey: null,
  errorMessage: HOSTILE,
};

export const resolution: Resolution = {
  attemptId: "attempt_1",
  outcome: "SUCCESS",
  evidenceRef: "INC-1",
  servicePrincipal: "svc",
  requestedBy: "ops",
  approvedBy: null,
  resolutionType: "OUTCOME_CONFIRMED",
  reason: HOSTILE,
  stopConfirmedBy: "ops2",
  stopEvidenceRef: "INC-1#2",
  resolvedAt: "2026-09-01T00:00:09.250Z",
};

/** A written record as kintone would answer it: numbers as strings, and where it stands. */
export function asRead(record: WireRecord, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const answered = Object.entries(record).map(([code, { value }]) => [
    code,
    { type: "X", value: typeof value === "number" ? String(value) : value },
  ]);
  return {
    $id: { type: "__ID__", value: "12" },
    $revision: { type: "__REVISION__", value: "3" },
    更新者: { value: { code: "admin", name: "Admin" } },
    ...Object.fromEntries(answered),
    ...overrides,
  };
}

export const REF = { recordId: "12", revision: 3 };
