import { RESULT_CODE_RULES } from "../domain/result-acceptance.ts";
import type { RunExitCode } from "./exit-codes.ts";

/** Status of an Execution Result (execution-contract §5.1). */
export const RESULT_STATUSES = ["SUCCESS", "FAILED", "CANCELLED"] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** `error.category` of each result code; null = no error (execution-contract §5.2, §5.3). */
const CATEGORIES = {
  OK: null,
  NO_DATA: null,
  VALIDATION_ERROR: "CONFIG",
  INPUT_FILE_MUTATED: "CONFIG",
  SQL_ERROR: "SQL",
  ASSERT_FAILED: "ASSERT",
  EXECUTION_TIMEOUT: "TIMEOUT",
  AUTH_ERROR: "AUTH",
  API_ERROR: "API",
  INTERNAL_ERROR: "INTERNAL",
  LOCK_UNAVAILABLE: "LOCK",
  LOCK_CONFLICT: "LOCK",
  CANCELLED: "CANCELLED",
} as const;
export type KnownResultCode = keyof typeof CATEGORIES;
export const RESULT_CODES: readonly string[] = Object.keys(CATEGORIES);

/** What a result code demands of the Execution Result that carries it (execution-contract §5.2). */
export interface ResultCodeRequirements {
  readonly code: KnownResultCode;
  readonly status: ResultStatus;
  readonly exitCode: number;
  /** Required `executionStarted`; null = either. */
  readonly executionStarted: boolean | null;
  /** Required `error.category`; null = no error. */
  readonly category: string | null;
  /** Value of `error.retryable`: never true in this contract version (execution-contract §5.3). */
  readonly retryable: false;
}

/** Whether a code is one of the contract's. The set is open: others are bound by {@link STATUS_RULES} alone. */
export const isKnownResultCode = (code: string): code is KnownResultCode => Object.hasOwn(CATEGORIES, code);

/**
 * Everything a known code demands, or null for a code the contract does not know. Status, exit code and start
 * come from the table the verdict judges by, so both sides of the contract read the same facts.
 */
export function resultCodeRequirements(code: string): ResultCodeRequirements | null {
  const rule = RESULT_CODE_RULES.get(code);
  if (rule === undefined || !isKnownResultCode(code)) return null;
  const { status, exitCode, started } = rule;
  return { code, status, exitCode, executionStarted: started, category: CATEGORIES[code], retryable: false };
}

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
