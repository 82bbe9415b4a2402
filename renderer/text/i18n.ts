import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { TEXTS } from "./texts.ts";

export const LANGUAGES = ["ja", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The texts of every page, ready at once; Japanese is the source, English complete (operator-ux §5.1). */
export async function createTexts(language: Language): Promise<i18n> {
  const texts = createInstance();
  await texts.use(initReactI18next).init({
    lng: language,
    fallbackLng: "ja",
    resources: { ja: { translation: TEXTS.ja }, en: { translation: TEXTS.en } },
    // React escapes; escaping twice would show entities to the operator.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  return texts;
}
