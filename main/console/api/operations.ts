import type { Operation, OperationState } from "../../../shared/api/index.ts";
import { fail, ok, type Problem } from "../../../shared/domain/problem.ts";
import type { Orchestrator, RunEvent, RunNetworkInput, RunNetworkResult } from "../../orchestrator/index.ts";
import type { ActionEnd, ActionOrder } from "../acting/index.ts";
import { problemFrom } from "./answers.ts";
import type { Operations, StartOrder } from "./deps.ts";
import { type Book, createBook, underWay } from "./operations-book.ts";

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

/** Follows everything this console was told to do from acceptance to its end; nothing of it is guessed ahead. */
export function createOperations(deps: OperationsDeps): Operations {
  const book = createBook(deps.changed);
  const running = new Set<Promise<void>>();
  const lifetime = new AbortController();
  const mayAct: Operations["mayAct"] = ({ operationId, about }) => {
    if (book.get(operationId) !== undefined) return ok(null);
    // Whatever were begun now would go on beside a workspace that is being closed, and nobody would wait for it.
    if (lifetime.signal.aborted) return fail(ENDING);
    const other = book.about(about);
    return other === undefined ? ok(null) : fail(underWay(other));
  };
  return {
    get: book.get,
    mayAct,
    start(order) {
      const first = book.get(order.operationId);
      if (first !== undefined) return ok(first);
      if (lifetime.signal.aborted) return fail(ENDING);
      const { operationId, businessKey, reason } = order;
      const wish = { operationId, networkId: order.entry.networkId, businessKey, reason };
      const operation = book.open(accepted(wish, deps.requestedBy, isoOf(deps)));
      const work = execute(deps, book, order, lifetime.signal).finally(() => running.delete(work));
      running.add(work);
      return ok(operation);
    },
    act(order) {
      const first = book.get(order.operationId);
      if (first !== undefined) return ok(first);
      const free = mayAct(order);
      if (!free.ok) return free;
      const operation = book.open(acceptedAction(order, isoOf(deps)), order.about);
      const work = act(deps, book, order, lifetime.signal).finally(() => running.delete(work));
      running.add(work);
      return ok(operation);
    },
    recall: (operation) => void (book.get(operation.operationId) ?? book.open(operation)),
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

const ENDING: Problem = {
  code: "CONSOLE_ENDING",
  message: "The console is being closed; nothing was begun.",
  remedy: "Open it again, look at what is there, and decide again.",
};

const isoOf = (deps: OperationsDeps): string => new Date(deps.nowMs()).toISOString();

/** Carries an action out to its end; a lost answer is an end of its own and is never asked for again. */
async function act(deps: OperationsDeps, book: Book, order: ActionOrder, signal: AbortSignal): Promise<void> {
  const { operationId } = order;
  try {
    const end = await order.carry({
      signal,
      update: (change) => book.update(operationId, change),
      runNetwork: async (input) => walkEnd(await walk(deps, book, operationId, input)),
    });
    book.update(operationId, { ...end, endedAt: isoOf(deps) });
  } catch (cause) {
    book.update(operationId, { state: "uncertain", problem: problemFrom(cause), endedAt: isoOf(deps) });
  }
}

/** Runs an order to its end. Whatever is thrown leaves the outcome unknown, and says so. */
async function execute(
  deps: OperationsDeps,
  book: Book,
  order: StartOrder,
  signal: AbortSignal,
): Promise<void> {
  const { operationId, businessKey, scheduledFor, record } = order;
  const refused = await record.begin();
  if (refused !== null) {
    const end = { state: "refused", resultCode: refused.code, problem: refused } as const;
    return book.update(operationId, { ...end, endedAt: isoOf(deps) });
  }
  const input = {
    definitionPath: order.entry.definitionPath,
    ...(scheduledFor === null ? { businessKey } : { scheduledFor }),
    requestedBy: deps.requestedBy,
    signal,
  };
  await carry(deps, book, operationId, input).catch(() => undefined);
  const ended = book.get(operationId);
  if (ended !== undefined) await record.end(ended);
}

/** Runs a network and keeps the book of it; what is thrown passes after the book says so. */
async function carry(
  deps: OperationsDeps,
  book: Book,
  operationId: string,
  input: RunNetworkInput,
): Promise<RunNetworkResult> {
  try {
    const result = await walk(deps, book, operationId, input);
    book.update(operationId, { ...walkEnd(result), endedAt: isoOf(deps) });
    return result;
  } catch (cause) {
    book.update(operationId, { state: "uncertain", problem: problemFrom(cause), endedAt: isoOf(deps) });
    throw cause;
  }
}

/** Runs a network whose events every page hears. */
const walk = (
  deps: OperationsDeps,
  book: Book,
  operationId: string,
  input: RunNetworkInput,
): Promise<RunNetworkResult> =>
  deps.orchestrator.runNetwork({
    ...input,
    onEvent(event) {
      if (event.kind === "run-created" || event.kind === "run-resumed")
        book.update(operationId, { state: "applied", runId: event.runId });
      deps.runEvent(event);
      input.onEvent?.(event);
    },
  });

/** A refusal names the Run it is about, or leaves the one that is known. */
const walkEnd = (result: RunNetworkResult): ActionEnd => ({
  state: operationEnd(result),
  ...(result.runId !== null && { runId: result.runId }),
  outcome: result.outcome,
  resultCode: result.invocationResultCode,
  aggregateStatus: result.aggregateStatus,
  problem: result.problem,
});

const OPEN = {
  endedAt: null,
  state: "accepted",
  outcome: null,
  resultCode: null,
  aggregateStatus: null,
  detail: {},
  probes: [],
  problem: null,
} as const;

function acceptedAction(order: ActionOrder, acceptedAt: string): Operation {
  const { networkId, businessKey, runId, nodeId, requestId, jobKey } = order.subject;
  const { operationId, kind, reason, requestedBy, consent } = order;
  const subject = { networkId, businessKey, runId, nodeId, requestId, jobKey };
  return { ...OPEN, ...subject, operationId, kind, reason, requestedBy, consent, acceptedAt };
}

function accepted(
  wish: Pick<Operation, "operationId" | "networkId" | "businessKey" | "reason">,
  requestedBy: string,
  acceptedAt: string,
): Operation {
  return {
    ...OPEN,
    ...wish,
    kind: "start",
    requestedBy,
    acceptedAt,
    runId: null,
    nodeId: null,
    requestId: null,
    jobKey: null,
    consent: { kind: "none", account: null },
  };
}
