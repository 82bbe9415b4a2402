import type { LogHit } from "../../../shared/api/index.ts";
import type { LineMark } from "./line-count.ts";
import { textOf, wholeCharacters } from "./line-text.ts";
import { chunksOf } from "./read-lines.ts";
import type { OpenedLog } from "./tracked-file.ts";

const LF = 10;
const EXCERPT_BEFORE = 60;
const EXCERPT_BYTES = 240;
/** A line that is longer is searched piece by piece, the pieces overlapping by more than any match. */
const LONGEST_PIECE = 4 * 1024 * 1024;
const OVERLAP = 2 * 1024;
/** How much is searched before the reader is told how far it is. */
const TOLD_EVERY = 8 * 1024 * 1024;

/**
 * A pattern over bytes read as Latin-1, that finds the text in UTF-8: so a file is searched without being decoded,
 * hits are byte-exact, and bytes that are no UTF-8 stand in nobody's way. Every character of the text stands for
 * itself; without `matchCase` for its upper and lower case too. Pure.
 */
export function bytePattern(text: string, matchCase: boolean): RegExp {
  const source = [...text].map((character) => {
    const variants = new Set(
      matchCase ? [character] : [character, character.toLowerCase(), character.toUpperCase()],
    );
    const encoded = [...variants].map(escapedBytes);
    return encoded.length === 1 ? encoded[0] : `(?:${encoded.join("|")})`;
  });
  return new RegExp(source.join(""), "g");
}

const escapedBytes = (text: string): string =>
  [...Buffer.from(text, "utf8")].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");

export interface SearchInput {
  readonly pattern: RegExp;
  readonly from: LineMark;
  /** Hits on lines before it do not count. */
  readonly fromLine: number;
  readonly maxHits: number;
}

export interface SearchStep {
  readonly hits: readonly LogHit[];
  readonly searchedBytes: number;
  /** The bound on hits was reached; then the last one's line is where it ended. */
  readonly limited: boolean;
}

/** Lines in which the pattern stands, each once, from a line start to the end of the file, in steps. */
export async function* searchLines(
  { handle, size }: OpenedLog,
  input: SearchInput,
  signal: AbortSignal,
): AsyncGenerator<SearchStep, void, void> {
  const scan = createScan(input);
  let searchedBytes = input.from.offset;
  let told = searchedBytes;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(handle, input.from.offset, size, signal)) {
    searchedBytes += chunk.length;
    const piece = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const cut = searchedBytes >= size ? piece.length : piece.lastIndexOf(LF) + 1;
    const long = cut === 0 && piece.length >= LONGEST_PIECE;
    scan.add(piece.subarray(0, long ? piece.length : cut));
    rest = Buffer.from(piece.subarray(long ? piece.length - OVERLAP : cut));
    if (scan.limited()) break;
    if (searchedBytes - told < TOLD_EVERY) continue;
    told = searchedBytes;
    yield { hits: scan.take(), searchedBytes, limited: false };
  }
  yield { hits: scan.take(), searchedBytes, limited: scan.limited() };
}

function createScan({ pattern, from, fromLine, maxHits }: SearchInput) {
  let line = from.line;
  let lastHit = fromLine - 1;
  let found = 0;
  let hits: LogHit[] = [];
  const hit = (piece: Buffer, at: number): void => {
    if (line <= lastHit || found >= maxHits) return;
    lastHit = line;
    found++;
    hits.push({ line, excerpt: excerptOf(piece, at) });
  };
  return {
    add(piece: Buffer): void {
      const text = piece.toString("latin1");
      let counted = 0;
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match !== null && found < maxHits; match = pattern.exec(text)) {
        line += newlinesIn(piece, counted, match.index);
        counted = match.index;
        hit(piece, match.index);
        // One hit a line: on to the next one.
        const end = piece.indexOf(LF, match.index);
        if (end === -1) break;
        pattern.lastIndex = end;
      }
      line += newlinesIn(piece, counted, piece.length);
    },
    limited: () => found >= maxHits,
    take(): readonly LogHit[] {
      const taken = hits;
      hits = [];
      return taken;
    },
  };
}

function newlinesIn(bytes: Buffer, from: number, to: number): number {
  let newlines = 0;
  for (let at = bytes.indexOf(LF, from); at !== -1 && at < to; at = bytes.indexOf(LF, at + 1)) newlines++;
  return newlines;
}

/** The line around a match, cut at characters. */
function excerptOf(piece: Buffer, at: number): string {
  const start = piece.lastIndexOf(LF, at) + 1;
  const end = piece.indexOf(LF, at);
  let from = Math.max(start, at - EXCERPT_BEFORE);
  while (from > start && from < at && ((piece[from] ?? 0) & 0xc0) === 0x80) from++;
  const to = Math.min(end === -1 ? piece.length : end, from + EXCERPT_BYTES);
  const text = textOf(wholeCharacters(piece.subarray(from, to)));
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
