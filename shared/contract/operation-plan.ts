import { z } from "zod";
import { NODE_STATUSES } from "../domain/model.ts";
import {
  CONSEQUENCES,
  DANGER_LEVELS,
  EVIDENCE_FIELDS,
  FATE_REASONS,
  fingerprintOf,
  NODE_FATES,
  OPERATIONS,
  type OperationPlan,
  RECORD_KINDS,
} from "../domain/operations/index.ts";
import { fail, ok, type Result } from "../domain/problem.ts";

const count = z.number().int().min(0);
const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const recordRef = z.strictObject({ recordId: z.string().min(1), revision: z.number().int().min(1) });
const text = z.string().nullable();

const problem = z.object({
  code: z.string(),
  message: z.string(),
  place: z.string().exactOptional(),
  remedy: z.string().exactOptional(),
  details: z.record(z.string(), z.unknown()).exactOptional(),
  retryable: z.boolean().exactOptional(),
});

const plannedNode = z.strictObject({
  nodeId: z.string(),
  does: z.enum(NODE_FATES),
  why: z.enum(FATE_REASONS),
  status: z.enum(NODE_STATUSES),
  idempotent: z.boolean(),
  attempts: count,
  by: z.array(z.string()).readonly(),
  streak: z.strictObject({ code: z.string(), count }).nullable(),
});

const plannedWrite = z.strictObject({
  record: z.enum(RECORD_KINDS),
  action: z.enum(["insert", "update", "release"]),
  id: text,
  changes: z.array(z.strictObject({ field: z.string(), from: plain, to: plain })).readonly(),
});

/** A plan as it is printed, kept and sent (architecture §4, "A click"). */
export const operationPlanSchema: z.ZodType<OperationPlan> = z.strictObject({
  kind: z.literal("OPERATION_PLAN"),
  formatVersion: z.literal(1),
  operation: z.enum(OPERATIONS),
  subject: z.strictObject({
    profile: text,
    networkId: text,
    businessKey: text,
    runId: text,
    nodeId: text,
    requestId: text,
    jobKey: text,
  }),
  danger: z.enum(DANGER_LEVELS),
  available: z.boolean(),
  refusals: z.array(problem).readonly(),
  evidence: z.array(z.strictObject({ field: z.enum(EVIDENCE_FIELDS), required: z.boolean() })).readonly(),
  consequences: z
    .array(
      z.strictObject({
        name: z.enum(CONSEQUENCES),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    )
    .readonly(),
  writes: z.array(plannedWrite).readonly(),
  nodes: z.array(plannedNode).readonly(),
  inputs: z
    .array(
      z.strictObject({
        nodeId: z.string(),
        name: z.string(),
        state: z.enum(["same", "changed", "missing", "rejected"]),
        detail: text,
      }),
    )
    .readonly()
    .nullable(),
  counts: z.strictObject({
    run: count,
    keep: count,
    blocked: count,
    refused: count,
    left: count,
    writes: count,
  }),
  seen: z.record(z.string(), recordRef.nullable()),
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  readAt: z.string(),
});

/** Reads a plan back. Code `OPERATION_PLAN_INVALID`: none, of another format, or not as it was written. */
export function parseOperationPlan(value: unknown): Result<OperationPlan> {
  const parsed = operationPlanSchema.safeParse(value);
  const issue = parsed.success ? undefined : parsed.error.issues[0];
  if (parsed.success && fingerprintOf(parsed.data.seen) === parsed.data.fingerprint) return ok(parsed.data);
  return fail({
    code: "OPERATION_PLAN_INVALID",
    message: parsed.success
      ? "The plan's fingerprint is not that of the records it names: it was changed since it was made."
      : `This is no plan of an operation: ${issue?.message ?? ""}`,
    place: ["$", ...(issue?.path ?? [])].join("."),
    remedy: "Make the plan anew with --dry-run --json.",
  });
}
