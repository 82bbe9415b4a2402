import { STATUS_CODES } from "node:http";
import type { KintoneError } from "../errors.ts";
import type { IdSource, KintoneResponse } from "../model.ts";
import { type Locale, textIn } from "./locale.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const JSON_TYPE = "application/json;charset=utf-8";

/** 20 letters and digits, new for every error (kintone-rest §3). */
function errorId(ids: IdSource): string {
  return Array.from(ids.random(20), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
}

/** The error body as an object (kintone-rest §3). */
export function errorBody(error: KintoneError, locale: Locale, ids: IdSource): Record<string, unknown> {
  const body: Record<string, unknown> = {
    code: error.code,
    id: errorId(ids),
    message: textIn(error.text, locale),
  };
  if (error.errors !== null) {
    body.errors = Object.fromEntries(
      [...error.errors].map(([key, texts]) => [key, { messages: texts.map((text) => textIn(text, locale)) }]),
    );
  }
  return body;
}

/** A JSON answer; the body is already JSON. */
export function jsonResponse(status: number, body: string | Uint8Array, code?: string): KintoneResponse {
  const headers: Record<string, string> = { "Content-Type": JSON_TYPE };
  if (code !== undefined) headers["X-Cybozu-Error"] = code;
  return { status, headers, body };
}

/** An HTML answer, as gateways and unknown paths give (kintone-rest §2, §15). */
export function htmlResponse(status: number): KintoneResponse {
  const phrase = `${status} ${STATUS_CODES[status] ?? "Error"}`;
  return {
    status,
    headers: { "Content-Type": "text/html;charset=utf-8" },
    body: `<!DOCTYPE html><html><head><title>${phrase}</title></head><body><h1>${phrase}</h1></body></html>`,
  };
}
