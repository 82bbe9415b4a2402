import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SECRET_NAME } from "./inspector/redact.ts";
import type { ChildSpec } from "./ports.ts";
import { batchCommand, isBatchFile } from "./windows/batch.ts";

export type LaunchSpec = Pick<ChildSpec, "command" | "args" | "cwd" | "env">;

export type Launch =
  | { readonly kind: "started"; readonly handle: ChildProcess; readonly pid: number }
  | LaunchFailure;

export interface LaunchFailure {
  readonly kind: "launch-failed";
  readonly code: string;
  readonly message: string;
}

/** Shorter values are words that stand in arguments by chance. */
const SHORTEST_SECRET = 8;

/** The variable with a secret's name whose value stands in an argument, where every account of the host can read it; or null. */
function secretInArguments({ args, env }: Pick<LaunchSpec, "args" | "env">): string | null {
  const secrets = Object.entries(env).filter(
    ([name, value]) => SECRET_NAME.test(name) && value.length >= SHORTEST_SECRET,
  );
  return secrets.find(([, value]) => args.some((arg) => arg.includes(value)))?.[0] ?? null;
}

/** Why this command may not be started at all, or null (electron-desktop §4 C2). */
export function refuseCommand(
  { command, ...words }: Pick<LaunchSpec, "command" | "args" | "env">,
  platform: NodeJS.Platform,
): LaunchFailure | null {
  const secret = secretInArguments(words);
  if (secret !== null) {
    return launchFailed(
      "LAUNCH_FAILED",
      `${command} was not started: the value of ${secret} stands in its arguments, which every account of this host can read. Hand it over in the environment alone.`,
    );
  }
  if (platform !== "win32" && isBatchFile(command)) {
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

/** What the system is handed: a program, or on Windows the shell that runs a batch file, with its words quoted already. */
type Plan =
  | {
      readonly kind: "run";
      readonly file: string;
      readonly args: readonly string[];
      readonly verbatim: boolean;
    }
  | LaunchFailure;

function planFor({ command, args, env }: LaunchSpec): Plan {
  if (process.platform !== "win32" || !isBatchFile(command))
    return { kind: "run", file: command, args, verbatim: false };
  const batch = batchCommand(command, args, env.SystemRoot ?? process.env.SystemRoot ?? "C:\\Windows");
  return batch.kind === "refused"
    ? batchRefused(command, batch.why)
    : { kind: "run", file: batch.shell, args: [batch.rest], verbatim: true };
}

/** The words of a batch file that cannot be handed over safely. */
export function batchRefused(command: string, why: string): LaunchFailure {
  return launchFailed(
    "LAUNCH_FAILED",
    `${command} is a batch file and was not started: ${why}. Name the program it calls instead, for example node.exe with the path of the script as first argument.`,
  );
}

/**
 * Starts a program without a shell, as leader of a process group of its own (electron-desktop §4 C2, C5).
 * Settles when the system has said whether it runs; nothing runs after a launch failure.
 */
export async function launch(spec: LaunchSpec, stdio: StdioOptions, detached: boolean): Promise<Launch> {
  const plan = planFor(spec);
  if (plan.kind === "launch-failed") return plan;
  try {
    const handle = spawn(plan.file, [...plan.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      stdio,
      detached,
      shell: false,
      windowsHide: true,
      windowsVerbatimArguments: plan.verbatim,
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

/** Virus scanners, a system short of processes and a program that is just being replaced say these for a moment. */
const FOR_A_MOMENT: ReadonlySet<string> = new Set(["EPERM", "EBUSY", "EAGAIN", "ETXTBSY"]);
const WAITS_MS = [50, 150, 400, 900] as const;

/** Tries a start again while its failure may pass by itself (electron-desktop §4 C8): four times, 1.5 seconds in all. */
export async function launchPatiently<T extends { readonly kind: string }>(
  start: () => Promise<T | LaunchFailure>,
  platform: NodeJS.Platform,
  signal: AbortSignal,
): Promise<T | LaunchFailure> {
  for (const waitMs of WAITS_MS) {
    const outcome = await start();
    if (!mayPass(outcome, platform) || signal.aborted) return outcome;
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
  }
  return start();
}

function mayPass(outcome: { readonly kind: string }, platform: NodeJS.Platform): boolean {
  if (outcome.kind !== "launch-failed" || !("code" in outcome)) return false;
  // Windows says EACCES for a scanned file; elsewhere it is a missing right, which does not come by waiting.
  return FOR_A_MOMENT.has(String(outcome.code)) || (platform === "win32" && outcome.code === "EACCES");
}

export function launchFailed(code: string, message: string): LaunchFailure {
  return { kind: "launch-failed", code, message };
}

/** The system's code and a sentence about it; arguments and environment are never repeated. */
export function fromError(error: unknown, spec: LaunchSpec): LaunchFailure {
  return fromCode(error instanceof Error && "code" in error ? String(error.code) : "LAUNCH_FAILED", spec);
}

/** The same for a code alone. */
export function fromCode(code: string, spec: LaunchSpec): LaunchFailure {
  return launchFailed(code, `${spec.command} could not be started in ${spec.cwd}: ${EXPLAIN[code] ?? code}.`);
}

const EXPLAIN: Readonly<Record<string, string>> = {
  ENOENT: "the program, its working folder or the folder of its output does not exist (ENOENT)",
  EACCES: "access was denied; a virus scanner or missing rights may be the reason (EACCES)",
  EPERM: "access was denied; a virus scanner or missing rights may be the reason (EPERM)",
  EBUSY: "the file was held by another program, perhaps a virus scanner, and was not let go (EBUSY)",
  EAGAIN: "the system is short of processes or memory and stayed so (EAGAIN)",
  ETXTBSY: "the program was being written to and stayed so (ETXTBSY)",
  EINVAL: "the system does not take this file for a program (EINVAL)",
  ENOEXEC: "the system does not take this file for a program (ENOEXEC)",
  ENAMETOOLONG: "its path or its arguments are longer than the system takes (ENAMETOOLONG)",
  ERR_INVALID_ARG_VALUE: "its path, an argument or a variable holds a NUL, which no system hands over",
  EEXIST: "an output file of this attempt exists already (EEXIST)",
};
