/** A tree of texts, as `shared/text/*.json` holds it. */
export type Texts = { readonly [key: string]: string | Texts };

/** Suffixes i18next adds for plural forms; languages differ in which they need. */
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** Every text with its dotted key. */
export function flatten(texts: Texts, prefix = ""): ReadonlyMap<string, string> {
  const entries = Object.entries(texts).flatMap(([key, value]): (readonly [string, string])[] => {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    return typeof value === "string" ? [[path, value]] : [...flatten(value, path)];
  });
  return new Map(entries);
}

/**
 * What is wrong with two languages' texts: a key one of them lacks, an empty text, or different
 * placeholders. Plural forms of one text count as one key.
 */
export function compareTexts(ja: Texts, en: Texts): readonly string[] {
  const left = flatten(ja);
  const right = flatten(en);
  return [
    ...missingIn("en", left, right),
    ...missingIn("ja", right, left),
    ...emptyIn("ja", left),
    ...emptyIn("en", right),
    ...[...left].flatMap(([key, text]) => {
      const other = right.get(key);
      if (other === undefined || placeholders(text) === placeholders(other)) return [];
      return [
        `${key}: ja uses ${placeholders(text) || "no placeholder"}, en ${placeholders(other) || "none"}`,
      ];
    }),
  ];
}

function missingIn(
  language: string,
  from: ReadonlyMap<string, string>,
  to: ReadonlyMap<string, string>,
): readonly string[] {
  const stems = new Set([...to.keys()].map((key) => key.replace(PLURAL, "")));
  const missing = [...from.keys()].filter((key) => !stems.has(key.replace(PLURAL, "")));
  return missing.map((key) => `${key}: missing in ${language}`);
}

function emptyIn(language: string, texts: ReadonlyMap<string, string>): readonly string[] {
  const empty = [...texts].filter(([, text]) => text.trim() === "");
  return empty.map(([key]) => `${key}: empty in ${language}`);
}

function placeholders(text: string): string {
  return [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)]
    .map(([, name]) => name)
    .sort()
    .join(", ");
}
