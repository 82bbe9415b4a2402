import type { TFunction } from "i18next";
import type { AttentionEntry } from "../../shared/api/index.ts";
import type { Route } from "../app/routes.ts";

/** What a row is about, in words that are names: for its link and for whoever cannot see the row. */
export function subjectName(item: AttentionEntry, t: TFunction): string {
  if (item.kind === "staleLock") {
    return t("attention.lockOf", { network: item.networkId ?? t("attention.unknownNetwork") });
  }
  if (item.kind === "pollerSilent") return t("attention.pollerOf");
  if (item.kind === "staleRequest" && item.requestId !== null) {
    return t("attention.requestOf", { id: item.requestId });
  }
  const name = item.businessKey ?? item.networkId ?? item.runId ?? item.id;
  return item.nodeId === null ? name : `${name} › ${item.nodeId}`;
}

/** The page that shows the subject. A Run that does not exist yet has none of its own: the network's Runs are shown. */
export function subjectRoute(item: AttentionEntry): Route {
  if (item.kind === "staleLock" && item.lockRecordId !== null) {
    return { page: "locks", recordId: item.lockRecordId };
  }
  if (item.kind === "pollerSilent") return { page: "requests" };
  if (item.kind === "staleRequest" && item.requestId !== null) {
    return { page: "requests", requestId: item.requestId };
  }
  if (item.runId === null) {
    return { page: "runs", filter: item.networkId === null ? {} : { networkId: item.networkId } };
  }
  return { page: "run", runId: item.runId, ...(item.nodeId !== null && { nodeId: item.nodeId }) };
}
