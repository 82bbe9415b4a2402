import { z } from "zod";
import { countsSchema, factsSchema } from "./plan-schema.ts";

/** Stable codes of a run that stopped (retry-boundaries §2); the last two are ours, see the documentation. */
const FAILURE_CODES = [
  "COUNT_MISMATCH",
  "EXIT_CODE_MISMATCH",
  "POINT_MISMATCH",
  "BUSY_NOT_OBSERVED",
  "UNEXPECTED_BUSY",
  "INTEGRITY_CHECK",
  "JOURNAL_EVIDENCE",
  "CHILD_TIMEOUT",
  "READBACK_FAILED",
  "HASH_FAILED",
  "INTERRUPTED",
  "CONTROLLER_FAULT",
] as const;

const failureSchema = z.strictObject({
  case: z.string().nullable(),
  stage: z.string().nullable(),
  code: z.enum(FAILURE_CODES),
  expected: z.json(),
  observed: z.json(),
});
export type Failure = z.infer<typeof failureSchema>;

/** The line on standard output (retry-boundaries §2). Its four members are fixed; it has no kind. */
export const statusLineSchema = z.strictObject({
  status: z.enum(["COMPLETE", "STOPPED"]),
  casesCompleted: z.int().min(0),
  casesPlanned: z.int().min(0),
  failure: failureSchema.nullable(),
});
export type StatusLine = z.infer<typeof statusLineSchema>;

/** Files beside the database directly after a child is gone; null = there is none, else its size in bytes. */
const sideFilesSchema = z.strictObject({
  journal: z.int().min(0).nullable(),
  wal: z.int().min(0).nullable(),
  shm: z.int().min(0).nullable(),
});
export type SideFiles = z.infer<typeof sideFilesSchema>;

const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** What a second connection saw, and the file outside (retry-boundaries §4). */
const readBackSchema = z.strictObject({
  counts: countsSchema,
  rows: z.record(z.string(), z.array(row)),
  integrity_check: z.string(),
  journal_mode: z.string(),
  journal_present: z.boolean(),
  hot_journal_recovery: z.boolean(),
  facts: factsSchema,
});
export type ReadBack = z.infer<typeof readBackSchema>;

const place = {
  formatVersion: z.literal(1),
  seq: z.int().positive(),
  at: z.iso.datetime(),
  case: z.string().nullable(),
  stage: z.string().nullable(),
};
const child = { ...place, child: z.string(), pid: z.int().positive() };

/** One line of `observations.jsonl`, appended and flushed as it happens (retry-boundaries §8). */
export const observationSchema = z.discriminatedUnion("kind", [
  z.strictObject({ ...place, kind: z.literal("case_started"), journal_mode: z.enum(["delete", "wal"]) }),
  z.strictObject({ ...child, kind: z.literal("child_started"), stop: z.string().nullable() }),
  z.strictObject({ ...child, kind: z.literal("point"), point: z.string(), child_at: z.iso.datetime() }),
  z.strictObject({ ...child, kind: z.literal("busy"), code: z.int(), waited_ms: z.int().min(0) }),
  z.strictObject({
    ...child,
    kind: z.literal("child_exited"),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    /** Ended by the controller: over its limit, or left over when the run stopped. */
    ended_by_controller: z.boolean(),
    timed_out: z.boolean(),
    /** Output that was no line of the agreed form. */
    unreadable_lines: z.int().min(0),
    duration_ms: z.int().min(0),
    side_files: sideFilesSchema,
  }),
  z.strictObject({ ...place, kind: z.literal("readback"), ...readBackSchema.shape }),
  z.strictObject({
    ...place,
    kind: z.literal("comparison"),
    expected: countsSchema,
    observed: countsSchema.nullable(),
    match: z.boolean(),
  }),
  z.strictObject({ ...place, kind: z.literal("case_completed") }),
  z.strictObject({ ...place, kind: z.literal("stopped"), failure: failureSchema }),
]);
export type Observation = z.infer<typeof observationSchema>;

/** An observation without what the journal itself adds. */
export type Noted = Observation extends infer One
  ? One extends Observation
    ? Omit<One, "seq" | "at" | "formatVersion">
    : never
  : never;

/** One line of a child's standard output (retry-boundaries §3). */
export const childLineSchema = z.union([
  z.strictObject({
    point: z.literal("busy"),
    at: z.iso.datetime(),
    code: z.int(),
    waited_ms: z.int().min(0),
  }),
  z.strictObject({ point: z.string().min(1), at: z.iso.datetime() }),
]);
export type ChildLine = z.infer<typeof childLineSchema>;
