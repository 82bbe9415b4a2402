import { z } from "zod";
import type { Problem } from "../../../shared/domain/problem.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "fatal"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line of the program's log (electron-desktop G1). Identifiers of Run, invocation and attempt stand in the fields. */
export const logLine = z.strictObject({
  /** UTC, to the millisecond. */
  time: z.iso.datetime({ precision: 3 }),
  /** Orders lines of one process, whatever was done to the clock. */
  monotonicMs: z.number(),
  pid: z.int(),
  level: z.enum(LOG_LEVELS),
  /** Stable: what to search for. A problem's code where there is one. */
  id: z.string(),
  /** The room it comes from. */
  module: z.string(),
  fields: z.record(z.string(), z.unknown()),
});
export type LogLine = z.infer<typeof logLine>;

/** The fields of a problem: what it says, where, and what to do. */
export function problemFields({
  message,
  place,
  remedy,
  details,
}: Problem): Readonly<Record<string, unknown>> {
  return {
    message,
    ...(place !== undefined && { place }),
    ...(remedy !== undefined && { remedy }),
    ...(details !== undefined && { details }),
  };
}

/** The fields of anything thrown. */
export function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, stack: error.stack ?? "" };
}
