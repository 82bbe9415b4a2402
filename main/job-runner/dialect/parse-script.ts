import type { Statement } from "./ast.ts";
import { createCursor } from "./cursor.ts";
import { CODES, createLineIndex, type Diagnostic, DialectError, syntaxError } from "./diagnostic.ts";
import { type Header, parseHeader } from "./header.ts";
import { type Token, tokenize } from "./lexer.ts";
import { refuseExcess } from "./limits.ts";
import { parseStatement } from "./parse-statement.ts";

/** Most statements a script may have (job-dialect §2). */
const MAX_STATEMENTS = 20;

/** Deepest nesting of parentheses; no written job comes near it, and every reader of the tree recurses. */
const MAX_DEPTH = 100;

/** A script as read: `statements` holds those that parsed, `diagnostics` says what did not. */
export interface ParsedScript {
  readonly header: Header;
  readonly statements: readonly Statement[];
  /** In the order of their positions; header findings first. */
  readonly diagnostics: readonly Diagnostic[];
  /** Translates an `at` of the statements into 1-based line and column. */
  readonly positionOf: (offset: number) => { readonly line: number; readonly column: number };
}

type Report = (error: DialectError, index: number | null) => void;

/**
 * Parses a whole script (job-dialect §2). Never throws for bad SQL: one finding a statement, then parsing goes
 * on behind its `;`. A lexical error (KSQL1201) ends the reading, because no later border can be trusted.
 */
export function parseScript(text: string): ParsedScript {
  const source = text.replace(/^\ufeff/, "");
  const positionOf = createLineIndex(source);
  const { header, diagnostics } = parseHeader(source);
  const found: Diagnostic[] = [...diagnostics];
  const report: Report = (error, index) => {
    const place = index === null ? {} : { statementIndex: index };
    const { code, message } = error;
    found.push({ code, severity: "error", ...positionOf(error.offset), message, ...place });
  };
  const tokens = tryTokenize(source, report);
  const statements = tokens === null ? [] : parseStatements(source, tokens, header.dialect, report);
  return { header, statements, diagnostics: found, positionOf };
}

function tryTokenize(source: string, report: Report): readonly Token[] | null {
  try {
    const tokens = tokenize(source);
    const deep = tooDeep(tokens);
    if (deep !== null) throw syntaxError(`Parentheses are nested more than ${MAX_DEPTH} deep.`, deep);
    return tokens;
  } catch (error) {
    if (!(error instanceof DialectError)) throw error;
    report(error, null);
    return null;
  }
}

function parseStatements(
  source: string,
  tokens: readonly Token[],
  dialect: 0 | 1,
  report: Report,
): readonly Statement[] {
  const cursor = createCursor(source, tokens);
  const statements: Statement[] = [];
  let count = 0;
  while (cursor.peek().kind !== "end") {
    if (cursor.takeSymbol(";")) continue;
    const { start } = cursor.peek();
    const index = count++;
    try {
      refuseExcess(cursor);
      const body = parseStatement(cursor, dialect);
      if (cursor.peek().kind !== "end" && !cursor.isSymbol(";")) throw cursor.expected('";"');
      statements.push({ index, body, start, text: cursor.slice(start, cursor.lastEnd()) });
    } catch (error) {
      if (!(error instanceof DialectError)) throw error;
      report(error, index);
      cursor.skipStatement();
    }
    if (index === MAX_STATEMENTS) report(tooMany(start), index);
  }
  return statements;
}

/** Offset of the first parenthesis that is nested too deeply, or null. */
function tooDeep(tokens: readonly Token[]): number | null {
  let depth = 0;
  for (const { kind, text, start } of tokens) {
    if (kind !== "symbol") continue;
    if (text === "(") depth += 1;
    else if (text === ")" || text === ";") depth = text === ";" ? 0 : depth - 1;
    if (depth > MAX_DEPTH) return start;
  }
  return null;
}

function tooMany(offset: number): DialectError {
  return new DialectError(CODES.lexical, `A script has at most ${MAX_STATEMENTS} statements.`, offset);
}
