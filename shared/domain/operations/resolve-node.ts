import type { Attempt, NetworkLock, NodeState, Resolution, Run, Stored } from "../model.ts";
import {
  checkResolveInputs,
  planResolve,
  type ResolvePlan,
  type ResolveWish,
  resolveConsequences,
} from "../resolve-node.ts";
import { nextAggregate } from "../run-aggregate.ts";
import { lockConflict, lockTaken } from "./network-lock.ts";
import {
  type Consequence,
  type Evidence,
  inserted,
  needed,
  type OperationPlan,
  operationPlan,
  type PlannedWrite,
  says,
  updated,
} from "./operation.ts";
import type { SeenRecords } from "./seen.ts";
import { runSubject } from "./stop.ts";

export interface ResolveOperationFacts {
  readonly run: Stored<Run>;
  readonly states: readonly Stored<NodeState>[];
  readonly attempts: readonly Stored<Attempt>[];
  readonly resolutions: readonly Resolution[];
  readonly lock: NetworkLock | null;
  readonly wish: ResolveWish;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly readAt: string;
}

/** The records a resolution rests on, under the names a preview shows them by. */
export function resolveSeen(
  graph: Pick<ResolveOperationFacts, "states" | "attempts"> & { readonly run: Stored<Run> | null },
  nodeId: string,
): SeenRecords {
  const state = graph.states.find((each) => each.nodeId === nodeId) ?? null;
  const attempt = graph.attempts.find(
    (each) => each.nodeId === nodeId && each.attemptNo === state?.latestAttemptNo,
  );
  return {
    run: graph.run?.ref ?? null,
    [`node ${nodeId}`]: state?.ref ?? null,
    attempt: attempt?.ref ?? null,
  };
}

/** resolve-node (orchestration §5.4): Resolution, Node State, recomputed Run and release in one request. */
export function planResolveOperation(facts: ResolveOperationFacts): OperationPlan {
  const { run, states, wish } = facts;
  const { nodeId } = wish;
  const plan = planResolve(wish, {
    states: states.filter((state) => state.nodeId === nodeId),
    attempts: facts.attempts.filter((attempt) => attempt.nodeId === nodeId),
    resolutions: facts.resolutions,
  });
  const inputs = checkResolveInputs(wish);
  const held = lockConflict(facts.lock, facts.now);
  return operationPlan({
    operation: "RESOLVE_NODE",
    subject: { ...runSubject(facts), nodeId },
    seen: resolveSeen({ ...facts, run }, nodeId),
    readAt: facts.readAt,
    // In the order of the execution: what needs no record, the lock, the records.
    refusals: [
      ...(inputs.ok ? [] : [inputs.error]),
      ...(held === null ? [] : [held]),
      ...(inputs.ok && !plan.ok ? [plan.error] : []),
    ],
    evidence: evidenceFor(wish, states),
    ...(plan.ok ? outcome(facts, plan.value) : {}),
  });
}

function evidenceFor(wish: ResolveWish, states: readonly NodeState[]): readonly Evidence[] {
  const success = wish.outcome === "SUCCESS";
  const once = states.some(({ nodeId, idempotent }) => nodeId === wish.nodeId && !idempotent);
  return [
    ...needed("reason", "evidenceRef", "stopConfirmedBy", "stopEvidenceRef"),
    ...(success ? needed("manualCompletion") : []),
    { field: "approvedBy", required: success && once },
  ];
}

function outcome(
  { run, states }: ResolveOperationFacts,
  { state, attempt, next, resolution }: ResolvePlan,
): { readonly writes: readonly PlannedWrite[]; readonly consequences: readonly Consequence[] } {
  const after = states.map((each) => (each.nodeId === next.nodeId ? next : each).status);
  const aggregate = nextAggregate(run, after, next.updatedAt);
  const then = resolveConsequences(resolution.outcome, state);
  return {
    writes: [
      ...lockTaken(run.networkId),
      inserted("resolution", attempt.attemptId, {
        outcome: resolution.outcome,
        resolutionType: resolution.resolutionType,
        reason: resolution.reason,
        approvedBy: resolution.approvedBy,
      }),
      updated("nodeState", next.nodeId, shown(state), shown(next)),
      ...(aggregate === null
        ? []
        : [updated("run", run.runId, { status: run.status }, { status: aggregate.status })]),
    ],
    consequences: [
      says("choiceIsFinal"),
      ...(then.retriedByResume ? [says("retriedByResume")] : []),
      ...(then.peerResumesOnceMore ? [says("peerResumesOnceMore")] : []),
      ...(then.onlyCloseRemains ? [says("onlyCloseRemains")] : []),
      says("runStatusAfter", { status: aggregate?.status ?? run.status }),
    ],
  };
}

const shown = ({ status, statusReason }: NodeState) => ({ status, statusReason });
