import {
  type CaseDefinition,
  type Counts,
  EVENT_ID,
  EXIT_AT_STOP,
  EXIT_BUSY,
  type Facts,
  type Input,
  type Move,
  type Stage,
} from "./model.ts";

/** Fills in what most rows of the tables leave out; the manifest then holds complete rows. */

const PLAIN_INPUT: Input = { key: EVENT_ID, content: "X", now: null, occurredAt: null, calledStop: null };

interface RunOptions {
  readonly child?: string;
  readonly role?: string;
  readonly exit?: number;
  readonly input?: Partial<Input>;
}

/** A child that runs to its end. */
export function runs(points: readonly string[], options: RunOptions = {}): Move {
  const { child = "worker", role = "worker", exit = 0, input = {} } = options;
  const whole = { ...PLAIN_INPUT, ...input };
  return { do: "run", child, role, input: whole, stop: null, exit, points, busy: null };
}

/** A child that ends itself with exit code 86 at the last of these points. */
export function stops(points: readonly string[], options: Omit<RunOptions, "exit"> = {}): Move {
  const { child = "worker", role = "worker", input = {} } = options;
  const whole = { ...PLAIN_INPUT, ...input };
  const stop = points.at(-1) ?? null;
  return { do: "run", child, role, input: whole, stop, exit: EXIT_AT_STOP, points, busy: null };
}

/** A child whose write SQLite refuses; it writes nothing and ends with exit code 75. */
export function isRefused(code: number, options: Omit<RunOptions, "exit"> = {}): Move {
  const { child = "worker", role = "worker", input = {} } = options;
  const whole = { ...PLAIN_INPUT, ...input };
  return {
    do: "run",
    child,
    role,
    input: whole,
    stop: null,
    exit: EXIT_BUSY,
    points: ["busy"],
    busy: { code },
  };
}

/** A child that is left waiting for a byte at the last of these points. */
export function holds(child: string, points: readonly string[], role = "worker"): Move {
  return { do: "hold", child, role, input: PLAIN_INPUT, points };
}

/** The waiting child gets its byte and runs to its end. */
export function resumes(child: string, points: readonly string[], exit = 0): Move {
  return { do: "release", child, exit, points, busy: null };
}

/** The waiting child gets its byte and is then refused. */
export function resumesRefused(child: string, code: number): Move {
  return { do: "release", child, exit: EXIT_BUSY, points: ["busy"], busy: { code } };
}

/** Moves, and what a second connection must then see. */
export function stage(
  id: string,
  moves: readonly Move[],
  counts: Counts,
  more: { readonly facts?: Facts; readonly hotJournal?: boolean } = {},
): Stage {
  return { id, moves, counts, facts: more.facts ?? {}, hotJournal: more.hotJournal ?? false };
}

type Essential = Pick<CaseDefinition, "id" | "folder" | "title" | "lesson" | "work" | "stages">;

/** One row of a table of cases. */
export function caseOf(essential: Essential & Partial<CaseDefinition>): CaseDefinition {
  return { schema: [], queries: {}, journalMode: null, receiver: false, ...essential };
}
