import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { ATTENTION_KINDS, RESPONDERS, URGENCIES } from "../domain/attention.ts";
import { FACT_NAMES } from "../domain/attention-fact.ts";
import { acknowledgement } from "./notes.ts";
import { answer, isoTime, problemSchema } from "./result.ts";

const precision = z.enum(["minute", "exact"]);
const factName = z.enum(FACT_NAMES);

const attentionFact = z.discriminatedUnion("kind", [
  z.object({ name: factName, kind: z.literal("text"), value: z.string().nullable() }),
  z.object({ name: factName, kind: z.literal("count"), value: z.number().nullable() }),
  z.object({ name: factName, kind: z.literal("time"), value: isoTime.nullable(), precision }),
]);

export const attentionItem = z.object({
  /** The same for as long as the same thing is wrong. */
  id: z.string(),
  kind: z.enum(ATTENTION_KINDS),
  urgency: z.enum(URGENCIES),
  responder: z.enum(RESPONDERS),
  networkId: z.string().nullable(),
  runId: z.string().nullable(),
  businessKey: z.string().nullable(),
  nodeId: z.string().nullable(),
  attemptId: z.string().nullable(),
  attemptNo: z.number().int().nullable(),
  lockRecordId: z.string().nullable(),
  requestId: z.string().nullable(),
  since: z.object({ at: isoTime, precision }).nullable(),
  code: z.string().nullable(),
  repeated: z.number().int().nullable(),
  facts: z.array(attentionFact).readonly(),
  /** Who took it on; absent while nobody did. */
  acknowledged: acknowledgement.exactOptional(),
});
export type AttentionEntry = z.infer<typeof attentionItem>;

/**
 * What the list rests on: Runs and locks, the history behind those that need it, requests, whether the job log that their
 * evidence stands in answers, the children of this host, and the file of due times.
 */
const ATTENTION_SOURCES = ["state", "audit", "request", "jobLog", "processes", "schedules"] as const;

const attentionSource = z.object({
  source: z.enum(ATTENTION_SOURCES),
  readAt: isoTime.nullable(),
  problem: problemSchema.nullable(),
  /** Subjects of this source that are still to be read. */
  pending: z.number().int(),
  /** There is nothing to read, and that is no failure: no file of due times, no app, no children. */
  absent: z.boolean(),
});
export type AttentionSource = z.infer<typeof attentionSource>;

/** Items of one message; a list beyond it is cut, never silently: `total` counts all. */
export const ATTENTION_MAX = 300;

const attentionPicture = z.object({
  /** Most urgent first. */
  items: z.array(attentionItem).readonly(),
  total: z.number().int(),
  sources: z.array(attentionSource).readonly(),
  /** Nothing to do, and every source was read to its end. */
  calm: z.boolean(),
  judgedAt: isoTime,
});
export type AttentionPicture = z.infer<typeof attentionPicture>;

/** 要対応: what needs somebody. `watch` tells the picture as it stands and every change of it. */
export const attentionContract = {
  list: oc.input(z.strictObject({})).output(answer(attentionPicture)),
  watch: oc.input(z.strictObject({})).output(eventIterator(attentionPicture)),
};
