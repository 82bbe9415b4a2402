import type { Run, Stored } from "../../shared/domain/model.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { giveBack, withLockLeft } from "./give-back.ts";
import type { Held } from "./held.ts";
import type { RunNetworkResult } from "./ports.ts";
import type { RepeatedResume } from "./resume-run.ts";

/**
 * Answers a schedule's resume that has nothing new to say (W-31): the lock goes back, and the Invocation that said it
 * already is named, so that whoever reads the answer finds a record behind it.
 */
export async function answerAgain(
  { session }: Pick<Held, "session">,
  run: Stored<Run>,
  { invocation, plan, states }: RepeatedResume,
): Promise<RunNetworkResult> {
  const { invocationId, resultCode } = invocation;
  const status = invocation.status === "RUNNING" ? "FAILED" : invocation.status;
  const left = await giveBack(session, { status, resultCode });
  const braked = plan.braked.map(({ nodeId }) => nodeId);
  return {
    outcome: "RESUME",
    runId: run.runId,
    invocationId,
    aggregateStatus: run.status,
    invocationResultCode: resultCode,
    retryBrakeNodeIds: braked,
    blockedRunIds: [],
    problem: withLockLeft(nothingNew(run.runId, invocationId, braked, resultCode), left),
    networkId: run.networkId,
    nodes: states.flatMap((state) => {
      const { nodeId, status, statusReason: code } = state;
      return status === "SUCCESS" ? [] : [{ nodeId, status, code, message: null }];
    }),
  };
}

const nothingNew = (
  runId: string,
  invocationId: string,
  braked: readonly string[],
  resultCode: string,
): Problem => ({
  code: braked.length > 0 ? "RETRY_BRAKE" : resultCode,
  message: `A resume would start nothing and change nothing; it was said already in ${invocationId}, and no further Invocation was added.`,
  place: `Run ${runId}`,
  remedy:
    braked.length > 0
      ? `Remove the cause, then run again from the node the brake holds: ${braked.join(", ")}.`
      : "Look at what became of the failed nodes and decide about them; a schedule cannot go on before that.",
});
