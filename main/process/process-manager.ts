import { tmpdir } from "node:os";
import { errorText, type Problem } from "../../shared/domain/problem.ts";
import { CONTROL_PIPE_VARIABLE, type ControlPipe, openControlPipe, sweepDeadPipes } from "./control-pipe.ts";
import { createInspector } from "./inspector/index.ts";
import type { SystemInspector } from "./inspector/types.ts";
import { fromError, launch, launchFailed, refuseCommand } from "./launch.ts";
import { openOutputs } from "./outputs.ts";
import type { ChildSpec, ProcessManager, StartOutcome } from "./ports.ts";
import { runBounded } from "./run-command.ts";
import { supervise } from "./supervise.ts";

export interface ProcessManagerDeps {
  readonly inspector?: SystemInspector;
  readonly platform?: NodeJS.Platform;
  readonly clock?: { monotonicMs(): number };
  /** Told of a child that was started without the means to ask it to end in order. */
  readonly onProblem?: (problem: Problem) => void;
}

/**
 * Starts, follows and stops child processes (architecture §2 `process/`, decisions §3, electron-desktop §4).
 * Children of `start` survive this program; commands of `runCommand` are ours and end with it.
 */
export function createProcessManager(deps: ProcessManagerDeps = {}): ProcessManager {
  const platform = deps.platform ?? process.platform;
  const inspector = deps.inspector ?? createInspector(platform);
  const monotonicMs = (): number => deps.clock?.monotonicMs() ?? performance.now();
  const shared = { inspector, platform, monotonicMs };
  const disposal = new AbortController();
  const letGo = new Set<() => void>();
  const commands = new Set<Promise<unknown>>();

  const startWith = async (spec: ChildSpec, pipe: ControlPipe | null): Promise<StartOutcome> => {
    const outputs = await openOutputs(spec.stdoutPath, spec.stderrPath);
    const env = pipe === null ? spec.env : { ...spec.env, [CONTROL_PIPE_VARIABLE]: pipe.address };
    const launched = await launch({ ...spec, env }, ["ignore", outputs.stdout, outputs.stderr], true);
    if (launched.kind === "launch-failed") {
      await outputs.discard();
      return launched;
    }
    const { handle, pid } = launched;
    // Before anything is awaited: the row of the process stays in the table at least until we collect its exit.
    const identity = inspector.identify(pid) ?? { pid, processStart: null, image: null };
    const askPolitely = pipe === null ? null : () => pipe.cancel();
    const child = supervise(handle, identity, { ownGroup: true, askPolitely }, shared);
    const release = (): void => {
      letGo.delete(release);
      pipe?.dispose();
      handle.unref();
    };
    letGo.add(release);
    handle.once("exit", release);
    // The child runs whatever becomes of our ends of its files; a failure here must not read as "not started".
    await outputs.close().catch(() => undefined);
    return { kind: "started", child };
  };

  /** Null when it cannot be opened: a job that can only be stopped by force is better than a job not started. */
  const pipeFor = async (spec: ChildSpec): Promise<ControlPipe | null> => {
    if (!spec.controlPipe) return null;
    try {
      return await openControlPipe(platform);
    } catch (error) {
      deps.onProblem?.(noControlPipe(error));
      return null;
    }
  };

  const start = async (spec: ChildSpec): Promise<StartOutcome> => {
    const refused = refuseCommand(spec.command);
    if (refused !== null) return refused;
    if (disposal.signal.aborted)
      return launchFailed("LAUNCH_FAILED", "This program is ending and starts nothing.");
    let pipe: ControlPipe | null = null;
    try {
      pipe = await pipeFor(spec);
      const outcome = await startWith(spec, pipe);
      if (outcome.kind === "launch-failed") pipe?.dispose();
      return outcome;
    } catch (error) {
      pipe?.dispose();
      return fromError(error, spec);
    }
  };

  return {
    start,
    runCommand: async (spec, limits) => {
      const signals = limits.signal === undefined ? [disposal.signal] : [limits.signal, disposal.signal];
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
      for (const release of [...letGo]) release();
      await sweepDeadPipes(platform);
    },
  };
}

const noControlPipe = (error: unknown): Problem => ({
  code: "CONTROL_PIPE_UNAVAILABLE",
  message: `A job was started without its control pipe and can be stopped only by signal or by force: ${errorText(error)}`,
  place: tmpdir(),
  remedy: "Make the folder for temporary files exist and writable (TMPDIR, on Windows TEMP).",
});
