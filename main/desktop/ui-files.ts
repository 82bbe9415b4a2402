import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { isOwnUrl, SAFE_PAGE, UI_ORIGIN } from "./origin.ts";
import { guardHeaders } from "./policy.ts";
import type { UiAnswer, UiRequest } from "./ports.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** What the build writes where a nonce belongs. */
const NONCE_PLACEHOLDER = "FLOWNET_CSP_NONCE";
/** The build names its files so and no other way; nothing that needs decoding, climbs or hides is one of them. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

/**
 * The file below the UI folder an address names, as path segments; null for every other address (electron-desktop
 * R2). Names are checked as written, before the URL parser could resolve `..` in them.
 */
export function uiFile(url: string): readonly string[] | null {
  if (!isOwnUrl(url)) return null;
  const path = url.slice(UI_ORIGIN.length + 1).replace(/[?#].*$/s, "");
  const segments = path === "" ? ["index.html"] : path.split("/");
  return segments.every((segment) => SEGMENT.test(segment)) ? segments : null;
}

export interface UiFilesDeps {
  /** Absolute folder of the built pages. */
  readonly folder: string;
  /** A fresh nonce for each answer. */
  readonly nonce: () => string;
  /** The text of the safe page, already escaped. */
  readonly safePage: () => string;
}

/** Answers requests under the private scheme from the UI folder and from nowhere else; never throws. */
export function createUiFiles({ folder, nonce, safePage }: UiFilesDeps) {
  const answer = (status: number, type: string, body: Uint8Array | string, value: string): UiAnswer => ({
    status,
    headers: { ...guardHeaders(value), "Content-Type": type },
    body: typeof body === "string" ? Buffer.from(body) : body,
  });
  const text = (status: number, words: string): UiAnswer =>
    answer(status, "text/plain; charset=utf-8", words, nonce());
  return async (request: UiRequest): Promise<UiAnswer> => {
    if (request.method !== "GET") return text(405, "Only GET is answered here.\n");
    const value = nonce();
    if (request.url === SAFE_PAGE) return answer(200, "text/html; charset=utf-8", safePage(), value);
    const segments = uiFile(request.url);
    const type = segments === null ? undefined : TYPES[extname(segments.at(-1) ?? "")];
    if (segments === null || type === undefined) return text(404, "Nothing is here.\n");
    try {
      const body = await readFile(join(folder, ...segments));
      if (!type.startsWith("text/html")) return answer(200, type, body, value);
      return answer(200, type, body.toString("utf8").replaceAll(NONCE_PLACEHOLDER, value), value);
    } catch {
      // Absent, a folder, or unreadable: all the same to whoever asks.
      return text(404, "Nothing is here.\n");
    }
  };
}
