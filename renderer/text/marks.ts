export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mark"; readonly code: string };

/** Characters that change how a text reads without being seen: controls, bidi controls, zero-width ones. */
function hidden(codePoint: number): boolean {
  if (codePoint === 0x0a || codePoint === 0x09) return false;
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint <= 0x9f)) return true;
  if (codePoint >= 0x200b && codePoint <= 0x200f) return true;
  if (codePoint >= 0x202a && codePoint <= 0x202e) return true;
  return (codePoint >= 0x2066 && codePoint <= 0x2069) || codePoint === 0xfeff || codePoint === 0x061c;
}

/** Splits foreign text so that what would be invisible or reorder it is shown as its code point (electron-desktop R7). */
export function markedParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let plain = "";
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (!hidden(codePoint)) {
      plain += character;
      continue;
    }
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
    parts.push({ kind: "mark", code: `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}` });
  }
  if (plain !== "") parts.push({ kind: "text", text: plain });
  return parts;
}

/** Foreign text with its marks in line, for where only text can stand: an option, a tooltip, a sentence. */
export const markedText = (text: string): string =>
  markedParts(text)
    .map((part) => (part.kind === "text" ? part.text : `[${part.code}]`))
    .join("");
