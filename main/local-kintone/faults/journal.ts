import type { Clock } from "../model.ts";
import type { JournalEntry, JournalFacts } from "./journal-schema.ts";

export interface Journal {
  write(facts: JournalFacts): void;
  /** Entries with a larger number than `after`, oldest first; `lost` counts those no longer in memory. */
  read(after: number): { readonly entries: readonly JournalEntry[]; readonly lost: number };
}

export interface JournalOptions {
  /** The real clock: a journal must not follow a shifted one. */
  readonly clock: Clock;
  monotonic(): number;
  /** Entries kept in memory; older ones are let go. */
  readonly limit: number;
  /** Appends a line to a file, where one is kept. */
  append?(line: string): void;
}

/** Creates an empty journal. */
export function createJournal({ clock, monotonic, limit, append }: JournalOptions): Journal {
  const kept: JournalEntry[] = [];
  let seq = 0;
  return {
    write(facts) {
      seq += 1;
      const entry: JournalEntry = {
        seq,
        at: new Date(clock.now()).toISOString(),
        monotonicMs: monotonic(),
        ...facts,
      };
      kept.push(entry);
      // In blocks: dropping one entry at a time would move the whole list at every request.
      if (kept.length >= limit * 2) kept.splice(0, kept.length - limit);
      append?.(`${JSON.stringify(entry)}\n`);
    },
    read(after) {
      const entries = kept.slice(-limit);
      const first = entries[0]?.seq ?? seq + 1;
      return { entries: entries.filter((entry) => entry.seq > after), lost: Math.max(0, first - 1 - after) };
    },
  };
}
