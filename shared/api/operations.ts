import { oc } from "@orpc/contract";
import { z } from "zod";
import { RUN_STATUSES } from "../domain/model.ts";
import { answer, isoTime, problemSchema } from "./result.ts";

/**
 * The life of an operation (operator-ux D8): accepted; applied once its Run exists in the store; done when the
 * scheduler ended; refused with a code; uncertain when its end could not be learnt.
 */
export const OPERATION_STATES = ["accepted", "applied", "done", "refused", "uncertain"] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

export const operation = z.object({
  operationId: z.string(),
  kind: z.literal("start"),
  networkId: z.string(),
  businessKey: z.string().nullable(),
  requestedBy: z.string(),
  reason: z.string(),
  acceptedAt: isoTime,
  endedAt: isoTime.nullable(),
  state: z.enum(OPERATION_STATES),
  runId: z.string().nullable(),
  outcome: z.enum(["NEW", "RESUME", "NOOP", "REJECTED"]).nullable(),
  resultCode: z.string().nullable(),
  aggregateStatus: z.enum(RUN_STATUSES).nullable(),
  problem: problemSchema.nullable(),
});
export type Operation = z.infer<typeof operation>;

/** What became of an operation, by the id its caller chose. */
export const operationsContract = {
  get: oc.input(z.strictObject({ operationId: z.uuid() })).output(answer(operation)),
};
