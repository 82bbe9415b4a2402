import { SUITES } from "../cases/index.ts";
import type { Input, Step } from "../cases/model.ts";

/** Everything a child is told; it reads no environment (retry-boundaries §3). */
export interface ChildArguments {
  readonly suite: string;
  readonly case: string;
  readonly stage: string;
  /** Whose plan this is: `worker`, `worker 1`, `sender` … */
  readonly child: string;
  /** Which order of work; a called process works for its caller's plan in a role of its own. */
  readonly role: string;
  readonly database: string;
  readonly outside: string;
  /** A point of the work, or `none`. */
  readonly stop: string;
}

/** Argument vector of a child, in the order {@link readArguments} reads it. */
export function childArgv(args: ChildArguments): readonly string[] {
  return [args.suite, args.case, args.stage, args.child, args.role, args.database, args.outside, args.stop];
}

/** Reads the argument vector. Throws when one is missing. */
export function readArguments(argv: readonly string[]): ChildArguments {
  const [suite, id, stage, child, role, database, outside, stop] = argv;
  if (
    suite === undefined ||
    id === undefined ||
    stage === undefined ||
    child === undefined ||
    role === undefined ||
    database === undefined ||
    outside === undefined ||
    stop === undefined
  ) {
    throw new Error("a child needs eight arguments: suite case stage child role database outside stop");
  }
  return { suite, case: id, stage, child, role, database, outside, stop };
}

/** Finds the order of work and the request in the table. Throws when the table has no such row. */
export function planOf(args: ChildArguments): { readonly steps: readonly Step[]; readonly input: Input } {
  const suite = Object.values(SUITES).find((candidate) => candidate.name === args.suite);
  const definition = suite?.cases.find((candidate) => candidate.id === args.case);
  const stage = definition?.stages.find((candidate) => candidate.id === args.stage);
  const move = stage?.moves.find((candidate) => candidate.child === args.child && candidate.do !== "release");
  const steps = definition?.work[args.role];
  if (steps === undefined || move === undefined || move.do === "release") {
    throw new Error(`no such row: ${args.suite} ${args.case} ${args.stage} ${args.child} ${args.role}`);
  }
  return { steps, input: move.input };
}
