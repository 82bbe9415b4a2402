const KATAKANA_FIRST = 0x30a1;
const KATAKANA_LAST = 0x30f6;
const TO_HIRAGANA = 0x60;

/**
 * Text as it is looked for (operator-ux §5.1, search): one width, one case, one kana. For finding only; acting takes
 * the exact text.
 */
export function foldForSearch(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase();
  // Most keys are ASCII: nothing to fold.
  if (!/[\u30a1-\u30f6]/.test(plain)) return plain;
  return [...plain]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      return code >= KATAKANA_FIRST && code <= KATAKANA_LAST
        ? String.fromCodePoint(code - TO_HIRAGANA)
        : character;
    })
    .join("");
}
