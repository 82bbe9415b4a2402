import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import en from "../../shared/text/en.json";
import ja from "../../shared/text/ja.json";

export const LANGUAGES = ["ja", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The texts of every page, ready at once; Japanese is the source, English complete (operator-ux §5.1). */
export async function createTexts(language: Language): Promise<i18n> {
  const texts = createInstance();
  await texts.use(initReactI18next).init({
    lng: language,
    fallbackLng: "ja",
    resources: { ja: { translation: ja }, en: { translation: en } },
    // React escapes; escaping twice would show entities to the operator.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  return texts;
}
