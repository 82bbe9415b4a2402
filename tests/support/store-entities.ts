import { randomUUID } from "node:crypto";
import type { Attempt, Invocation, NodeState, Run } from "../../shared/domain/model.ts";
import { storedInvocation, storedRun, storedState } from "./entities.ts";

/** A Run that no test has written yet. */
export function freshRun(over: Partial<Run> = {}): Run {
  const { ref: _ref, ...run } = storedRun({ bundleFileKey: null });
  const runId = `netrun_${randomUUID()}`;
  return { ...run, runId, businessKey: `monthly_jobs@${runId}`, ...over };
}

/** An Invocation of a Run. */
export function freshInvocation(runId: string, over: Partial<Invocation> = {}): Invocation {
  const { ref: _ref, ...invocation } = storedInvocation();
  return { ...invocation, runId, invocationId: `invoke_${randomUUID()}`, ...over };
}

/** A waiting Node State of a Run. */
export function freshState(runId: string, nodeId: string, over: Partial<NodeState> = {}): NodeState {
  const { ref: _ref, ...state } = storedState(nodeId);
  return { ...state, runId, nodeStateId: `nodestate_${randomUUID()}`, ...over };
}

/** A started Attempt. */
export function freshAttempt(state: NodeState, invocationId: string, over: Partial<Attempt> = {}): Attempt {
  return {
    attemptId: `attempt_${randomUUID()}`,
    runId: state.runId,
    nodeId: state.nodeId,
    jobId: state.jobId,
    invocationId,
    attemptNo: state.latestAttemptNo + 1,
    stateRevisionBefore: state.revision,
    status: "RUNNING",
    resultCode: "PENDING",
    executionStartedAt: "2026-09-01T00:00:00.000Z",
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
