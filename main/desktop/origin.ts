/** The private scheme of the pages: a stable origin for policy and sender checks (electron-desktop R2). */
export const UI_SCHEME = "app";
const UI_HOST = "ui";
export const UI_ORIGIN = `${UI_SCHEME}://${UI_HOST}`;
export const UI_PAGE = `${UI_ORIGIN}/index.html`;
/** Shown when the page crashed too often: nothing but text. */
export const SAFE_PAGE = `${UI_ORIGIN}/safe-page`;

/**
 * Whether an address is of our pages. Compared part by part: `origin` of a private scheme is "null" in Node, and a
 * prefix would let `app://ui.example` pass.
 */
export function isOwnUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  return (
    url.protocol === `${UI_SCHEME}:` &&
    url.host === UI_HOST &&
    url.username === "" &&
    url.password === "" &&
    text.startsWith(`${UI_ORIGIN}/`)
  );
}
