import { oc } from "@orpc/contract";
import { z } from "zod";
import { ACTIVITIES, NODE_STATUSES, OUTCOME_STATUSES, RUN_STATUSES } from "../domain/model.ts";
import { RECOVERY_STEPS, STEP_STATES } from "../domain/recovery-steps.ts";
import { EVIDENCE_KINDS, READINGS, SHOWN } from "../domain/unknown-evidence.ts";
import { RESOLVED_OUTCOMES, STANCES } from "../domain/unknown-outcome.ts";
import { lockDetail } from "./locks.ts";
import { answer, identifier, isoTime, problemSchema } from "./result.ts";
import { attemptFacts, resolutionFacts } from "./runs.ts";

/** `unknown`: nobody knows its end. `orphan`: its owner is gone and a resume would judge it (orchestration §5.3). */
const DOUBT_KINDS = ["unknown", "orphan"] as const;

/** Beside these: the failure of a node that must not run twice, one at work now, and one there is nothing to decide about. */
const DOUBTFUL = [...DOUBT_KINDS, "ranOnce", "running", "settled"] as const;

export const doubt = z.object({
  kind: z.enum(DOUBT_KINDS),
  runId: z.string(),
  networkId: z.string(),
  businessKey: z.string(),
  runStatus: z.enum(RUN_STATUSES),
  nodeId: z.string(),
  attemptId: z.string().nullable(),
  attemptNo: z.number().int(),
  idempotent: z.boolean(),
  /** Why the node stands so; the result code of its last attempt where the node says nothing. */
  code: z.string().nullable(),
  /** The start marker of the runner's SQL, to the minute; null: none was recorded. */
  sqlStartedAt: isoTime.nullable(),
  /** Since when, to the minute. */
  since: isoTime.nullable(),
});
export type Doubt = z.infer<typeof doubt>;

/** Entries a page begins with, and goes on by. */
export const DOUBTS_SHOWN = 200;
/** Entries of one answer at most; a list beyond it is cut, never silently. */
export const DOUBTS_MAX = 2_000;

const doubtList = z.object({
  /** UNKNOWN first, the longest waiting first. */
  doubts: z.array(doubt).readonly(),
  total: z.number().int(),
  /** Runs none of whose entries is told. */
  runsLeft: z.number().int(),
  readAt: isoTime,
});
export type DoubtList = z.infer<typeof doubtList>;

/** Values of a row that are worth more than a word; each name has its label. */
const EVIDENCE_VALUES = [
  "status",
  "code",
  "sqlStart",
  "finished",
  "pid",
  "processStart",
  "image",
  "exit",
  "chunk",
  "lastKey",
  "written",
  "read",
  "sha256",
  "count",
  "file",
  "reason",
  "jobLock",
] as const;

const evidenceValue = z.object({
  name: z.enum(EVIDENCE_VALUES),
  value: z.string(),
  /** A text as it is, a record's time to the minute, or a moment known to the second. */
  kind: z.enum(["text", "minute", "exact", "id"]),
});

/** Where a piece of evidence was looked for. */
const EVIDENCE_PLACES = ["workFolder", "jobLog", "processes", "journal", "audit"] as const;

const evidenceRow = z.object({
  evidence: z.enum(EVIDENCE_KINDS),
  reading: z.enum(READINGS),
  shows: z.enum(SHOWN),
  values: z.array(evidenceValue).readonly(),
  place: z.enum(EVIDENCE_PLACES),
  /** The host it is of, where it is of one. */
  host: z.string().nullable(),
  readAt: isoTime,
});
export type EvidenceRow = z.infer<typeof evidenceRow>;

const permittedOutcome = z.object({
  outcome: z.enum(RESOLVED_OUTCOMES),
  problem: problemSchema.nullable(),
  needsCompletion: z.boolean(),
  needsApprover: z.boolean(),
  mayCompensate: z.boolean(),
  stance: z.enum(STANCES),
  runStatusAfter: z.enum(RUN_STATUSES),
  retriedByResume: z.boolean(),
  peerResumesOnceMore: z.boolean(),
  onlyCloseRemains: z.boolean(),
});
export type OutcomeChoice = z.infer<typeof permittedOutcome>;

/** What a resume would make of an attempt that was left RUNNING (orchestration §5.3). */
const orphanForecast = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("settled"), status: z.enum(OUTCOME_STATUSES), code: z.string() }),
  z.object({ kind: z.literal("childRunning") }),
  z.object({ kind: z.literal("unreadable") }),
]);
export type OrphanForecast = z.infer<typeof orphanForecast>;

/** What a person decided, with who vouches for the stop and by what. */
const nodeDecision = resolutionFacts.extend({
  nodeId: z.string(),
  stopConfirmedBy: z.string(),
  stopEvidenceRef: z.string(),
});
export type NodeDecision = z.infer<typeof nodeDecision>;

const unknownDetail = z.object({
  runId: z.string(),
  networkId: z.string(),
  profile: z.string(),
  businessKey: z.string(),
  runStatus: z.enum(RUN_STATUSES),
  lifecycle: z.enum(["ACTIVE", "ARCHIVED"]),
  nodeId: z.string(),
  jobId: z.string(),
  nodeStatus: z.enum(NODE_STATUSES),
  idempotent: z.boolean(),
  kind: z.enum(DOUBTFUL),
  attempt: attemptFacts.nullable(),
  /** Empty where the node has no attempt. */
  evidence: z.array(evidenceRow).readonly(),
  /** Of an orphan; null otherwise. */
  forecast: orphanForecast.nullable(),
  outcomes: z.array(permittedOutcome).readonly(),
  /** Of this attempt: what people decided already. */
  resolutions: z.array(nodeDecision).readonly(),
  /** Who started the attempt, and where. */
  invocation: z.object({ invocationId: z.string(), host: z.string(), requestedBy: z.string() }).nullable(),
  thisHost: z.string(),
  readAt: isoTime,
});
export type UnknownDetail = z.infer<typeof unknownDetail>;

/** Longest condition an operator may type. */
export const CONDITION_MAX = 2000;
/** Records shown of one app at most. */
export const RECORDS_SHOWN = 50;

const shownRecord = z.object({
  recordId: z.string(),
  updatedAt: isoTime.nullable(),
  updatedBy: z.string().nullable(),
  createdAt: isoTime.nullable(),
  /** In the order of {@link businessTarget}'s fields; long ones are cut. */
  values: z.array(z.string()).readonly(),
});

const businessTarget = z.object({
  /** As the runner's configuration calls the app. */
  app: z.string(),
  appId: z.number().int(),
  operations: z.array(z.string()).readonly(),
  key: z.string().nullable(),
  /** Field codes of the values shown: the key first, then what the job writes. */
  fields: z.array(z.string()).readonly(),
  /** The conditions as they were sent, word by word. */
  asked: z.array(z.string()).readonly(),
  askedAt: isoTime,
  /** Milliseconds all answers took. */
  tookMs: z.number().int(),
  /** Records of the app; null when it could not be asked. */
  total: z.number().int().nullable(),
  /** Records that answer the condition; null when it could not be asked. */
  matching: z.number().int().nullable(),
  /** Newest change first, at most {@link RECORDS_SHOWN}. */
  records: z.array(shownRecord).readonly(),
  problem: problemSchema.nullable(),
});
export type BusinessTarget = z.infer<typeof businessTarget>;

const businessReading = z.object({
  /** The start of the SQL, to the minute: changes from that minute on are asked for. Null: it is not recorded. */
  since: isoTime.nullable(),
  /** What was typed; null when changes since the start were asked for. */
  condition: z.string().nullable(),
  /** Empty: the job writes to no app. */
  targets: z.array(businessTarget).readonly(),
  readAt: isoTime,
});
export type BusinessReading = z.infer<typeof businessReading>;

/** What was compared, as a file of evidence: the page makes it of what it shows, and it is kept like any other. */
export const comparisonFile = z.object({
  kind: z.literal("FLOWNET_UNKNOWN_COMPARISON"),
  formatVersion: z.literal(1),
  madeAt: isoTime,
  node: unknownDetail,
  businessData: businessReading.nullable(),
});
export type ComparisonFile = z.infer<typeof comparisonFile>;

const recoveryNode = z.object({
  nodeId: z.string(),
  attemptId: z.string().nullable(),
  attemptNo: z.number().int(),
  idempotent: z.boolean(),
  status: z.enum(NODE_STATUSES),
  /** Of an orphan; null otherwise. */
  forecast: orphanForecast.nullable(),
});

const recoveryPicture = z.object({
  runId: z.string(),
  networkId: z.string(),
  profile: z.string(),
  businessKey: z.string(),
  runStatus: z.enum(RUN_STATUSES),
  lifecycle: z.enum(["ACTIVE", "ARCHIVED"]),
  activity: z.enum(ACTIVITIES).nullable(),
  /** The lock over its network with everything known of its holder; null: free. */
  lock: lockDetail.nullable(),
  /** An Invocation of this Run holds it. */
  lockIsOurs: z.boolean(),
  orphans: z.array(recoveryNode).readonly(),
  unknown: z.array(recoveryNode).readonly(),
  /** Every node, for what is left to do. */
  nodes: z.array(recoveryNode).readonly(),
  /** Locks of killed jobs that still stand. */
  jobLocks: z
    .array(z.object({ jobKey: z.string(), nodeId: z.string(), attemptNo: z.number().int() }))
    .readonly(),
  /** Why more of them may stand than are known; null: these are all. */
  jobLocksProblem: problemSchema.nullable(),
  resolutions: z.array(nodeDecision).readonly(),
  steps: z.array(z.object({ step: z.enum(RECOVERY_STEPS), state: z.enum(STEP_STATES) })).readonly(),
  readAt: isoTime,
});
export type RecoveryPicture = z.infer<typeof recoveryPicture>;

const node = { runId: identifier, nodeId: identifier } as const;

/** 結果不明: what nobody knows the end of, its evidence, and the way out. Everything here only reads (operator-ux D13). */
export const unknownContract = {
  list: oc
    .input(z.strictObject({ most: z.number().int().min(1).max(DOUBTS_MAX).optional() }))
    .output(answer(doubtList)),
  /** Which node an attempt belongs to, among those whose end is in doubt: for an address that names the attempt alone. */
  locate: oc
    .input(z.strictObject({ attemptId: identifier }))
    .output(answer(z.object({ runId: z.string(), nodeId: z.string() }))),
  /** Reads the records, the JOB log, this host's journal and its processes now. */
  detail: oc.input(z.strictObject(node)).output(answer(unknownDetail)),
  /** Asks the apps the node's own SQL writes to, with the runner's own tokens. */
  query: oc
    .input(
      z.strictObject({
        ...node,
        /** Only this app; all that are written to without it. */
        appId: z.number().int().min(1).optional(),
        /** A condition in kintone's own words; changes since the start of the SQL without it. */
        condition: z.string().max(CONDITION_MAX).optional(),
      }),
    )
    .output(answer(businessReading)),
  recovery: oc.input(z.strictObject({ runId: identifier })).output(answer(recoveryPicture)),
};
