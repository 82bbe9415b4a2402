import { resolve } from "node:path";
import { RUNNER_EXIT } from "../../../shared/contract/exit-codes.ts";
import { FlowError, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { loadProfile } from "../config.ts";
import { RunFailure } from "../run/failure.ts";
import { exitCodeOf } from "../run/result.ts";
import { type ParsedArguments, parseArguments } from "./arguments.ts";
import { COMMAND_FLAGS, LEFT_OUT_COMMANDS, MACHINE_COMMANDS, POSITIONALS, USAGE } from "./commands.ts";
import { initLogApp } from "./init-logapp.ts";
import { lockCommand } from "./lock-commands.ts";
import { capabilities, describeProfile, inspectJob } from "./machine-commands.ts";
import { type ProcessEdge, refuseRun, runCommand } from "./run-command.ts";
import { validateCommand } from "./validate-command.ts";

function refuse(edge: ProcessEdge, problem: Problem): number {
  edge.stderr(`Error [${problem.code}]: ${problem.message}`);
  if (problem.place !== undefined) edge.stderr(`  at ${problem.place}`);
  if (problem.remedy !== undefined) edge.stderr(`  ${problem.remedy}`);
  return RUNNER_EXIT.invalid;
}

const missingFlag = (flag: string): Problem => ({
  code: "CONFIG_ERROR",
  message: `--${flag} is required. Nothing was read or started.`,
  place: `--${flag}`,
});

/** Runs one command line (execution-contract §1.2) and gives the exit code. */
export async function main(argv: readonly string[], edge: ProcessEdge): Promise<number> {
  const [command, ...rest] = argv;
  if (command === undefined || command === "help" || command === "--help" || command === "-h") {
    edge.stdout(USAGE);
    return RUNNER_EXIT.success;
  }
  const table = Object.hasOwn(COMMAND_FLAGS, command) ? COMMAND_FLAGS[command] : undefined;
  if (table === undefined) {
    const message = LEFT_OUT_COMMANDS.includes(command)
      ? `This runner has no ${command}; a network of FlowNet does its work.`
      : `There is no command ${command}.`;
    return refuse(edge, { code: "CONFIG_ERROR", message, place: command, remedy: "See --help." });
  }
  // With the orchestrator's flags there has to be a result, so a call for help is an argument error there (§4.1).
  const orchestrated = command === "run" && rest.some((argument) => argument.startsWith("--result-json"));
  if (!orchestrated && (rest.includes("--help") || rest.includes("-h"))) {
    if (MACHINE_COMMANDS.includes(command)) edge.stderr(USAGE);
    else edge.stdout(USAGE);
    return RUNNER_EXIT.success;
  }
  const args = parseArguments(rest, table, POSITIONALS[command] ?? 0);
  if (!args.ok) return command === "run" ? refuseRun(rest, args.error, edge) : refuse(edge, args.error);
  return perform(command, args.value, edge);
}

async function perform(command: string, args: ParsedArguments, edge: ProcessEdge): Promise<number> {
  if (command === "run") return runCommand(args, edge);
  try {
    switch (command) {
      case "inspect-lock":
      case "force-unlock-job":
        return codeOr(await lockCommand(command, args, edge), edge);
      case "validate":
        return await validateCommand(args, null, edge);
      case "validate-all":
        return await validateCommand(args, args.positionals[0] ?? "", edge);
      case "init-logapp":
        return await initLogApp(args, edge);
      default:
        return machineCommand(command, args, edge);
    }
  } catch (error) {
    if (error instanceof FlowError) return refuse(edge, error.problem);
    if (!(error instanceof RunFailure)) throw error;
    refuse(edge, { code: error.code, message: error.message });
    return exitCodeOf(error.resultCode);
  }
}

const codeOr = (result: Result<number>, edge: ProcessEdge): number =>
  result.ok ? result.value : refuse(edge, result.error);

function machineCommand(command: string, args: ParsedArguments, edge: ProcessEdge): number {
  const table = COMMAND_FLAGS[command] ?? {};
  const missing = Object.keys(table).find((flag) => !args.has(flag));
  if (missing !== undefined) return refuse(edge, missingFlag(missing));
  if (command === "capabilities") {
    edge.stdout(`${JSON.stringify(capabilities())}\n`);
    return RUNNER_EXIT.success;
  }
  const configPath = resolve(edge.cwd, args.value("config") ?? "");
  const loaded = loadProfile(configPath, args.value("profile"), edge.environment);
  if (!loaded.ok) return refuse(edge, loaded.error);
  if (command === "describe-profile") {
    edge.stdout(`${describeProfile(loaded.value)}\n`);
    return RUNNER_EXIT.success;
  }
  const inspection = inspectJob(resolve(edge.cwd, args.value("file") ?? ""), loaded.value);
  if (!inspection.ok) return refuse(edge, inspection.error);
  edge.stdout(`${JSON.stringify(inspection.value)}\n`);
  return RUNNER_EXIT.success;
}
