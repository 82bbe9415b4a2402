import { sha256Hex } from "../../../../shared/domain/hash.ts";
import {
  ACTION_FORMAT_VERSION,
  ACTION_KIND,
  type ActionLine,
  actionLineSchema,
  NO_PREVIOUS,
  type TimedEntry,
} from "./line.ts";

/** The end of the chain, to which the next line is tied. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}
export const EMPTY_CHAIN: ChainEnd = { seq: 0, hash: NO_PREVIOUS };

/** One file of the journal as text. */
export interface ActionFile {
  readonly name: string;
  readonly text: string;
}

const BREAKS = ["unreadable", "unlinked", "sequence"] as const;
/** A place at which the journal is not what it was when it was written. */
export interface ChainBreak {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** A line that is none, one that does not name the line before it, or one whose number does not follow. */
  readonly kind: (typeof BREAKS)[number];
}

export interface ChainReading {
  readonly lines: readonly ActionLine[];
  readonly breaks: readonly ChainBreak[];
  readonly end: ChainEnd;
  /** The last file ends in the middle of a line: a program died while it wrote. */
  readonly torn: boolean;
}

/** The text of a line at the end of a chain, without its line feed. Pure. */
export function chainedLine(
  entry: TimedEntry,
  end: ChainEnd,
): { readonly text: string; readonly end: ChainEnd } {
  const seq = end.seq + 1;
  const text = JSON.stringify({
    kind: ACTION_KIND,
    formatVersion: ACTION_FORMAT_VERSION,
    seq,
    previous: end.hash,
    ...entry,
  });
  return { text, end: { seq, hash: sha256Hex(text) } };
}

/**
 * Reads files in their order and checks the chain (operator-ux §2.5). Pure. A line that cannot be read is a break of
 * its own; one that a dying program left unfinished is the last of its file and told as such only there.
 */
export function readChain(files: readonly ActionFile[]): ChainReading {
  const lines: ActionLine[] = [];
  const breaks: ChainBreak[] = [];
  let end = EMPTY_CHAIN;
  for (const { name, text } of files) {
    for (const [index, row] of text.split("\n").entries()) {
      if (row === "") continue;
      const where = { file: name, line: index + 1 };
      const line = lineOf(row);
      if (line === null) {
        breaks.push({ ...where, kind: "unreadable" });
        continue;
      }
      if (line.previous !== end.hash) breaks.push({ ...where, kind: "unlinked" });
      else if (line.seq !== end.seq + 1) breaks.push({ ...where, kind: "sequence" });
      end = { seq: line.seq, hash: sha256Hex(row) };
      lines.push(line);
    }
  }
  const last = files.at(-1)?.text ?? "";
  return { lines, breaks, end, torn: last !== "" && !last.endsWith("\n") };
}

function lineOf(row: string): ActionLine | null {
  try {
    return actionLineSchema.safeParse(JSON.parse(row)).data ?? null;
  } catch {
    return null;
  }
}
