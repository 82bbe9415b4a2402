import { isAbsolute, resolve } from "node:path";
import { type CommandSpec, invalid, type ParsedArguments, parseArguments } from "./arguments.ts";
import type { CliContext, Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp, overview } from "./help.ts";
import { problemOf, problemText } from "./problem-text.ts";
import { readVersion } from "./version.ts";

export type CliIo = Omit<CliContext, "dataDir">;

/**
 * Runs one command line and answers the exit code: 0 or 1 (orchestration section 9.1), a drill also 2. Never throws:
 * whatever a command throws is printed as `Error [CODE]: message` with place and remedy.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const { name, rest } = wholeName(splitCommand(argv));
  if (rest.some((argument) => argument === "-h" || argument === "--help") || name === null) {
    return help(name, rest, io);
  }
  const command = COMMANDS.find((candidate) => candidate.spec.name === name);
  if (command === undefined) return unknownCommand(name, io);
  const parsed = parseArguments(command.spec, rest);
  if (!parsed.ok) {
    command.onArgumentError?.(rest, { ...io, dataDir: () => dataDirOf(undefined, io) });
    for (const problem of parsed.error) io.err(problemText(problem));
    return 1;
  }
  return runCommand(command, parsed.value, io);
}

async function runCommand(command: Command, args: ParsedArguments, io: CliIo): Promise<number> {
  const given = args.values["--data-dir"];
  try {
    return await command.run(args, { ...io, dataDir: () => dataDirOf(given, io) });
  } catch (error) {
    io.err(problemText(problemOf(error, command.fallbackCode)));
    return 1;
  }
}

/** Rooms are loaded when a command enters them: what only reads a file must not wait for all the others. */
async function dataDirOf(given: string | undefined, io: CliIo): Promise<string> {
  if (given !== undefined) return isAbsolute(given) ? given : resolve(io.cwd, given);
  const { defaultDataDir } = await import("../console/index.ts");
  return defaultDataDir(io.env);
}

interface Split {
  readonly name: string | null;
  readonly rest: readonly string[];
}

/** The command is the first argument that is no option; `--data-dir D` may stand before it. */
export function splitCommand(argv: readonly string[]): Split {
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? "";
    if (argument === "--data-dir") {
      index += 1;
      continue;
    }
    if (!argument.startsWith("-")) {
      return { name: argument, rest: [...argv.slice(0, index), ...argv.slice(index + 1)] };
    }
  }
  return { name: null, rest: argv };
}

/** A command may have several words: `drill retry-boundaries verify`. The longest name that is one wins. */
function wholeName(split: Split): Split {
  // A data folder may stand before the command; it must not part its words.
  const lead = split.rest[0] === "--data-dir" ? 2 : 0;
  const rest = [...split.rest.slice(lead), ...split.rest.slice(0, lead)];
  const words = [...(split.name === null ? [] : [split.name]), ...rest];
  const names = COMMANDS.map((command) => command.spec.name.split(" "));
  const fitting = names.filter((name) => name.every((word, index) => word === words[index]));
  const longest = fitting.reduce((best, name) => Math.max(best, name.length), 1);
  if (longest === 1) return split;
  return { name: words.slice(0, longest).join(" "), rest: words.slice(longest) };
}

function help(name: string | null, rest: readonly string[], io: CliIo): number {
  const specs: readonly CommandSpec[] = COMMANDS.map((command) => command.spec);
  if (name !== null) {
    const spec = specs.find((candidate) => candidate.name === name);
    if (spec === undefined) return unknownCommand(name, io);
    io.out(commandHelp(spec));
    return 0;
  }
  if (rest.some((argument) => argument === "-V" || argument === "--version")) {
    io.out(`${readVersion()}\n`);
    return 0;
  }
  const unknown = rest.find(
    (argument) => !["-h", "--help", "--data-dir"].includes(argument) && argument.startsWith("-"),
  );
  if (unknown !== undefined) {
    io.err(problemText(invalid(`Unknown option: ${unknown}`, unknown, "See: flownet --help")));
    return 1;
  }
  io.out(overview(specs));
  return 0;
}

function unknownCommand(name: string, io: CliIo): number {
  const known = COMMANDS.map((command) => command.spec.name).join(", ");
  io.err(problemText(invalid(`Unknown command: ${name}`, name, `Known commands: ${known}`)));
  return 1;
}
