import { isUtf8 } from "node:buffer";
import { FOLD_BYTES, INVALID_BYTE_BASE, type LogLine } from "../../../shared/api/index.ts";

const CR = 13;

/**
 * A line for the page: `bytes` are the line's, or its beginning where it is longer than what is shown at once;
 * `length` is the whole line's. What is no UTF-8 is kept byte by byte. Pure.
 */
export function lineOf(bytes: Buffer, length: number): LogLine {
  if (length > FOLD_BYTES) {
    return { text: textOf(wholeCharacters(bytes.subarray(0, FOLD_BYTES))), bytes: length, folded: true };
  }
  const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length;
  return { text: textOf(bytes.subarray(0, end)), bytes: length, folded: false };
}

/** Bytes as text; a byte that is no UTF-8 becomes the lone surrogate that stands for it. */
export function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    const size = characterSize(bytes, at);
    text +=
      size === 0
        ? String.fromCharCode(INVALID_BYTE_BASE + (bytes[at] ?? 0))
        : bytes.toString("utf8", at, at + size);
    at += size === 0 ? 1 : size;
  }
  return text;
}

/** Bytes of the valid character that starts here, 0 when none does. */
function characterSize(bytes: Buffer, at: number): number {
  const size = announcedSize(bytes[at] ?? 0);
  return at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)) ? size : 0;
}

const announcedSize = (first: number): number => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

/** Without a character that the cut at the end went through. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return announcedSize(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
