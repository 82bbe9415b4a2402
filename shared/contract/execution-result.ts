import { z } from "zod";
import type { ExecutionResult } from "../domain/execution-result.ts";
import { fail, ok, type Result } from "../domain/problem.ts";
import { EXECUTION_CONTRACT } from "./capabilities.ts";
import { RUN_EXIT_CODES } from "./exit-codes.ts";
import { pathText } from "./parse.ts";
import { RESULT_STATUSES, resultCodeRequirements, STATUS_RULES } from "./result-codes.ts";

/** Longest `error.message`, in code points (execution-contract §5.3). */
export const ERROR_MESSAGE_MAX = 2000;

const filled = z.string().min(1);
const count = z.int().min(0);
const utc = z.string().endsWith("Z");
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * One IMPORT receipt as the schema allows it: `rows` and `encoding` may be absent and a name may repeat. The
 * peer's consumer demands more and turns good results into UNKNOWN (execution-contract §13 W1).
 */
const inputFileSchema = z.strictObject({
  name: filled,
  sha256,
  bytes: count,
  rows: count.optional(),
  encoding: z.enum(["UTF8", "SJIS"]).optional(),
});
/** One EXPORT receipt; every key is required (execution-contract §5.1). */
const outputFileSchema = z.strictObject({
  name: filled,
  sha256,
  bytes: count,
  rows: count,
  encoding: z.enum(["utf8", "sjis"]),
});
const errorSchema = z.looseObject({
  category: filled,
  code: filled,
  message: z.string().refine((text) => [...text].length <= ERROR_MESSAGE_MAX, {
    message: `longer than ${ERROR_MESSAGE_MAX} characters`,
  }),
  retryable: z.boolean(),
  detailsTruncated: z.boolean(),
});

const shape = z.looseObject({
  formatVersion: z.literal(1),
  kind: z.literal("EXECUTION_RESULT"),
  contract: z.literal(EXECUTION_CONTRACT),
  correlationId: filled,
  attemptId: filled,
  executionId: filled,
  jobId: filled,
  profile: filled,
  status: z.enum(RESULT_STATUSES),
  resultCode: filled,
  executionStarted: z.boolean(),
  exitCode: z.literal(RUN_EXIT_CODES),
  asOf: z.string().nullable(),
  startedAt: utc.nullable(),
  finishedAt: utc,
  durationMs: z.number().min(0),
  readCount: count,
  writtenCount: count,
  deletedCount: count,
  apiCalls: count,
  lastSuccessfulChunkNo: count.nullable(),
  lastWrittenKey: z.string().nullable(),
  ksqlFlowVersion: filled,
  engineVersion: filled,
  input_files: z.array(inputFileSchema).optional(),
  output_files: z.array(outputFileSchema).optional(),
  error: errorSchema.nullable(),
});

/** The result as the rules know it; the schema above is checked against it by {@link parseExecutionResult}. */
export type { ExecutionResult as ExecutionResultJson } from "../domain/execution-result.ts";

type Checked = z.infer<typeof shape>;

interface Violation {
  readonly key: string;
  readonly message: string;
}

/** Values a run that never started must report (execution-contract §5.2). */
const NOT_STARTED = {
  startedAt: null,
  durationMs: 0,
  readCount: 0,
  writtenCount: 0,
  deletedCount: 0,
  apiCalls: 0,
  lastSuccessfulChunkNo: null,
  lastWrittenKey: null,
} as const satisfies Partial<Checked>;

function startedViolations(result: Checked): Violation[] {
  if (result.executionStarted) {
    return result.startedAt === null
      ? [{ key: "startedAt", message: "null although execution started" }]
      : [];
  }
  return Object.entries(NOT_STARTED)
    .filter(([key, value]) => result[key] !== value)
    .map(([key, value]) => ({ key, message: `must be ${value} because execution did not start` }));
}

function statusViolations(result: Checked): Violation[] {
  const rule = STATUS_RULES[result.status];
  const found: Violation[] = [];
  if (!rule.exitCodes.includes(result.exitCode)) {
    found.push({ key: "exitCode", message: `not possible with status ${result.status}` });
  }
  if ((result.error !== null) !== rule.error) {
    found.push({ key: "error", message: `not possible with status ${result.status}` });
  }
  if (result.status === "SUCCESS" && !result.executionStarted) {
    found.push({ key: "executionStarted", message: "false although the status is SUCCESS" });
  }
  return found;
}

function codeViolations(result: Checked): Violation[] {
  const rule = resultCodeRequirements(result.resultCode);
  if (rule === null) return [];
  const found: Violation[] = [];
  const wrong = (key: string) => found.push({ key, message: `not possible with ${result.resultCode}` });
  if (result.status !== rule.status) wrong("status");
  if (result.exitCode !== rule.exitCode) wrong("exitCode");
  if (rule.executionStarted !== null && result.executionStarted !== rule.executionStarted) {
    wrong("executionStarted");
  }
  if ((result.error?.category ?? null) !== rule.category) wrong("error");
  return found;
}

/** Execution Result v1 with its conditional constraints (execution-contract §5.1, §5.2). */
export const executionResultSchema = shape.superRefine((result, context) => {
  const violations = [...statusViolations(result), ...startedViolations(result), ...codeViolations(result)];
  for (const { key, message } of violations) context.addIssue({ code: "custom", path: [key], message });
});

function parse(schema: z.ZodType<ExecutionResult>, value: unknown): Result<ExecutionResult> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return fail({
    code: "INVALID_EXECUTION_RESULT",
    message: `The runner's result breaks the execution contract: ${issue?.message ?? "unreadable"}. What the job did is not known from it.`,
    place: `execution result: ${pathText(issue?.path ?? []) || "(whole file)"}`,
    remedy: "Keep the result file as evidence and read the JOB log before deciding about the node.",
  });
}

/**
 * For the reader of a result file: every key has its type (execution-contract §5.1). What the keys must be
 * together, the echoed ids, the exit code and the declared files are judged by the attempt verdict (§5.6).
 * Error: `INVALID_EXECUTION_RESULT` with the first key that breaks the contract as place.
 */
export const parseExecutionResult = (value: unknown): Result<ExecutionResult> => parse(shape, value);

/**
 * For the writer of a result file: types and every conditional constraint (execution-contract §5.1, §5.2).
 * Error as {@link parseExecutionResult}.
 */
export const validateExecutionResult = (value: unknown): Result<ExecutionResult> =>
  parse(executionResultSchema, value);
