/**
 * Text of UTF-8 bytes, or null when they are not well-formed. Written here because `shared` has no
 * `TextDecoder`, and strict because a name or manifest that is not UTF-8 must be refused, not repaired.
 */
export function decodeUtf8(bytes: Uint8Array): string | null {
  const parts: string[] = [];
  let index = 0;
  while (index < bytes.length) {
    const first = bytes[index] ?? 0;
    const length = sequenceLength(first);
    if (length === 0 || index + length > bytes.length) return null;
    let point = length === 1 ? first : first & (0x7f >> length);
    for (let offset = 1; offset < length; offset++) {
      const next = bytes[index + offset] ?? 0;
      if ((next & 0xc0) !== 0x80) return null;
      point = (point << 6) | (next & 0x3f);
    }
    if (!isShortestScalar(point, length)) return null;
    parts.push(String.fromCodePoint(point));
    index += length;
  }
  return parts.join("");
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/** Over-long forms, surrogates and values beyond Unicode are not UTF-8. */
function isShortestScalar(point: number, length: number): boolean {
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return false;
  return length < 3 || point >= (length === 3 ? 0x800 : 0x10000);
}
