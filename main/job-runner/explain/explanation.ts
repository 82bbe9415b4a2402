import { z } from "zod";

const read = z.strictObject({
  /** As the script names it. */
  source: z.string(),
  /** Null for a temp table. */
  appId: z.int().nullable(),
  /** Field codes asked for; null for "all of them" where the form is not known. */
  fields: z.array(z.string()).nullable(),
  /** The condition handed to kintone, "" for all records; null for a temp table or an unknown form. */
  query: z.string().nullable(),
  formKnown: z.boolean(),
});

const join = z.strictObject({ kind: z.enum(["inner", "left"]), source: z.string(), on: z.array(z.string()) });

const branch = z.strictObject({
  reads: z.array(read),
  joins: z.array(join),
  /** True when rows are also compared here, after they were read; null when that needs a form. */
  filteredHere: z.boolean().nullable(),
  groupBy: z.array(z.string()),
});

const written = z.strictObject({
  app: z.string(),
  appId: z.int(),
  operation: z.enum(["INSERT", "UPSERT", "UPDATE", "DELETE", "IMPORT"]),
  fields: z.array(z.string()),
  /** Field records are matched by; null when there is none. */
  key: z.string().nullable(),
  /** Records of one request at most; no request can be taken back. */
  chunk: z.int(),
  /** Condition of UPDATE and DELETE; null as for a read. */
  query: z.string().nullable(),
  /** Name of the file an IMPORT takes. */
  importSource: z.string().nullable(),
});

const statement = z.strictObject({
  index: z.int(),
  type: z.string(),
  line: z.int(),
  sql: z.string(),
  branches: z.array(branch),
  makes: z.string().nullable(),
  writes: written.nullable(),
});

/** What a job would do, told without asking anybody (`flownet job explain --json`). */
export const jobExplanationSchema = z.strictObject({
  formatVersion: z.literal(1),
  kind: z.literal("JOB_EXPLANATION"),
  jobId: z.string(),
  fileName: z.string(),
  profile: z.string(),
  asOf: z.string(),
  timezone: z.string(),
  timeoutSec: z.int().nullable(),
  maxReadRows: z.int(),
  maxTempRows: z.int(),
  diagnostics: z.array(
    z.strictObject({
      code: z.string(),
      severity: z.enum(["error", "warning"]),
      line: z.int(),
      column: z.int(),
      message: z.string(),
    }),
  ),
  /** Apps whose form was not given: what they are asked exactly is not known. */
  formsMissing: z.array(z.string()),
  statements: z.array(statement),
});
export type JobExplanation = z.infer<typeof jobExplanationSchema>;
export type ExplainedStatement = JobExplanation["statements"][number];
export type ExplainedBranch = ExplainedStatement["branches"][number];

/** Forms an explanation may use: app name or id to the `properties` kintone answers for its form. */
export const formsFileSchema = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())));
