import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { NODE_STATUSES } from "../domain/model.ts";
import { operation } from "./operations.ts";
import { answer, identifier, isoTime, problemSchema } from "./result.ts";
import { runRow } from "./runs.ts";
import { viewSettings } from "./settings-file.ts";
import { MODES } from "./workspace.ts";

/** One changed Run. A Run not seen before comes with all its fields. */
const runDiff = z.object({
  id: z.string(),
  /** Of the Run record this diff rests on. A diff below the known revision is history and is dropped. */
  revision: z.number().int(),
  fields: runRow.partial(),
});
export type RunDiff = z.infer<typeof runDiff>;

/** One node of a Run that this host executes: told by the scheduler itself, before any record is read. */
const nodeDiff = z.object({
  runId: z.string(),
  nodeId: z.string(),
  status: z.enum(NODE_STATUSES),
  attemptId: z.string().nullable(),
  pid: z.number().int().nullable(),
});
export type NodeDiff = z.infer<typeof nodeDiff>;

/** What the picture is made of: four apps, and the children this console started itself. */
export const SOURCES = ["state", "audit", "request", "jobLog", "processes"] as const;
export type Source = (typeof SOURCES)[number];
/** How old the picture of one source is (operator-ux §1.1, staleness). */
export const freshness = z.object({
  source: z.enum(SOURCES),
  /** Last successful read; null before the first. */
  readAt: isoTime.nullable(),
  /** `kept`: read before this console started, shown until the source answers (electron-desktop N8). */
  origin: z.enum(["read", "kept"]),
  /** Milliseconds until the next read is due, as planned now. */
  intervalMs: z.number(),
  problem: problemSchema.nullable(),
});
export type Freshness = z.infer<typeof freshness>;

/** Requests of this console to one app since the day began; those of other programs are not known (operator-ux U2). */
const budgetShare = z.object({
  source: z.enum(SOURCES),
  used: z.number().int(),
  limit: z.number().int(),
  /** `YYYY-MM-DD`; a day begins at 09:00 Japan time. */
  day: z.string(),
});
export type BudgetShare = z.infer<typeof budgetShare>;

/** How far this host's clock stands from the kintone's, as its last answer showed it (electron-desktop L13). */
const clockDifference = z.object({
  /** Server minus this host; milliseconds. */
  skewMs: z.number(),
  uncertaintyMs: z.number(),
  /** `off` is warned of; with `wrong` nothing that takes a lease may be started. */
  verdict: z.enum(["fine", "off", "wrong"]),
  measuredAt: isoTime,
});
export type ClockDifference = z.infer<typeof clockDifference>;

/** What happened since the event before, coalesced: at most four a second, no final state lost. */
const liveBatch = z.object({
  /** True when changes were dropped for this reader: read the list again. The first batch says so too. */
  resync: z.boolean(),
  runs: z.array(runDiff).readonly(),
  nodes: z.array(nodeDiff).readonly(),
  operations: z.array(operation).readonly(),
  freshness: z.array(freshness).readonly(),
  budget: z.array(budgetShare).readonly(),
  /** When there is something new to tell of it. */
  clock: clockDifference.nullable(),
  /** Settings or roles were saved: where one works, and the networks, are asked for again. `view` when it was saved. */
  settings: z.object({ view: viewSettings.nullable() }).nullable(),
  /** The mode, when another window changed it. */
  mode: z.enum(MODES).nullable(),
  /** What waits for an approver is not what it was: asked for again. */
  approvals: z.boolean(),
});
export type LiveBatch = z.infer<typeof liveBatch>;

export type SettingsNews = NonNullable<LiveBatch["settings"]>;

/** What one window shows now; readings follow it (operator-ux U2, U8). */
const lookInput = z.strictObject({
  viewerId: z.uuid(),
  /** False when the window is hidden or minimised. */
  visible: z.boolean(),
  sources: z.array(z.enum(SOURCES)).max(SOURCES.length),
  /** The Run that is open; null elsewhere. */
  runId: identifier.nullable(),
});
export type Look = z.infer<typeof lookInput>;

/** Changes pushed to whoever looks (operator-ux U1). Ending the iteration ends the subscription and its look. */
export const liveContract = {
  watch: oc.input(z.strictObject({ viewerId: z.uuid().optional() })).output(eventIterator(liveBatch)),
  look: oc.input(lookInput).output(answer(z.null())),
};
