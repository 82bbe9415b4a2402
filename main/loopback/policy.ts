/** Where the pages and the API of this front live. */
export const API_PATH = "/api";
export const TOKEN_PARAMETER = "token";
/** Largest message one call may send, in bytes (electron-desktop I3, toolchain §6). */
export const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Above this many unsent bytes a line takes no further stream messages. */
export const HIGH_WATER_BYTES = 1024 * 1024;
/** Above this many unsent bytes the reader is gone in all but name, and the line is cut. */
export const OVERFLOW_BYTES = 32 * 1024 * 1024;
/** A session without an open line and without a request ends after this, in milliseconds. */
export const SESSION_IDLE_MS = 30 * 60_000;

/**
 * The page's policy (decisions §1, electron-desktop R3): nothing from elsewhere, no inline script; `connect-src
 * 'self'` for the one socket of this front. The nonce is for the style sheets the UI kit makes at run time.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types flownet-worker",
  ].join("; ");
}

/** Headers of every answer of this front, refusals included (toolchain §6). */
export function guardHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(nonce),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}
