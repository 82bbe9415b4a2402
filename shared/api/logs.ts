import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { RUNNER_ID_PATTERN } from "../contract/index.ts";
import { answer, problemSchema } from "./result.ts";

/** Lines one answer holds at most. */
export const MAX_LOG_LINES = 1_000;
/** A longer line is folded: its beginning and its length (operator-ux §3.2). Bytes. */
export const FOLD_BYTES = 64 * 1024;
/** Hits of one search; the search goes on behind the last one when asked to. */
export const MAX_LOG_HITS = 1_000;

/**
 * A byte that is no UTF-8 travels as the lone surrogate `U+DC00 + byte`, which no valid text holds: nothing is lost,
 * and the page shows it as its hexadecimal value.
 */
export const INVALID_BYTE_BASE = 0xdc00;

export const logLine = z.object({
  /** Without its line end. Of a folded line the beginning. */
  text: z.string(),
  /** Length of the whole line in bytes; of a line that was entered in its middle, of what was read. */
  bytes: z.number().int(),
  folded: z.boolean(),
});
export type LogLine = z.infer<typeof logLine>;

const logFile = z.object({
  name: z.string(),
  sizeBytes: z.number().int(),
  /** The attempt is not settled yet: more may come. */
  growing: z.boolean(),
});
export type LogFile = z.infer<typeof logFile>;

const logFiles = z.object({ attemptId: z.string(), files: z.array(logFile).readonly() });
export type LogFiles = z.infer<typeof logFiles>;

/** The end of a file, read from its end: what line its first line is may not be counted yet. */
const logTail = z.object({
  lines: z.array(logLine).readonly(),
  sizeBytes: z.number().int(),
});
export type LogTail = z.infer<typeof logTail>;

/** Lines from `first` on, counted from 0; fewer than asked for at the end, or where they are long. */
const logRange = z.object({
  first: z.number().int(),
  lines: z.array(logLine).readonly(),
});
export type LogRange = z.infer<typeof logRange>;

/** Where a file stands. The text is fetched by whoever looks at it. */
export const logState = z.object({
  /** Another number means another content: the file was truncated or replaced, and lines known before are void. */
  generation: z.number().int(),
  sizeBytes: z.number().int(),
  /** Lines counted so far, a last one without its end included. */
  lines: z.number().int(),
  countedBytes: z.number().int(),
  /** Every line is counted. */
  complete: z.boolean(),
  growing: z.boolean(),
  /** Gone: pruned, or removed by someone. */
  gone: z.boolean(),
});
export type LogState = z.infer<typeof logState>;

const logHit = z.object({
  /** Counted from 0. */
  line: z.number().int(),
  /** The line around the first match in it. */
  excerpt: z.string(),
});
export type LogHit = z.infer<typeof logHit>;

const logSearchEvent = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("found"),
    hits: z.array(logHit).readonly(),
    /** How far the search is. */
    searchedBytes: z.number().int(),
    sizeBytes: z.number().int(),
  }),
  z.object({
    kind: z.literal("ended"),
    /** The bound on hits ended it: `nextLine` is where it would go on. */
    limited: z.boolean(),
    nextLine: z.number().int(),
  }),
  z.object({ kind: z.literal("refused"), problem: problemSchema }),
]);
export type LogSearchEvent = z.infer<typeof logSearchEvent>;

const attemptId = z.string().regex(RUNNER_ID_PATTERN);
/** A listed name: no separator, nothing that leads elsewhere. */
export const LOG_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}\.(log|jsonl)$/;
const place = { attemptId, name: z.string().regex(LOG_NAME_PATTERN) };
const lineNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const count = z.number().int().min(1).max(MAX_LOG_LINES);

/** Logs of attempts, of any size (operator-ux §3.2). They only read; ending an iteration or a call ends its work. */
export const logsContract = {
  files: oc.input(z.strictObject({ attemptId })).output(answer(logFiles)),
  tail: oc.input(z.strictObject({ ...place, count })).output(answer(logTail)),
  range: oc.input(z.strictObject({ ...place, first: lineNumber, count })).output(answer(logRange)),
  search: oc
    .input(
      z.strictObject({
        ...place,
        text: z.string().min(1).max(200),
        matchCase: z.boolean(),
        fromLine: lineNumber,
      }),
    )
    .output(eventIterator(logSearchEvent)),
  /** Counts the lines, then tells of every change; ends when the file is gone. */
  follow: oc.input(z.strictObject(place)).output(eventIterator(logState)),
};
