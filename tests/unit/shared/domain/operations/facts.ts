import type {
  Attempt,
  Invocation,
  NodeState,
  NodeStatus,
  Run,
  Stored,
} from "../../../../../shared/domain/model.ts";
import type { NodeDefinition } from "../../../../../shared/domain/network-definition.ts";
import type { OperationPlan } from "../../../../../shared/domain/operations/index.ts";
import { storedInvocation, storedRun, storedState } from "../../../../support/entities.ts";
import { storedAttempt } from "../run-records.ts";

/** Facts every operation's table changes one by one. */
export const AT = "2026-09-02T00:00:00.000Z";
export const NOW = Date.parse(AT);

export const aRun = (change: Partial<Run> = {}): Stored<Run> => ({
  ...storedRun({ status: "FAILED", startedAt: AT, finishedAt: AT, ...change }),
  ref: { recordId: "1", revision: 9 },
});

export const node = (
  id: string,
  dependsOn: readonly string[] = [],
  change: Partial<NodeDefinition> = {},
): NodeDefinition => ({
  id,
  jobId: `job_${id}`,
  sql: `${id}.sql`,
  dependsOn,
  triggerRule: "all_success",
  idempotent: true,
  inputs: {},
  outputs: {},
  ...change,
});

export const state = (
  nodeId: string,
  status: NodeStatus,
  change: Partial<NodeState> = {},
): Stored<NodeState> => {
  const revision = change.revision ?? 3;
  const made = storedState(nodeId, status, { latestAttemptNo: 1, ...change, revision });
  return { ...made, ref: { recordId: `s-${nodeId}`, revision } };
};

/** The Attempt that left its node as it stands. */
export const attempt = (nodeId: string, change: Partial<Attempt> = {}): Stored<Attempt> => ({
  ...storedAttempt({
    attemptId: `${nodeId}-${change.attemptNo ?? 1}`,
    nodeId,
    jobId: `job_${nodeId}`,
    status: "FAILED",
    resultCode: "SQL_ERROR",
    ...change,
  }),
  ref: { recordId: `a-${nodeId}-${change.attemptNo ?? 1}`, revision: 2 },
});

export const invocation = (change: Partial<Invocation> = {}): Stored<Invocation> =>
  storedInvocation({ status: "FAILED", resultCode: "NODE_FAILED_OR_BLOCKED", finishedAt: AT, ...change });

export const codes = (plan: OperationPlan): readonly string[] => plan.refusals.map(({ code }) => code);
export const consequences = (plan: OperationPlan): readonly string[] =>
  plan.consequences.map(({ name }) => name);
/** `node: fate/why` lines. */
export const fates = (plan: OperationPlan): readonly string[] =>
  plan.nodes.map(({ nodeId, does, why, by }) =>
    [`${nodeId}: ${does}/${why}`, ...(by.length === 0 ? [] : [`by ${by.join(",")}`])].join(" "),
  );
export const writes = (plan: OperationPlan): readonly string[] =>
  plan.writes.map(({ action, record, id, changes }) => {
    const moved = changes
      .filter(({ field }) => field === "status" || field === "state" || field === "lifecycle")
      .map(({ from, to }) => (action === "insert" ? ` ${to}` : ` ${from}->${to}`));
    return `${action} ${record} ${id ?? "new"}${moved.join("")}`;
  });
