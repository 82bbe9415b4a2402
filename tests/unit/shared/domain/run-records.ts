import type { Attempt, Hold, NetworkLock, NodeState, Stored } from "../../../../shared/domain/index.ts";

/** Sound records of one Run, for table tests that change one fact at a time. */
export function storedState(change: Partial<NodeState> = {}): Stored<NodeState> {
  const revision = change.revision ?? 4;
  return {
    nodeStateId: "STATE:1",
    runId: "netrun_1",
    nodeId: "load",
    jobId: "load",
    status: "UNKNOWN",
    revision,
    latestAttemptNo: 1,
    activeAttemptId: "attempt_1",
    idempotent: true,
    triggerRule: "all_success",
    blockedBy: [],
    statusReason: "NO_EXECUTION_RESULT",
    startedAt: "2026-09-01T00:00:00Z",
    finishedAt: null,
    updatedAt: "2026-09-01T00:00:00Z",
    ...change,
    ref: { recordId: "11", revision },
  };
}

export function storedAttempt(change: Partial<Attempt> = {}): Stored<Attempt> {
  return {
    attemptId: "attempt_1",
    runId: "netrun_1",
    nodeId: "load",
    jobId: "load",
    invocationId: "invoke_1",
    attemptNo: 1,
    stateRevisionBefore: 2,
    status: "UNKNOWN",
    resultCode: "NO_EXECUTION_RESULT",
    executionStartedAt: "2026-09-01T00:00:00Z",
    runnerExecutionStartedAt: null,
    finishedAt: null,
    executionId: null,
    durationSec: null,
    readCount: 0,
    writtenCount: 0,
    lastSuccessfulChunkNo: null,
    lastWrittenKey: null,
    errorMessage: null,
    ...change,
    ref: { recordId: "21", revision: 2 },
  };
}

export function aHold(change: Partial<Hold> = {}): Hold {
  return {
    runId: "netrun_1",
    state: "REQUESTED",
    requestedBy: "ops1",
    reason: "month-end check",
    requestedAt: "2026-09-01T00:00:00.000Z",
    acceptedAt: null,
    releasedAt: null,
    releaseReason: null,
    releaseRequestedBy: null,
    ...change,
  };
}

export function storedLock(change: Partial<NetworkLock> = {}): Stored<NetworkLock> {
  return {
    recordKey: "LOCK:N1:key",
    lockKey: "N1:key",
    profile: "prod",
    ownerInvocationId: "invoke_1",
    leaseToken: "token_1",
    startedAt: "2026-09-01T00:00:00Z",
    heartbeatAt: "2026-09-01T00:02:00Z",
    leaseExpiresAt: "2026-09-01T00:05:00Z",
    finishedAt: null,
    status: "RUNNING",
    statusReason: "owner_instance_id=local-pid://host1/4321",
    revision: 3,
    ...change,
    ref: { recordId: "50", revision: 3 },
  };
}
