import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * UTF-8 bytes of a text. Unpaired surrogates become U+FFFD (wire-format §2.2), which is what the record
 * keys of the peer were hashed from.
 */
export function utf8(text: string): Uint8Array {
  return utf8ToBytes(text);
}

/** Base64url without padding (wire-format §2.2). Written here because neither `btoa` nor `Buffer` exists in `shared`. */
export function base64Url(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const rest = Math.min(3, bytes.length - i);
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let digit = 0; digit <= rest; digit++) text += BASE64URL.charAt((group >> (18 - 6 * digit)) & 63);
  }
  return text;
}

const bytesOf = (data: Uint8Array | string): Uint8Array => (typeof data === "string" ? utf8(data) : data);

/** SHA-256 as 64 lower-case hex digits; a text is hashed as UTF-8 (wire-format §3). */
export function sha256Hex(data: Uint8Array | string): string {
  return bytesToHex(sha256(bytesOf(data)));
}

/** SHA-256 as 43 base64url characters without padding; a text is hashed as UTF-8 (wire-format §2.2). */
export function sha256Base64Url(data: Uint8Array | string): string {
  return base64Url(sha256(bytesOf(data)));
}
