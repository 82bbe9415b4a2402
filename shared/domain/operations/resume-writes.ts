import type { Attempt, NodeState, NodeStatus } from "../model.ts";
import type { ResumePlan } from "../resume-plan.ts";
import { nextAggregate } from "../run-aggregate.ts";
import { lockTaken } from "./network-lock.ts";
import { inserted, type PlannedWrite, updated } from "./operation.ts";
import type { ResumeOperationFacts } from "./resume-facts.ts";

/** The records a RESUME or RERUN_FROM writes before its walk, as the one request carries them (fenced-writes §3). */
export function resumeWrites(facts: ResumeOperationFacts, plan: ResumePlan): readonly PlannedWrite[] {
  const { run, records, requestedBy, readAt } = facts;
  const after = new Map<string, NodeStatus>(records.states.map(({ nodeId, status }) => [nodeId, status]));
  for (const { id } of plan.missing) after.set(id, "WAITING");
  for (const { next } of plan.states) after.set(next.nodeId, next.status);
  const aggregate = nextAggregate(run, [...after.values()], readAt);
  return [
    ...lockTaken(run.networkId),
    inserted("invocation", null, { mode: plan.mode, requestedBy, status: "RUNNING" }),
    ...(aggregate === null
      ? []
      : [updated("run", run.runId, { status: run.status }, { status: aggregate.status })]),
    ...plan.missing.map(({ id }) => inserted("nodeState", id, { status: "WAITING" })),
    ...plan.states.map(({ before, next }) => updated("nodeState", next.nodeId, node(before), node(next))),
    ...plan.attempts.map(({ before, next }) =>
      updated("attempt", next.attemptId, attempt(before), attempt(next)),
    ),
    ...plan.abandoned.map(({ before, next }) =>
      updated(
        "invocation",
        next.invocationId,
        { status: before.status, resultCode: before.resultCode },
        { status: next.status, resultCode: next.resultCode },
      ),
    ),
    ...plan.repairs.map(({ repairType, targetId, basis }) =>
      inserted("audit", null, { eventType: "RECONCILIATION_REPAIR", repairType, target: targetId, basis }),
    ),
  ];
}

const node = ({ status, statusReason, latestAttemptNo }: NodeState) => ({
  status,
  statusReason,
  latestAttemptNo,
});
const attempt = ({ status, resultCode }: Attempt) => ({ status, resultCode });
