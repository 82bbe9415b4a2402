import { type DialectError, syntaxError } from "./diagnostic.ts";
import type { Token } from "./lexer.ts";

/** A reading position in a token list. Keywords are bare words, compared without regard to case. */
export interface Cursor {
  /** The token `ahead` places further on, without consuming it. */
  peek(ahead?: number): Token;
  next(): Token;
  isKeyword(word: string, ahead?: number): boolean;
  isSymbol(symbol: string, ahead?: number): boolean;
  takeKeyword(word: string): boolean;
  takeSymbol(symbol: string): boolean;
  expectKeyword(word: string): Token;
  expectSymbol(symbol: string): Token;
  /** End offset of the last consumed token. */
  lastEnd(): number;
  /** Source text between two offsets. */
  slice(start: number, end: number): string;
  /** A syntax error at the current token: "… expected, but found …". */
  expected(what: string): DialectError;
  /** Consumes up to, not including, the next `;` or the end. */
  skipStatement(): void;
}

/** Walks `tokens`, which end with an `end` token, of `source`. */
export function createCursor(source: string, tokens: readonly Token[]): Cursor {
  const end: Token = tokens.at(-1) ?? { kind: "end", text: "", start: source.length, end: source.length };
  let at = 0;
  const peek = (ahead = 0): Token => tokens[at + ahead] ?? end;
  const is = (kind: Token["kind"], text: string, ahead = 0): boolean => {
    const token = peek(ahead);
    return token.kind === kind && token.text.toUpperCase() === text;
  };
  const next = (): Token => {
    const token = peek();
    if (token.kind !== "end") at += 1;
    return token;
  };
  const take = (kind: Token["kind"], text: string): boolean => {
    if (!is(kind, text)) return false;
    next();
    return true;
  };
  const expected = (what: string): DialectError => {
    const token = peek();
    const found =
      token.kind === "end" ? "the end of the script" : `"${source.slice(token.start, token.end)}"`;
    return syntaxError(`${what} expected, but found ${found}.`, token.start);
  };
  const expect = (kind: Token["kind"], text: string): Token => {
    if (!is(kind, text)) throw expected(text);
    return next();
  };
  return {
    peek,
    next,
    isKeyword: (word, ahead) => is("word", word, ahead),
    isSymbol: (symbol, ahead) => is("symbol", symbol, ahead),
    takeKeyword: (word) => take("word", word),
    takeSymbol: (symbol) => take("symbol", symbol),
    expectKeyword: (word) => expect("word", word),
    expectSymbol: (symbol) => expect("symbol", symbol),
    lastEnd: () => tokens[at - 1]?.end ?? 0,
    slice: (start, stop) => source.slice(start, stop),
    expected,
    skipStatement() {
      while (peek().kind !== "end" && !is("symbol", ";")) next();
    },
  };
}
