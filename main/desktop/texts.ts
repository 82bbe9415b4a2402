import type { AttentionEntry } from "../../shared/api/index.ts";
import en from "../../shared/text/en.json" with { type: "json" };
import ja from "../../shared/text/ja.json" with { type: "json" };
import problemsEn from "../../shared/text/problems.en.json" with { type: "json" };
import problemsJa from "../../shared/text/problems.ja.json" with { type: "json" };

export type DesktopTexts = typeof ja.desktop;

/** Words of a notice: its own, and those of the kinds of items. */
export interface NoticeTexts {
  readonly title: string;
  readonly more: string;
  readonly badge: string;
  readonly kinds: Readonly<Record<AttentionEntry["kind"], { readonly name: string }>>;
}

export function noticeTexts(languages: readonly string[]): NoticeTexts {
  const { notice } = desktopTexts(languages);
  return { ...notice, kinds: isJapanese(languages) ? ja.attention.kind : en.attention.kind };
}

function isJapanese(languages: readonly string[]): boolean {
  const first = languages[0]?.toLowerCase() ?? "ja";
  return first === "ja" || first.startsWith("ja-");
}

/** Japanese unless the system prefers another language: the sites are Japanese, and everybody else reads English. */
export function desktopTexts(languages: readonly string[]): DesktopTexts {
  return isJapanese(languages) ? ja.desktop : en.desktop;
}

type ProblemCode = keyof typeof problemsJa.problems;
const hasWords = (code: string): code is ProblemCode => Object.hasOwn(problemsJa.problems, code);

/** Cause, effect and next step of a code in the words of the pages, a line each; null for a code without any. */
export function problemLines(languages: readonly string[], code: string): readonly string[] | null {
  if (!hasWords(code)) return null;
  const { cause, effect, next } = (isJapanese(languages) ? problemsJa : problemsEn).problems[code];
  return [cause, effect, next];
}

/** Puts values into the `{{name}}` places of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place));
}
