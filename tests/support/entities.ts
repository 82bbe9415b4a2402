import type { Invocation, NodeState, NodeStatus, RecordRef, Run, Stored } from "../../shared/domain/model.ts";

/** Entities with plausible values; a test names only what it is about. */
export const ref = (recordId: string, revision: number): RecordRef => ({ recordId, revision });

export function storedRun(over: Partial<Stored<Run>> = {}): Stored<Run> {
  return {
    ref: ref("1", 1),
    runId: "netrun_00000000-0000-4000-8000-000000000001",
    networkId: "monthly_jobs",
    businessKey: "monthly_jobs@2026-09",
    maxActiveRuns: 1,
    status: "CREATED",
    lifecycle: "ACTIVE",
    resumeAllowed: true,
    asOf: null,
    definitionSchemaVersion: 1,
    definitionSha256: "0".repeat(64),
    bundleSha256: "1".repeat(64),
    bundleFileKey: "key",
    profileSnapshot: {
      profile: "prod",
      baseUrl: "http://localhost:1",
      guestSpaceId: null,
      timezone: "Asia/Tokyo",
      apps: {},
      limits: { maxApiCalls: null, maxReadRows: null, batchTimeoutSec: null },
    },
    profileSha256: "2".repeat(64),
    flowVersion: "0",
    engineVersion: "0",
    dialect: 1,
    createdAt: "2026-09-01T00:00:00.000Z",
    startedAt: null,
    finishedAt: null,
    updatedAt: "2026-09-01T00:00:00.000Z",
    ...over,
  };
}

export function storedInvocation(over: Partial<Stored<Invocation>> = {}): Stored<Invocation> {
  return {
    ref: ref("2", 1),
    invocationId: "invoke_00000000-0000-4000-8000-0000000000aa",
    runId: "netrun_00000000-0000-4000-8000-000000000001",
    mode: "NEW",
    requestedBy: "operator",
    host: "HOST-A",
    startedAt: "2026-09-01T00:00:00.000Z",
    finishedAt: null,
    selectedNodeIds: [],
    preservedNodeIds: [],
    blockedNodeIds: [],
    reason: "new business run",
    status: "RUNNING",
    resultCode: "PENDING",
    ...over,
  };
}

export function storedState(
  nodeId: string,
  status: NodeStatus = "WAITING",
  over: Partial<Stored<NodeState>> = {},
): Stored<NodeState> {
  return {
    ref: ref(nodeId, 1),
    nodeStateId: `nodestate_${nodeId}`,
    runId: "netrun_00000000-0000-4000-8000-000000000001",
    nodeId,
    jobId: `job_${nodeId}`,
    status,
    revision: 1,
    latestAttemptNo: 0,
    activeAttemptId: null,
    idempotent: true,
    triggerRule: "all_success",
    blockedBy: [],
    statusReason: null,
    startedAt: null,
    finishedAt: null,
    updatedAt: "2026-09-01T00:00:00.000Z",
    ...over,
  };
}
