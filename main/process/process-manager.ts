import { tmpdir } from "node:os";
import { errorText, type Problem } from "../../shared/domain/problem.ts";
import { followByLooking, goneHandle } from "./adopt.ts";
import { CONTROL_PIPE_VARIABLE, type ControlPipe, openControlPipe, sweepDeadPipes } from "./control-pipe.ts";
import { type Breaker, createFollowed } from "./followed.ts";
import { ATTEMPT_TOKEN_VARIABLE } from "./inspector/attempt-token.ts";
import { createInspector } from "./inspector/index.ts";
import type { SystemInspector } from "./inspector/types.ts";
import { launchFailed, launchPatiently, refuseCommand } from "./launch.ts";
import { OUTPUT_LIMIT, type OutputLimit } from "./output-limit.ts";
import type { AdoptOutcome, ChildSpec, ProcessManager, StartOutcome, Survivor } from "./ports.ts";
import { runBounded, type WorkerJob } from "./run-command.ts";
import { startChild } from "./start-child.ts";
import { supervise } from "./supervise.ts";
import { sendCtrlBreak } from "./windows/ctrl-break.ts";
import { lazyNative } from "./windows/native.ts";
import { createWindowsPlatform } from "./windows/platform.ts";

export interface ProcessManagerDeps {
  readonly inspector?: SystemInspector;
  readonly platform?: NodeJS.Platform;
  readonly clock?: { monotonicMs(): number };
  /** Told of a child that was started without the means to ask it to end in order. */
  readonly onProblem?: (problem: Problem) => void;
  /** How much of what a child prints is kept; 64 MiB a file by default. */
  readonly outputLimit?: OutputLimit;
  /** The Node that runs the short helper for Ctrl+Break on Windows; by default the one every child runs on (decisions §1). */
  readonly helperNode?: string;
}

/**
 * Starts, follows and stops child processes (architecture §2 `process/`, decisions §3, electron-desktop §4).
 * Children of `start` survive this program; commands of `runCommand` are ours and end with it.
 */
export function createProcessManager(deps: ProcessManagerDeps = {}): ProcessManager {
  const platform = deps.platform ?? process.platform;
  const inspector = deps.inspector ?? createInspector(platform);
  const windows = platform === "win32" ? createWindowsPlatform(lazyNative(), process.env) : null;
  const monotonicMs = (): number => deps.clock?.monotonicMs() ?? performance.now();
  const disposal = new AbortController();
  const followed = createFollowed({ inspector, monotonicMs, limit: deps.outputLimit ?? OUTPUT_LIMIT });
  const commands = new Set<Promise<unknown>>();
  const node = deps.helperNode ?? process.execPath;
  const breaker: Breaker | null = windows === null ? null : (pid) => sendCtrlBreak(pid, node);

  const start = async (spec: ChildSpec): Promise<StartOutcome> => {
    const refused = refuseCommand(spec, platform);
    if (refused !== null) return refused;
    if (disposal.signal.aborted)
      return launchFailed("LAUNCH_FAILED", "This program is ending and starts nothing.");
    const pipe = await pipeFor(spec, platform, deps.onProblem);
    const env = pipe === null ? spec.env : { ...spec.env, [CONTROL_PIPE_VARIABLE]: pipe.address };
    const startOnce = () => startChild({ ...spec, env }, { inspector, platform, windows });
    const started = await launchPatiently(startOnce, platform, disposal.signal);
    if (started.kind === "launch-failed") {
      pipe?.dispose();
      return started;
    }
    if (started.mayEndWithUs) deps.onProblem?.(mayEndWithUs(spec.command));
    const child = followed.follow(started, {
      token: spec.env[ATTEMPT_TOKEN_VARIABLE] ?? null,
      outputPaths: [spec.stdoutPath, spec.stderrPath],
      pipe,
      breaker,
      origin: "started",
    });
    return { kind: "started", child };
  };

  const adopt = ({ identity, attemptId, outputPaths }: Survivor): AdoptOutcome => {
    const liveness = inspector.liveness(identity);
    if (liveness.kind !== "alive-ours") return liveness;
    const handle = windows === null ? followByLooking(identity, inspector) : windows.follow(identity);
    if (handle === null)
      return { kind: "cannot-tell", reason: `Process ${identity.pid} cannot be opened to be waited for.` };
    // Not ours to collect: its number may be given away between a look and a signal, so its group is never signalled.
    const started = { handle, identity, ownGroup: false };
    const child = followed.follow(started, {
      token: attemptId,
      outputPaths,
      pipe: null,
      breaker,
      origin: "adopted",
    });
    return { kind: "adopted", child };
  };

  return {
    start,
    adopt,
    followed: followed.list,
    onFollowed: followed.onChange,
    leftovers: ({ identity, attemptId }) =>
      supervise(
        goneHandle(identity.pid),
        identity,
        { ownGroup: false, token: attemptId, askPolitely: () => false },
        { inspector, monotonicMs },
      ),
    runCommand: async (spec, limits) => {
      const signals = limits.signal === undefined ? [disposal.signal] : [limits.signal, disposal.signal];
      const workerJob = (pid: number): WorkerJob | null => windows?.workerJob(pid) ?? null;
      const shared = { inspector, platform, monotonicMs, workerJob };
      const command = runBounded(spec, { ...limits, signal: AbortSignal.any(signals) }, shared);
      commands.add(command);
      try {
        return await command;
      } finally {
        commands.delete(command);
      }
    },
    dispose: async () => {
      disposal.abort();
      await Promise.allSettled([...commands]);
      followed.dispose();
      windows?.dispose();
      await sweepDeadPipes(platform);
    },
  };
}

/** Null when it cannot be opened: a job that can only be stopped by force is better than a job not started. */
async function pipeFor(
  spec: ChildSpec,
  platform: NodeJS.Platform,
  onProblem: ProcessManagerDeps["onProblem"],
): Promise<ControlPipe | null> {
  if (!spec.controlPipe) return null;
  try {
    return await openControlPipe(platform);
  } catch (error) {
    onProblem?.(noControlPipe(error));
    return null;
  }
}

const noControlPipe = (error: unknown): Problem => ({
  code: "CONTROL_PIPE_UNAVAILABLE",
  message: `A job was started without its control pipe and can be stopped only by signal or by force: ${errorText(error)}`,
  place: tmpdir(),
  remedy: "Make the folder for temporary files exist and writable (TMPDIR, on Windows TEMP).",
});

const mayEndWithUs = (command: string): Problem => ({
  code: "CHILD_MAY_END_WITH_PROGRAM",
  message:
    "This program runs inside a job object of Windows that lets nothing out: when the job is closed, running jobs are ended by force and their outcome becomes unknown.",
  place: command,
  remedy: "Start the console or the service directly, not through a tool that ends everything it started.",
});
