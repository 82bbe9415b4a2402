import type { LogLine } from "../../shared/api/index.ts";

/** A level that lines of a structured log carry. */
export interface LogLevel {
  readonly name: string;
  /** How it stands in the lines, to be searched for. */
  readonly text: string;
}

const LEVEL = /"level"\s*:\s*(?:"([A-Za-z]{1,20})"|(\d{1,3}))/;

/** The levels seen in lines that are JSON objects, in the order they were met. Pure. */
export function levelsIn(lines: readonly LogLine[]): readonly LogLevel[] {
  const found = new Map<string, LogLevel>();
  for (const { text } of lines) {
    const match = text.startsWith("{") ? LEVEL.exec(text) : null;
    const name = match?.[1] ?? match?.[2];
    if (match !== null && name !== undefined && !found.has(name)) found.set(name, { name, text: match[0] });
  }
  return [...found.values()];
}
