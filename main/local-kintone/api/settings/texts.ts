import type { Text } from "../../errors.ts";

/** Wordings of settings refusals; none of them was captured, all are chosen here. */
export const SETTINGS_TEXT = {
  deleteFieldLimit: {
    ja: "一度に100件までのフィールドを削除できます。",
    en: "A maximum of 100 fields can be deleted at one time.",
  },
  layoutIncomplete: {
    ja: "フォームのすべてのフィールドを1回ずつ指定してください。",
    en: "Specify every field of the form exactly once.",
  },
  nameTwice: { ja: "値が重複しています。", en: "The value is used twice." },
  deployLimit: {
    ja: "一度に1件から300件までのアプリを指定できます。",
    en: "Between 1 and 300 apps can be specified at one time.",
  },
  appTwice: { ja: "アプリが重複しています。", en: "The app is specified twice." },
} as const satisfies Record<string, Text>;
