import { type HoldWish, planStop } from "../hold.ts";
import type { Hold, NodeState, Run, Stored } from "../model.ts";
import {
  inserted,
  type OperationPlan,
  operationPlan,
  type PlannedWrite,
  says,
  updated,
} from "./operation.ts";
import type { SeenRecords } from "./seen.ts";

/** What a STOP or RELEASE is planned from. */
export interface HoldFacts {
  readonly run: Stored<Run>;
  readonly hold: Stored<Hold> | null;
  readonly states: readonly NodeState[];
  readonly wish: HoldWish;
  readonly readAt: string;
}

/** The records a STOP or RELEASE is decided on (orchestration §4.7). */
export const holdSeen = (facts: {
  readonly run: Pick<Stored<Run>, "ref">;
  readonly hold: Pick<Stored<Hold>, "ref"> | null;
}): SeenRecords => ({ run: facts.run.ref, hold: facts.hold?.ref ?? null });

const shown = ({ state, requestedBy, reason }: Hold) => ({ state, requestedBy, reason });

/** The one record of a hold as it will be written; none when the wish is fulfilled already. */
export function holdWrites(hold: Hold | null, next: Hold | null): readonly PlannedWrite[] {
  if (next === null) return [];
  if (hold === null) return [inserted("hold", next.runId, shown(next))];
  const released = { releaseReason: next.releaseReason, releaseRequestedBy: next.releaseRequestedBy };
  const before = { releaseReason: hold.releaseReason, releaseRequestedBy: hold.releaseRequestedBy };
  return [updated("hold", next.runId, { ...shown(hold), ...before }, { ...shown(next), ...released })];
}

export const runSubject = ({ run }: { readonly run: Run }) => ({
  profile: run.profileSnapshot.profile,
  networkId: run.networkId,
  businessKey: run.businessKey,
  runId: run.runId,
});

/** STOP (orchestration §4.7): a hold that the walk meets before its next node. */
export function planStopOperation(facts: HoldFacts): OperationPlan {
  const { run, hold, states, wish, readAt } = facts;
  const plan = planStop(hold, run.status, wish);
  const next = plan.ok && plan.value.kind !== "none" ? plan.value.next : null;
  const running = states.filter(({ status }) => status === "RUNNING").map(({ nodeId }) => nodeId);
  return operationPlan({
    operation: "STOP",
    subject: runSubject(facts),
    seen: holdSeen(facts),
    readAt,
    refusals: plan.ok ? [] : [plan.error],
    writes: holdWrites(hold, next),
    consequences: [
      ...(running.length === 0 ? [] : [says("runningNodesFinish", { nodes: running.join(", ") })]),
      says("blocksEveryResume"),
      ...(hold === null || next === null ? [] : [says("earlierHoldCleared", { by: hold.requestedBy })]),
    ],
  });
}
