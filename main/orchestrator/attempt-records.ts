import type { Attempt, NodeState, Stored } from "../../shared/domain/model.ts";
import type { AttemptConclusion } from "../attempt/index.ts";
import { finalErrorMessage, type NodeFiles } from "./csv/index.ts";
import type { Walk } from "./walk.ts";

/** The attempt as it is inserted before its child exists (orchestration section 4.2, S1 to S3 in one request). */
export function newAttempt(walk: Walk, state: Stored<NodeState>, at: string): Attempt {
  return {
    attemptId: `attempt_${walk.deps.ids.uuid()}`,
    runId: state.runId,
    nodeId: state.nodeId,
    jobId: state.jobId,
    invocationId: walk.ledger.invocation.invocationId,
    attemptNo: state.latestAttemptNo + 1,
    stateRevisionBefore: state.ref.revision,
    status: "RUNNING",
    resultCode: "PENDING",
    executionStartedAt: at,
    runnerExecutionStartedAt: null,
    finishedAt: null,
    executionId: null,
    durationSec: null,
    readCount: 0,
    writtenCount: 0,
    lastSuccessfulChunkNo: null,
    lastWrittenKey: null,
    errorMessage: null,
  };
}

/** The attempt as its end is written (orchestration section 4.2, S6 and last paragraph). */
export function terminalAttempt(
  attempt: Stored<Attempt>,
  files: NodeFiles,
  conclusion: AttemptConclusion,
): Attempt {
  const { ref: _ref, ...before } = attempt;
  return {
    ...before,
    status: conclusion.attemptStatus,
    resultCode: conclusion.resultCode,
    runnerExecutionStartedAt: conclusion.runnerExecutionStartedAt,
    finishedAt: conclusion.finishedAt,
    executionId: conclusion.executionId,
    durationSec: conclusion.durationSec,
    readCount: conclusion.readCount,
    writtenCount: conclusion.writtenCount,
    lastSuccessfulChunkNo: conclusion.lastSuccessfulChunkNo,
    lastWrittenKey: conclusion.lastWrittenKey,
    errorMessage: finalErrorMessage(files, conclusion),
  };
}
