import { z } from "zod";

export const JOURNAL_KIND = "ATTEMPT_JOURNAL";
export const JOURNAL_FORMAT_VERSION = 1;

const identity = z.strictObject({
  pid: z.int().positive(),
  processStart: z.iso.datetime().nullable(),
  image: z.string().nullable(),
});

const head = {
  kind: z.literal(JOURNAL_KIND),
  formatVersion: z.literal(JOURNAL_FORMAT_VERSION),
  /** When the line was written, on this host's clock. */
  at: z.iso.datetime(),
  host: z.string(),
  bootId: z.string().nullable(),
};

/**
 * One line of the attempt journal (decisions §3). It is evidence on this host and never overrules kintone;
 * it holds no secret, no SQL and no path of one.
 */
export const journalLineSchema = z.discriminatedUnion("event", [
  z.strictObject({
    ...head,
    event: z.literal("intent"),
    attemptId: z.string().min(1),
    runId: z.string().min(1),
    nodeId: z.string().min(1),
    jobId: z.string().min(1),
    attemptNo: z.int().positive(),
  }),
  z.strictObject({
    ...head,
    event: z.literal("spawned"),
    attemptId: z.string().min(1),
    process: identity,
  }),
  z.strictObject({
    ...head,
    event: z.literal("exited"),
    attemptId: z.string().min(1),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    forced: z.boolean(),
    /** The system's code when nothing was ever started. */
    launchFailure: z.string().nullable(),
    /** SHA-256 of the result file as it was read; null when there was none. */
    resultSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
  }),
  z.strictObject({
    ...head,
    event: z.literal("settled"),
    attemptId: z.string().min(1),
    /** The outcome is in the store. */
    stored: z.boolean(),
  }),
  z.strictObject({
    ...head,
    event: z.literal("lock-owner"),
    invocationId: z.string().min(1),
    process: identity,
  }),
]);

export type JournalLine = z.infer<typeof journalLineSchema>;
/** A line without the facts that the journal itself adds. */
export type JournalEntry = JournalLine extends infer Line
  ? Line extends JournalLine
    ? Omit<Line, keyof typeof head>
    : never
  : never;
