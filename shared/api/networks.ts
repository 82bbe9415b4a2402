import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer, problemSchema } from "./result.ts";

export const planNode = z.object({
  order: z.number().int(),
  id: z.string(),
  jobId: z.string(),
  idempotent: z.boolean(),
  dependsOn: z.array(z.string()).readonly(),
});
export type PlanNode = z.infer<typeof planNode>;

export const network = z.object({
  networkId: z.string(),
  /** Whether the operation request app may start it (orchestration §7.7). */
  appStart: z.boolean(),
  /** How its Runs are named: by a scheduled time or by a key the operator gives; null when unreadable. */
  naming: z.enum(["scheduled", "explicit"]).nullable(),
  nodes: z.array(planNode).readonly(),
  /** Why the definition cannot be started as it stands. */
  problems: z.array(problemSchema).readonly(),
});
export type Network = z.infer<typeof network>;

/** The networks this host may start, with their nodes in execution order. */
export const networksContract = {
  list: oc.input(z.strictObject({})).output(answer(z.object({ networks: z.array(network).readonly() }))),
};
