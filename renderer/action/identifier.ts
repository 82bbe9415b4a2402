import { markedParts } from "../text/marks.ts";

/** Exactly the wanted text, composed or not; nothing else passes (operator-ux D5). Nothing wanted is nothing lacking. */
export const isIdentifier = (typed: string, wanted: string | null): boolean =>
  wanted === null || typed.normalize("NFC") === wanted.normalize("NFC");

/** One place of the comparison. */
export interface Cell {
  readonly at: number;
  /** Null past the end of the wanted text. */
  readonly wanted: string | null;
  /** Null past the end of what is typed. */
  readonly typed: string | null;
  /** `alike`: another character that looks the same or stands for it. */
  readonly state: "same" | "alike" | "different" | "missing" | "extra";
  /** Of the typed character, where it is not what it looks like. */
  readonly code: string | null;
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Whether a character is one that is not seen, or that passes for a Latin letter or a half-width sign. */
const disguised = (character: string): boolean =>
  markedParts(`a${character}`, true).some(({ kind }) => kind === "mark");

/** What is typed beside what is wanted, character by character (operator-ux D4). Pure. */
export function compareIdentifier(typed: string, wanted: string): readonly Cell[] {
  const left = [...wanted.normalize("NFC")];
  const right = [...typed.normalize("NFC")];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at): Cell => {
    const want = left[at] ?? null;
    const have = right[at] ?? null;
    if (have === null) return { at, wanted: want, typed: have, state: "missing", code: null };
    const named = disguised(have) ? codeOf(have) : null;
    if (want === null) return { at, wanted: want, typed: have, state: "extra", code: named };
    if (want === have) return { at, wanted: want, typed: have, state: "same", code: null };
    const alike = named !== null || folded(want) === folded(have);
    return {
      at,
      wanted: want,
      typed: have,
      state: alike ? "alike" : "different",
      code: alike ? codeOf(have) : null,
    };
  });
}

/** The first place that is not what is wanted, of what is typed so far; null while it is right as far as it goes. */
export const firstFault = (cells: readonly Cell[]): Cell | null =>
  cells.find(({ state }) => state !== "same" && state !== "missing") ?? null;
