import { appendFileSync } from "node:fs";
import { appendFile, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Problem } from "../../../shared/domain/problem.ts";
import type { Clock } from "../../store/index.ts";
import { type HeldLine, mostImportant } from "./held-lines.ts";
import { LOG_LEVELS, type LogLevel, type LogLine, problemFields } from "./line.ts";
import { holdsSecret, redact } from "./redact.ts";
import { LOG_NAME, type LogLimits, rotateLog, USUAL_LIMITS } from "./rotation.ts";

/** Lines held while the disk takes none; beyond them the least important go first (electron-desktop G2). */
const HELD_LINES = 2_000;

export interface ProgramLog {
  /** Lines of less than this are not written. */
  readonly level: LogLevel;
  write(level: LogLevel, module: string, id: string, fields?: Readonly<Record<string, unknown>>): void;
  /** A problem that stops nothing, or is told elsewhere too. */
  problem(module: string, problem: Problem): void;
  /** Values that are never written from now on (electron-desktop S4). */
  hide(secrets: readonly string[]): void;
  /** A value without what is never written: known secrets, and whatever a name gives away. */
  clean(value: unknown): unknown;
  /** Whether a text holds a known secret. */
  leaks(text: string): boolean;
  /** Writes what is held before it returns: the process may end any moment. Never throws. */
  flushNow(): void;
  /** Where it is and what it lost. */
  state(): LogState;
  /** Waits for everything written so far. */
  dispose(): Promise<void>;
}

export interface LogState {
  /** Absolute. */
  readonly file: string;
  /** Lines that found no place on the disk. */
  readonly dropped: number;
}

export interface ProgramLogDeps {
  /** `log/` of the data folder (decisions §2); made when it is not there. */
  readonly folder: string;
  readonly clock: Clock;
  readonly pid: number;
  readonly level?: LogLevel;
  readonly limits?: LogLimits;
}

/**
 * The log of this program: JSON lines in a file that is put aside when it is full (electron-desktop G1, G2). Writing
 * never waits and never fails: what the disk does not take is held, then dropped from the least important up, counted.
 * It is no journal: nothing is recovered from it (G3).
 */
export function createProgramLog(deps: ProgramLogDeps): ProgramLog {
  const { clock, pid, level = "info", limits = USUAL_LIMITS } = deps;
  const file = join(deps.folder, LOG_NAME);
  const secrets = new Set<string>();
  const held = createHeldLines();
  let writing: Promise<void> = Promise.resolve();
  const rank = (each: LogLevel): number => LOG_LEVELS.indexOf(each);
  const lineOf = (at: LogLevel, module: string, id: string, fields: LogLine["fields"]): HeldLine => {
    const time = new Date(clock.nowMs()).toISOString();
    const line: LogLine = { time, monotonicMs: clock.monotonicMs(), pid, level: at, id, module, fields };
    return { level: at, text: `${JSON.stringify(redact(line, [...secrets]))}\n` };
  };
  const take = (): readonly HeldLine[] =>
    held.take((count) => lineOf("warn", "log", "LOG_LINES_DROPPED", { count }));
  const flush = async (): Promise<void> => {
    const lines = take();
    if (lines.length === 0) return;
    try {
      await append(deps.folder, textOf(lines), clock.nowMs(), limits);
    } catch {
      held.giveBack(lines);
    }
  };
  const write: ProgramLog["write"] = (at, module, id, fields = {}) => {
    if (rank(at) < rank(level)) return;
    held.add(lineOf(at, module, id, fields));
    writing = writing.then(flush);
  };
  return {
    level,
    write,
    problem: (module, problem) => write("warn", module, problem.code, problemFields(problem)),
    hide(values) {
      for (const value of values) {
        if (value === "") continue;
        secrets.add(value);
        // Lines of JSON are cleaned as a whole, too, and there a quote or a backslash stands escaped.
        secrets.add(JSON.stringify(value).slice(1, -1));
      }
    },
    clean: (value) => redact(value, [...secrets]),
    leaks: (text) => holdsSecret(text, [...secrets]),
    flushNow() {
      const lines = take();
      try {
        if (lines.length > 0) appendFileSync(file, textOf(lines), { mode: 0o600 });
      } catch {
        held.giveBack(lines);
      }
    },
    state: () => ({ file, dropped: held.dropped() }),
    async dispose() {
      writing = writing.then(flush);
      await writing;
    },
  };
}

const textOf = (lines: readonly HeldLine[]): string => lines.map((each) => each.text).join("");

/** Lines that wait for the disk, and how many found no place at all. */
function createHeldLines() {
  let held: readonly HeldLine[] = [];
  let dropped = 0;
  let untold = 0;
  const hold = (lines: readonly HeldLine[]): void => {
    held = mostImportant(lines, HELD_LINES);
    dropped += lines.length - held.length;
    untold += lines.length - held.length;
  };
  return {
    add: (line: HeldLine): void => hold([...held, line]),
    giveBack: (lines: readonly HeldLine[]): void => hold([...lines, ...held]),
    dropped: () => dropped,
    /** Everything, with a word of what was lost since the last time. */
    take(told: (count: number) => HeldLine): readonly HeldLine[] {
      const lines = untold === 0 ? held : [told(untold), ...held];
      untold = 0;
      held = [];
      return lines;
    },
  };
}

/** Puts a full file aside first. A file that another process put aside meanwhile is no error. */
async function append(folder: string, text: string, nowMs: number, limits: LogLimits): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, LOG_NAME);
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size > 0 && size + Buffer.byteLength(text) > limits.maxBytes) {
    await rotateLog(folder, nowMs, limits).catch(() => undefined);
  }
  await appendFile(file, text, { mode: 0o600 });
}
