import type { Intent } from "../../../shared/api/index.ts";
import type { OperationPlan } from "../../../shared/domain/operations/index.ts";
import { identifierOf } from "./friction.ts";

export const SENTENCE_LANGUAGES = ["ja", "en"] as const;
export type SentenceLanguage = (typeof SENTENCE_LANGUAGES)[number];

const SENTENCES: Readonly<Record<SentenceLanguage, (what: string) => string>> = {
  ja: (what) => `承認者の同意なしに ${what} を一人で行い、後の確認を受けます`,
  en: (what) => `I do this to ${what} alone, without an approver, and will have it reviewed`,
};

/** What a person without an approver types, word by word (operator-ux §2.4, "One-person sites"). */
export const breakGlassSentence = (intent: Intent, plan: OperationPlan, language: SentenceLanguage): string =>
  SENTENCES[language](identifierOf(intent, plan));

/** Whether it was typed so, in either language: the page may speak another one than this host. */
export const isBreakGlassSentence = (typed: string, intent: Intent, plan: OperationPlan): boolean =>
  SENTENCE_LANGUAGES.some(
    (language) =>
      typed.normalize("NFC").trim() === breakGlassSentence(intent, plan, language).normalize("NFC"),
  );
