import { z } from "zod";
import { actionSchema } from "./action-schema.ts";
import { journalEntrySchema } from "./journal-schema.ts";
import { ruleSchema, ruleSetSchema } from "./rule-schema.ts";

/** Header that carries the control port's secret. */
export const CONTROL_TOKEN_HEADER = "x-fault-control-token";

/** `kintone/control.json`: where the fault control of a running server is found. Mode 0600: it holds the secret. */
export const controlFileSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_FAULT_CONTROL"),
  formatVersion: z.literal(1),
  pid: z.number().int().positive(),
  port: z.number().int().min(1).max(65_535),
  token: z.string().min(32),
});
export type FaultControlFile = z.output<typeof controlFileSchema>;

const ruleId = z.string().max(64);

/** Bodies of the control API by route; server and client are typed by them. */
export const REQUESTS = {
  "/rules/add": ruleSetSchema,
  "/rules/clear": z.strictObject({ ids: z.array(ruleId).nullable() }),
  "/rules/list": z.strictObject({}),
  "/barriers/release": z.strictObject({ rule: ruleId }),
  "/barriers/wait": z.strictObject({
    rule: ruleId,
    count: z.number().int().positive().max(1000),
    timeoutMs: z.number().int().positive().max(600_000),
  }),
  "/act": z.strictObject({ action: actionSchema }),
  "/journal": z.strictObject({ after: z.number().int().nonnegative() }),
  "/ports/open": z.strictObject({ client: z.string().min(1).max(60) }),
} as const;
export type ControlRoute = keyof typeof REQUESTS;

const arrival = z.object({ rule: z.string(), phase: z.string(), method: z.string(), path: z.string() });

/** Answers of the control API by route. */
export const ANSWERS = {
  "/rules/add": z.object({}),
  "/rules/clear": z.object({ cleared: z.array(z.string()) }),
  "/rules/list": z.object({
    rules: z.array(z.object({ rule: ruleSchema, met: z.number(), fired: z.number() })),
  }),
  "/barriers/release": z.object({ released: z.number() }),
  "/barriers/wait": z.object({ arrivals: z.array(arrival) }),
  "/act": z.object({}),
  "/journal": z.object({ entries: z.array(journalEntrySchema), lost: z.number() }),
  "/ports/open": z.object({ port: z.number() }),
} as const;
export type ControlAnswer<R extends ControlRoute> = z.output<(typeof ANSWERS)[R]>;
