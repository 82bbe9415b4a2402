import type { OperationRequest, RequestType } from "../request.ts";
import {
  type RequestReview,
  type RunLookup,
  reviewRunRequest,
  reviewStart,
  type StartableNetwork,
} from "../request-review.ts";
import { inserted, type OperationName, type OperationPlan, operationPlan, says } from "./operation.ts";
import type { SeenRecords } from "./seen.ts";

/** A request to be, and what the poller will judge it by. */
export interface RequestFacts {
  /** As it would be written; id and revision are those of no record yet. */
  readonly draft: OperationRequest;
  readonly about:
    | { readonly kind: "run"; readonly lookup: RunLookup }
    | { readonly kind: "start"; readonly network: StartableNetwork | null };
  /** Open requests for the same Run or key, exactly compared (orchestration §11.3). */
  readonly pending: readonly string[];
  readonly seen: SeenRecords;
  readonly readAt: string;
}

const NAMES: Readonly<Record<RequestType, OperationName>> = {
  START: "REQUEST_START",
  RERUN: "REQUEST_RERUN",
  STOP: "REQUEST_STOP",
  RELEASE: "REQUEST_RELEASE",
  CLOSE: "REQUEST_CLOSE",
};

const review = ({ draft, about }: RequestFacts): RequestReview =>
  about.kind === "run" ? reviewRunRequest(draft, about.lookup) : reviewStart(draft, about.network);

/** A request for the poller (orchestration §7.5): refused here for what the poller would refuse it for. */
export function planRequestOperation(facts: RequestFacts): OperationPlan {
  const { draft, pending } = facts;
  const judged = review(facts);
  const end = judged.kind === "end" ? judged.end : null;
  return operationPlan({
    operation: NAMES[draft.type],
    subject: {
      networkId: draft.networkId,
      businessKey: draft.businessKey,
      runId: draft.runId === "" ? null : draft.runId,
      nodeId: draft.rerunFromNode,
    },
    seen: facts.seen,
    readAt: facts.readAt,
    refusals:
      end === null
        ? []
        : [{ code: end.code, message: end.message, place: draft.runId || (draft.networkId ?? "") }],
    writes: [
      inserted("request", null, {
        type: draft.type,
        runId: draft.runId === "" ? null : draft.runId,
        rerunFromNode: draft.rerunFromNode,
        scheduledFor: draft.scheduledFor,
        reason: draft.reason,
      }),
    ],
    consequences: [
      says("doneByThePoller"),
      says("onlyBeforeClaim"),
      ...(draft.type === "CLOSE" ? [says("cannotBeUndone")] : []),
      ...(pending.length === 0 ? [] : [says("othersMayWaitForIt", { requests: pending.join(", ") })]),
    ],
  });
}
