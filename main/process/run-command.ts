import { captureStream } from "./capture.ts";
import { type LaunchSpec, launch, launchPatiently, refuseCommand } from "./launch.ts";
import type { CommandOutcome } from "./ports.ts";
import { handleOfChild, type JobHandle } from "./process-handle.ts";
import type { StopDeps } from "./stop.ts";
import { supervise } from "./supervise.ts";
import { settledWithin } from "./wait.ts";

/** A read-only command has nothing to finish; this is for its temporary files. */
const COMMAND_GRACE_MS = 2_000;
/** A grandchild may hold the pipes open; what the command itself said has arrived long before. */
const DRAIN_MS = 1_000;

export interface CommandLimits {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
}

/** A job object around a worker of ours that ends with this program, whatever ends this program. */
export interface WorkerJob extends JobHandle {
  close(): void;
}

export interface CommandDeps extends StopDeps {
  readonly platform: NodeJS.Platform;
  /** Null where the system has no such thing, or not for this process. */
  readonly workerJob: (pid: number) => WorkerJob | null;
}

/**
 * Runs a short command to its end, with its output kept up to a limit. Never rejects: time-out, abort and a
 * failed launch are told in the outcome (execution-contract §1).
 */
export async function runBounded(
  spec: LaunchSpec,
  limits: CommandLimits,
  deps: CommandDeps,
): Promise<CommandOutcome> {
  if (limits.signal?.aborted === true) {
    return { ...notStarted("The command was cancelled before it was started."), cancelled: true };
  }
  const ownGroup = deps.platform !== "win32";
  const started =
    refuseCommand(spec, deps.platform) ??
    (await launchPatiently(
      () => launch(spec, ["ignore", "pipe", "pipe"], ownGroup),
      deps.platform,
      limits.signal ?? new AbortController().signal,
    ));
  if (started.kind === "launch-failed") return notStarted(`${started.code}: ${started.message}`);
  const { handle, pid } = started;
  const identity = deps.inspector.identify(pid) ?? { pid, processStart: null, image: null };
  const job = deps.workerJob(pid);
  const followed = handleOfChild(handle, pid, deps.platform, job);
  const askPolitely = (): boolean => followed.terminate();
  const child = supervise(followed, identity, { ownGroup, token: null, askPolitely }, deps);
  if (handle.stdout === null || handle.stderr === null) throw new Error("pipes were asked for and not given");
  const stdout = captureStream(handle.stdout, limits.maxOutputBytes);
  const stderr = captureStream(handle.stderr, limits.maxOutputBytes);
  const closed = new Promise((resolve) => handle.once("close", resolve));

  const ended = await endedInTime(child.exited, limits);
  if (ended !== "exited") await child.stop({ graceMs: COMMAND_GRACE_MS });
  await settledWithin(closed, DRAIN_MS);
  handle.stdout.destroy();
  handle.stderr.destroy();
  handle.unref();
  job?.close();
  const exit = await Promise.race([child.exited, null]);
  return {
    exit,
    stdout: stdout.text(),
    stderr: stderr.text(),
    timedOut: ended === "timed-out",
    cancelled: ended === "aborted",
    truncated: stdout.truncated() || stderr.truncated(),
    launchFailure: null,
  };
}

async function endedInTime(
  exited: Promise<unknown>,
  limits: CommandLimits,
): Promise<"exited" | "timed-out" | "aborted"> {
  const { signal } = limits;
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<"aborted">((resolve) => {
    onAbort = () => resolve("aborted");
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
  });
  const first = Promise.race([exited.then(() => "exited" as const), aborted]);
  try {
    return (await settledWithin(first, limits.timeoutMs)) ? await first : "timed-out";
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

function notStarted(launchFailure: string): CommandOutcome {
  return {
    exit: null,
    stdout: "",
    stderr: "",
    timedOut: false,
    cancelled: false,
    truncated: false,
    launchFailure,
  };
}
