import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";

/** What a flag takes: nothing, one value (the last one wins), or a value each time it is given. */
export type FlagKind = "boolean" | "value" | "list";

/** The flags of one command, by long name without dashes. */
export type FlagTable = Readonly<Record<string, FlagKind>>;

export interface ParsedArguments {
  has(flag: string): boolean;
  /** Last value given, or null. */
  value(flag: string): string | null;
  values(flag: string): readonly string[];
  readonly positionals: readonly string[];
}

function refuse(message: string, place: string): Problem {
  return {
    code: "CONFIG_ERROR",
    message: `${message} Nothing was read or started.`,
    place,
    remedy: "See --help.",
  };
}

interface Flag {
  /** As written, for messages. */
  readonly written: string;
  readonly name: string;
  readonly attached: string | null;
}

/** `-f` and `--file` are the same flag. */
function readFlag(argument: string): Flag | null {
  if (argument === "-f") return { written: "-f", name: "file", attached: null };
  if (argument.startsWith("-f=")) return { written: "-f", name: "file", attached: argument.slice(3) };
  if (!argument.startsWith("--")) return null;
  const equals = argument.indexOf("=");
  const written = equals === -1 ? argument : argument.slice(0, equals);
  return { written, name: written.slice(2), attached: equals === -1 ? null : argument.slice(equals + 1) };
}

/** `--result-json -` is the one value that may begin with a dash in the two-word form. */
function isValue(flag: Flag, candidate: string | undefined): candidate is string {
  if (candidate === undefined) return false;
  return !candidate.startsWith("-") || (flag.name === "result-json" && candidate === "-");
}

function flagProblem(flag: Flag, kind: FlagKind | undefined, fileSpelling: string | null): Problem | null {
  if (kind === undefined) {
    return refuse(`The flag ${flag.written} does not belong to this command.`, flag.written);
  }
  if (flag.name === "file" && fileSpelling !== null && fileSpelling !== flag.written) {
    return refuse("-f and --file are the same flag; only one may be given.", "--file");
  }
  if (kind === "boolean" && flag.attached !== null) {
    return refuse(`The flag ${flag.written} takes no value.`, flag.written);
  }
  return null;
}

/**
 * Parses the arguments behind a command (execution-contract §1.1), which takes exactly `expected` positionals.
 * Error: `CONFIG_ERROR` for an unknown flag, a missing or surplus value or positional, or `-f` beside `--file`.
 */
export function parseArguments(
  args: readonly string[],
  table: FlagTable,
  expected = 0,
): Result<ParsedArguments> {
  const positionals: string[] = [];
  const found = new Map<string, string[]>();
  let fileSpelling: string | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? "";
    const flag = readFlag(argument);
    if (flag === null) {
      positionals.push(argument);
      if (positionals.length <= expected && !argument.startsWith("-")) continue;
      return fail(refuse(`"${argument}" is not expected here.`, argument));
    }
    const kind = Object.hasOwn(table, flag.name) ? table[flag.name] : undefined;
    const problem = flagProblem(flag, kind, fileSpelling);
    if (problem !== null) return fail(problem);
    if (flag.name === "file") fileSpelling = flag.written;
    const values = found.get(flag.name) ?? [];
    found.set(flag.name, values);
    if (kind === "boolean") continue;
    const next = args[at + 1];
    if (flag.attached !== null) values.push(flag.attached);
    else if (isValue(flag, next)) {
      values.push(next);
      at += 1;
    } else {
      const message = `The flag ${flag.written} needs a value (use = for one that begins with "-").`;
      return fail(refuse(message, flag.written));
    }
  }
  if (positionals.length < expected)
    return fail(refuse("An argument without a flag is missing.", "(arguments)"));
  return ok({
    positionals,
    has: (flag) => found.has(flag),
    value: (flag) => found.get(flag)?.at(-1) ?? null,
    values: (flag) => found.get(flag) ?? [],
  });
}

/**
 * The values of every flag that has one, whatever else is wrong with the line: what a refusal has to know to be
 * told in a result (execution-contract §4.2, step 1).
 */
export function looseArguments(args: readonly string[]): ParsedArguments {
  const found = new Map<string, string[]>();
  for (const [at, argument] of args.entries()) {
    const flag = readFlag(argument);
    if (flag === null) continue;
    const next = args[at + 1];
    const value = flag.attached ?? (isValue(flag, next) ? next : null);
    if (value !== null) found.set(flag.name, [...(found.get(flag.name) ?? []), value]);
  }
  return {
    has: (flag) => found.has(flag),
    value: (flag) => found.get(flag)?.at(-1) ?? null,
    values: (flag) => found.get(flag) ?? [],
    positionals: [],
  };
}
