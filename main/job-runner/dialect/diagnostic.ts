/** One finding about a script; positions are 1-based and count UTF-16 units (job-dialect §7). */
export interface Diagnostic {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** 0-based; absent for findings about the header or the whole script. */
  readonly statementIndex?: number;
}

/** Unwinds the parser or the checker out of one statement; becomes a {@link Diagnostic} at the statement's border. */
export class DialectError extends Error {
  override readonly name = "DialectError";
  readonly code: string;
  /** Offset into the source text, UTF-16 units. */
  readonly offset: number;

  constructor(code: string, message: string, offset: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/** Codes of job-dialect §7 that this runner produces. */
export const CODES = {
  unknownHeader: "KSQL1001",
  repeatedHeader: "KSQL1002",
  badName: "KSQL1003",
  badDependsOn: "KSQL1004",
  badTimeout: "KSQL1005",
  badDialect: "KSQL1006",
  unresolvedApp: "KSQL1101",
  lexical: "KSQL1201",
  syntax: "KSQL1202",
  dialectOneForm: "KSQL1203",
  compositeKey: "KSQL1301",
  keyType: "KSQL1302",
  keyNotUnique: "KSQL1303",
  subtableWrite: "KSQL1304",
  plainInsert: "KSQL1305",
  serverTime: "KSQL1306",
} as const;

/** A syntax error or an unsupported construct (KSQL1202) at an offset. */
export function syntaxError(message: string, offset: number): DialectError {
  return new DialectError(CODES.syntax, message, offset);
}

/** KSQL1202 naming a construct of the dialect that this runner does not execute (job-dialect §10). */
export function unsupported(construct: string, offset: number): DialectError {
  return syntaxError(`${construct} is not supported by this runner.`, offset);
}

/** Translates offsets into 1-based line and column; CRLF counts as one line end. */
export function createLineIndex(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === 10) starts.push(i + 1);
  return (offset) => {
    let line = starts.findIndex((start) => start > offset);
    if (line === -1) line = starts.length;
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
