import type { OperationRequest } from "../../../shared/domain/request.ts";
import { closeEnd, holdEnd, runNetworkEnd } from "../../../shared/domain/request-end.ts";
import {
  type RequestEnd,
  type RequestOperation,
  reviewRunRequest,
  reviewStart,
} from "../../../shared/domain/request-review.ts";
import { problemOf } from "./claim.ts";
import type { Facts } from "./facts.ts";
import type { PollerDeps } from "./ports.ts";

/**
 * Reviews a claimed request and does what it asks for, with the operations every other front uses (orchestration
 * sections 7.5 and 7.6). `signal` brings a Run to its next node boundary; what only writes a record is never cut short,
 * because its request is taken already. Never rejects.
 */
export async function reviewAndRun(
  deps: PollerDeps,
  facts: Facts,
  request: OperationRequest,
  signal?: AbortSignal,
): Promise<RequestEnd> {
  try {
    const review =
      request.type === "START"
        ? reviewStart(request, await facts.startable(request.networkId))
        : reviewRunRequest(request, await facts.runOf(request));
    if (review.kind === "end") return review.end;
    const by = { requestedBy: review.requestedBy, reason: request.reason };
    return await operate(deps, facts, review.operation, by, signal);
  } catch (error) {
    const { code, message } = problemOf(error);
    return { state: "REJECTED", code: "CHILD_EXECUTION_FAILED", message: `${code}: ${message}` };
  }
}

interface By {
  readonly requestedBy: string;
  readonly reason: string;
}

async function operate(
  deps: PollerDeps,
  facts: Facts,
  operation: RequestOperation,
  by: By,
  signal: AbortSignal | undefined,
): Promise<RequestEnd> {
  switch (operation.kind) {
    case "stop":
    case "release": {
      const { runId, kind } = operation;
      const outcome = await deps.recovery.cancelRun({
        runId,
        release: kind === "release",
        ...by,
        seen: null,
      });
      return holdEnd(kind, outcome.ok ? null : outcome.error);
    }
    case "close": {
      const { networkId, runId } = operation;
      const { profile, servicePrincipal } = deps;
      const wish = { profile, networkId, runId, servicePrincipal, ...by, seen: null };
      return closeEnd(await deps.recovery.archiveRun(wish));
    }
    case "rerun":
    case "start":
      return runNetwork(deps, facts, operation, by, signal);
  }
}

async function runNetwork(
  deps: PollerDeps,
  facts: Facts,
  operation: Extract<RequestOperation, { kind: "rerun" | "start" }>,
  by: By,
  signal: AbortSignal | undefined,
): Promise<RequestEnd> {
  const entry = await facts.definitionOf(operation.networkId);
  if (entry === null) {
    return { state: "REJECTED", code: "NETWORK_NOT_ALLOWED", message: "detail=NOT_IN_ALLOWLIST" };
  }
  const result = await deps.orchestrator.runNetwork({
    definitionPath: entry.definitionPath,
    ...by,
    ...(signal === undefined ? {} : { signal }),
    ...whichRun(operation),
  });
  return runNetworkEnd(operation.kind, result);
}

function whichRun(operation: Extract<RequestOperation, { kind: "rerun" | "start" }>) {
  if (operation.kind === "rerun") {
    const { runId, fromNode } = operation;
    return { resumeRunId: runId, ...(fromNode === null ? {} : { rerunFrom: fromNode }) };
  }
  const { businessKey, scheduledFor } = operation;
  return {
    ...(businessKey === null ? {} : { businessKey }),
    ...(scheduledFor === null ? {} : { scheduledFor }),
  };
}
