import type { Text } from "../errors.ts";

export type Locale = "ja" | "en" | "zh";

/** A text in a language. */
export const textIn = (text: Text, locale: Locale): string =>
  locale === "zh" ? (text.zh ?? text.en) : text[locale];

/**
 * Language of error texts: negotiated with quality values; absent, empty or `*` means the configured
 * default (kintone-rest §3). Languages this server has no texts for are passed over.
 */
export function negotiateLocale(header: string | undefined, fallback: Locale): Locale {
  if (header === undefined || header.trim() === "") return fallback;
  const wishes = header
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((text) => text.trim());
      const quality = parameters.find((text) => text.startsWith("q="))?.slice(2);
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality);
  for (const { tag } of wishes) {
    if (tag === "*") return fallback;
    if (tag === "ja" || tag.startsWith("ja-")) return "ja";
    if (tag === "en" || tag.startsWith("en-")) return "en";
    if (tag === "zh" || tag.startsWith("zh-")) return "zh";
  }
  return fallback;
}
