/**
 * `like` is a word search, not a substring test (kintone-rest §13.5). This is a faithful subset: ASCII
 * words match whole, Japanese runs match as substrings of two or more characters, consecutive tokens form a
 * phrase. Left out: index lag, and dictionary segmentation of Japanese.
 */

// Letters of both scripts, digits and `_ # +` build words; every other sign separates them.
const TOKEN = /[\w#+]+|[[\u0080-\u{10ffff}]--\s]+/gv;
const FULL_WIDTH_SEPARATORS = /[、。「」『』【】〈〉《》・]/g;

/** Words of a text; widths of kana and letters are made equal, case is ignored (our choice, §18). */
export function words(text: string): readonly string[] {
  const plain = text.normalize("NFKC").replace(FULL_WIDTH_SEPARATORS, " ").toLowerCase();
  return plain.match(TOKEN) ?? [];
}

const isAscii = (word: string): boolean => /^[\w#+]/.test(word);

function matchesAt(text: readonly string[], phrase: readonly string[], start: number): boolean {
  return phrase.every((word, position) => {
    const found = text[start + position];
    if (found === undefined) return false;
    if (isAscii(word) || [...word].length === 1) return found === word;
    if (phrase.length === 1) return found.includes(word);
    if (position === 0) return found.endsWith(word);
    return position === phrase.length - 1 ? found.startsWith(word) : found === word;
  });
}

/** True when the phrase occurs in the text; an empty phrase finds nothing. */
export function matchesLike(text: string, pattern: string): boolean {
  const phrase = words(pattern);
  if (phrase.length === 0) return false;
  const inText = words(text);
  return inText.some((_, start) => matchesAt(inText, phrase, start));
}
