import type { RunExitCode } from "./exit-codes.ts";

/** Status of an Execution Result (execution-contract §5.1). */
export const RESULT_STATUSES = ["SUCCESS", "FAILED", "CANCELLED"] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** What a result code demands of the Execution Result that carries it (execution-contract §5.2). */
export interface ResultCodeRule {
  readonly status: ResultStatus;
  readonly exitCode: RunExitCode;
  /** Required `executionStarted`; null = either. */
  readonly executionStarted: boolean | null;
  /** Required `error.category`; null = no error. */
  readonly category: string | null;
  /** Value of `error.retryable` the runner reports: never true in this contract version (§5.3). */
  readonly retryable: false;
}

const rule = (
  status: ResultStatus,
  exitCode: RunExitCode,
  executionStarted: boolean | null,
  category: string | null,
): ResultCodeRule => ({ status, exitCode, executionStarted, category, retryable: false });

/**
 * The one table of the runner's result codes (execution-contract §5.2, §5.3). The set is open: a code that
 * is not here is bound by {@link STATUS_RULES} alone.
 */
export const RESULT_CODES = {
  OK: rule("SUCCESS", 0, true, null),
  NO_DATA: rule("SUCCESS", 0, true, null),
  VALIDATION_ERROR: rule("FAILED", 1, false, "CONFIG"),
  INPUT_FILE_MUTATED: rule("FAILED", 1, false, "CONFIG"),
  SQL_ERROR: rule("FAILED", 1, true, "SQL"),
  ASSERT_FAILED: rule("FAILED", 2, true, "ASSERT"),
  EXECUTION_TIMEOUT: rule("FAILED", 3, true, "TIMEOUT"),
  AUTH_ERROR: rule("FAILED", 3, null, "AUTH"),
  API_ERROR: rule("FAILED", 3, null, "API"),
  INTERNAL_ERROR: rule("FAILED", 3, null, "INTERNAL"),
  LOCK_UNAVAILABLE: rule("FAILED", 3, false, "LOCK"),
  LOCK_CONFLICT: rule("FAILED", 5, false, "LOCK"),
  CANCELLED: rule("CANCELLED", 3, null, "CANCELLED"),
} as const satisfies Readonly<Record<string, ResultCodeRule>>;
export type KnownResultCode = keyof typeof RESULT_CODES;

/** The rule of a known code, or null for a code this table does not know. */
export function resultCodeRule(code: string): ResultCodeRule | null {
  return isKnownResultCode(code) ? RESULT_CODES[code] : null;
}

/** Whether the table knows a code. */
export const isKnownResultCode = (code: string): code is KnownResultCode => Object.hasOwn(RESULT_CODES, code);

/** What each status allows, whatever the code (execution-contract §5.2, first rows). */
export const STATUS_RULES: Readonly<
  Record<ResultStatus, { readonly exitCodes: readonly RunExitCode[]; readonly error: boolean }>
> = {
  SUCCESS: { exitCodes: [0], error: false },
  FAILED: { exitCodes: [1, 2, 3, 5], error: true },
  CANCELLED: { exitCodes: [3], error: true },
};

/** Default `error.code` and message of each failing code (execution-contract §5.3). */
export const DEFAULT_ERRORS: Readonly<
  Record<Exclude<KnownResultCode, "OK" | "NO_DATA">, { readonly code: string; readonly message: string }>
> = {
  VALIDATION_ERROR: { code: "VALIDATION_ERROR", message: "validation failed" },
  INPUT_FILE_MUTATED: {
    code: "INPUT_FILE_MUTATED",
    message: "input file did not match expected sha256",
  },
  SQL_ERROR: { code: "SQL_ERROR", message: "SQL execution failed" },
  ASSERT_FAILED: { code: "ASSERT_VIOLATION", message: "ASSERT condition failed" },
  EXECUTION_TIMEOUT: { code: "EXECUTION_TIMEOUT", message: "execution timed out" },
  AUTH_ERROR: { code: "AUTH_ERROR", message: "kintone refused the credentials" },
  API_ERROR: { code: "API_ERROR", message: "kintone request failed" },
  INTERNAL_ERROR: { code: "INTERNAL_ERROR", message: "internal runner error" },
  LOCK_UNAVAILABLE: { code: "LOCK_UNAVAILABLE", message: "job lock could not be established" },
  LOCK_CONFLICT: { code: "LOCK_CONFLICT", message: "job lock is already held" },
  CANCELLED: { code: "CANCELLED", message: "execution was cancelled" },
};

/** Codes the orchestrator itself gives an Attempt, beside the runner's (wire-format §1.2). */
export const ORCHESTRATOR_ATTEMPT_CODES = {
  INPUT_FILE_MISSING: { attempt: "FAILED", node: "FAILED" },
  INPUT_FILE_MUTATED: { attempt: "FAILED", node: "FAILED" },
  INPUT_PATH_REJECTED: { attempt: "FAILED", node: "FAILED" },
  OUTPUT_PATH_REJECTED: { attempt: "FAILED", node: "FAILED" },
  FAILED: { attempt: "FAILED", node: "FAILED" },
  PREPARE_FAILED: { attempt: "CANCELLED", node: "WAITING" },
  NO_EXECUTION_RESULT: { attempt: "UNKNOWN", node: "UNKNOWN" },
  INVALID_EXECUTION_RESULT: { attempt: "UNKNOWN", node: "UNKNOWN" },
  FORCED_TERMINATION: { attempt: "UNKNOWN", node: "UNKNOWN" },
} as const;
export type OrchestratorAttemptCode = keyof typeof ORCHESTRATOR_ATTEMPT_CODES;
