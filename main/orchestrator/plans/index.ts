import { type OperationPlan, planForceUnlockOperation } from "../../../shared/domain/operations/index.ts";
import { FlowError, fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { isoNow } from "../deps.ts";
import { readStopFacts } from "../recovery/stop-facts.ts";
import { planOfRun } from "./of-run.ts";
import type { IntendedOperation, Plans, PlansDeps } from "./ports.ts";
import { planRequest, planRequestCancel } from "./requests.ts";
import { planRunNetwork } from "./run-network.ts";

export type * from "./ports.ts";

/** Plans of what people may do, made from the records without a lock and without writing (architecture §4, "A click"). */
export function createPlans(deps: PlansDeps): Plans {
  return {
    async plan(operation, signal) {
      try {
        return await planned(deps, operation, signal);
      } catch (error) {
        if (error instanceof FlowError) return fail(error.problem);
        throw error;
      }
    },
  };
}

function planned(
  deps: PlansDeps,
  operation: IntendedOperation,
  signal: AbortSignal | undefined,
): Promise<Result<OperationPlan>> {
  switch (operation.kind) {
    case "run-network":
      return planRunNetwork(deps, operation.input, signal);
    case "force-unlock":
      return planForceUnlock(deps, operation, signal);
    case "request":
      return planRequest(deps, operation.draft, signal);
    case "request-cancel":
      return planRequestCancel(deps, operation.requestId, signal);
    case "cancel-run":
    case "archive-run":
    case "complete-audit":
    case "resolve-node":
    case "realign-node":
      return planOfRun(deps, operation, signal);
  }
}

/** The owner is judged at this moment, as the execution will again (orchestration section 3.5). */
async function planForceUnlock(
  deps: PlansDeps,
  { wish, withoutAudit }: Extract<IntendedOperation, { kind: "force-unlock" }>,
  signal: AbortSignal | undefined,
): Promise<Result<OperationPlan>> {
  const { networkId, profile } = wish;
  const lock = await deps.store.findLock({ networkId, profile }, signal);
  const stop = lock === null ? null : await readStopFacts(deps, wish.stopMethod, lock, signal);
  const now = deps.clock.nowMs();
  return ok(planForceUnlockOperation({ wish, lock, stop, withoutAudit, now, readAt: isoNow(deps.clock) }));
}
