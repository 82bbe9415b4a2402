import { z } from "zod";
import { fail, ok, type Result } from "../domain/problem.ts";
import { EXECUTION_CONTRACT } from "./capabilities.ts";
import { RUN_EXIT_CODES } from "./exit-codes.ts";
import { pathText } from "./parse.ts";
import { RESULT_STATUSES, resultCodeRule, STATUS_RULES } from "./result-codes.ts";

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
export const inputFileSchema = z.strictObject({
  name: filled,
  sha256,
  bytes: count,
  rows: count.optional(),
  encoding: z.enum(["UTF8", "SJIS"]).optional(),
});
/** One EXPORT receipt; every key is required (execution-contract §5.1). */
export const outputFileSchema = z.strictObject({
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

export type InputFileReceipt = z.infer<typeof inputFileSchema>;
export type OutputFileReceipt = z.infer<typeof outputFileSchema>;
/** Execution Result v1, keys as on the wire (execution-contract §5.1). */
export type ExecutionResultJson = z.infer<typeof shape>;

interface Violation {
  readonly key: keyof ExecutionResultJson & string;
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
} as const satisfies Partial<ExecutionResultJson>;

function startedViolations(result: ExecutionResultJson): Violation[] {
  if (result.executionStarted) {
    return result.startedAt === null
      ? [{ key: "startedAt", message: "null although execution started" }]
      : [];
  }
  return Object.entries(NOT_STARTED)
    .filter(([key, value]) => result[key] !== value)
    .map(([key, value]) => ({ key, message: `must be ${value} because execution did not start` }));
}

function statusViolations(result: ExecutionResultJson): Violation[] {
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

function codeViolations(result: ExecutionResultJson): Violation[] {
  const rule = resultCodeRule(result.resultCode);
  if (rule === null) return [];
  const found: Violation[] = [];
  const wrong = (key: Violation["key"]) =>
    found.push({ key, message: `not possible with ${result.resultCode}` });
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

/**
 * An Execution Result from the parsed JSON. Error: `INVALID_EXECUTION_RESULT` with the first key that breaks
 * the contract as place. Echoed ids, exit code and declared files are the verdict's to compare (§5.6).
 */
export function parseExecutionResult(value: unknown): Result<ExecutionResultJson> {
  const parsed = executionResultSchema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return fail({
    code: "INVALID_EXECUTION_RESULT",
    message: `The runner's result breaks the execution contract: ${issue?.message ?? "unreadable"}. What the job did is not known from it.`,
    place: `execution result: ${pathText(issue?.path ?? []) || "(whole file)"}`,
    remedy: "Keep the result file as evidence and read the JOB log before deciding about the node.",
  });
}

/** An input file as it is compared with the baseline: encodings and rows do not identify a file. */
export interface InputFileFact {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * The files behind the receipts, one a name, in receipt order; null when two receipts of one name disagree
 * about the file (execution-contract §13 W1).
 */
export function inputFileFacts(receipts: readonly InputFileReceipt[]): readonly InputFileFact[] | null {
  const facts = new Map<string, InputFileFact>();
  for (const { name, sha256: hash, bytes } of receipts) {
    const known = facts.get(name);
    if (known !== undefined && (known.sha256 !== hash || known.bytes !== bytes)) return null;
    facts.set(name, known ?? { name, sha256: hash, bytes });
  }
  return [...facts.values()];
}
