import { oc } from "@orpc/contract";
import { z } from "zod";
import {
  ACTIVITIES,
  NODE_STATUSES,
  OUTCOME_STATUSES,
  RUN_MODES,
  RUN_STATUSES,
  TRIGGER_RULES,
} from "../domain/model.ts";
import { answer, identifier, isoTime } from "./result.ts";

/** One line of the Run list: the stored status and, beside it, the activity judged now (operator-ux §1.1). */
export const runRow = z.object({
  runId: z.string(),
  networkId: z.string(),
  profile: z.string(),
  businessKey: z.string(),
  status: z.enum(RUN_STATUSES),
  lifecycle: z.enum(["ACTIVE", "ARCHIVED"]),
  resumeAllowed: z.boolean(),
  /** Null for a finished Run (orchestration §6.1), unless its owner is at work again (W-06), and before it was judged. */
  activity: z.enum(ACTIVITIES).nullable(),
  activityJudgedAt: isoTime.nullable(),
  asOf: isoTime.nullable(),
  /** Record times have minute precision (wire-format §5). */
  createdAt: isoTime,
  startedAt: isoTime.nullable(),
  finishedAt: isoTime.nullable(),
  updatedAt: isoTime,
  /** `$id`, the order of the list; a time never orders it (wire-format §5). */
  recordId: z.string(),
  /** `$revision`, the order of the changes to this Run. */
  revision: z.number().int(),
});
export type RunRow = z.infer<typeof runRow>;

/** The place of a record: `$id` orders what was written, `$revision` the changes of one (wire-format §5). */
const place = { recordId: z.string(), recordRevision: z.number().int() };

export const attemptFacts = z.object({
  ...place,
  attemptId: z.string(),
  nodeId: z.string(),
  jobId: z.string(),
  invocationId: z.string(),
  attemptNo: z.number().int(),
  status: z.enum(OUTCOME_STATUSES),
  resultCode: z.string(),
  executionStartedAt: isoTime.nullable(),
  runnerExecutionStartedAt: isoTime.nullable(),
  finishedAt: isoTime.nullable(),
  executionId: z.string().nullable(),
  durationSec: z.number().nullable(),
  readCount: z.number(),
  writtenCount: z.number(),
  lastSuccessfulChunkNo: z.number().nullable(),
  lastWrittenKey: z.string().nullable(),
  errorMessage: z.string().nullable(),
});
export type AttemptFacts = z.infer<typeof attemptFacts>;

const nodeFacts = z.object({
  nodeId: z.string(),
  jobId: z.string(),
  status: z.enum(NODE_STATUSES),
  statusReason: z.string().nullable(),
  idempotent: z.boolean(),
  triggerRule: z.enum(TRIGGER_RULES),
  blockedBy: z.array(z.string()).readonly(),
  latestAttemptNo: z.number().int(),
  activeAttemptId: z.string().nullable(),
  startedAt: isoTime.nullable(),
  finishedAt: isoTime.nullable(),
  updatedAt: isoTime,
  revision: z.number().int(),
  /** Result code of the node's latest attempt; null without one. */
  latestResultCode: z.string().nullable(),
});
export type NodeFacts = z.infer<typeof nodeFacts>;

const invocationFacts = z.object({
  ...place,
  invocationId: z.string(),
  mode: z.enum(RUN_MODES),
  requestedBy: z.string(),
  host: z.string(),
  status: z.enum(OUTCOME_STATUSES),
  resultCode: z.string(),
  reason: z.string(),
  startedAt: isoTime,
  finishedAt: isoTime.nullable(),
  selectedNodeIds: z.array(z.string()).readonly(),
  preservedNodeIds: z.array(z.string()).readonly(),
  blockedNodeIds: z.array(z.string()).readonly(),
});
export type InvocationFacts = z.infer<typeof invocationFacts>;

/** A person's decision on an attempt of unknown or failed outcome (orchestration §6). */
export const resolutionFacts = z.object({
  ...place,
  attemptId: z.string(),
  outcome: z.enum(["SUCCESS", "FAILED", "CANCELLED"]),
  resolutionType: z.string(),
  requestedBy: z.string(),
  approvedBy: z.string().nullable(),
  reason: z.string(),
  evidenceRef: z.string(),
  resolvedAt: isoTime,
});
export type ResolutionFacts = z.infer<typeof resolutionFacts>;

export const inconsistency = z.object({
  code: z.string(),
  nodeId: z.string().nullable(),
  detail: z.string(),
  attemptIds: z.array(z.string()).readonly(),
});

export const runDetail = z.object({
  run: runRow,
  definitionSha256: z.string(),
  bundleSha256: z.string(),
  flowVersion: z.string(),
  engineVersion: z.string(),
  hold: z.object({ state: z.string(), requestedBy: z.string(), requestedAt: isoTime }).nullable(),
  nodes: z.array(nodeFacts).readonly(),
  /** The first ones by `$id`; the others are asked for in pages, by whoever shows them. */
  attempts: z.array(attemptFacts).readonly(),
  attemptTotal: z.number().int(),
  /** `recordId` to ask for the next page with; null when these are all. */
  attemptsNext: z.string().nullable(),
  invocations: z.array(invocationFacts).readonly(),
  resolutions: z.array(resolutionFacts).readonly(),
  inconsistencies: z.array(inconsistency).readonly(),
  /** When the records of this answer were read. */
  readAt: isoTime,
});
export type RunDetail = z.infer<typeof runDetail>;

const runPage = z.object({
  /** Newest record first. */
  rows: z.array(runRow).readonly(),
  nextCursor: z.string().nullable(),
  total: z.number().int(),
  readAt: isoTime,
});
export type RunPage = z.infer<typeof runPage>;

const listInput = z.strictObject({
  networkId: identifier.optional(),
  statuses: z.array(z.enum(RUN_STATUSES)).max(RUN_STATUSES.length).optional(),
  /** `recordId` of the last row of the page before. */
  cursor: z.string().regex(/^\d+$/).max(20).optional(),
  limit: z.number().int().min(1).max(500),
});

/** Runs: one page of the list out of the live model, and everything the records say of one Run. */
export const runsContract = {
  list: oc.input(listInput).output(answer(runPage)),
  /** Reads the state app now, whatever is planned; answers once it was read. */
  refresh: oc.input(z.strictObject({})).output(answer(z.object({ readAt: isoTime }))),
  detail: oc.input(z.strictObject({ runId: identifier })).output(answer(runDetail)),
};
