import en from "../../shared/text/en.json" with { type: "json" };
import ja from "../../shared/text/ja.json" with { type: "json" };

export type DesktopTexts = typeof ja.desktop;

/** Japanese unless the system prefers another language: the sites are Japanese, and everybody else reads English. */
export function desktopTexts(languages: readonly string[]): DesktopTexts {
  const first = languages[0]?.toLowerCase() ?? "ja";
  return first === "ja" || first.startsWith("ja-") ? ja.desktop : en.desktop;
}

/** Puts values into the `{{name}}` places of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place));
}
