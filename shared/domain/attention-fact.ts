/** What the evidence of an item may speak of; each has its label on screen. */
export const FACT_NAMES = [
  "runStatus",
  "activity",
  "startedAt",
  "updatedAt",
  "createdAt",
  "resultCode",
  "statusReason",
  "attemptId",
  "invocationId",
  "startMarker",
  "sqlStarted",
  "chunk",
  "lastKey",
  "written",
  "otherNodes",
  "runningNodes",
  "blockedNodes",
  "ownerInvocation",
  "ownerInstance",
  "heartbeat",
  "leaseEnd",
  "marginEnd",
  "revision",
  "noLock",
  "finding",
  "holdState",
  "requestedBy",
  "requestedAt",
  "reason",
  "expectedKey",
  "dueAt",
  "lateSince",
  "requestId",
  "requestType",
  "claimedHost",
  "claimedAt",
  "waitingRequests",
  "oldestRequest",
  "pollerHere",
  "lastPoll",
  "notRead",
] as const;
export type FactName = (typeof FACT_NAMES)[number];

/** One piece of evidence. A null value says that the record has none, which is evidence too. */
export type AttentionFact =
  | { readonly name: FactName; readonly kind: "text"; readonly value: string | null }
  | { readonly name: FactName; readonly kind: "count"; readonly value: number | null }
  | {
      readonly name: FactName;
      readonly kind: "time";
      readonly value: string | null;
      readonly precision: "minute" | "exact";
    };

export const textFact = (name: FactName, value: string | null): AttentionFact => ({
  name,
  kind: "text",
  value,
});
export const countFact = (name: FactName, value: number | null): AttentionFact => ({
  name,
  kind: "count",
  value,
});
/** A record's own time. */
export const minuteFact = (name: FactName, value: string | null): AttentionFact => ({
  name,
  kind: "time",
  value,
  precision: "minute",
});
/** A time with seconds: out of JSON, or computed. */
export const exactFact = (name: FactName, value: string | null): AttentionFact => ({
  name,
  kind: "time",
  value,
  precision: "exact",
});
