import { INVALID_BYTE_BASE } from "../../shared/api/index.ts";
import { markedParts } from "../text/marks.ts";
import { type AnsiStyle, ansiParts } from "./ansi.ts";

/** A row shows the beginning of its line; the whole stands below the list when the line is selected. */
export const SHOWN_CHARACTERS = 2_000;

/** A stretch of a line as it is shown: text, or the mark of something that has no shape of its own. */
export interface LinePart extends AnsiStyle {
  /** Characters into the line, for a stable key. */
  readonly at: number;
  readonly kind: "text" | "mark" | "hit";
  readonly text: string;
}

/**
 * A line for the page (operator-ux §1.3, electron-desktop R7): colours, what would be invisible as its code point,
 * bytes that are no UTF-8 as hexadecimal values, and what is searched for marked. Pure.
 */
export function lineParts(line: string, sought: string, matchCase: boolean): readonly LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  const push = (style: AnsiStyle, kind: LinePart["kind"], text: string, size: number): void => {
    const { colour, bold, dim, underline } = style;
    parts.push({ colour, bold, dim, underline, at, kind, text });
    at += size;
  };
  for (const ansi of ansiParts(line)) {
    for (const piece of withBytes(ansi.text)) {
      if (piece.kind === "mark") push(ansi, "mark", piece.text, 1);
      else
        for (const { hit, text } of splitHits(piece.text, sought, matchCase))
          push(ansi, hit ? "hit" : "text", text, text.length);
    }
  }
  return parts;
}

interface Piece {
  readonly kind: "text" | "mark";
  readonly text: string;
}

const BYTE = /[\udc80-\udcff]/;

function* withBytes(text: string): Generator<Piece> {
  for (const part of markedParts(text)) {
    if (part.kind === "mark") yield { kind: "mark", text: part.code };
    // A surrogate of a pair never stands alone behind a split by code points.
    else if (!BYTE.test(part.text)) yield { kind: "text", text: part.text };
    else yield* loneBytes(part.text);
  }
}

function* loneBytes(text: string): Generator<Piece> {
  let plain = "";
  for (const character of text) {
    if (character.length > 1 || !BYTE.test(character)) {
      plain += character;
      continue;
    }
    if (plain !== "") yield { kind: "text", text: plain };
    plain = "";
    yield { kind: "mark", text: byteMark(character) };
  }
  if (plain !== "") yield { kind: "text", text: plain };
}

const byteMark = (character: string): string =>
  `0x${(character.charCodeAt(0) - INVALID_BYTE_BASE).toString(16).toUpperCase().padStart(2, "0")}`;

/** A text in stretches, those that are sought marked. */
function splitHits(
  text: string,
  sought: string,
  matchCase: boolean,
): readonly { readonly hit: boolean; readonly text: string }[] {
  if (sought === "") return [{ hit: false, text }];
  const source = sought.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text
    .split(new RegExp(`(${source})`, matchCase ? "u" : "iu"))
    .map((each, index) => ({ hit: index % 2 === 1, text: each }))
    .filter((each) => each.text !== "");
}

/** A line for the clipboard: without colours, bytes that are no UTF-8 as escapes. */
export const plainLine = (text: string): string =>
  BYTE.test(text)
    ? [...text]
        .map((each) => (each.length === 1 && BYTE.test(each) ? byteMark(each).replace("0x", "\\x") : each))
        .join("")
    : text;
