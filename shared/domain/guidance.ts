import { type Actor, NEXT_CODES, type NextAction, nextActionOf } from "./next-action.ts";

/**
 * Codes an operator meets that lead to no next action of their own (orchestration §11.4): refusals of locks and requests,
 * results of attempts. Their words stand in `shared/text/runbook.*.json` under `runbook.own.<code>`.
 */
const OWN = {
  LEASE_STILL_ACTIVE: "second",
  OWNER_MISMATCH: "second",
  HEARTBEAT_ADVANCED: "second",
  STOP_NOT_CONFIRMED: "second",
  LOCK_NOT_FOUND: "second",
  LOCK_READ_FAILED: "serverOwner",
  REVISION_CONFLICT: "second",
  RELEASE_UNCONFIRMED: "second",
  AUDIT_FAILED: "second",
  AUDIT_CONFLICT: "second",
  ASSERT_FAILED: "first",
  SQL_ERROR: "second",
  VALIDATION_ERROR: "second",
  API_ERROR: "second",
  AUTH_ERROR: "serverOwner",
  EXECUTION_TIMEOUT: "second",
  INTERNAL_ERROR: "second",
  NO_EXECUTION_RESULT: "second",
  INVALID_EXECUTION_RESULT: "second",
  FORCED_TERMINATION: "second",
  PREPARE_FAILED: "first",
  INPUT_PATH_REJECTED: "fileOwner",
  OUTPUT_PATH_REJECTED: "fileOwner",
  REQUEST_INVALID: "first",
  REQUESTED_BY_INVALID: "first",
  RUN_NOT_FOUND: "first",
  RUN_TERMINAL: "first",
  RUN_ALREADY_ON_HOLD: "first",
  RUN_NOT_ON_HOLD: "first",
  RUN_STATUS_NOT_CLOSABLE: "first",
  RUN_UNKNOWN_NOT_CLOSABLE: "second",
  PLAN_STALE: "first",
  OPERATION_UNDER_WAY: "first",
  JOB_LOCK_OTHER_HOLDER: "second",
  JOB_LOCK_UNKNOWN: "serverOwner",
  JOB_LOCK_FREE: "second",
  RUNNER_NOT_CONFIGURED: "serverOwner",
  ORPHAN_CHILD_RUNNING: "second",
  REQUEST_FAILED: "second",
  CHILD_EXECUTION_FAILED: "second",
  LEASE_UNCERTAIN: "second",
  LEASE_INTERRUPTED: "second",
  ARCHIVE_WRITE_FAILED: "second",
  RUN_NOT_ARCHIVED: "second",
  AUDIT_FACTS_MISMATCH: "second",
  RERUN_FROM_NON_IDEMPOTENT: "second",
  RERUN_FROM_UNKNOWN_STATE: "second",
  RERUN_FROM_NODE_NOT_FOUND: "first",
  RERUN_FROM_SUCCESS_RUN: "second",
  REQUEST_NOT_CLAIMED: "first",
  REQUEST_CLAIM_ALIVE: "first",
  REQUEST_UNREADABLE: "second",
  SETTLE_INPUT_REQUIRED: "second",
  JOB_KEY_MISMATCH: "second",
  CURRENT_ATTEMPT_NOT_UNIQUE: "second",
  STATE_ATTEMPT_MISMATCH: "second",
  JOB_LOG_UNREADABLE: "serverOwner",
  SURVIVORS_NOT_FOUND: "serverOwner",
} as const satisfies Readonly<Record<string, Actor>>;
export type OwnGuidanceCode = keyof typeof OWN;
export const OWN_GUIDANCE_CODES = Object.keys(OWN) as readonly OwnGuidanceCode[];

const isOwn = (code: string): code is OwnGuidanceCode => Object.hasOwn(OWN, code);

/** Where the words of a code's guidance stand, and who acts. */
export type GuidanceOf =
  /** Cause and act of the next action, `check` and `never` in the runbook's texts. */
  | {
      readonly kind: "next";
      readonly action: NextAction & { readonly code: NonNullable<NextAction["code"]> };
    }
  | { readonly kind: "own"; readonly code: OwnGuidanceCode; readonly who: Actor }
  /** The table does not know it. */
  | { readonly kind: "unknown" };

/** The guidance of a code (operator-ux §1.2, runbook beside the row); one for a code nobody knows, too. Pure. */
export function guidanceOfCode(code: string): GuidanceOf {
  if (isOwn(code)) return { kind: "own", code, who: OWN[code] };
  const action = nextActionOf(code);
  return action.code === null
    ? { kind: "unknown" }
    : { kind: "next", action: { ...action, code: action.code } };
}

/** Every code with guidance of the table, as it is listed. */
export const GUIDANCE_CODES: readonly string[] = [...NEXT_CODES, ...OWN_GUIDANCE_CODES];
