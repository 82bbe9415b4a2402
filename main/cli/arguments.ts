import { fail, ok, type Problem, type Result } from "../../shared/domain/problem.ts";

/** One option of a command. */
export interface OptionSpec {
  /** With its dashes. */
  readonly name: string;
  /** What the value is, for the help text; null for an option without a value. */
  readonly value: string | null;
  readonly text: string;
  readonly required?: boolean;
  /** Options that may not stand beside this one. */
  readonly excludes?: readonly string[];
  /** At least one of these has to stand beside this one. */
  readonly needsOneOf?: readonly string[];
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly positional: { readonly name: string; readonly text: string } | null;
  readonly options: readonly OptionSpec[];
  readonly example: string;
}

/** What stood on the command line, checked against the command's specification. */
export interface ParsedArguments {
  readonly positional: string | null;
  readonly values: Readonly<Record<string, string>>;
  readonly flags: ReadonlySet<string>;
}

/** Options every command takes. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { name: "--data-dir", value: "folder", text: "where the embedded workspace, journals and settings live" },
];

/**
 * Reads the arguments of one command (orchestration section 9.1): options take the next argument, a value
 * that starts with `--` counts as missing, repeated and unknown options are errors. All errors are told,
 * each as `INVALID_ARGUMENTS`.
 */
export function parseArguments(
  spec: CommandSpec,
  argv: readonly string[],
): Result<ParsedArguments, readonly Problem[]> {
  const options = [...spec.options, ...GLOBAL_OPTIONS];
  const read = readTokens(spec, options, argv);
  const given = new Set([...read.flags, ...Object.keys(read.values), ...read.incomplete]);
  const problems = [...read.problems, ...missing(spec, read.positionals), ...conflicts(options, given)];
  if (problems.length > 0) return fail(problems);
  return ok({ positional: read.positionals[0] ?? null, values: read.values, flags: read.flags });
}

interface ReadTokens {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly flags: ReadonlySet<string>;
  /** Named, but their value is missing: already told once. */
  readonly incomplete: readonly string[];
  readonly problems: readonly Problem[];
}

function readTokens(spec: CommandSpec, options: readonly OptionSpec[], argv: readonly string[]): ReadTokens {
  const positionals: string[] = [];
  const values: Record<string, string> = {};
  const flags = new Set<string>();
  const incomplete: string[] = [];
  const problems: Problem[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? "";
    if (!argument.startsWith("-")) {
      positionals.push(argument);
      continue;
    }
    const option = options.find((candidate) => candidate.name === argument);
    if (option === undefined) {
      problems.push(unknownOption(spec, options, argument));
      continue;
    }
    if (flags.has(argument) || Object.hasOwn(values, argument) || incomplete.includes(argument)) {
      problems.push(invalid(`Option ${argument} was given more than once.`, argument, "Give it once."));
    }
    if (option.value === null) {
      flags.add(argument);
      continue;
    }
    const value = argv[index + 1];
    if (value === undefined || value.startsWith("--")) {
      incomplete.push(argument);
      problems.push(valueMissing(option));
      continue;
    }
    values[argument] = value;
    index += 1;
  }
  return { positionals, values, flags, incomplete, problems };
}

function missing(spec: CommandSpec, positionals: readonly string[]): readonly Problem[] {
  const usage = `See: flownet ${spec.name} --help`;
  if (spec.positional === null) {
    const extra = positionals[0];
    return extra === undefined ? [] : [invalid(`Unexpected argument: ${extra}`, extra, usage)];
  }
  if (positionals.length === 0) {
    return [invalid(`The ${spec.positional.name} is missing.`, `<${spec.positional.name}>`, usage)];
  }
  return positionals.slice(1).map((extra) => invalid(`Unexpected argument: ${extra}`, extra, usage));
}

function conflicts(options: readonly OptionSpec[], given: ReadonlySet<string>): readonly Problem[] {
  return options.flatMap((option) => {
    if (!given.has(option.name)) {
      if (option.required !== true) return [];
      return [invalid(`Required option ${option.name} is missing.`, option.name, `Add ${usageOf(option)}.`)];
    }
    const excluded = (option.excludes ?? []).filter((name) => given.has(name));
    const found = excluded.map((name) =>
      invalid(`${option.name} cannot be combined with ${name}.`, option.name, "Give only one of them."),
    );
    const needed = option.needsOneOf ?? [];
    if (needed.length > 0 && !needed.some((name) => given.has(name))) {
      const names = needed.join(" or ");
      found.push(invalid(`${option.name} needs ${names}.`, option.name, `Add ${names}.`));
    }
    return found;
  });
}

function unknownOption(spec: CommandSpec, options: readonly OptionSpec[], argument: string): Problem {
  const [name = ""] = argument.split("=");
  const meant = options.find((option) => option.name === name);
  if (meant !== undefined) {
    const remedy = `Options take the next argument: ${usageOf(meant)}`;
    return invalid(`Unknown option: ${argument}`, argument, remedy);
  }
  const known = options.map((option) => option.name).join(" ");
  return invalid(`Unknown option: ${argument}`, argument, `flownet ${spec.name} knows: ${known}`);
}

function valueMissing(option: OptionSpec): Problem {
  return invalid(`Option ${option.name} needs a value.`, option.name, `Write ${usageOf(option)}.`);
}

/** `--name <value>` as the help prints it. */
export function usageOf(option: OptionSpec): string {
  return option.value === null ? option.name : `${option.name} <${option.value}>`;
}

/** An argument error as a problem; the place is the option or argument itself. */
export function invalid(message: string, place: string, remedy: string): Problem {
  return { code: "INVALID_ARGUMENTS", message, place: `argument ${place}`, remedy };
}
