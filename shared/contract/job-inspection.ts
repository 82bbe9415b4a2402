import { z } from "zod";
import type { Result } from "../domain/problem.ts";
import { parseOutput } from "./parse.ts";

/** One finding in a job's SQL; positions are 1-based (execution-contract §2.3). */
const diagnosticSchema = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning"]),
  line: z.int(),
  column: z.int(),
  message: z.string(),
});

/** Output of `inspect-job --json` (execution-contract §2.3); unknown keys are ignored. */
export const jobInspectionSchema = z.object({
  formatVersion: z.literal(1),
  kind: z.literal("JOB_INSPECTION"),
  jobId: z.string().min(1),
  fileName: z.string(),
  // The specification knows 0 and 1; a later dialect is judged by the orchestrator, not refused unread.
  dialect: z.int().min(0),
  statementCount: z.int().min(0),
  dependsOn: z.array(z.string()),
  timeoutSec: z.int().nullable(),
  diagnostics: z.array(diagnosticSchema),
  nondeterministicElements: z.array(diagnosticSchema),
});
export type JobInspection = z.infer<typeof jobInspectionSchema>;

/** A job inspection from the parsed JSON. Error: `KSQL_FLOW_OUTPUT_INVALID`. */
export const parseJobInspection = (value: unknown): Result<JobInspection> =>
  parseOutput(jobInspectionSchema, value, "inspect-job");
