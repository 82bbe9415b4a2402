import { z } from "zod";

/** What one call, or one entry of a bulk, was about: codes and numbers, never a value. */
const partSchema = z.object({
  method: z.string(),
  path: z.string(),
  app: z.string().nullable(),
  records: z.array(z.string()),
  /** Codes of the fields written. */
  fields: z.array(z.string()),
  /** Of the one record an update names; null where there is none or more than one. */
  revisionBefore: z.number().nullable(),
  revisionAfter: z.number().nullable(),
});

const common = {
  seq: z.number().int(),
  /** Wall clock, whatever the server's own clock was told to show. */
  at: z.string(),
  /** Milliseconds on a clock that never jumps. */
  monotonicMs: z.number(),
};

/** One line of the journal (kintone-rest §19, "Control and evidence"). */
export const journalEntrySchema = z.discriminatedUnion("kind", [
  z.object({
    ...common,
    kind: z.literal("request"),
    /** Time on the server's clock. */
    serverTime: z.string(),
    client: z.string().nullable(),
    method: z.string(),
    path: z.string(),
    parts: z.array(partSchema),
    /** What was or would have been answered; null when nothing was. */
    status: z.number().nullable(),
    code: z.string().nullable(),
    delivery: z.enum(["sent", "reset", "cut", "slow", "silent"]),
    /** Ids of the rules that acted, in order. */
    rules: z.array(z.string()),
    heldMs: z.number(),
  }),
  z.object({
    ...common,
    kind: z.enum(["barrier_reached", "barrier_released", "barrier_timed_out", "barrier_cleared"]),
    rule: z.string(),
    phase: z.string(),
    method: z.string(),
    path: z.string(),
  }),
  z.object({
    ...common,
    kind: z.enum(["faults_started", "rules_added", "rules_cleared"]),
    seed: z.number(),
    rules: z.array(z.string()),
  }),
  z.object({ ...common, kind: z.literal("action"), action: z.string(), rule: z.string().nullable() }),
]);
export type JournalEntry = z.output<typeof journalEntrySchema>;
export type JournalPart = z.output<typeof partSchema>;
/** An entry before the journal numbers and times it. */
export type JournalFacts = JournalEntry extends infer Entry
  ? Entry extends JournalEntry
    ? Omit<Entry, "seq" | "at" | "monotonicMs">
    : never
  : never;
