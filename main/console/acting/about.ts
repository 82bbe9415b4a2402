import type { Intent } from "../../../shared/api/index.ts";

/**
 * What an intent lays its hand on: two of one text are never under way at once (`OPERATION_UNDER_WAY`). A Run that is
 * walked may be stopped meanwhile, so its walk and its hold are two things.
 */
export function aboutOf(intent: Intent): string {
  const parts = (...texts: readonly string[]): string => texts.join("\u0000");
  switch (intent.kind) {
    case "resume":
    case "rerun":
      return parts("walk", intent.runId);
    case "stop":
    case "release":
      return parts("hold", intent.runId);
    case "close":
    case "completeAudit":
      return parts("close", intent.runId);
    case "resolve":
    case "realign":
      return parts("node", intent.runId, intent.nodeId);
    case "forceUnlock":
      return parts("lock", intent.recordId);
    case "jobUnlock":
      return parts("job", intent.jobKey);
    case "request":
      return parts(
        "ask",
        intent.type,
        intent.runId,
        intent.networkId,
        intent.businessKey,
        intent.scheduledFor,
      );
    case "requestCancel":
    case "requestSettle":
      return parts("request", intent.requestId);
  }
}
