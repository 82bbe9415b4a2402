import type { Problem } from "../../shared/domain/problem.ts";
import type { Child, ChildExit, ProcessManager } from "../process/index.ts";
import type { Clock } from "../store/index.ts";
import { concludeAttempt } from "./conclusion.ts";
import { problemOf } from "./failure.ts";
import { type JobLogReader, LOOKUP_RETRY, type LookupRetry, lookUpJobLog } from "./job-log-lookup.ts";
import type { AttemptJournal } from "./journal/journal.ts";
import type { JournalEntry } from "./journal/schema.ts";
import type { AttemptConclusion, Attempts, PreparedAttempt, RunnerConfig, RunningAttempt } from "./ports.ts";
import { prepareAttempt } from "./prepare.ts";
import { readResultFile } from "./result-file.ts";
import { attemptLimitMs, LIMIT_MARGIN_MS, startLimit } from "./time-limit.ts";
import { removeWorkFolder, type WorkFolder, workFolderOf } from "./work-folder.ts";

/** Names the attempt in the child's environment, so that an orphan and its children can be found again. */
export const ATTEMPT_ID_VARIABLE = "FLOWNET_ATTEMPT_ID";

/** An attempt whose folder is about to be removed. */
export interface KeptLogs {
  readonly attemptId: string;
  readonly folder: WorkFolder;
}

export interface AttemptsDeps {
  readonly runnerConfig: RunnerConfig;
  readonly processes: Pick<ProcessManager, "start">;
  readonly jobLog: JobLogReader;
  readonly journal: AttemptJournal;
  readonly clock: Clock;
  /** Told of what went wrong beside an attempt without changing its outcome: a journal line, a folder. */
  readonly onProblem?: (problem: Problem) => void;
  /** Moves what the child printed to where it stays; absent = it goes with the folder. A folder it fails on is kept. */
  readonly keepLogs?: (kept: KeptLogs) => Promise<void>;
  readonly limitMarginMs?: number;
  readonly lookupRetry?: LookupRetry;
}

/** What became of the process: it ended, it never was, or it was told to end and is not proven gone. */
type ProcessEnd =
  | { readonly kind: "exited"; readonly exit: ChildExit }
  | { readonly kind: "launch-failed"; readonly code: string; readonly message: string }
  | { readonly kind: "not-proven-gone" };

/**
 * How one attempt is started and judged (architecture §4, orchestration §4.2 S4 and S5, §5.2). The child
 * survives this program; what it came to is decided by `shared/domain/attempt-verdict` alone.
 */
export function createAttempts(deps: AttemptsDeps): Attempts {
  const { runnerConfig, journal } = deps;
  // Attempts that had a child: their folders hold evidence until the outcome is in the store.
  const spawned = new WeakSet<PreparedAttempt>();

  const note = async (entry: JournalEntry): Promise<void> => {
    try {
      await journal.append(entry);
    } catch (error) {
      deps.onProblem?.(problemOf(error, "JOURNAL_WRITE_FAILED"));
    }
  };

  const spawn = async (prepared: PreparedAttempt): Promise<RunningAttempt> => {
    const outcome = await startChild(prepared, deps);
    if (outcome.kind === "launch-failed") {
      const concluded = conclude(prepared, outcome, deps, note);
      return { identity: null, concluded, stop: async () => undefined };
    }
    spawned.add(prepared);
    const { child } = outcome;
    const supervised = superviseChild(child, prepared, deps);
    await note({ event: "spawned", attemptId: prepared.input.attemptId, process: child.identity });
    const concluded = supervised.ended.then((end) => conclude(prepared, end, deps, note));
    return { identity: child.identity, concluded, stop: supervised.stop };
  };

  const settle: Attempts["settle"] = async (prepared, { stored }) => {
    const { attemptId } = prepared.input;
    await note({ event: "settled", attemptId, stored });
    if (!stored && spawned.has(prepared)) return;
    try {
      const folder = workFolderOf(runnerConfig.workDir, attemptId);
      if (spawned.has(prepared)) await deps.keepLogs?.({ attemptId, folder });
      const removed = await removeWorkFolder(folder);
      if (!removed) deps.onProblem?.(pendingUpdates(prepared));
    } catch (error) {
      deps.onProblem?.(problemOf(error, "WORK_FOLDER_NOT_REMOVED"));
    }
  };

  return { prepare: (input) => prepareAttempt(input, runnerConfig, journal), spawn, settle };
}

function startChild(prepared: PreparedAttempt, { runnerConfig, processes }: AttemptsDeps) {
  const { attemptId } = prepared.input;
  const folder = workFolderOf(runnerConfig.workDir, attemptId);
  return processes.start({
    command: runnerConfig.command,
    args: [...runnerConfig.leadingArgs, ...prepared.args],
    cwd: folder.cwd,
    env: { ...runnerConfig.env, [ATTEMPT_ID_VARIABLE]: attemptId },
    stdoutPath: folder.stdoutPath,
    stderrPath: folder.stderrPath,
    controlPipe: runnerConfig.controlPipe,
  });
}

interface Supervised {
  readonly ended: Promise<ProcessEnd>;
  stop(): Promise<void>;
}

/** Waits for the exit, within the parent's limit; a stop that ends without an exit ends the waiting too. */
function superviseChild(child: Child, prepared: PreparedAttempt, deps: AttemptsDeps): Supervised {
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<ProcessEnd>();
  const stop = async (): Promise<void> => {
    await child.stop({ graceMs: deps.runnerConfig.graceMs });
    giveUp({ kind: "not-proven-gone" });
  };
  const limitMs = attemptLimitMs(prepared.input.batchTimeoutSec, deps.limitMarginMs ?? LIMIT_MARGIN_MS);
  const takeBackLimit = startLimit(limitMs, () => {
    void stop();
  });
  const exited = child.exited.then((exit): ProcessEnd => ({ kind: "exited", exit }));
  // `exited` stands first: an exit and an answered stop are known at the same moment.
  const ended = Promise.race([exited, givenUp]).finally(takeBackLimit);
  return { ended, stop };
}

async function conclude(
  { input, resultPath }: PreparedAttempt,
  end: ProcessEnd,
  deps: AttemptsDeps,
  note: (entry: JournalEntry) => Promise<void>,
): Promise<AttemptConclusion> {
  const result = await readResultFile(resultPath);
  const exit = end.kind === "exited" ? end.exit : null;
  const forced = end.kind === "not-proven-gone" || exit?.forced === true;
  await note({
    event: "exited",
    attemptId: input.attemptId,
    exitCode: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
    forced,
    launchFailure: end.kind === "launch-failed" ? end.code : null,
    resultSha256: "sha256" in result ? result.sha256 : null,
  });
  // Without a result the JOB log alone knows the end, so an outage must not turn it into UNKNOWN.
  const drainUntil =
    deps.clock.monotonicMs() +
    (result.kind === "absent" || result.kind === "unreadable" ? (input.drainMs ?? 0) : 0);
  const mayDrain = (): boolean => deps.clock.monotonicMs() < drainUntil;
  const retry = deps.lookupRetry ?? LOOKUP_RETRY;
  const jobLog = await lookUpJobLog(input.attemptId, deps.jobLog, retry, mayDrain);
  return concludeAttempt({
    input,
    process: {
      launched: end.kind !== "launch-failed",
      launchFailure: end.kind === "launch-failed" ? end.message : null,
      exitCode: exit?.exitCode ?? null,
      forcedKill: forced,
    },
    result,
    jobLog,
    now: new Date(deps.clock.nowMs()).toISOString(),
  });
}

function pendingUpdates({ input }: PreparedAttempt): Problem {
  return {
    code: "JOB_LOG_UPDATES_PENDING",
    message: `The runner could not send an update of its JOB log for attempt ${input.attemptId}; its folder is kept, and its job lock may still be held.`,
    place: `attempt ${input.attemptId}`,
    remedy: "Inspect the job lock of this job before the next run.",
  };
}
