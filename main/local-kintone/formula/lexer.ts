/** Tokens of a calculation (kintone-rest §8.4 CALC, §12 `expression`). */
export type Token =
  | { readonly kind: "number" | "text" | "name"; readonly value: string }
  | { readonly kind: "sign"; readonly value: string };

/** A formula this server cannot follow; told when the field is defined, never when a record is written. */
export class FormulaError extends Error {
  override readonly name = "FormulaError";
}

const PATTERN =
  /[ \t\r\n\u3000]*(?:(?<number>\d+(?:\.\d+)?)|"(?<text>(?:[^"\\]|\\.)*)"|(?<name>[[\u0080-\u{10ffff}\w]--[\s\d]][[\u0080-\u{10ffff}\w]--\s]*)|(?<sign>!=|<>|>=|<=|[\-+*\/^\&=<>\(\),]))/vy;

/** Splits a formula; throws {@link FormulaError}. */
export function tokenizeFormula(source: string): Token[] {
  const tokens: Token[] = [];
  const end = source.trimEnd().length;
  PATTERN.lastIndex = 0;
  const pattern = new RegExp(PATTERN);
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex;
    const groups = pattern.exec(source)?.groups;
    if (groups === undefined) throw new FormulaError(`unexpected character at ${at + 1}`);
    const { number, text, name, sign } = groups;
    if (number !== undefined) tokens.push({ kind: "number", value: number });
    else if (text !== undefined) tokens.push({ kind: "text", value: text.replace(/\\(.)/g, "$1") });
    else if (name !== undefined) tokens.push({ kind: "name", value: name });
    else tokens.push({ kind: "sign", value: sign ?? "" });
  }
  return tokens;
}
