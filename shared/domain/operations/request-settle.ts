import type { NetworkLock } from "../model.ts";
import type { Problem } from "../problem.ts";
import { isStaleClaim, type OperationRequest, type ParsedRequest } from "../request.ts";
import type { ReviewedRun } from "../request-review.ts";
import { lockConflict } from "./network-lock.ts";
import { needed, type OperationPlan, operationPlan, says, updated } from "./operation.ts";
import type { SeenRecords } from "./seen.ts";

/** Who ends a claim that nobody will end any more, and on what. */
export interface SettleWish {
  readonly reason: string;
  readonly evidenceRef: string;
  /** Who made sure that whoever took the request has stopped. */
  readonly stopConfirmedBy: string;
  readonly requestedBy: string;
}

/** What the Run of a request is known to be. */
export type SettleRun =
  | { readonly kind: "found"; readonly run: ReviewedRun }
  /** Provably none: nothing was executed. */
  | { readonly kind: "none" }
  /** Which Run is meant cannot be told: the record is malformed, or its key cannot be derived on this host. */
  | { readonly kind: "unknown" };

export interface RequestSettleFacts {
  readonly requestId: string;
  /** Null: there is no such record. */
  readonly parsed: ParsedRequest | null;
  readonly run: SettleRun;
  /** Held lock of the network it names. */
  readonly lock: NetworkLock | null;
  readonly wish: SettleWish;
  /** Silence after which a claim may be stale, milliseconds. */
  readonly staleAfterMs: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly readAt: string;
}

/** Id, revision and state of a request, also of a malformed one; null when not even these can be read. */
export function standingOf(
  parsed: ParsedRequest | null,
): Pick<OperationRequest, "id" | "revision" | "state"> | null {
  if (parsed === null) return null;
  return parsed.valid ? parsed.request : parsed.identity;
}

/** The record a claim is ended on. */
export function settleSeen({
  requestId,
  parsed,
}: Pick<RequestSettleFacts, "requestId" | "parsed">): SeenRecords {
  const standing = standingOf(parsed);
  if (standing === null) return { [`request ${requestId}`]: null };
  return { [`request ${requestId}`]: { recordId: standing.id, revision: standing.revision } };
}

/**
 * Why a person may not end this claim, or null (orchestration §7.4, W-10). Only what was taken up and has fallen silent is
 * ended so; whatever may still be at work is left alone. Codes `SETTLE_INPUT_REQUIRED`, `REQUEST_NOT_FOUND`,
 * `REQUEST_UNREADABLE`, `REQUEST_NOT_CLAIMED`, `REQUEST_ENDED`, `REQUEST_CLAIM_ALIVE`, `RUN_LIVE`, `LOCK_CONFLICT`.
 */
export function requestSettleProblem(facts: RequestSettleFacts): Problem | null {
  const { requestId, parsed, run, lock, wish, now, staleAfterMs } = facts;
  const refuse = (code: string, message: string, remedy: string): Problem => ({
    code,
    message,
    place: `request ${requestId}`,
    remedy,
  });
  const blank = (["reason", "evidenceRef", "stopConfirmedBy"] as const).filter(
    (name) => wish[name].trim() === "",
  );
  if (blank.length > 0) {
    return refuse(
      "SETTLE_INPUT_REQUIRED",
      `Left blank: ${blank.join(", ")}.`,
      "Say why, by whom and on what.",
    );
  }
  if (parsed === null) return refuse("REQUEST_NOT_FOUND", "There is no request of this id.", "Check the id.");
  const standing = standingOf(parsed);
  if (standing === null) {
    return refuse(
      "REQUEST_UNREADABLE",
      "Not even the record's id, revision or state can be read; nothing is written over it.",
      "Look at the record in the request app.",
    );
  }
  if (standing.state === "REQUESTED") {
    return refuse(
      "REQUEST_NOT_CLAIMED",
      "Nobody has taken the request up yet.",
      "Let the poller take it, or take it back.",
    );
  }
  if (standing.state !== "ACCEPTED") {
    return refuse("REQUEST_ENDED", `The request has ended as ${standing.state}.`, "Nothing is to be done.");
  }
  if (parsed.valid && !isStaleClaim(parsed.request.claim?.heartbeatAt ?? "", now, staleAfterMs)) {
    return refuse(
      "REQUEST_CLAIM_ALIVE",
      "Whoever took the request showed signs of life until a short while ago.",
      "Wait for its result.",
    );
  }
  if (run.kind === "found" && (run.run.live || run.run.activity === "LIVE")) {
    return refuse(
      "RUN_LIVE",
      "The Run is being executed.",
      "Wait for its end; the request is ended with it.",
    );
  }
  return lockConflict(lock, now);
}

/** What is written into the record: the peer's own word for a silent claim, and who answers for it. */
export function settledEnding({ parsed, run, wish }: Pick<RequestSettleFacts, "parsed" | "run" | "wish">) {
  const { stopConfirmedBy, evidenceRef, requestedBy, reason } = wish;
  const said =
    parsed?.valid === true ? TOLD[run.kind] : "The request is malformed; what it asked for is unknown.";
  const by = `settled_by=${requestedBy}; stop_confirmed_by=${stopConfirmedBy}; evidence_ref=${evidenceRef}`;
  return {
    state: "REJECTED",
    resultCode: "STALE",
    resultMessage: `${said} ${by}; reason=${reason}`,
  } as const;
}

const TOLD: Readonly<Record<SettleRun["kind"], string>> = {
  none: "There is no Run of this request: nothing was executed.",
  found: "Whoever took this request fell silent; what became of it stands in the Run.",
  unknown: "Which Run was meant cannot be told here; whether it was carried out is unknown.",
};

/** Ends a claim that nobody ends any more; no Run is touched and nothing is started (W-10). */
export function planRequestSettleOperation(facts: RequestSettleFacts): OperationPlan {
  const { requestId, parsed } = facts;
  const request = parsed?.valid === true ? parsed.request : null;
  const refusal = requestSettleProblem(facts);
  const { state, resultCode, resultMessage } = settledEnding(facts);
  const before = { state: standingOf(parsed)?.state ?? null, resultCode: null, resultMessage: null };
  return operationPlan({
    operation: "REQUEST_SETTLE",
    subject: {
      networkId: request?.networkId ?? null,
      businessKey: request?.businessKey ?? null,
      runId: request === null || request.runId === "" ? null : request.runId,
      requestId,
    },
    seen: settleSeen(facts),
    readAt: facts.readAt,
    refusals: refusal === null ? [] : [refusal],
    evidence: needed("reason", "evidenceRef", "stopConfirmedBy"),
    writes: [updated("request", requestId, before, { state, resultCode, resultMessage })],
    consequences: [says("startsNothing"), says("restsOnYourWord"), says("recordsStayAsTheyAre")],
  });
}
