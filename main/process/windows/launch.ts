import type { ChildSpec, ProcessIdentity } from "../ports.ts";
import type { JobHandle, ProcessHandle } from "../process-handle.ts";
import { batchCommand, isBatchFile } from "./batch.ts";
import { createSuspended, type Suspended } from "./create-process.ts";
import { environmentBlock, impossibleVariable, windowsEnvironment } from "./environment-block.ts";
import type { ExitWatch } from "./exit-watch.ts";
import {
  createJob,
  FORCED_EXIT_CODE,
  giveJobTo,
  insideJob,
  jobMembers,
  jobName,
  terminateJob,
} from "./job.ts";
import type { Handle, Native } from "./native.ts";
import { openStreams } from "./output-files.ts";
import { exitCodeOf, imageOf, timesOf } from "./process-facts.ts";
import { commandLineFor } from "./quote.ts";

export type WindowsLaunch =
  | {
      readonly kind: "started";
      readonly handle: ProcessHandle;
      readonly identity: ProcessIdentity;
      /** In a job object this program was put into, which may end the child with this program. */
      readonly mayEndWithUs: boolean;
    }
  /** `created`: output files that were made and hold nothing. */
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly why: string | null;
      readonly created: readonly string[];
    };

export type WindowsChild = Pick<ChildSpec, "command" | "args" | "cwd" | "env" | "stdoutPath" | "stderrPath">;

export interface WindowsLaunchDeps {
  readonly native: Native;
  readonly exits: ExitWatch;
  /** Environment of this program, for what every program needs. */
  readonly own: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts a node attempt so that it outlives this program (decisions §3): it is created waiting, put into a job object
 * that it holds itself and nobody closes on it, and only then runs. So whatever it starts is in the job from the first
 * instruction on. Nothing runs after a failure.
 */
export function launchWindows(spec: WindowsChild, deps: WindowsLaunchDeps): WindowsLaunch {
  const { native } = deps;
  const env = windowsEnvironment(spec.env, deps.own);
  const impossible = impossibleVariable(env);
  if (impossible !== null) return failed("ERR_INVALID_ARG_VALUE", "a variable of its environment", []);
  const line = lineFor(spec, env);
  if (line.kind === "refused") return failed("LAUNCH_FAILED", line.why, []);
  const opened = openStreams(native, spec.stdoutPath, spec.stderrPath);
  if (opened.kind === "failed") return failed(opened.code, null, opened.created);
  const made = createSuspended(native, {
    ...line,
    cwd: spec.cwd,
    environment: environmentBlock(env),
    streams: opened.streams,
  });
  opened.streams.close();
  if (made.kind === "failed") return failed(made.code, null, [spec.stdoutPath, spec.stderrPath]);
  return runInJob(made, deps);
}

type Line =
  | { readonly kind: "line"; readonly application: string; readonly commandLine: string }
  | { readonly kind: "refused"; readonly why: string };

function lineFor({ command, args }: WindowsChild, env: Readonly<Record<string, string>>): Line {
  if ([command, ...args].some((word) => word.includes("\0")))
    return { kind: "refused", why: "an argument holds a NUL" };
  if (!isBatchFile(command)) {
    return { kind: "line", application: command, commandLine: commandLineFor(command, args) };
  }
  const systemRoot = Object.entries(env).find(([name]) => name.toUpperCase() === "SYSTEMROOT")?.[1];
  if (systemRoot === undefined) return { kind: "refused", why: "SystemRoot is not set" };
  const batch = batchCommand(command, args, systemRoot);
  return batch.kind === "refused"
    ? batch
    : { kind: "line", application: batch.shell, commandLine: `"${batch.shell}" ${batch.rest}` };
}

function runInJob(made: Suspended, { native, exits }: WindowsLaunchDeps): WindowsLaunch {
  const identity: ProcessIdentity = {
    pid: made.pid,
    processStart: timesOf(native, made.process)?.processStart ?? null,
    image: imageOf(native, made.process),
  };
  const job = jobAround(native, identity, made.process);
  const handle = followed(native, exits, made, job);
  native.call.ResumeThread(made.thread);
  native.call.CloseHandle(made.thread);
  return { kind: "started", handle, identity, mayEndWithUs: made.keptInForeignJob && insideJob(native) };
}

/** Null when the process cannot be put into a job object of ours: it then runs without one, and is found by its chain. */
function jobAround(native: Native, identity: ProcessIdentity, process: Handle): Handle | null {
  const name = jobName(identity);
  const job = name === null ? null : createJob(native, name, false);
  if (job === null) return null;
  if (native.call.AssignProcessToJobObject(job, process) !== 0n) {
    giveJobTo(native, job, process);
    return job;
  }
  native.call.CloseHandle(job);
  return null;
}

/** A process of ours by its open handle: its number cannot be given to another while the handle is open. */
export function followed(
  native: Native,
  exits: ExitWatch,
  { process, pid }: Pick<Suspended, "process" | "pid">,
  job: Handle | null,
): ProcessHandle {
  let open = true;
  const { promise: exit, resolve: exited } = Promise.withResolvers<number | null>();
  const waiting = exits.watch(process, () => exited(exitCodeOf(native, process)));
  return {
    pid,
    onExit: (listener) =>
      void exit.then((code) => {
        const ended = code === FORCED_EXIT_CODE;
        listener(ended ? null : code, ended ? "SIGKILL" : null);
      }),
    terminate: () => false,
    kill: () => {
      if (open) native.call.TerminateProcess(process, FORCED_EXIT_CODE);
    },
    release: () => {
      if (!open) return;
      open = false;
      waiting.cancel();
      native.call.CloseHandle(process);
      if (job !== null) native.call.CloseHandle(job);
    },
    job: job === null ? null : jobHandle(native, job, () => open),
  };
}

function jobHandle(native: Native, job: Handle, isOpen: () => boolean): JobHandle {
  return {
    members: () => (isOpen() ? jobMembers(native, job) : null),
    end: () => {
      if (isOpen()) terminateJob(native, job);
    },
  };
}

function failed(code: string, why: string | null, created: readonly string[]): WindowsLaunch {
  return { kind: "failed", code, why, created };
}
