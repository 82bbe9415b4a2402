import type { Operation, OperationState } from "../../../shared/api/index.ts";
import type { Orchestrator, RunEvent, RunNetworkInput, RunNetworkResult } from "../../orchestrator/index.ts";
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
  const book = createBook(deps.changed);
  const running = new Set<Promise<void>>();
  const lifetime = new AbortController();
  return {
    get: book.get,
    start(order) {
      const first = book.get(order.operationId);
      if (first !== undefined) return first;
      const { operationId, businessKey, reason } = order;
      const wish = { operationId, networkId: order.entry.networkId, businessKey, reason };
      const operation = book.open(accepted(wish, deps.requestedBy, isoOf(deps)));
      const work = execute(deps, book, order, lifetime.signal).finally(() => running.delete(work));
      running.add(work);
      return operation;
    },
    async follow(networkId, input) {
      const acceptedAt = isoOf(deps);
      const operationId = `${input.requestedBy}@${acceptedAt}`;
      const { businessKey = null, reason = "", requestedBy } = input;
      book.open(accepted({ operationId, networkId, businessKey, reason }, requestedBy, acceptedAt));
      return carry(deps, book, operationId, input);
    },
    async dispose() {
      lifetime.abort();
      await Promise.allSettled(running);
    },
  };
}

const isoOf = (deps: OperationsDeps): string => new Date(deps.nowMs()).toISOString();

interface Book {
  get(operationId: string): Operation | undefined;
  open(operation: Operation): Operation;
  update(operationId: string, change: Partial<Operation>): void;
}

/** What is known of each operation; `changed` hears every step. */
function createBook(changed: (operation: Operation) => void): Book {
  const known = new Map<string, Operation>();
  const forgetOldest = (): void => {
    for (const [id, operation] of known) {
      if (known.size <= KEPT) return;
      if (operation.endedAt !== null) known.delete(id);
    }
  };
  return {
    get: (operationId) => known.get(operationId),
    open(operation) {
      known.set(operation.operationId, operation);
      forgetOldest();
      changed(operation);
      return operation;
    },
    update(operationId, change) {
      const current = known.get(operationId);
      if (current === undefined) return;
      const next = { ...current, ...change };
      known.set(operationId, next);
      changed(next);
    },
  };
}

/** Runs an order to its end. Whatever is thrown leaves the outcome unknown, and says so. */
async function execute(
  deps: OperationsDeps,
  book: Book,
  order: StartOrder,
  signal: AbortSignal,
): Promise<void> {
  const { businessKey, scheduledFor } = order;
  const input = {
    definitionPath: order.entry.definitionPath,
    ...(scheduledFor === null ? { businessKey } : { scheduledFor }),
    requestedBy: deps.requestedBy,
    signal,
  };
  await carry(deps, book, order.operationId, input).catch(() => undefined);
}

/** Runs a network and keeps the book of it; what is thrown passes after the book says so. */
async function carry(
  deps: OperationsDeps,
  book: Book,
  operationId: string,
  input: RunNetworkInput,
): Promise<RunNetworkResult> {
  try {
    const result = await deps.orchestrator.runNetwork({
      ...input,
      onEvent(event) {
        if (event.kind === "run-created" || event.kind === "run-resumed")
          book.update(operationId, { state: "applied", runId: event.runId });
        deps.runEvent(event);
        input.onEvent?.(event);
      },
    });
    book.update(operationId, {
      state: operationEnd(result),
      runId: result.runId,
      outcome: result.outcome,
      resultCode: result.invocationResultCode,
      aggregateStatus: result.aggregateStatus,
      problem: result.problem,
      endedAt: isoOf(deps),
    });
    return result;
  } catch (cause) {
    book.update(operationId, { state: "uncertain", problem: problemFrom(cause), endedAt: isoOf(deps) });
    throw cause;
  }
}

function accepted(
  wish: Pick<Operation, "operationId" | "networkId" | "businessKey" | "reason">,
  requestedBy: string,
  acceptedAt: string,
): Operation {
  return {
    ...wish,
    kind: "start",
    requestedBy,
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
