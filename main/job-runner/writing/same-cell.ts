import type { SourceField } from "../sources/form.ts";
import { choicesOf, compareNumberCells } from "../values/compare.ts";

const codeOf = (item: unknown): string =>
  typeof item === "object" && item !== null && "code" in item ? String(item.code) : String(item);

/**
 * Whether a cell read back (as text) holds what was sent: numbers by value, instants to the minute kintone
 * keeps, lists without regard to order (kintone-rest §8.4).
 */
export function holdsSent(stored: string, sent: unknown, field: SourceField): boolean {
  if (Array.isArray(sent)) {
    const held = choicesOf(stored);
    const codes: readonly string[] = sent.map(codeOf);
    return held.length === codes.length && codes.every((code) => held.includes(code));
  }
  const text = String(sent);
  if (field.fieldType === "NUMBER") return compareNumberCells(stored, text) === 0;
  if (field.fieldType === "DATETIME") return stored.slice(0, 16) === text.slice(0, 16);
  if (field.fieldType === "TIME") return stored === text.padStart(5, "0").slice(0, 5) || stored === text;
  return stored === text;
}
