import { z } from "zod";

/** What the check looks at, in the order in which an operator would look for a cause. */
export const CHECK_GROUPS = ["reach", "apps", "rights", "runner", "networks", "host"] as const;
export type CheckGroup = (typeof CHECK_GROUPS)[number];

const CHECK_SUBJECTS = [
  "proxy",
  "dns",
  "tcp",
  "tls",
  "clock",
  "authentication",
  "app",
  "rights",
  "runnerCapabilities",
  "runnerProfile",
  "allowList",
  "definition",
  "workFolder",
  "host",
  "schedules",
] as const;
export type CheckSubject = (typeof CHECK_SUBJECTS)[number];

/** Confirmed; to be looked at by a person; could not be read, so nothing is known of it. */
const CHECK_RESULTS = ["confirmed", "person", "unreadable"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** One difference between an app's form and what the wire format needs. */
const formDifference = z.object({
  field: z.string(),
  kind: z.enum(["missing", "type", "unique", "option"]),
  expected: z.string(),
  found: z.string(),
});

const checkItem = z.object({
  /** Unique within a check; an item comes once while it runs and once with its result. */
  id: z.string(),
  group: z.enum(CHECK_GROUPS),
  subject: z.enum(CHECK_SUBJECTS),
  /** What of its kind: an app's role, a network. Null for the only one. */
  of: z.string().nullable(),
  /** Null while it runs. */
  result: z.enum(CHECK_RESULTS).nullable(),
  /** True where the connection must not be used as long as this stands. */
  blocks: z.boolean(),
  /** Stable; null while it runs. */
  code: z.string().nullable(),
  /** Which setting, file or app to look at. */
  place: z.string(),
  /** Facts the words of the code speak of. Never a secret. */
  facts: z.record(z.string(), z.string()),
  differences: z.array(formDifference).readonly(),
});
export type CheckItem = z.infer<typeof checkItem>;

export const checkEvent = z.discriminatedUnion("kind", [
  /** How many items there will be. */
  z.object({ kind: z.literal("planned"), total: z.number().int() }),
  z.object({ kind: z.literal("item"), item: checkItem }),
  z.object({ kind: z.literal("ended"), at: z.string() }),
  /** The check could not be made at all. */
  z.object({ kind: z.literal("refused"), code: z.string(), message: z.string() }),
]);
export type CheckEvent = z.infer<typeof checkEvent>;
