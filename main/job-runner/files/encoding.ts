import iconv from "iconv-lite";
import type { ImportEncoding } from "../dialect/ast.ts";

/** Where a text or its bytes cannot be taken over; line and column count from 1, columns in UTF-16 units. */
export interface EncodingFault {
  readonly line: number;
  readonly column: number;
}

export type Decoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: EncodingFault };

export type Encoded =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | {
      readonly ok: false;
      readonly fault: EncodingFault;
      /** The character that has no place in the encoding, and its offset in UTF-16 units. */
      readonly codePoint: number;
      readonly offset: number;
    };

const SJIS = "shift_jis";
const NEW_LINE = 0x0a;

const LABELS: Readonly<Record<ImportEncoding, string>> = { SJIS, UTF8: "utf-8" };

/** Strict: null instead of a text with replacement characters (job-dialect §5.9). */
function decodeStrictly(bytes: Uint8Array, encoding: ImportEncoding): string | null {
  try {
    return new TextDecoder(LABELS[encoding], { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes bytes without loss; a leading byte order mark is dropped. */
export function decodeText(bytes: Uint8Array, encoding: ImportEncoding): Decoded {
  const text = decodeStrictly(bytes, encoding);
  if (text !== null) return { ok: true, text: text.replace(/^\ufeff/, "") };
  return { ok: false, fault: faultIn(bytes, encoding) };
}

/** The first line that does not decode, and how much of it does. A line feed is no part of a longer character. */
function faultIn(bytes: Uint8Array, encoding: ImportEncoding): EncodingFault {
  let line = 1;
  let start = 0;
  for (;;) {
    const feed = bytes.indexOf(NEW_LINE, start);
    const end = feed === -1 ? bytes.length : feed;
    const slice = bytes.subarray(start, end);
    if (decodeStrictly(slice, encoding) === null || feed === -1) {
      return { line, column: decodablePrefix(slice, encoding).length + 1 };
    }
    line += 1;
    start = feed + 1;
  }
}

/** The text before the first bytes that mean nothing. U+FFFD itself can be written in UTF-8 and is then no fault. */
function decodablePrefix(line: Uint8Array, encoding: ImportEncoding): string {
  const text = new TextDecoder(LABELS[encoding], { ignoreBOM: true }).decode(line);
  for (let at = text.indexOf("\ufffd"); at !== -1; at = text.indexOf("\ufffd", at + 1)) {
    // No Shift_JIS sequence means U+FFFD, so one stands for bytes that mean nothing.
    if (encoding === "SJIS") return text.slice(0, at);
    const place = Buffer.byteLength(text.slice(0, at), "utf8");
    const written = Buffer.from(line.subarray(place, place + 3)).equals(Buffer.from([0xef, 0xbf, 0xbd]));
    if (!written) return text.slice(0, at);
  }
  return text;
}

function faultAt(text: string, offset: number): EncodingFault {
  const before = text.slice(0, offset);
  const feed = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: offset - feed };
}

/**
 * Encodes a text without loss: what does not come back as it was is refused, U+301C and a lone surrogate for
 * example (job-dialect §5.10).
 */
export function encodeText(text: string, encoding: ImportEncoding): Encoded {
  if (encoding === "UTF8") {
    const bytes = new TextEncoder().encode(text);
    return text.isWellFormed() ? { ok: true, bytes } : refusal(text, loneSurrogate(text));
  }
  const bytes = encodeSjis(text);
  const lost = firstLost(text, bytes);
  return lost === null ? { ok: true, bytes } : refusal(text, lost);
}

/** Characters a site made for itself, which iconv-lite does not write: rows of 188, from U+E000 at 0xF0 on. */
const OWN_CHARACTERS = /([\ue000-\ue757]+)/;
const ROW = 188;

function encodeSjis(text: string): Uint8Array {
  if (!OWN_CHARACTERS.test(text)) return iconv.encode(text, SJIS);
  // Split by a group: every second part is of such characters.
  return Buffer.concat(
    text
      .split(OWN_CHARACTERS)
      .map((part, index) => (index % 2 === 0 ? iconv.encode(part, SJIS) : ownRows(part))),
  );
}

function ownRows(text: string): Uint8Array {
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const place = (character.codePointAt(0) ?? 0) - 0xe000;
      const trail = place % ROW;
      // 0x7F is no second byte.
      return [0xf0 + Math.floor(place / ROW), trail + (trail < 0x3f ? 0x40 : 0x41)];
    }),
  );
}

function refusal(text: string, offset: number): Encoded {
  return { ok: false, fault: faultAt(text, offset), codePoint: text.codePointAt(offset) ?? 0, offset };
}

function loneSurrogate(text: string): number {
  let offset = 0;
  for (const character of text) {
    if (!character.isWellFormed()) return offset;
    offset += character.length;
  }
  return offset;
}

/** Where a text does not come back from its bytes, in UTF-16 units; null when all of it does. */
function firstLost(text: string, bytes: Uint8Array): number | null {
  if (decodeStrictly(bytes, "SJIS") === text) return null;
  let offset = 0;
  for (const character of text) {
    if (decodeStrictly(encodeSjis(character), "SJIS") !== character) return offset;
    offset += character.length;
  }
  return offset;
}
