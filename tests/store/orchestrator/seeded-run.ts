import { randomUUID } from "node:crypto";
import type { Change, FlowStore } from "../../../main/store/ports.ts";
import type { Attempt, NodeState, Run, RunStatus } from "../../../shared/domain/model.ts";
import { takeLock } from "../../support/lock-inputs.ts";
import { freshAttempt, freshInvocation, freshRun, freshState } from "../../support/store-entities.ts";

export interface SeededRun {
  readonly run: Run;
  readonly states: ReadonlyMap<string, NodeState>;
}

/**
 * A Run that ended, as an orchestrator leaves it: written under its lock, the lock released. `nodes`: the state each
 * node ended in and, unless it never started, its Attempt.
 */
export async function seedRun(
  store: FlowStore,
  status: RunStatus,
  nodes: Readonly<Record<string, Partial<NodeState>>>,
  attempts: Readonly<Record<string, Partial<Attempt>>> = {},
): Promise<SeededRun> {
  const networkId = `net_${randomUUID()}`;
  const run = freshRun({ networkId, businessKey: `${networkId}@2026-09`, status });
  const invocation = freshInvocation(run.runId, { status: "FAILED", resultCode: "NODE_FAILED_OR_BLOCKED" });
  const states = new Map(
    Object.entries(nodes).map(([nodeId, over]) => {
      const attempted = attempts[nodeId] === undefined ? {} : { latestAttemptNo: 1 };
      return [nodeId, freshState(run.runId, nodeId, { ...attempted, ...over })];
    }),
  );
  const started = Object.entries(attempts).map(([nodeId, over]): Change => {
    const state = states.get(nodeId);
    if (state === undefined) throw new Error(`no node ${nodeId}`);
    return {
      kind: "attempt.insert",
      attempt: freshAttempt(state, invocation.invocationId, { attemptNo: 1, ...over }),
    };
  });
  const session = await takeLock(store, {
    profile: run.profileSnapshot.profile,
    networkId,
    ownerInvocationId: invocation.invocationId,
    ownerInstanceId: "local-pid://HOST-A/4321",
    leaseMs: 180_000,
    heartbeatMs: 60_000,
  });
  const changes: readonly Change[] = [
    { kind: "run.insert", run },
    { kind: "invocation.insert", invocation },
    { kind: "nodeStates.insert", states: [...states.values()] },
    ...started,
  ];
  const written = await session.write(changes, { release: { status: "FAILED", resultCode: "SEEDED" } });
  await session.dispose();
  if (written.kind !== "applied") throw new Error(written.problem.message);
  return { run, states };
}
