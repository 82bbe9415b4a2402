import type { TFunction } from "i18next";
import type { Intent, IntentKind } from "../../shared/api/index.ts";
import type { OperationName, OperationPlan, PlanSubject } from "../../shared/domain/operations/operation.ts";
import { markedText } from "../text/marks.ts";

/** What is done, to what, in full (operator-ux D1). Texts of others come with their marks. */
export function titleOf(intent: Intent, subject: Partial<PlanSubject>, t: TFunction): string {
  return t(`action.kind.${intent.kind}.title`, { ...namesOf(intent, subject, t) });
}

function namesOf(intent: Intent, subject: Partial<PlanSubject>, t: TFunction) {
  const named = (text: string | null | undefined): string => (text ? markedText(text, true) : "");
  const runId = "runId" in intent ? intent.runId : null;
  const node = intent.kind === "rerun" ? intent.fromNode : "nodeId" in intent ? intent.nodeId : null;
  const network = "networkId" in intent ? intent.networkId : null;
  return {
    subject: named(subject.businessKey || runId),
    node: named(node),
    network: named(subject.networkId || network),
    job: named("jobKey" in intent ? intent.jobKey : null),
    id: named("requestId" in intent ? intent.requestId : null),
    type: intent.kind === "request" ? t(`action.requestType.${intent.type}`) : "",
  };
}

/** The form an operation of the next-action table opens; null where it is another page's. */
const KIND_OF: Readonly<Partial<Record<OperationName, IntentKind>>> = {
  RESUME: "resume",
  RERUN_FROM: "rerun",
  STOP: "stop",
  RELEASE: "release",
  CLOSE: "close",
  COMPLETE_AUDIT: "completeAudit",
  RESOLVE_NODE: "resolve",
  REALIGN_NODE: "realign",
  FORCE_UNLOCK: "forceUnlock",
  JOB_UNLOCK: "jobUnlock",
  REQUEST_CANCEL: "requestCancel",
  REQUEST_SETTLE: "requestSettle",
};
export const kindOf = (operation: OperationName): IntentKind | null => KIND_OF[operation] ?? null;

/** Actions of one Run that need nothing but its id, in the order of their danger. */
export const RUN_KINDS = ["resume", "stop", "release", "close"] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** An empty form of an action of a Run. */
export const runIntent = (kind: RunKind, runId: string): Intent => ({ kind, runId, reason: "" });

/** An empty form that takes up a node whose record was edited by hand. */
export const realignIntent = (runId: string, nodeId: string): Intent => ({
  kind: "realign",
  runId,
  nodeId,
  confirmedBy: "",
  evidenceText: "",
  evidenceFiles: [],
  reason: "",
});

/** An empty form that ends the claim of a request. */
export const settleIntent = (requestId: string): Intent => ({
  kind: "requestSettle",
  requestId,
  stopConfirmedBy: "",
  evidenceText: "",
  evidenceFiles: [],
  reason: "",
});

/** Whether what it does can be taken back by its opposite (operator-ux D15). */
export const UNDOABLE: ReadonlySet<IntentKind> = new Set(["stop", "release", "request"]);

/** Whether the plan is fulfilled already: nothing would be written, no node would run. */
export const doesNothing = ({ available, writes, nodes }: OperationPlan): boolean =>
  available && writes.length === 0 && nodes.every(({ does }) => does !== "run");
