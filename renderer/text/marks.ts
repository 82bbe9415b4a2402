export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  /** `alike`: the code point of the character just before, which reads like another one. */
  | { readonly kind: "mark"; readonly code: string; readonly alike?: true };

/** Ranges of characters that are not seen and change how a text reads: controls, bidi controls, zero-width, fillers, tags. */
const HIDDEN: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe007f],
];

const hidden = (codePoint: number): boolean =>
  HIDDEN.some(([from, to]) => codePoint >= from && codePoint <= to);

/** Characters that stand for an ASCII one in an id wherever they are: full-width forms, mathematical letters, dashes, spaces. */
const ALIKE = /[\uff01-\uff5e\u2010-\u2015\u2212\u00a0\u3000\u{1d400}-\u{1d7ff}]/u;
/** Letters of other alphabets that pass for Latin ones where they stand among them. */
const FOREIGN_LETTER = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const LATIN = /[a-z]/i;

const codeOf = (codePoint: number): string => `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * Splits foreign text so that what would be invisible or reorder it is shown as its code point (electron-desktop R7).
 * In an id, characters that look like others are named as well (operator-ux §5.1). Pure.
 */
export function markedParts(text: string, id = false): readonly TextPart[] {
  const mixed = id && LATIN.test(text);
  const alike = (character: string): boolean =>
    id && (ALIKE.test(character) || (mixed && FOREIGN_LETTER.test(character)));
  const parts: TextPart[] = [];
  let plain = "";
  const flush = (): void => {
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
  };
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const unseen = hidden(codePoint);
    if (!unseen) plain += character;
    if (!unseen && !alike(character)) continue;
    flush();
    parts.push({ kind: "mark", code: codeOf(codePoint), ...(!unseen && { alike: true }) });
  }
  flush();
  return parts;
}

/** Foreign text with its marks in line, for where only text can stand: an option, a tooltip, a sentence. */
export const markedText = (text: string, id = false): string =>
  markedParts(text, id)
    .map((part) => (part.kind === "text" ? part.text : `[${part.code}]`))
    .join("");
