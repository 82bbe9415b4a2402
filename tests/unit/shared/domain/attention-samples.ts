import type { LockPicture } from "../../../../shared/domain/attention-lock.ts";
import type { RunInPicture, RunRecordsRead } from "../../../../shared/domain/attention-picture.ts";
import { networkLockKey } from "../../../../shared/domain/keys.ts";
import type { Attempt, Hold, NetworkLock } from "../../../../shared/domain/model.ts";
import { storedInvocation } from "../../../support/entities.ts";

/** What the tables of attention are made of; a case names only what it is about. */
export const NOW = Date.parse("2026-09-05T05:00:00Z");
export const LEASE_END = "2026-09-05T04:52:00Z";

export function runInPicture(over: Partial<RunInPicture>): RunInPicture {
  return {
    runId: "run-1",
    networkId: "monthly_summary",
    profile: "local",
    businessKey: "monthly_summary@2026-09",
    status: "RUNNING",
    lifecycle: "ACTIVE",
    activity: null,
    createdAt: "2026-09-05T03:59:00Z",
    startedAt: "2026-09-05T04:00:00Z",
    finishedAt: null,
    updatedAt: "2026-09-05T04:10:00Z",
    ...over,
  };
}

export type RecordsOver = Partial<Omit<RunRecordsRead, "run">>;

export function records(run: RunInPicture, over: RecordsOver): RunRecordsRead {
  return {
    run,
    states: [],
    attempts: [],
    invocations: [storedInvocation()],
    resolutions: [],
    hold: null,
    ...over,
  };
}

export function attempt(over: Partial<Attempt>): Attempt {
  return {
    attemptId: "att-1",
    runId: "run-1",
    nodeId: "load",
    jobId: "job_load",
    invocationId: "invoke_1",
    attemptNo: 1,
    stateRevisionBefore: 1,
    status: "RUNNING",
    resultCode: "PENDING",
    executionStartedAt: "2026-09-05T04:00:00Z",
    runnerExecutionStartedAt: null,
    finishedAt: null,
    executionId: null,
    durationSec: null,
    readCount: 0,
    writtenCount: 0,
    lastSuccessfulChunkNo: null,
    lastWrittenKey: null,
    errorMessage: null,
    ...over,
  };
}

export function hold(over: Partial<Hold>): Hold {
  return {
    runId: "run-1",
    state: "REQUESTED",
    requestedBy: "operator",
    reason: "look at the data first",
    requestedAt: "2026-09-05T04:30:12.345Z",
    acceptedAt: null,
    releasedAt: null,
    releaseReason: null,
    releaseRequestedBy: null,
    ...over,
  };
}

export function lockPicture(over: Partial<NetworkLock>): LockPicture {
  const key = networkLockKey("local", "monthly_summary");
  return {
    lock: {
      ref: { recordId: "9", revision: 4 },
      recordKey: "LOCK:x",
      lockKey: key.ok ? key.value : null,
      profile: "local",
      ownerInvocationId: "invoke_1",
      leaseToken: "secret",
      startedAt: "2026-09-05T04:00:00Z",
      heartbeatAt: "2026-09-05T04:49:00Z",
      leaseExpiresAt: LEASE_END,
      finishedAt: null,
      status: "RUNNING",
      statusReason: "owner_instance_id=local-pid://HOST-A/8812",
      revision: 4,
      ...over,
    },
    networkId: "monthly_summary",
    runId: "run-1",
    businessKey: "monthly_summary@2026-09",
  };
}
