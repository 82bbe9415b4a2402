import { useTranslation } from "react-i18next";
import type { Intent, UnknownDetail } from "../../shared/api/index.ts";
import { useStores } from "../state/context.tsx";
import { measuredStop } from "./measured-stop.ts";

type Resolve = Extract<Intent, { readonly kind: "resolve" }>;

/**
 * Opens the form of a node's resolution beside its evidence, with an outcome chosen. What was filled in before is still
 * there; what was measured of the child stands as evidence of its stop (operator-ux §4, 3.3.7).
 */
export function useOpenResolve(detail: UnknownDetail): (outcome: Resolve["outcome"]) => Promise<void> {
  const { t } = useTranslation();
  const { action } = useStores();
  const { runId, nodeId, businessKey, networkId } = detail;
  return async (outcome) => {
    const intent = action.store.getState().draft?.intent;
    const success = outcome === "SUCCESS";
    if (intent?.kind !== "resolve" || intent.runId !== runId || intent.nodeId !== nodeId) {
      const fresh: Resolve = {
        kind: "resolve",
        runId,
        nodeId,
        outcome,
        reason: "",
        manualCompletion: false,
        compensation: false,
        evidenceText: "",
        evidenceFiles: [],
        stopConfirmedBy: "",
        stopEvidence: measuredStop(detail, t),
      };
      await action.open(fresh, { place: "page", subject: { runId, businessKey, networkId, nodeId } });
    }
    const opened = action.store.getState().draft?.intent;
    if (opened?.kind !== "resolve" || opened.outcome === outcome) return;
    action.edit({ outcome, ...(success ? { compensation: false } : { manualCompletion: false }) });
  };
}
