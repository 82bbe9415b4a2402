import { spawn } from "node:child_process";
import { FlowError } from "../../shared/domain/problem.ts";
import type { RunnerAccess } from "./runner-access.ts";

export interface ChildOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs the runner in its work folder and passes its lines on as they come; gives its exit code. When `signal`
 * fires it is asked once to end in order (execution-contract §9). Throws FlowError `RUNNER_NOT_STARTED`, and
 * `RUNNER_KILLED` when it ended without an exit code.
 */
export async function runChild(
  runner: RunnerAccess,
  args: readonly string[],
  { out, err, signal }: ChildOutput,
): Promise<number> {
  const windows = process.platform === "win32";
  const child = spawn(runner.file, [...runner.leadingArgs, ...args], {
    cwd: runner.workDir,
    env: { ...runner.env },
    stdio: ["ignore", "pipe", "pipe"],
    // In its own group a Ctrl+C of the terminal does not reach it beside ours: a second signal would end it at once.
    detached: !windows,
    windowsHide: true,
  });
  child.stdout.setEncoding("utf8").on("data", out);
  child.stderr.setEncoding("utf8").on("data", err);
  const stop = (): void => {
    child.kill(windows ? "SIGINT" : "SIGTERM");
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await new Promise<number>((done, reject) => {
      child.on("error", (error) => reject(failure("RUNNER_NOT_STARTED", error.message, runner)));
      child.on("close", (code, by) => {
        if (code !== null) done(code);
        else reject(failure("RUNNER_KILLED", `It was ended by ${by ?? "nobody known"}.`, runner));
      });
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const failure = (code: string, detail: string, { file }: RunnerAccess): FlowError =>
  new FlowError({
    code,
    message: `The job runner did not end in order: ${detail}`,
    place: file,
    remedy: "Check KSQL_FLOW_BIN; a job that may have run shows its state in the log app.",
  });

/** Runs the runner and gives what it printed, for commands that answer with one JSON object. */
export async function askChild(
  runner: RunnerAccess,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  let stdout = "";
  let stderr = "";
  const code = await runChild(runner, args, {
    signal,
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}
