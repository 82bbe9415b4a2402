import type { Intent } from "../../../shared/api/index.ts";
import type { OperationPlan } from "../../../shared/domain/operations/index.ts";
import { identifierOf } from "./identifier.ts";

type SentenceLanguage = "ja" | "en";

const SENTENCES: Readonly<Record<SentenceLanguage, (what: string) => string>> = {
  ja: (what) => `承認者の同意なしに ${what} を一人で行い、後の確認を受けます`,
  en: (what) => `I do this to ${what} alone, without an approver, and will have it reviewed`,
};

/** What a person without an approver types, word by word, in each language (operator-ux §2.4, "One-person sites"). */
export function breakGlassSentence(
  intent: Intent,
  plan: OperationPlan,
): Readonly<Record<SentenceLanguage, string>> {
  const what = identifierOf(intent, plan);
  return { ja: SENTENCES.ja(what), en: SENTENCES.en(what) };
}

/** Whether it was typed so, in either language: every window speaks its own. */
export const isBreakGlassSentence = (typed: string, intent: Intent, plan: OperationPlan): boolean =>
  Object.values(breakGlassSentence(intent, plan)).some(
    (sentence) => typed.normalize("NFC").trim() === sentence.normalize("NFC"),
  );
