import { z } from "zod";
import { REQUEST_TYPES } from "../domain/request.ts";
import { withoutControls } from "../domain/visible-text.ts";
import { identifier } from "./result.ts";

/** How somebody made sure that an owner has stopped, in the words of the form (decisions §3). */
export const STOP_LABELS = ["processEnded", "hostStopped", "powerOff", "other"] as const;

/** What is looked at on an owner's own host, which cannot be seen from here; all of it (operator-ux §2.3, step 4). */
export const STOP_CHECKS = ["ownerProcess", "children", "noRestart", "record"] as const;
export type StopCheck = (typeof STOP_CHECKS)[number];

export const REASON_MAX = 2000;
const typed = (most: number) => z.string().max(most).overwrite(withoutControls);
const reason = typed(REASON_MAX);
const words = typed(2000);
const name = typed(200);
/** Files given as proof, by the id under which they were kept. */
const files = z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(20);
const ofRun = { runId: identifier, reason } as const;

/**
 * What an operator means to do, in the words of the screens. Blank fields are allowed: the plan of a form that is half
 * filled in says what is missing. Who asks, for which profile and with whose consent is decided in main, never here.
 */
export const intent = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("resume"), ...ofRun }),
  z.strictObject({ kind: z.literal("rerun"), ...ofRun, fromNode: identifier }),
  z.strictObject({ kind: z.literal("stop"), ...ofRun }),
  z.strictObject({ kind: z.literal("release"), ...ofRun }),
  z.strictObject({ kind: z.literal("close"), ...ofRun }),
  z.strictObject({
    kind: z.literal("completeAudit"),
    ...ofRun,
    eventId: name,
    archivedAt: name,
    previousStatus: z.enum(["FAILED", "CANCELLED"]),
    runRevisionBefore: z.number().int().min(1),
  }),
  z.strictObject({
    kind: z.literal("resolve"),
    ...ofRun,
    nodeId: identifier,
    outcome: z.enum(["SUCCESS", "FAILED", "CANCELLED"]),
    manualCompletion: z.boolean(),
    compensation: z.boolean(),
    evidenceText: words,
    evidenceFiles: files,
    stopConfirmedBy: name,
    stopEvidence: words,
  }),
  z.strictObject({
    kind: z.literal("realign"),
    ...ofRun,
    nodeId: identifier,
    /** Who made sure what was edited, and that the record may stand as it is (orchestration §11.1). */
    confirmedBy: name,
    evidenceText: words,
    evidenceFiles: files,
  }),
  z.strictObject({
    kind: z.literal("forceUnlock"),
    recordId: z.string().regex(/^\d{1,20}$/),
    networkId: identifier,
    profile: identifier,
    /** The holder that was looked at. */
    ownerInvocationId: identifier,
    /** As typed or taken over from the holder; null where the owner names no process. */
    pid: z.number().int().min(1).nullable(),
    stopLabel: z.enum(STOP_LABELS),
    /** How, where the label is `other`. */
    stopOther: words,
    /** What was looked at on the owner's host; asked for only where that is another one. */
    checked: z.array(z.enum(STOP_CHECKS)).max(STOP_CHECKS.length),
    stopConfirmedBy: name,
    evidenceText: words,
    evidenceFiles: files,
    reason,
    /** Release although the audit was refused a moment ago (fenced-writes R7). */
    withoutAudit: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("jobUnlock"),
    /** `<profile>:<job>` (execution-contract §7.1). */
    jobKey: identifier,
    /** The node it belongs to; null outside of a Run. */
    runId: identifier.nullable(),
    nodeId: identifier.nullable(),
    stopConfirmedBy: name,
    evidenceText: words,
    evidenceFiles: files,
    reason,
  }),
  z.strictObject({
    kind: z.literal("request"),
    type: z.enum(REQUEST_TYPES),
    /** Empty for START. */
    runId: typed(200),
    /** START names a network, and its Run by a key or by a time. */
    networkId: typed(200),
    businessKey: typed(1000),
    scheduledFor: typed(100),
    rerunFromNode: typed(200),
    reason,
  }),
  z.strictObject({ kind: z.literal("requestCancel"), requestId: z.string().regex(/^\d{1,20}$/) }),
  z.strictObject({
    kind: z.literal("requestSettle"),
    requestId: z.string().regex(/^\d{1,20}$/),
    stopConfirmedBy: name,
    evidenceText: words,
    evidenceFiles: files,
    reason,
  }),
]);
export type Intent = z.infer<typeof intent>;
export type IntentKind = Intent["kind"];
export const INTENT_KINDS = [
  "resume",
  "rerun",
  "stop",
  "release",
  "close",
  "completeAudit",
  "resolve",
  "realign",
  "forceUnlock",
  "jobUnlock",
  "request",
  "requestCancel",
  "requestSettle",
] as const satisfies readonly IntentKind[];

/** Fields of free words: they change what is written down, never what is decided. A plan stays one while they are typed. */
export const FREE_WORDS: ReadonlySet<string> = new Set([
  "reason",
  "evidenceText",
  "evidenceFiles",
  "stopConfirmedBy",
  "confirmedBy",
  "stopEvidence",
  "stopOther",
]);
