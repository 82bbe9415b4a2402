import { readFile } from "node:fs/promises";
import { extname, join, normalize, relative, sep } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

/** What the build writes where a nonce belongs; replaced in every page handed out. */
export const NONCE_PLACEHOLDER = "FLOWNET_CSP_NONCE";

export interface StaticFile {
  readonly type: string;
  readonly body: Buffer;
}

/**
 * The file below `root` a URL path names; null for anything else: outside the folder, of an unknown type, absent.
 * `/` is the page. The nonce goes into pages only.
 */
export async function readStatic(root: string, urlPath: string, nonce: string): Promise<StaticFile | null> {
  const path = staticPath(root, urlPath);
  if (path === null) return null;
  const type = TYPES[extname(path)];
  if (type === undefined) return null;
  try {
    const body = await readFile(path);
    if (!type.startsWith("text/html")) return { type, body };
    return { type, body: Buffer.from(body.toString("utf8").replaceAll(NONCE_PLACEHOLDER, nonce)) };
  } catch {
    // Absent, a folder, or unreadable: all the same to whoever asks from outside.
    return null;
  }
}

/** Confines a URL path to a folder; null when it points out of it or is no valid encoding (electron-desktop R2). */
function staticPath(root: string, urlPath: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (decoded.includes("\0") || decoded.includes("\\")) return null;
  const path = normalize(join(root, decoded === "/" ? "index.html" : decoded));
  const below = relative(root, path);
  return below === "" || below === ".." || below.startsWith(`..${sep}`) ? null : path;
}
