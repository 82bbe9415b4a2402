/** Tokens of the query language (kintone-rest §13.1). */
export type Token =
  | { readonly kind: "word" | "text" | "number"; readonly value: string }
  | { readonly kind: "sign"; readonly value: string };

/** Raised inside this room only; the compiler turns it into `CB_VA01` on `query`. */
export class QuerySyntaxError extends Error {
  override readonly name = "QuerySyntaxError";
}

const SPACE = /[ \t\r\n\u3000]+/y;
const NUMBER = /-?\d+(?:\.\d+)?(?![A-Za-z0-9_.])/y;
// Field codes: word characters, kana, kanji and full-width signs; `_` is the only half-width symbol.
const WORD = /\$?[[\u0080-\u{10ffff}\w]--\s]+(?:\.[[\u0080-\u{10ffff}\w]--\s]+)?/vy;
const SIGN = /!=|>=|<=|[=<>(),]/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  t: "\t",
  n: "\n",
  r: "\r",
};

function matchAt(pattern: RegExp, source: string, position: number): string | null {
  pattern.lastIndex = position;
  return pattern.exec(source)?.[0] ?? null;
}

/** Reads a double-quoted string from `start`; a raw control character inside is a syntax error. */
function readText(source: string, start: number): { readonly value: string; readonly end: number } {
  let value = "";
  let position = start + 1;
  while (position < source.length) {
    const char = source.charAt(position);
    if (char === '"') return { value, end: position + 1 };
    if (char === "\\") {
      const escaped = ESCAPES[source.charAt(position + 1)];
      if (escaped === undefined) throw new QuerySyntaxError("unknown escape");
      value += escaped;
      position += 2;
    } else {
      if (char < " ") throw new QuerySyntaxError("control character in a string");
      value += char;
      position += 1;
    }
  }
  throw new QuerySyntaxError("string without end");
}

/** Splits a query into tokens; throws {@link QuerySyntaxError}. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < source.length) {
    const space = matchAt(SPACE, source, position);
    if (space !== null) {
      position += space.length;
      continue;
    }
    if (source.charAt(position) === '"') {
      const { value, end } = readText(source, position);
      tokens.push({ kind: "text", value });
      position = end;
      continue;
    }
    const number = matchAt(NUMBER, source, position);
    const word = number === null ? matchAt(WORD, source, position) : null;
    const sign = number === null && word === null ? matchAt(SIGN, source, position) : null;
    const value = number ?? word ?? sign;
    if (value === null) throw new QuerySyntaxError(`unexpected "${source.charAt(position)}"`);
    tokens.push({ kind: number !== null ? "number" : word !== null ? "word" : "sign", value });
    position += value.length;
  }
  return tokens;
}
