import type { Intent } from "../../../shared/api/index.ts";
import type { OperationRequest } from "../../../shared/domain/request.ts";
import type { IntendedOperation } from "../../orchestrator/index.ts";
import type { Actors, EvidenceFile } from "./ports.ts";
import { CHECK_WORDS, STOP_WORDS, type StopGround } from "./stop-ground.ts";

type Of<Kind extends Intent["kind"]> = Extract<Intent, { kind: Kind }>;
type Intended<Kind extends IntendedOperation["kind"]> = Extract<IntendedOperation, { kind: Kind }>;

/** What stands in a plan for a field that is still blank, so that the rest of the plan can be made. */
const OPEN = "…";
export const said = (text: string): string => (text.trim() === "" ? OPEN : text.trim());

/** Text and files in one line, as a record keeps a reference to proof: names and hashes, never paths (decisions §3). */
export function evidenceLine(text: string, files: readonly EvidenceFile[]): string {
  const named = files.map(({ name, sha256 }) => `${name} sha256:${sha256}`);
  return [text.trim(), ...named].filter((part) => part !== "").join("; ");
}

/** Resume, or run again from a node. */
export const runNetworkOf = (
  intent: Of<"resume" | "rerun">,
  actors: Actors,
  definitionPath: string,
): Intended<"run-network"> => ({
  kind: "run-network",
  input: {
    definitionPath,
    resumeRunId: intent.runId,
    ...(intent.kind === "rerun" && { rerunFrom: intent.fromNode }),
    requestedBy: actors.requestedBy,
  },
});

export const cancelRunOf = (intent: Of<"stop" | "release">, actors: Actors): Intended<"cancel-run"> => ({
  kind: "cancel-run",
  runId: intent.runId,
  release: intent.kind === "release",
  reason: said(intent.reason),
  requestedBy: actors.requestedBy,
});

export const archiveRunOf = (
  intent: Of<"close">,
  actors: Actors,
  run: { readonly profile: string; readonly networkId: string },
): Intended<"archive-run"> => ({
  kind: "archive-run",
  runId: intent.runId,
  profile: run.profile,
  networkId: run.networkId,
  reason: said(intent.reason),
  requestedBy: actors.requestedBy,
});

export const completeAuditOf = (intent: Of<"completeAudit">): Intended<"complete-audit"> => ({
  kind: "complete-audit",
  reported: {
    runId: intent.runId,
    eventId: said(intent.eventId),
    previousStatus: intent.previousStatus,
    runRevisionBefore: intent.runRevisionBefore,
  },
  reason: said(intent.reason),
});

export const resolveOf = (
  intent: Of<"resolve">,
  actors: Actors,
  evidence: readonly EvidenceFile[],
  approvedBy: string | null,
): Intended<"resolve-node"> => ({
  kind: "resolve-node",
  runId: intent.runId,
  wish: {
    nodeId: intent.nodeId,
    outcome: intent.outcome,
    manualCompletion: intent.manualCompletion,
    compensation: intent.compensation,
    reason: said(intent.reason),
    evidenceRef: said(evidenceLine(intent.evidenceText, evidence)),
    stopConfirmedBy: said(intent.stopConfirmedBy),
    stopEvidenceRef: said(intent.stopEvidence),
    approvedBy,
    requestedBy: actors.requestedBy,
    servicePrincipal: actors.servicePrincipal,
  },
});

export const realignOf = (
  intent: Of<"realign">,
  actors: Actors,
  evidence: readonly EvidenceFile[],
): Intended<"realign-node"> => ({
  kind: "realign-node",
  runId: intent.runId,
  wish: {
    nodeId: intent.nodeId,
    reason: said(intent.reason),
    evidenceRef: said(evidenceLine(intent.evidenceText, evidence)),
    confirmedBy: said(intent.confirmedBy),
    requestedBy: actors.requestedBy,
    servicePrincipal: actors.servicePrincipal,
  },
});

/** The form of a forced release in the words of the wire (decisions §3). */
export function forceUnlockOf(
  intent: Of<"forceUnlock">,
  actors: Actors,
  evidence: readonly EvidenceFile[],
  ground: StopGround,
): Intended<"force-unlock"> {
  const how = intent.stopLabel === "other" ? `(${said(intent.stopOther)})` : "";
  const proof = evidenceLine(intent.evidenceText, evidence);
  const process = [
    ...(intent.pid === null ? [] : [`PID ${intent.pid}`]),
    ...(ground.processStart === null ? [] : [`process start ${ground.processStart}`]),
    ...(intent.checked.length === 0 ? [] : [intent.checked.map((check) => CHECK_WORDS[check]).join("・")]),
  ];
  return {
    kind: "force-unlock",
    withoutAudit: intent.withoutAudit,
    wish: {
      networkId: intent.networkId,
      profile: intent.profile,
      expectedOwnerInvocationId: intent.ownerInvocationId,
      reason: `${STOP_WORDS[intent.stopLabel]}${how}: ${said(intent.reason)}`,
      evidenceRef: said(proof),
      stopConfirmedBy: said(intent.stopConfirmedBy),
      stopEvidenceRef: said([...process, proof].filter((part) => part !== "").join("; ")),
      stopMethod: ground.method,
      servicePrincipal: actors.servicePrincipal,
      requestedBy: actors.requestedBy,
      expectedPid: intent.pid,
    },
  };
}

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());

/** A request as it would be written; what the screens leave blank is null, and what a kind does not know is left out. */
export function requestOf(intent: Of<"request">, actors: Actors, at: string): Intended<"request"> {
  const start = intent.type === "START";
  const draft: OperationRequest = {
    id: "0",
    revision: 1,
    creatorCode: actors.requestedBy,
    createdAt: at,
    type: intent.type,
    runId: start ? "" : intent.runId,
    networkId: start ? orNull(intent.networkId) : null,
    businessKey: start ? orNull(intent.businessKey) : null,
    scheduledFor: start ? orNull(intent.scheduledFor) : null,
    rerunFromNode: intent.type === "RERUN" ? orNull(intent.rerunFromNode) : null,
    reason: said(intent.reason),
    state: "REQUESTED",
    cancelRequested: false,
    claim: null,
    resultCode: null,
    resultMessage: null,
  };
  return { kind: "request", draft };
}
