import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import type { ChildSpec } from "./ports.ts";

export type LaunchSpec = Pick<ChildSpec, "command" | "args" | "cwd" | "env">;

export type Launch =
  | { readonly kind: "started"; readonly handle: ChildProcess; readonly pid: number }
  | LaunchFailure;

export interface LaunchFailure {
  readonly kind: "launch-failed";
  readonly code: string;
  readonly message: string;
}

/** A batch file runs in a shell of the system's choosing whatever we say; also with trailing dots and blanks. */
const BATCH_FILE = /\.(?:cmd|bat)[. ]*$/i;

/** Why this command may not be started at all, or null. */
export function refuseCommand(command: string): LaunchFailure | null {
  if (BATCH_FILE.test(command)) {
    return launchFailed(
      "LAUNCH_FAILED",
      `${command} is a batch file and can run only inside a shell. Name the program it calls, for example node.exe with the path of the script as first argument.`,
    );
  }
  if (!isAbsolute(command)) {
    return launchFailed(
      "LAUNCH_FAILED",
      `${command} is not an absolute path; which program it means would depend on where it is looked up. Give the full path.`,
    );
  }
  return null;
}

/**
 * Starts a program without a shell, as leader of a process group of its own (electron-desktop §4 C2, C5).
 * Settles when the system has said whether it runs; nothing runs after a launch failure.
 */
export async function launch(spec: LaunchSpec, stdio: StdioOptions, detached: boolean): Promise<Launch> {
  try {
    const handle = spawn(spec.command, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      stdio,
      detached,
      shell: false,
      windowsHide: true,
    });
    const { pid } = handle;
    if (pid !== undefined) {
      // A failure to signal is told by this event too; what became of the process is told by its exit alone.
      handle.on("error", () => undefined);
      return { kind: "started", handle, pid };
    }
    return await new Promise((resolve) => handle.once("error", (error) => resolve(fromError(error, spec))));
  } catch (error) {
    return fromError(error, spec);
  }
}

export function launchFailed(code: string, message: string): LaunchFailure {
  return { kind: "launch-failed", code, message };
}

/** The system's code and a sentence about it; arguments and environment are never repeated. */
export function fromError(error: unknown, spec: LaunchSpec): LaunchFailure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "LAUNCH_FAILED";
  return launchFailed(code, `${spec.command} could not be started in ${spec.cwd}: ${EXPLAIN[code] ?? code}.`);
}

const EXPLAIN: Readonly<Record<string, string>> = {
  ENOENT: "the program, its working folder or the folder of its output does not exist (ENOENT)",
  EACCES: "access was denied; a virus scanner or missing rights may be the reason (EACCES)",
  EPERM: "access was denied; a virus scanner or missing rights may be the reason (EPERM)",
  EINVAL: "the system does not take this file for a program (EINVAL)",
  ENOEXEC: "the system does not take this file for a program (ENOEXEC)",
  EEXIST: "an output file of this attempt exists already (EEXIST)",
};
