import type { Clock } from "../model.ts";
import type { FaultRuleSet } from "./rule-schema.ts";

/** Makes a server able to fail on command (kintone-rest §19); without rules it behaves as one that is not. */
export interface FaultOptions {
  /** The real clock; the server's own may be shifted away from it. */
  readonly clock: Clock;
  /** Rules in force from the start, with the drill's seed. */
  readonly rules?: FaultRuleSet;
  /** Milliseconds on a clock that never jumps. */
  readonly monotonic?: () => number;
  /** Resolves after some milliseconds, or at once when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Journal entries kept in memory, 10,000 by default. */
  readonly journalLimit?: number;
  /** Appends a line to the journal file. */
  readonly appendJournal?: (line: string) => void;
  /** Ends the process at once; only a server that is a process of its own has it. */
  readonly crash?: () => void;
}
