import { z } from "zod";
import type { CaseDefinition } from "../cases/model.ts";

/** A row of the tables as it stands in the manifest (retry-boundaries §8): the plan, before the first child. */

const step = z.string().min(1);
const counts = z.array(z.int().min(0)).min(3).max(4);
const fact = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const busy = z.strictObject({ code: z.int().positive() }).nullable();
const text = z.strictObject({ en: z.string(), ja: z.string() });

const input = z.strictObject({
  key: z.string().min(1),
  content: z.string(),
  now: z.iso.datetime().nullable(),
  occurredAt: z.iso.datetime().nullable(),
  calledStop: z.string().nullable(),
});

const move = z.discriminatedUnion("do", [
  z.strictObject({
    do: z.literal("run"),
    child: z.string().min(1),
    role: z.string().min(1),
    input,
    stop: z.string().nullable(),
    exit: z.int(),
    points: z.array(z.string()),
    busy,
  }),
  z.strictObject({
    do: z.literal("hold"),
    child: z.string().min(1),
    role: z.string().min(1),
    input,
    points: z.array(z.string()).min(1),
  }),
  z.strictObject({
    do: z.literal("release"),
    child: z.string().min(1),
    exit: z.int(),
    points: z.array(z.string()),
    busy,
  }),
]);

export const factsSchema = z.record(z.string(), fact);
export const countsSchema = counts;

/** Same shape as {@link CaseDefinition}; `work` holds words this version may not know. */
export const caseSchema = z.strictObject({
  id: z.string().min(1),
  /** One path segment: it is joined to the folder that is verified. */
  folder: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/),
  title: text,
  lesson: text,
  work: z.record(z.string(), z.array(step)),
  stages: z.array(
    z.strictObject({
      id: z.string().min(1),
      moves: z.array(move).min(1),
      counts,
      facts: factsSchema,
      hotJournal: z.boolean(),
    }),
  ),
  schema: z.array(z.string()),
  queries: z.record(z.string(), z.string()),
  journalMode: z.enum(["delete", "wal"]).nullable(),
  receiver: z.boolean(),
});

export type StoredCase = z.infer<typeof caseSchema>;

/** The table's rows as the manifest stores them; a compile-time proof that the two shapes agree. */
export function storedCases(cases: readonly CaseDefinition[]): readonly StoredCase[] {
  return cases.map((definition) => caseSchema.parse(definition));
}
