import { oc } from "@orpc/contract";
import { z } from "zod";
import { RUN_STATUSES } from "../domain/model.ts";
import { INTENT_KINDS } from "./acting-intent.ts";
import { probe } from "./locks.ts";
import { answer, isoTime, problemSchema } from "./result.ts";

/**
 * The life of an operation (operator-ux D8): accepted; applied once its Run exists in the store; done when the
 * scheduler, or the write, ended; refused with a code; uncertain when its end could not be learnt.
 */
export const OPERATION_STATES = ["accepted", "applied", "done", "refused", "uncertain"] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

export const OPERATION_KINDS = ["start", ...INTENT_KINDS, "processStop"] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** Whose consent stood behind an operation, as far as it may be told. */
export const givenConsent = z.object({
  kind: z.enum(["none", "person", "breakGlass"]),
  /** The approver; null for the others. */
  account: z.string().nullable(),
  /** The requester, where the same account had set the passphrase of the approver: that is one person's word. */
  passphraseBy: z.string().optional(),
});
export type GivenConsent = z.infer<typeof givenConsent>;

/** Whether an approver has to look at it afterwards: no second person stood behind it (operator-ux §2.4). Pure. */
export const needsReview = ({ kind, passphraseBy }: GivenConsent): boolean =>
  kind === "breakGlass" || passphraseBy !== undefined;

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const operation = z.object({
  operationId: z.string(),
  kind: z.enum(OPERATION_KINDS),
  networkId: z.string().nullable(),
  businessKey: z.string().nullable(),
  runId: z.string().nullable(),
  nodeId: z.string().nullable(),
  /** Of a request that was taken back, or of the one that was written. */
  requestId: z.string().nullable(),
  jobKey: z.string().nullable(),
  requestedBy: z.string(),
  reason: z.string(),
  acceptedAt: isoTime,
  endedAt: isoTime.nullable(),
  state: z.enum(OPERATION_STATES),
  outcome: z.enum(["NEW", "RESUME", "NOOP", "REJECTED"]).nullable(),
  resultCode: z.string().nullable(),
  aggregateStatus: z.enum(RUN_STATUSES).nullable(),
  /** What came of it, by kind: event id, audit, revision, lock key. */
  detail: z.record(z.string(), plain),
  /** Of a forced release: made at its moment and told before the answer of kintone (screens, 強制解放). */
  probes: z.array(probe).readonly(),
  consent: givenConsent,
  problem: problemSchema.nullable(),
});
export type Operation = z.infer<typeof operation>;

/** What became of an operation, by the id its caller chose. */
export const operationsContract = {
  get: oc.input(z.strictObject({ operationId: z.uuid() })).output(answer(operation)),
};
