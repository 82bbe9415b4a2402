import type { AttemptFacts, InvocationFacts, NodeFacts } from "../../../shared/api/index.ts";

/** Facts of a Run with what a test cares about. */
export function node(change: Partial<NodeFacts>): NodeFacts {
  return {
    nodeId: "a",
    jobId: "job_a",
    status: "SUCCESS",
    statusReason: null,
    idempotent: true,
    triggerRule: "all_success",
    blockedBy: [],
    latestAttemptNo: 1,
    activeAttemptId: null,
    startedAt: "2026-09-05T05:00:00Z",
    finishedAt: "2026-09-05T05:01:00Z",
    updatedAt: "2026-09-05T05:01:00Z",
    revision: 3,
    latestResultCode: "SUCCESS",
    ...change,
  };
}

export function attempt(change: Partial<AttemptFacts>): AttemptFacts {
  return {
    recordId: "11",
    recordRevision: 2,
    attemptId: "att-1",
    nodeId: "a",
    jobId: "job_a",
    invocationId: "inv-1",
    attemptNo: 1,
    status: "SUCCESS",
    resultCode: "SUCCESS",
    executionStartedAt: "2026-09-05T05:00:00Z",
    runnerExecutionStartedAt: "2026-09-05T05:00:00Z",
    finishedAt: "2026-09-05T05:00:00Z",
    executionId: "exec-1",
    durationSec: 1.2,
    readCount: 0,
    writtenCount: 0,
    lastSuccessfulChunkNo: null,
    lastWrittenKey: null,
    errorMessage: null,
    ...change,
  };
}

export function invocation(change: Partial<InvocationFacts>): InvocationFacts {
  return {
    recordId: "10",
    recordRevision: 2,
    invocationId: "inv-1",
    mode: "NEW",
    requestedBy: "operator",
    host: "HOST-A",
    status: "SUCCESS",
    resultCode: "SUCCESS",
    reason: "",
    startedAt: "2026-09-05T05:00:00Z",
    finishedAt: "2026-09-05T05:02:00Z",
    selectedNodeIds: ["a"],
    preservedNodeIds: [],
    blockedNodeIds: [],
    ...change,
  };
}
