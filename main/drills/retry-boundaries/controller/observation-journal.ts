import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { type Noted, type Observation, observationSchema } from "../documents/observation-schema.ts";

export interface ObservationJournal {
  /** Appends one line; it is on the disk when this returns (retry-boundaries §8). */
  readonly note: (what: Noted) => Observation;
  /** Everything noted so far, in order. */
  readonly lines: () => readonly Observation[];
  readonly dispose: () => void;
}

/** Creates `observations.jsonl`; refuses an existing file. */
export function createObservationJournal(path: string, now: () => Date): ObservationJournal {
  const file = openSync(path, "wx");
  const lines: Observation[] = [];
  return {
    note: (what) => {
      const at = now().toISOString();
      const line = observationSchema.parse({ formatVersion: 1, seq: lines.length + 1, at, ...what });
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
      lines.push(line);
      return line;
    },
    lines: () => lines,
    dispose: () => closeSync(file),
  };
}
