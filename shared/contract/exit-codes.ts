/** Exit codes of the runner (execution-contract §3); 4 belongs to `run-all` alone, which this runner does not have. */
export const RUNNER_EXIT = {
  success: 0,
  /** Validation or configuration error, or SQL error at run time. */
  invalid: 1,
  assertViolated: 2,
  /** HTTP, network, authentication, limits, internal error, timeout, lock unavailable, graceful cancel. */
  environment: 3,
  lockConflict: 5,
} as const;

/** Exit codes a single `run` can end with (execution-contract §5.1). */
export const RUN_EXIT_CODES = [
  RUNNER_EXIT.success,
  RUNNER_EXIT.invalid,
  RUNNER_EXIT.assertViolated,
  RUNNER_EXIT.environment,
  RUNNER_EXIT.lockConflict,
] as const;
export type RunExitCode = (typeof RUN_EXIT_CODES)[number];
