import { z } from "zod";
import { totalsSchema } from "./manifest-schema.ts";
import { statusLineSchema } from "./observation-schema.ts";
import { countsSchema, factsSchema } from "./plan-schema.ts";

const text = z.strictObject({ en: z.string(), ja: z.string() });

/** What a child was expected to do, or did, within one stage; `exit` is `held` while it waits for its byte. */
const childSchema = z.strictObject({
  child: z.string(),
  exit: z.union([z.int(), z.literal("held"), z.null()]),
  points: z.array(z.string()),
  busy: z.array(z.int()),
});
export type ChildResult = z.infer<typeof childSchema>;

/** `results.json`: every stage with expected and observed values, at the end, also of a stopped run (§8). */
export const resultsSchema = z.strictObject({
  kind: z.literal("RETRY_BOUNDARIES_RESULTS"),
  formatVersion: z.literal(1),
  schema: z.literal("retry-boundaries.results.v1"),
  suite: z.enum(["A-G", "extended-db"]),
  journal_mode: z.enum(["delete", "wal"]),
  status: statusLineSchema,
  cases: z.array(
    z.strictObject({
      case: z.string(),
      folder: z.string(),
      title: text,
      lesson: text,
      completed: z.boolean(),
      stages: z.array(
        z.strictObject({
          stage: z.string(),
          expected: z.strictObject({
            children: z.array(childSchema),
            counts: countsSchema,
            facts: factsSchema,
          }),
          /** Null: this stage did not run. */
          observed: z
            .strictObject({
              children: z.array(childSchema),
              counts: countsSchema.nullable(),
              facts: factsSchema.nullable(),
            })
            .nullable(),
          match: z.boolean().nullable(),
        }),
      ),
    }),
  ),
  totals: z.strictObject({ planned: totalsSchema, observed: totalsSchema }),
  caveats: z.array(text),
});
export type Results = z.infer<typeof resultsSchema>;

/** What `verify` answers (retry-boundaries §8). */
export const verificationSchema = z.strictObject({
  kind: z.literal("RETRY_BOUNDARIES_VERIFICATION"),
  formatVersion: z.literal(1),
  /** INCOMPLETE: the run did not end, so the folder cannot be judged as a whole. */
  status: z.enum(["VERIFIED", "DIFFERENT", "INCOMPLETE"]),
  /** The verdict the run itself recorded. */
  run: statusLineSchema.nullable(),
  checked: z.array(z.string()),
  differences: z.array(z.strictObject({ place: z.string(), message: z.string() })),
  notChecked: z.array(z.strictObject({ what: z.string(), why: z.string() })),
});
export type Verification = z.infer<typeof verificationSchema>;
