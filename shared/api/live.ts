import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { NODE_STATUSES } from "../domain/model.ts";
import { operation } from "./operations.ts";
import { isoTime, problemSchema } from "./result.ts";
import { runRow } from "./runs.ts";

/** One changed Run. A Run not seen before comes with all its fields. */
export const runDiff = z.object({
  id: z.string(),
  /** Of the Run record this diff rests on. A diff below the known revision is history and is dropped. */
  revision: z.number().int(),
  fields: runRow.partial(),
});
export type RunDiff = z.infer<typeof runDiff>;

/** One node of a Run that this host executes: told by the scheduler itself, before any record is read. */
export const nodeDiff = z.object({
  runId: z.string(),
  nodeId: z.string(),
  status: z.enum(NODE_STATUSES),
  attemptId: z.string().nullable(),
  pid: z.number().int().nullable(),
});
export type NodeDiff = z.infer<typeof nodeDiff>;

export const SOURCES = ["state"] as const;
/** How old the picture of one source is (operator-ux §1.1, staleness). */
export const freshness = z.object({
  source: z.enum(SOURCES),
  /** Last successful read; null before the first. */
  readAt: isoTime.nullable(),
  /** Milliseconds until the next read is due, as planned now. */
  intervalMs: z.number(),
  problem: problemSchema.nullable(),
});
export type Freshness = z.infer<typeof freshness>;

/** What happened since the event before, coalesced: at most four a second, no final state lost. */
export const liveBatch = z.object({
  /** True when changes were dropped for this reader: read the list again. The first batch says so too. */
  resync: z.boolean(),
  runs: z.array(runDiff).readonly(),
  nodes: z.array(nodeDiff).readonly(),
  operations: z.array(operation).readonly(),
  freshness: z.array(freshness).readonly(),
});
export type LiveBatch = z.infer<typeof liveBatch>;

/** Changes pushed to whoever looks (operator-ux U1). Ending the iteration ends the subscription. */
export const liveContract = {
  watch: oc.input(z.strictObject({})).output(eventIterator(liveBatch)),
};
