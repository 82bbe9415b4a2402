import { spawn } from "node:child_process";

export interface RunOptions {
  readonly limitMs: number;
  readonly env?: NodeJS.ProcessEnv;
  /** A file descriptor for both outputs; this program's own outputs otherwise. */
  readonly output?: number;
}

export interface RunOutcome {
  /** Null when it did not start or was ended by a signal. */
  readonly code: number | null;
  readonly timedOut: boolean;
}

/** Runs a program without input to its end, by force after the limit. Never rejects. */
export function runFor(
  command: string,
  args: readonly string[],
  { limitMs, env = process.env, output }: RunOptions,
): Promise<RunOutcome> {
  return new Promise((resolve) => {
    let timedOut = false;
    const stream = output ?? "inherit";
    const child = spawn(command, [...args], { stdio: ["ignore", stream, stream], env });
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
    }, limitMs);
    const end = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, timedOut });
    };
    child.once("error", () => end(null));
    child.once("exit", end);
  });
}
