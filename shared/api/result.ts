import { z } from "zod";

/** A `Problem` on the wire (shared/domain/problem). Details stay a closed record of plain values. */
export const problemSchema = z.object({
  code: z.string(),
  message: z.string(),
  place: z.string().exactOptional(),
  remedy: z.string().exactOptional(),
  details: z.record(z.string(), z.unknown()).exactOptional(),
  retryable: z.boolean().exactOptional(),
});

/** What every handler answers (decisions §1): a value or a problem, never a thrown error across the border. */
export const answer = <T extends z.ZodType>(value: T) =>
  z.discriminatedUnion("ok", [
    z.object({ ok: z.literal(true), value }),
    z.object({ ok: z.literal(false), error: problemSchema }),
  ]);

/** ISO-8601 UTC text. */
export const isoTime = z.string();
/** Identifiers that come from outside are bounded before anything looks at them. */
export const identifier = z.string().min(1).max(200);
