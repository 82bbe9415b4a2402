import type { DesktopTexts } from "./texts.ts";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The page shown when the pages crashed again and again: text alone, nothing that could crash (electron-desktop L9). */
export function safePageHtml(texts: DesktopTexts): string {
  const { title, body, next } = texts.safePage;
  return `<!doctype html><meta charset="utf-8"><title>${escaped(title)}</title><h1>${escaped(title)}</h1><p>${escaped(body)}</p><p>${escaped(next)}</p>\n`;
}
