import type { CommandSpec, ParsedArguments } from "./arguments.ts";
import type { StopWords } from "./stopping.ts";

/** Everything a command touches beside its arguments; handed in, so that a test sees all of it. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The data folder, absolute; asked for only by commands that work in it. */
  readonly dataDir: () => Promise<string>;
  /** Aborted at the first Ctrl+C or termination request. */
  readonly signal: AbortSignal;
  /** What a command wants said when it is asked to stop; the last one that is told holds. */
  readonly onStop: (words: StopWords) => void;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export interface Command {
  readonly spec: CommandSpec;
  /** Code printed for an error that carries none (orchestration section 9.1). */
  readonly fallbackCode: string;
  /** Answers the exit code: 0 or 1; others only where a command's own page says so (decisions section 1). */
  readonly run: (args: ParsedArguments, context: CliContext) => Promise<number>;
  /** Told before the list of argument errors is printed; `run-network --json` owes its caller an object. */
  readonly onArgumentError?: (argv: readonly string[], context: CliContext) => void;
}
