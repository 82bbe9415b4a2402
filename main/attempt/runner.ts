import { mkdir } from "node:fs/promises";
import {
  gateCapabilities,
  parseCapabilities,
  parseJobInspection,
  parseProfileDescription,
} from "../../shared/contract/index.ts";
import { errorText, fail, ok, type Problem, type Result } from "../../shared/domain/problem.ts";
import type { CommandOutcome, ProcessManager } from "../process/index.ts";
import { maskValues } from "./masking.ts";
import type { Runner, RunnerConfig } from "./ports.ts";

/** Starting Node and reading a configuration takes seconds on a slow host; a command without network no more. */
const COMMAND_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const STDERR_TAIL = 1_000;

export type RunnerCommands = Pick<ProcessManager, "runCommand">;

/**
 * The configured runner's read-only commands (execution-contract §2.1 to §2.3), each with the consumer's gate.
 * Errors as values: `CANCELLED` when `signal` stopped it, `KSQL_FLOW_PROCESS_FAILED`, `KSQL_FLOW_EXIT_MISMATCH`, `KSQL_FLOW_INVALID_JSON`,
 * `KSQL_FLOW_OUTPUT_INVALID`, `CAPABILITY_*`, `PROFILE_DESCRIPTION_INVALID`, `WORK_FOLDER_UNAVAILABLE`.
 */
export function createRunner(config: RunnerConfig, processes: RunnerCommands): Runner {
  const ask = (command: string, args: readonly string[], signal?: AbortSignal): Promise<Result<unknown>> =>
    askRunner({ config, processes, command, args }, signal);
  const profile = ["--profile", config.profile, "--config", config.configPath, "--json"];
  return {
    capabilities: async (need, signal) => {
      const answer = await ask("capabilities", ["--json"], signal);
      const capabilities = answer.ok ? parseCapabilities(answer.value) : answer;
      return capabilities.ok ? gateCapabilities(capabilities.value, need) : capabilities;
    },
    describeProfile: async (signal) => {
      const answer = await ask("describe-profile", profile, signal);
      const described = answer.ok ? parseProfileDescription(answer.value) : answer;
      if (!described.ok || described.value.description.profile === config.profile) return described;
      return fail({
        code: "PROFILE_DESCRIPTION_INVALID",
        message: `The runner described profile ${described.value.description.profile} when it was asked for ${config.profile}.`,
        place: "describe-profile: profile",
        remedy: "Check the profile name in the runner's configuration file.",
      });
    },
    inspectJob: async (sqlPath, signal) => {
      const answer = await ask("inspect-job", ["-f", sqlPath, ...profile], signal);
      return answer.ok ? parseJobInspection(answer.value) : answer;
    },
  };
}

export interface Question {
  readonly config: RunnerConfig;
  readonly processes: RunnerCommands;
  readonly command: string;
  readonly args: readonly string[];
  /** Exit codes that come with an answer; 0 where none are named. */
  readonly exits?: readonly number[];
}

/** Runs one command of the runner and gives the JSON it printed. Errors as those of {@link createRunner}. */
export async function askRunner(question: Question, signal?: AbortSignal): Promise<Result<unknown>> {
  const { config, processes, command, args } = question;
  const unusable = await workDirProblem(config.workDir);
  if (unusable !== null) return fail(unusable);
  const outcome = await processes.runCommand(
    {
      command: config.command,
      args: [...config.leadingArgs, command, ...args],
      cwd: config.workDir,
      env: config.env,
    },
    {
      timeoutMs: COMMAND_TIMEOUT_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      ...(signal === undefined ? {} : { signal }),
    },
  );
  return answerOf(question, outcome);
}

async function workDirProblem(workDir: string): Promise<Problem | null> {
  try {
    await mkdir(workDir, { recursive: true });
    return null;
  } catch (error) {
    return {
      code: "WORK_FOLDER_UNAVAILABLE",
      message: `The work folder cannot be made: ${errorText(error)}`,
      place: workDir,
      remedy: "Check free space and rights of the work folder, or choose another one.",
    };
  }
}

function answerOf(question: Question, outcome: CommandOutcome): Result<unknown> {
  if (outcome.cancelled) return cancelled(question);
  const abnormal = abnormalEnd(outcome);
  if (abnormal !== null) return refuse(question, "KSQL_FLOW_PROCESS_FAILED", abnormal, outcome);
  const { exits = [0] } = question;
  if (!exits.includes(outcome.exit?.exitCode ?? -1)) {
    const exit = `It ended with exit code ${outcome.exit?.exitCode ?? "none"} where ${exits.join(" or ")} comes with an answer.`;
    return refuse(question, "KSQL_FLOW_EXIT_MISMATCH", exit, outcome);
  }
  if (outcome.truncated) {
    return refuse(
      question,
      "KSQL_FLOW_OUTPUT_INVALID",
      `It printed more than ${MAX_OUTPUT_BYTES} bytes.`,
      outcome,
    );
  }
  try {
    return ok(JSON.parse(outcome.stdout));
  } catch {
    return refuse(question, "KSQL_FLOW_INVALID_JSON", "Its output is not one JSON value.", outcome);
  }
}

function abnormalEnd({ launchFailure, timedOut, exit }: CommandOutcome): string | null {
  if (launchFailure !== null) return `It could not be started. ${launchFailure}`;
  if (timedOut) return `It did not end within ${COMMAND_TIMEOUT_MS / 1000} seconds and was stopped.`;
  if (exit === null) return "It was told to stop and has not been seen to end.";
  return exit.signal === null ? null : `It was ended by ${exit.signal}.`;
}

/** Nothing is wrong with the runner: we ended its command. */
function cancelled({ command }: Question): Result<never> {
  return fail({
    code: "CANCELLED",
    message: `The runner's command ${command} was stopped, as this program was told to stop.`,
    place: `runner: ${command}`,
    remedy: "Start again when you want it to run.",
  });
}

function refuse(
  { config, command }: Question,
  code: string,
  what: string,
  outcome: CommandOutcome,
): Result<never> {
  const said = maskValues(outcome.stderr.trim().slice(-STDERR_TAIL), config.env);
  return fail({
    code,
    message: `The runner's command ${command} gave no usable answer. ${what}`,
    place: `runner: ${config.command}`,
    remedy: "Run the same command by hand on this host and check the runner's path and configuration.",
    details: { command, exitCode: outcome.exit?.exitCode ?? null, stderr: said },
  });
}
