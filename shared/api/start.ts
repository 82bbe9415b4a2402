import { oc } from "@orpc/contract";
import { z } from "zod";
import { ACTIVITIES, RUN_STATUSES } from "../domain/model.ts";
import { visibleLength, withoutControls } from "../domain/visible-text.ts";
import { planNode } from "./networks.ts";
import { answer, identifier, isoTime, problemSchema } from "./result.ts";

const START_FIELDS = ["networkId", "scheduledFor", "businessKey"] as const;
export type StartField = (typeof START_FIELDS)[number];

/** Shortest reason an operator may give for a change of level 2 (operator-ux §2.1). */
export const REASON_MIN = 5;

const target = z.strictObject({
  networkId: identifier,
  businessKey: z.string().max(1000).optional(),
  scheduledFor: z.string().max(100).optional(),
});
export type StartTarget = z.infer<typeof target>;

const startPreview = z.object({
  networkId: z.string(),
  businessKey: z.string().nullable(),
  /** Beside which field of the form each problem belongs; null for the network as a whole. */
  problems: z.array(z.object({ field: z.enum(START_FIELDS).nullable(), problem: problemSchema })).readonly(),
  nodes: z.array(planNode).readonly(),
  /** The Run that already bears this key; a start never makes a second one. */
  existing: z
    .object({
      runId: z.string(),
      status: z.enum(RUN_STATUSES),
      activity: z.enum(ACTIVITIES).nullable(),
    })
    .nullable(),
  /** What the operator saw; the start is refused when the world no longer matches it. */
  fingerprint: z.string(),
  readAt: isoTime,
});
export type StartPreview = z.infer<typeof startPreview>;

const executeInput = target.extend({
  operationId: z.uuid(),
  fingerprint: z.string().min(1).max(200),
  reason: z
    .string()
    .overwrite(withoutControls)
    .trim()
    .min(REASON_MIN)
    .max(500)
    .refine((text) => visibleLength(text) >= REASON_MIN),
});
export type StartExecute = z.infer<typeof executeInput>;

/** A start: the preview writes nothing (operator-ux D13); the execution is accepted, then followed by its id. */
export const startContract = {
  preview: oc.input(target).output(answer(startPreview)),
  execute: oc.input(executeInput).output(answer(z.object({ operationId: z.string(), acceptedAt: isoTime }))),
};
