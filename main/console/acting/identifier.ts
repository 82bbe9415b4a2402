import type { Intent } from "../../../shared/api/index.ts";
import type { OperationPlan } from "../../../shared/domain/operations/index.ts";

/** The text that tells this very object from its neighbours (operator-ux D4). */
export function identifierOf(intent: Intent, { subject }: OperationPlan): string {
  switch (intent.kind) {
    case "forceUnlock":
      return intent.ownerInvocationId.slice(-8);
    case "jobUnlock":
      return intent.jobKey;
    case "requestCancel":
    case "requestSettle":
      return intent.requestId;
    case "resolve":
    case "realign":
      return `${subject.businessKey ?? intent.runId}/${intent.nodeId}`;
    default:
      return subject.businessKey ?? subject.runId ?? intent.runId;
  }
}
