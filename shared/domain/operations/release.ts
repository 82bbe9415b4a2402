import { planRelease } from "../hold.ts";
import { type OperationPlan, operationPlan, says } from "./operation.ts";
import { type HoldFacts, holdSeen, holdWrites, runSubject } from "./stop.ts";

/** RELEASE (orchestration §4.7): frees a held Run and starts nothing; the next scheduled resume may. */
export function planReleaseOperation(facts: HoldFacts): OperationPlan {
  const plan = planRelease(facts.hold, facts.wish);
  return operationPlan({
    operation: "RELEASE",
    subject: runSubject(facts),
    seen: holdSeen(facts),
    readAt: facts.readAt,
    writes: holdWrites(facts.hold, plan.kind === "none" ? null : plan.next),
    consequences: [says("startsNothing"), ...(plan.kind === "none" ? [] : [says("scheduleMayResume")])],
  });
}
