import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Input } from "../cases/model.ts";
import type { ChildArguments } from "./arguments.ts";

/** Facts a refused child adds to its `busy` line. */
export interface Refusal {
  readonly code: number;
  readonly waited_ms: number;
}

/** What an action may touch. */
export interface ChildContext {
  readonly args: ChildArguments;
  readonly input: Input;
  /** The connection, opened when first asked for. */
  readonly database: () => DatabaseSync;
  /** The time this request believes it is, ISO-8601 UTC. */
  readonly now: () => string;
  /** Reports a point; it has left the process when this returns. */
  readonly say: (point: string, refusal?: Refusal) => void;
  /** Closes the connection and ends the process in an orderly way. */
  readonly end: (exitCode: number) => never;
  /** The reply of this execution, once it is stored. */
  reply: string | null;
}

/** Opens a child's world. Nothing is opened yet. */
export function createContext(args: ChildArguments, input: Input): ChildContext {
  let database: DatabaseSync | null = null;
  return {
    args,
    input,
    database: () => {
      database ??= openDatabase(args.database);
      return database;
    },
    now: () => input.now ?? new Date().toISOString(),
    say,
    end: (exitCode) => {
      database?.close();
      process.exit(exitCode);
    },
    reply: null,
  };
}

/** The journal mode is a property of the file and was set when its schema was made (retry-boundaries §4). */
function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 });
  // Said aloud although it is the binding's default: a waiting default would hide case F.
  database.exec("PRAGMA busy_timeout=0; PRAGMA synchronous=FULL");
  return database;
}

/** Written synchronously to descriptor 1: a stream would lose the line when the process ends at once (§3). */
export function say(point: string, refusal?: Refusal): void {
  const line = Buffer.from(`${JSON.stringify({ point, at: new Date().toISOString(), ...refusal })}\n`);
  for (let written = 0; written < line.length; ) written += writeSync(1, line, written);
}
