import type { Operation, OperationState } from "../../../shared/api/index.ts";
import type { Orchestrator, RunEvent, RunNetworkResult } from "../../orchestrator/index.ts";
import { problemFrom } from "./answers.ts";
import type { Operations, StartOrder } from "./deps.ts";

/** Ended operations kept for whoever asks late; the oldest go first. */
const KEPT = 500;

export interface OperationsDeps {
  readonly orchestrator: Orchestrator;
  readonly requestedBy: string;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  readonly changed: (operation: Operation) => void;
  readonly runEvent: (event: RunEvent) => void;
}

/** What the scheduler's answer means for the operation (operator-ux D8). */
export function operationEnd(result: RunNetworkResult): OperationState {
  if (result.outcome === "REJECTED") return "refused";
  return result.aggregateStatus === null ? "uncertain" : "done";
}

/** Follows every start of this console from acceptance to its end; nothing of it is guessed ahead. */
export function createOperations(deps: OperationsDeps): Operations {
  const known = new Map<string, Operation>();
  const running = new Set<Promise<void>>();
  const lifetime = new AbortController();
  const iso = (): string => new Date(deps.nowMs()).toISOString();

  const update = (operationId: string, change: Partial<Operation>): void => {
    const current = known.get(operationId);
    if (current === undefined) return;
    const next = { ...current, ...change };
    known.set(operationId, next);
    deps.changed(next);
  };
  const forgetOldest = (): void => {
    for (const [id, operation] of known) {
      if (known.size <= KEPT) return;
      if (operation.endedAt !== null) known.delete(id);
    }
  };
  const run = async (order: StartOrder): Promise<void> => {
    const { operationId } = order;
    try {
      const result = await deps.orchestrator.runNetwork({
        definitionPath: order.entry.definitionPath,
        // The key the operator saw, never one derived again: with a scheduled time it stays the period's as-of.
        businessKey: order.businessKey,
        ...(order.scheduledFor === null ? {} : { scheduledFor: order.scheduledFor }),
        requestedBy: deps.requestedBy,
        reason: order.reason,
        signal: lifetime.signal,
        onEvent(event) {
          if (event.kind === "run-created") update(operationId, { state: "applied", runId: event.runId });
          deps.runEvent(event);
        },
      });
      update(operationId, {
        state: operationEnd(result),
        runId: result.runId,
        outcome: result.outcome,
        resultCode: result.invocationResultCode,
        aggregateStatus: result.aggregateStatus,
        problem: result.problem,
        endedAt: iso(),
      });
    } catch (cause) {
      update(operationId, { state: "uncertain", problem: problemFrom(cause), endedAt: iso() });
    }
  };
  return {
    get: (operationId) => known.get(operationId),
    start(order) {
      const first = known.get(order.operationId);
      if (first !== undefined) return first;
      const operation = accepted(order, deps.requestedBy, iso());
      known.set(order.operationId, operation);
      forgetOldest();
      deps.changed(operation);
      const work = run(order).finally(() => running.delete(work));
      running.add(work);
      return operation;
    },
    async dispose() {
      lifetime.abort();
      await Promise.allSettled(running);
    },
  };
}

function accepted(order: StartOrder, requestedBy: string, acceptedAt: string): Operation {
  return {
    operationId: order.operationId,
    kind: "start",
    networkId: order.entry.networkId,
    businessKey: order.businessKey,
    requestedBy,
    reason: order.reason,
    acceptedAt,
    endedAt: null,
    state: "accepted",
    runId: null,
    outcome: null,
    resultCode: null,
    aggregateStatus: null,
    problem: null,
  };
}
