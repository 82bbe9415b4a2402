/** Exit codes of the runner (execution-contract §3). */
export const RUNNER_EXIT = {
  success: 0,
  /** Validation or configuration error, or SQL error at run time. */
  invalid: 1,
  assertViolated: 2,
  /** HTTP, network, authentication, limits, internal error, timeout, lock unavailable, graceful cancel. */
  environment: 3,
  /** `run-all --continue-on-error` only. */
  partial: 4,
  lockConflict: 5,
} as const;
export type RunnerExitCode = (typeof RUNNER_EXIT)[keyof typeof RUNNER_EXIT];

/** Exit codes a single `run` can end with (execution-contract §5.1). */
export const RUN_EXIT_CODES = [0, 1, 2, 3, 5] as const;
export type RunExitCode = (typeof RUN_EXIT_CODES)[number];
