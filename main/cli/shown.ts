/**
 * A text as a terminal may show it: what it would obey instead (control characters, marks that turn the reading
 * direction, half characters) is written as its code point. Line feeds stay when `lines` is set.
 */
export function shown(text: string, lines = false): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (point) => (lines && point === "\n" ? point : codeOf(point)));
}

const codeOf = (point: string): string => `\\u{${(point.codePointAt(0) ?? 0).toString(16)}}`;
