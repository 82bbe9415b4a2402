import { resolve } from "node:path";
import type { Problem } from "../../../shared/domain/problem.ts";
import { loadProfile } from "../config.ts";
import { type ParsedArguments, parseArguments } from "./arguments.ts";
import { COMMAND_FLAGS, MISSING_COMMANDS, USAGE } from "./commands.ts";
import { capabilities, describeProfile, inspectJob } from "./machine-commands.ts";
import { type ProcessEdge, runCommand } from "./run-command.ts";

const MACHINE = ["capabilities", "describe-profile", "inspect-job"];

function refuse(edge: ProcessEdge, problem: Problem): number {
  edge.stderr(`Error [${problem.code}]: ${problem.message}`);
  if (problem.place !== undefined) edge.stderr(`  at ${problem.place}`);
  if (problem.remedy !== undefined) edge.stderr(`  ${problem.remedy}`);
  return 1;
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
    return 0;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    if (MACHINE.includes(command)) edge.stderr(USAGE);
    else edge.stdout(USAGE);
    return 0;
  }
  const table = Object.hasOwn(COMMAND_FLAGS, command) ? COMMAND_FLAGS[command] : undefined;
  if (table === undefined) {
    const message = MISSING_COMMANDS.includes(command)
      ? `The command ${command} is not built yet.`
      : `There is no command ${command}.`;
    return refuse(edge, { code: "CONFIG_ERROR", message, place: command, remedy: "See --help." });
  }
  const args = parseArguments(rest, table);
  if (!args.ok) return refuse(edge, args.error);
  return command === "run" ? runCommand(args.value, edge) : machineCommand(command, args.value, edge);
}

function machineCommand(command: string, args: ParsedArguments, edge: ProcessEdge): number {
  const table = COMMAND_FLAGS[command] ?? {};
  const missing = Object.keys(table).find((flag) => !args.has(flag));
  if (missing !== undefined) return refuse(edge, missingFlag(missing));
  if (command === "capabilities") {
    edge.stdout(`${JSON.stringify(capabilities())}\n`);
    return 0;
  }
  const configPath = resolve(edge.cwd, args.value("config") ?? "");
  const loaded = loadProfile(configPath, args.value("profile"), edge.environment);
  if (!loaded.ok) return refuse(edge, loaded.error);
  if (command === "describe-profile") {
    edge.stdout(`${describeProfile(loaded.value)}\n`);
    return 0;
  }
  const inspection = inspectJob(resolve(edge.cwd, args.value("file") ?? ""), loaded.value);
  if (!inspection.ok) return refuse(edge, inspection.error);
  edge.stdout(`${JSON.stringify(inspection.value)}\n`);
  return 0;
}
