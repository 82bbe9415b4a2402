import type { NodeStatus } from "../model.ts";
import type { Problem } from "../problem.ts";
import { DANGER, type DangerLevel, type OperationName } from "./danger.ts";
import { fingerprintOf, type SeenRecords } from "./seen.ts";

export * from "./danger.ts";

/** What has to be said or shown before it is done; the names are those of the operation's input. */
export const EVIDENCE_FIELDS = [
  "reason",
  "evidenceRef",
  "stopConfirmedBy",
  "stopEvidenceRef",
  "stopMethod",
  "expectedPid",
  "manualCompletion",
  "approvedBy",
  "confirmedBy",
  "eventId",
  "archivedAt",
  "previousStatus",
  "runRevisionBefore",
] as const;
export type EvidenceField = (typeof EVIDENCE_FIELDS)[number];

export interface Evidence {
  readonly field: EvidenceField;
  readonly required: boolean;
}
export const needed = (...fields: readonly EvidenceField[]): readonly Evidence[] =>
  fields.map((field) => ({ field, required: true }));

/** What the operation brings about beyond its records, to be said before it is confirmed; one text each. */
export const CONSEQUENCES = [
  "startsNothing",
  "runningNodesFinish",
  "blocksEveryResume",
  "earlierHoldCleared",
  "scheduleMayResume",
  "cannotBeUndone",
  "neverResumedAgain",
  "keyStaysTaken",
  "choiceIsFinal",
  "retriedByResume",
  "peerResumesOnceMore",
  "onlyCloseRemains",
  "runStatusAfter",
  "handEditStays",
  "recordsStayAsTheyAre",
  "restsOnYourWord",
  "auditLeftOut",
  "storedDefinitionRuns",
  "profileDiffers",
  "orphansJudged",
  "attemptsToJudge",
  "repairsFirst",
  "creationCompleted",
  "nothingWouldRun",
  "noRetryBrake",
  "runsOnceOnlyNodes",
  "doneByThePoller",
  "onlyBeforeClaim",
  "othersMayWaitForIt",
] as const;
export type ConsequenceName = (typeof CONSEQUENCES)[number];
export interface Consequence {
  readonly name: ConsequenceName;
  /** What the text names: ids, counts, states. */
  readonly params: Readonly<Record<string, string | number>>;
}
export const says = (name: ConsequenceName, params: Consequence["params"] = {}): Consequence => ({
  name,
  params,
});

export const RECORD_KINDS = [
  "run",
  "invocation",
  "nodeState",
  "attempt",
  "resolution",
  "hold",
  "lock",
  "audit",
  "request",
  "jobLock",
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];
export type Plain = string | number | boolean | null;

/** One record that will be written, and how. */
export interface PlannedWrite {
  readonly record: RecordKind;
  readonly action: "insert" | "update" | "release";
  /** Run, node, Attempt or event it is about; null where its id is made only when it is written. */
  readonly id: string | null;
  readonly changes: readonly { readonly field: string; readonly from: Plain; readonly to: Plain }[];
}

/** A record made anew, with the fields worth showing. */
export const inserted = (
  record: RecordKind,
  id: string | null,
  fields: Readonly<Record<string, Plain>>,
): PlannedWrite => ({
  record,
  action: "insert",
  id,
  changes: Object.entries(fields).map(([field, to]) => ({ field, from: null, to })),
});

/** A record changed; fields that stay as they are are left out. */
export function updated(
  record: RecordKind,
  id: string,
  before: Readonly<Record<string, Plain>>,
  after: Readonly<Record<string, Plain>>,
): PlannedWrite {
  const changes = Object.entries(after).flatMap(([field, to]) => {
    const from = before[field] ?? null;
    return from === to ? [] : [{ field, from, to }];
  });
  return { record, action: "update", id, changes };
}

export const NODE_FATES = ["run", "keep", "blocked", "refused", "left"] as const;
/** `left`: outside of what was selected, untouched. */
export type NodeFate = (typeof NODE_FATES)[number];
export const FATE_REASONS = [
  "new",
  "waiting",
  "retry",
  "selected",
  "succeeded",
  "upstream",
  "unknownOutcome",
  "ranOnce",
  "retryBrake",
  "notSelected",
] as const;
export type FateReason = (typeof FATE_REASONS)[number];

/** What becomes of one node. */
export interface PlannedNode {
  readonly nodeId: string;
  readonly does: NodeFate;
  readonly why: FateReason;
  /** As stored now; WAITING for a node that has no state yet. */
  readonly status: NodeStatus;
  readonly idempotent: boolean;
  /** Attempts so far. */
  readonly attempts: number;
  /** The refused nodes that keep it from running. */
  readonly by: readonly string[];
  /** Equal failures in a row, told before the brake trips (orchestration §4.6). */
  readonly streak: { readonly code: string; readonly count: number } | null;
}

/** Whether a file a node reads still is what it read before; `null` when nothing was compared. */
export interface ComparedInput {
  readonly nodeId: string;
  readonly name: string;
  readonly state: "same" | "changed" | "missing" | "rejected";
  readonly detail: string | null;
}

export interface PlanSubject {
  readonly profile: string | null;
  readonly networkId: string | null;
  readonly businessKey: string | null;
  readonly runId: string | null;
  readonly nodeId: string | null;
  readonly requestId: string | null;
  readonly jobKey: string | null;
}
export const NO_SUBJECT: PlanSubject = {
  profile: null,
  networkId: null,
  businessKey: null,
  runId: null,
  nodeId: null,
  requestId: null,
  jobKey: null,
};

/**
 * What an operation would do, from the records as they were read, decided by the functions that execute it
 * (architecture §4, "A click"). Execution on other records is refused (`PLAN_STALE`).
 */
export interface OperationPlan {
  readonly kind: "OPERATION_PLAN";
  readonly formatVersion: 1;
  readonly operation: OperationName;
  readonly subject: PlanSubject;
  readonly danger: DangerLevel;
  /** The same as an empty list of refusals. */
  readonly available: boolean;
  /** Every reason against it, the one execution would tell first. */
  readonly refusals: readonly Problem[];
  readonly evidence: readonly Evidence[];
  readonly consequences: readonly Consequence[];
  readonly writes: readonly PlannedWrite[];
  readonly nodes: readonly PlannedNode[];
  readonly inputs: readonly ComparedInput[] | null;
  readonly counts: Readonly<Record<NodeFate | "writes", number>>;
  readonly seen: SeenRecords;
  /** Of {@link seen}. */
  readonly fingerprint: string;
  /** When the records were read, ISO-8601 UTC. */
  readonly readAt: string;
}

export interface PlanParts {
  readonly operation: OperationName;
  readonly subject: Partial<PlanSubject>;
  readonly seen: SeenRecords;
  readonly readAt: string;
  readonly danger?: DangerLevel;
  readonly refusals?: readonly Problem[];
  readonly evidence?: readonly Evidence[];
  readonly consequences?: readonly Consequence[];
  readonly writes?: readonly PlannedWrite[];
  readonly nodes?: readonly PlannedNode[];
  readonly inputs?: readonly ComparedInput[] | null;
}

/** A plan out of its parts: counted, fingerprinted, and without writes when it is refused. */
export function operationPlan(parts: PlanParts): OperationPlan {
  const { operation, seen, readAt, refusals = [], nodes = [] } = parts;
  const available = refusals.length === 0;
  const writes = available ? (parts.writes ?? []) : [];
  const count = (fate: NodeFate): number => nodes.filter(({ does }) => does === fate).length;
  return {
    kind: "OPERATION_PLAN",
    formatVersion: 1,
    operation,
    subject: { ...NO_SUBJECT, ...parts.subject },
    danger: parts.danger ?? DANGER[operation],
    available,
    refusals,
    evidence: parts.evidence ?? needed("reason"),
    consequences: available ? (parts.consequences ?? []) : [],
    writes,
    nodes,
    inputs: parts.inputs ?? null,
    counts: {
      run: count("run"),
      keep: count("keep"),
      blocked: count("blocked"),
      refused: count("refused"),
      left: count("left"),
      writes: writes.length,
    },
    seen,
    fingerprint: fingerprintOf(seen),
    readAt,
  };
}
