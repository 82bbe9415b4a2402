import type { Problem } from "../problem.ts";
import type { OperationRequest } from "../request.ts";
import { type OperationPlan, operationPlan, says, updated } from "./operation.ts";
import type { SeenRecords } from "./seen.ts";

export interface RequestCancelFacts {
  readonly request: OperationRequest;
  readonly readAt: string;
}

/** The record a request is taken back on. */
const requestSeen = ({ id, revision }: OperationRequest): SeenRecords => ({
  request: { recordId: id, revision },
});

/**
 * Why a request cannot be taken back any more, or null (orchestration §7.3): only before somebody claimed it. Codes
 * `REQUEST_CLAIMED`, `REQUEST_ENDED`, `CANCEL_ALREADY_REQUESTED`.
 */
export function requestCancelProblem({ id, state, cancelRequested }: OperationRequest): Problem | null {
  const refuse = (code: string, message: string, remedy: string): Problem => ({
    code,
    message,
    place: `request ${id}`,
    remedy,
  });
  if (state === "ACCEPTED") {
    return refuse(
      "REQUEST_CLAIMED",
      "The request was taken up already; it is carried out to its end.",
      "Stop the Run instead, or wait for the result.",
    );
  }
  if (state !== "REQUESTED") {
    return refuse("REQUEST_ENDED", `The request has ended as ${state}.`, "Nothing is to be done.");
  }
  if (!cancelRequested) return null;
  return refuse(
    "CANCEL_ALREADY_REQUESTED",
    "The request was taken back already; the poller ends it in its next cycle.",
    "Nothing is to be done.",
  );
}

/** Takes a request back before it is claimed; nothing was done by then (orchestration §7.3). */
export function planRequestCancelOperation({ request, readAt }: RequestCancelFacts): OperationPlan {
  const { id, networkId, businessKey, runId, cancelRequested } = request;
  const refusal = requestCancelProblem(request);
  return operationPlan({
    operation: "REQUEST_CANCEL",
    subject: { networkId, businessKey, runId: runId === "" ? null : runId, requestId: id },
    seen: requestSeen(request),
    readAt,
    refusals: refusal === null ? [] : [refusal],
    evidence: [],
    writes: [updated("request", id, { cancelRequested }, { cancelRequested: true })],
    consequences: [says("onlyBeforeClaim")],
  });
}
