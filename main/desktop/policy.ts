/**
 * The policy of the pages in the window (electron-desktop R3, decisions §1). `connect-src 'none'`: everything a page
 * asks goes over its line. The nonce is for the style sheets the UI kit makes at run time; the one trusted-types
 * policy is for worker addresses.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types flownet-worker",
  ].join("; ");
}

/** Headers of every answer under the private scheme, refusals included. */
export function guardHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(nonce),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}

/** Writing text the operator copied; everything else is denied (electron-desktop R4). */
export const permissionAllowed = (permission: string): boolean => permission === "clipboard-sanitized-write";
