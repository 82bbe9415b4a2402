import { z } from "zod";

/** A regular expression that compiles; matching never meets a broken one. */
const pattern = z
  .string()
  .max(500)
  .refine((text) => {
    try {
      return new RegExp(text, "u").source !== "";
    } catch {
      return false;
    }
  }, "is no regular expression");
const id = z.union([z.string().regex(/^\d{1,15}$/), z.number().int().positive()]).transform(String);
const moment = z.iso.datetime({ offset: true });

/** Which requests a rule is about; everything given must hold, an empty object means every request (kintone-rest §19). */
export const matchSchema = z.strictObject({
  /** After the method override. */
  methods: z.array(z.enum(["GET", "POST", "PUT", "DELETE"])).optional(),
  /** Regular expression on the path without query; of a sub-request it is its `api`. */
  path: pattern.optional(),
  app: id.optional(),
  /** One of the records a request names by id. */
  record: id.optional(),
  /** Value of an `updateKey`. */
  updateKey: z.string().optional(),
  /** Field codes that stand directly under `record` or one `records[n].record`, all in the same one. */
  hasFields: z.array(z.string()).optional(),
  /** A written value in that same record: equal to a text, or matching a regular expression. */
  field: z
    .strictObject({ code: z.string(), equals: z.string().optional(), pattern: pattern.optional() })
    .optional(),
  /** Label of one of the request's API tokens. */
  tokenLabel: z.string().optional(),
  /** Login name of password authentication. */
  user: z.string().optional(),
  /** Label of the calling program: of the port it calls, or the header `X-Client-Label`. */
  client: z.string().optional(),
  /** Regular expression on the query text of a read. */
  query: pattern.optional(),
  /**
   * Where a match may stand: `call` the request itself, `sub-request` an entry of a `bulkRequest`, `any` (default)
   * either: a barrier on a record write then also stops the bulk that carries it.
   */
  within: z.enum(["any", "call", "sub-request"]).optional(),
  /** Place of the sub-request in its bulk, from 0. */
  subRequest: z.number().int().min(0).max(19).optional(),
});

/** Which of the matching requests a rule acts on (kintone-rest §19). */
export const whenSchema = z.strictObject({
  /** Only the n-th match, from 1. */
  nth: z.number().int().positive().optional(),
  /** Every n-th match. */
  every: z.number().int().positive().optional(),
  /** Passes over this many matches first. */
  skip: z.number().int().nonnegative().optional(),
  /** How often it acts; `unlimited` never ends. The default depends on the effect. */
  times: z.union([z.number().int().positive(), z.literal("unlimited")]).optional(),
  /** Chance from 0 to 1, drawn from the seed: the same seed acts on the same matches again. */
  probability: z.number().min(0).max(1).optional(),
  /** Window on the server's (possibly shifted) clock. */
  from: moment.optional(),
  until: moment.optional(),
  /** Seconds of the server's minute: `[59, 0]` acts around a minute boundary. */
  seconds: z.array(z.number().int().min(0).max(59)).optional(),
});

export type FaultMatch = z.output<typeof matchSchema>;
export type FaultWhen = z.output<typeof whenSchema>;
