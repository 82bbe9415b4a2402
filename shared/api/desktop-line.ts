import { z } from "zod";

/** Longest message one call may send, in UTF-16 units; a page's text is ASCII in all but names (electron-desktop I3). */
export const MAX_LINE_MESSAGE = 1024 * 1024;

/** From the page to main: a message, or how many messages the page took since it last said so. */
export const lineEnvelope = z.union([
  z.strictObject({ data: z.string().max(MAX_LINE_MESSAGE) }),
  z.strictObject({ taken: z.number().int().min(1).max(1_000_000) }),
]);

const id = z.string().min(1).max(64);
const request = z.strictObject({
  i: id,
  t: z.literal(1).optional(),
  p: z.strictObject({
    u: z
      .string()
      .max(200)
      .regex(/^\/[A-Za-z0-9/_-]+$/),
    b: z.unknown().optional(),
  }),
});
const abort = z.strictObject({ i: id, t: z.literal(4), p: z.unknown().optional() });
const callSchema = z.union([request, abort]);

/**
 * Whether a text is a call, or the end of one, as this API's client writes it. The RPC library throws on anything
 * else outside of any handler, where nobody could catch it: what is malformed must stop before it.
 */
export function isApiCall(text: string): boolean {
  try {
    return callSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
