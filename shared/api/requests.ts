import { oc } from "@orpc/contract";
import { z } from "zod";
import { REQUEST_STATES, REQUEST_TYPES } from "../domain/request.ts";
import { answer, isoTime, problemSchema } from "./result.ts";

const requestId = z.string().regex(/^\d{1,20}$/);

/** One request of the request app (wire-format §1.3), with what this console makes of it. */
const operationRequest = z.object({
  id: z.string(),
  revision: z.number().int(),
  type: z.enum(REQUEST_TYPES),
  state: z.enum(REQUEST_STATES),
  /** Null for START, which names a network. */
  runId: z.string().nullable(),
  networkId: z.string().nullable(),
  businessKey: z.string().nullable(),
  scheduledFor: z.string().nullable(),
  rerunFromNode: z.string().nullable(),
  reason: z.string(),
  /** Login name of whoever made the record, the only identity of the requester. */
  creatorCode: z.string(),
  createdAt: isoTime,
  cancelRequested: z.boolean(),
  claim: z.object({ at: isoTime, host: z.string(), heartbeatAt: isoTime, thisHost: z.boolean() }).nullable(),
  /** The claim has been silent for longer than a poller may be: execution and result are not known. */
  silent: z.boolean(),
  resultCode: z.string().nullable(),
  resultMessage: z.string().nullable(),
  /** Other open requests about the same Run or key, exactly compared. */
  duplicates: z.array(z.string()).readonly(),
  /** Why it cannot be taken back any more; null where it can. */
  cancelProblem: z.enum(["REQUEST_CLAIMED", "REQUEST_ENDED", "CANCEL_ALREADY_REQUESTED"]).nullable(),
});
export type RequestView = z.infer<typeof operationRequest>;

/** A record that breaks the rules of its app: shown, never guessed (orchestration §7.2). */
const unreadableRequest = z.object({
  id: z.string().nullable(),
  revision: z.number().int().nullable(),
  state: z.enum(REQUEST_STATES).nullable(),
  issues: z.array(z.object({ code: z.string(), field: z.string() })).readonly(),
});

const requestRow = z.discriminatedUnion("readable", [
  z.object({ readable: z.literal(true), request: operationRequest }),
  z.object({ readable: z.literal(false), record: unreadableRequest }),
]);
export type RequestListRow = z.infer<typeof requestRow>;

/** Who carries requests out, as far as it can be seen from here (operator-ux §1.1). */
const pollerHealth = z.object({
  /** This console polls. */
  here: z.boolean(),
  /** Milliseconds between two cycles of this console; null where it does not poll. */
  intervalMs: z.number().int().nullable(),
  /** Last cycle that read the list. */
  lastSuccessAt: isoTime.nullable(),
  /** Of the last cycle; null when it read the list. */
  problem: problemSchema.nullable(),
  /** Runs that were started by request and go on here. */
  running: z.number().int(),
  waiting: z.number().int(),
  accepted: z.number().int(),
  /** The request that has waited longest for its claim. */
  oldestWaiting: z.object({ id: z.string(), createdAt: isoTime }).nullable(),
  /** The newest claim among the records that were read, whoever made it. */
  lastClaim: z.object({ host: z.string(), at: isoTime }).nullable(),
  silent: z.boolean(),
});
export type PollerView = z.infer<typeof pollerHealth>;

const REQUEST_VIEWS = ["all", "open"] as const;

const requestPage = z.object({
  /** False: no request app is configured, and there is nothing to list. */
  configured: z.boolean(),
  rows: z.array(requestRow).readonly(),
  /** Where older ones begin; null at the end. */
  next: z.string().nullable(),
  openCount: z.number().int(),
  poller: pollerHealth,
  readAt: isoTime.nullable(),
});
export type RequestPage = z.infer<typeof requestPage>;

const requestDetail = z.object({
  row: requestRow,
  /** The Run it led to or is about, where that can be told. */
  run: z.object({ runId: z.string(), businessKey: z.string().nullable() }).nullable(),
  readAt: isoTime,
});
export type RequestDetail = z.infer<typeof requestDetail>;

/** 操作要求: the queue of the request app, newest first, and who carries it out. None of it writes. */
export const requestsContract = {
  /** As the console's own readings found it; only an older page costs a request. */
  list: oc
    .input(z.strictObject({ view: z.enum(REQUEST_VIEWS), before: requestId.optional() }))
    .output(answer(requestPage)),
  /** One record, read now. Code `REQUEST_NOT_FOUND`. */
  detail: oc.input(z.strictObject({ requestId })).output(answer(requestDetail)),
  /** Reads the list now. */
  refresh: oc.input(z.strictObject({})).output(answer(z.object({ readAt: isoTime }))),
};
