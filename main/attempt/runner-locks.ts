import {
  LOCK_RECOVERY_EXIT_CODES,
  type LockInspection,
  type LockRecoveryResult,
  parseLockInspection,
  parseLockRecovery,
} from "../../shared/contract/index.ts";
import type { Result } from "../../shared/domain/problem.ts";
import type { RunnerConfig } from "./ports.ts";
import { askRunner, type RunnerCommands } from "./runner.ts";

/** What the runner is told when it takes a job lock from its holder (execution-contract §2.5). */
export interface JobRelease {
  readonly jobKey: string;
  readonly reason: string;
  readonly confirmedBy: string;
  /** An absolute URI. */
  readonly evidenceUri: string;
}

/**
 * The lock commands of the configured runner. Errors as values: those of `createRunner`. After an error of `release`
 * it is not known whether the lock was released.
 */
export interface RunnerLocks {
  /** Who holds a job's lock (execution-contract §2.4). Changes nothing. */
  inspect(jobKey: string, signal?: AbortSignal): Promise<Result<LockInspection>>;
  /** Takes it from its holder (execution-contract §2.5); nothing stops it once it has begun. */
  release(release: JobRelease): Promise<Result<LockRecoveryResult>>;
}

/** Known, and "could not be read". */
const INSPECTION_EXITS = [0, 3];

/** Asks one question after the other: each is a process of its own, and the log app counts its requests. */
export function createRunnerLocks(config: RunnerConfig, processes: RunnerCommands): RunnerLocks {
  const where = ["--profile", config.profile, "--config", config.configPath, "--json"];
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const answer = last.then(ask);
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    inspect: (jobKey, signal) =>
      inTurn(async () => {
        const args = [`--job-key=${jobKey}`, ...where];
        const question = { config, processes, command: "inspect-lock", args, exits: INSPECTION_EXITS };
        const answer = await askRunner(question, signal);
        return answer.ok ? parseLockInspection(answer.value) : answer;
      }),
    release: ({ jobKey, reason, confirmedBy, evidenceUri }) =>
      inTurn(async () => {
        const evidence = [
          `--reason=${reason}`,
          `--confirmed-by=${confirmedBy}`,
          `--evidence-ref=${evidenceUri}`,
        ];
        const args = [`--job-key=${jobKey}`, ...evidence, ...where];
        const exits = Object.values(LOCK_RECOVERY_EXIT_CODES);
        const answer = await askRunner({ config, processes, command: "force-unlock-job", args, exits });
        return answer.ok ? parseLockRecovery(answer.value) : answer;
      }),
  };
}
