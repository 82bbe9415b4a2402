import type { ChildProcess } from "node:child_process";

/** Everything in the job object of a process; null where the system has no such thing. */
export interface JobHandle {
  /** Numbers of the living members, or null when the system does not tell. */
  members(): readonly number[] | null;
  /** Ends all of them at once. */
  end(): void;
}

/** A process this program follows: a child of this Node, a child made by the system's own call, or a survivor. */
export interface ProcessHandle {
  readonly pid: number;
  /** Calls the listener once, with the exit code or the signal; both null when nobody can know. */
  onExit(listener: (exitCode: number | null, signal: string | null) => void): void;
  /** Asks it to end by the signal programs of this system listen to. False: there is none, or it is gone. */
  terminate(): boolean;
  /** Ends the process itself at once; ineffective once it is gone. */
  kill(): void;
  /** Takes back what is held for it; the process runs on. */
  release(): void;
  readonly job: JobHandle | null;
}

/** A child of this Node as a {@link ProcessHandle}. */
export function handleOfChild(
  child: ChildProcess,
  pid: number,
  platform: NodeJS.Platform,
  job: JobHandle | null = null,
): ProcessHandle {
  // Heard from the start: an exit must not pass while its files are still being closed.
  const exit = new Promise<[number | null, string | null]>((resolve) => {
    child.once("exit", (code, signal) => resolve([code, signal]));
  });
  return {
    pid,
    onExit: (listener) => void exit.then(([code, signal]) => listener(code, signal)),
    // Windows has no signal a program can catch from us: SIGTERM would be the forced end already (toolchain §9).
    terminate: () => platform !== "win32" && child.kill("SIGTERM"),
    kill: () => void child.kill("SIGKILL"),
    release: () => child.unref(),
    job,
  };
}
