import type { NetworkLock } from "../model.ts";
import {
  checkRealignInputs,
  planRealign,
  type RealignFacts,
  type RealignPlan,
  type RealignWish,
} from "../realign-node.ts";
import { lockConflict, lockTaken } from "./network-lock.ts";
import { inserted, needed, type OperationPlan, operationPlan, says, updated } from "./operation.ts";
import { resolveSeen } from "./resolve-node.ts";
import { runSubject } from "./stop.ts";

export interface RealignOperationFacts extends RealignFacts {
  readonly lock: NetworkLock | null;
  readonly wish: RealignWish;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly readAt: string;
}

/** realign-node (orchestration §11.1, "a human edits a Node State record"): audit, Node State and release in one request. */
export function planRealignOperation(facts: RealignOperationFacts): OperationPlan {
  const { run, wish, readAt } = facts;
  const { nodeId } = wish;
  const inputs = checkRealignInputs(wish);
  const plan = planRealign(wish, facts);
  const held = lockConflict(facts.lock, facts.now);
  return operationPlan({
    operation: "REALIGN_NODE",
    subject: { ...runSubject(facts), nodeId },
    seen: resolveSeen({ ...facts, run }, nodeId),
    readAt,
    // In the order of the execution: what needs no record, the lock, the records.
    refusals: [
      ...(inputs.ok ? [] : [inputs.error]),
      ...(held === null ? [] : [held]),
      ...(inputs.ok && !plan.ok ? [plan.error] : []),
    ],
    evidence: needed("reason", "evidenceRef", "confirmedBy"),
    ...(plan.ok ? outcome(facts, plan.value) : {}),
  });
}

function outcome({ run, wish }: RealignOperationFacts, { state, next, basis }: RealignPlan) {
  const { reason, evidenceRef, confirmedBy } = wish;
  const facts = { repairType: "REVISION_SERIES_REALIGNED", basis, reason, evidenceRef, confirmedBy };
  return {
    writes: [
      ...lockTaken(run.networkId),
      inserted("audit", null, { eventType: "RECONCILIATION_REPAIR", ...facts }),
      updated("nodeState", next.nodeId, { revision: state.revision }, { revision: next.revision }),
    ],
    consequences: [
      says("startsNothing"),
      says("handEditStays", { status: state.status, attempts: state.latestAttemptNo }),
    ],
  };
}
