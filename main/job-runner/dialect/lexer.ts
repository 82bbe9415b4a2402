import { CODES, DialectError } from "./diagnostic.ts";

export type TokenKind = "word" | "quoted" | "string" | "number" | "variable" | "temp" | "symbol" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** Decoded: string and quoted tokens without their quotes, variables and temp names without their sign. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /[A-Za-z0-9_$\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]+/y;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[\s\ufeff]+/y;
const LINE_COMMENT = /--[^\n]*/y;
const SYMBOLS = ["<>", "!=", "<=", ">=", "||", "=", "<", ">", "(", ")", ",", ";", ".", "*", "+", "-", "/"];

function matchAt(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}

function lexical(message: string, offset: number): DialectError {
  return new DialectError(CODES.lexical, message, offset);
}

/** End offset of white space and comments starting at `at`. */
function skipBlank(source: string, from: number): number {
  let at = from;
  for (;;) {
    const blank = matchAt(SPACE, source, at) ?? matchAt(LINE_COMMENT, source, at);
    if (blank !== null) {
      at += blank.length;
    } else if (source.startsWith("/*", at)) {
      const close = source.indexOf("*/", at + 2);
      if (close === -1) throw lexical("The comment opened here by /* is never closed.", at);
      at = close + 2;
    } else {
      return at;
    }
  }
}

/** A text between `quote` characters; the quote is written twice inside. */
function readQuoted(source: string, start: number, quote: string, kind: TokenKind): Token {
  let text = "";
  let at = start + 1;
  for (;;) {
    const close = source.indexOf(quote, at);
    if (close === -1) throw lexical(`The text opened here by ${quote} is never closed.`, start);
    text += source.slice(at, close);
    if (source[close + 1] !== quote) return { kind, text, start, end: close + 1 };
    text += quote;
    at = close + 2;
  }
}

function readSigned(source: string, start: number, kind: TokenKind): Token {
  const name = matchAt(WORD, source, start + 1);
  if (name === null) throw lexical(`A name must follow "${source.charAt(start)}".`, start);
  return { kind, text: name, start, end: start + 1 + name.length };
}

function readNumber(source: string, start: number): Token {
  const text = matchAt(NUMBER, source, start) ?? "";
  const end = start + text.length;
  if (matchAt(WORD, source, end) !== null) {
    throw lexical("A number runs into a name; names that begin with a digit need backticks.", start);
  }
  return { kind: "number", text, start, end };
}

function readToken(source: string, start: number): Token {
  const first = source.charAt(start);
  if (first === "'") return readQuoted(source, start, "'", "string");
  if (first === "`") return readQuoted(source, start, "`", "quoted");
  if (first === "@") return readSigned(source, start, "variable");
  if (first === "#") return readSigned(source, start, "temp");
  if (first >= "0" && first <= "9") return readNumber(source, start);
  const word = matchAt(WORD, source, start);
  if (word !== null) return { kind: "word", text: word, start, end: start + word.length };
  const symbol = SYMBOLS.find((candidate) => source.startsWith(candidate, start));
  if (symbol !== undefined) return { kind: "symbol", text: symbol, start, end: start + symbol.length };
  if (first === '"') throw lexical("Texts are written in single quotes, not in double quotes.", start);
  if (first === "[") throw lexical("Arrays ([…]) are not supported by this runner.", start);
  const point = source.codePointAt(start) ?? 0;
  const name = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  throw lexical(`The character ${name} cannot stand here; unusual names need backticks.`, start);
}

/**
 * Tokens of a script with offsets into it (job-dialect §2.2); the last one has the kind `end`. A leading
 * U+FEFF, white space and comments are skipped.
 * Throws {@link DialectError} KSQL1201: after a lexical error no statement border can be trusted.
 */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = skipBlank(source, 0);
  while (at < source.length) {
    const token = readToken(source, at);
    tokens.push(token);
    at = skipBlank(source, token.end);
  }
  tokens.push({ kind: "end", text: "", start: source.length, end: source.length });
  return tokens;
}
