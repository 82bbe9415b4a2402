/** A lexical unit of a TypeScript source; enough of the grammar to find imports, no more. */
export interface Token {
  readonly kind: "word" | "string" | "punctuation";
  /** The word, the string's content, or one character. */
  readonly text: string;
  readonly line: number;
}

const SPACE = /\s+/y;
const WORD = /[\p{L}\p{N}_$]+/uy;
const STRING = /(["'])((?:\\[\s\S]|(?!\1)[^\\\n])*)(\1|(?=\n|$))/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const LINE_COMMENT = /\/\/[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/y;
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y;

/** After these a slash starts a regular expression, after any other word it divides. */
const BEFORE_REGEX = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "delete",
  "void",
  "throw",
  "new",
  "else",
]);

/**
 * Splits a source into words, strings and single punctuation characters. Comments, regular expressions
 * and the text of templates are dropped; expressions inside templates are kept. Import statements quoted
 * in a string are therefore never taken for imports, which a search by pattern would do.
 */
export function tokenize(source: string): readonly Token[] {
  const scan = createScan(source);
  const tokens: Token[] = [];
  while (!scan.done()) {
    const line = scan.line();
    if (scan.take(SPACE) !== null || skipsNothingUseful(scan, tokens.at(-1))) continue;
    const quoted = scan.take(STRING);
    const word = quoted === null ? scan.take(WORD) : null;
    if (quoted !== null) tokens.push({ kind: "string", text: unquote(quoted), line });
    else if (word !== null) tokens.push({ kind: "word", text: word, line });
    else if (!scan.template()) tokens.push({ kind: "punctuation", text: scan.punctuation(), line });
  }
  return tokens;
}

function skipsNothingUseful(scan: Scan, before: Token | undefined): boolean {
  if (scan.peek() !== "/") return false;
  if ((scan.take(LINE_COMMENT) ?? scan.take(BLOCK_COMMENT)) !== null) return true;
  return regexMayStart(before) && scan.take(REGEX) !== null;
}

function unquote(raw: string): string {
  return raw.length > 1 && raw.endsWith(raw.charAt(0)) ? raw.slice(1, -1) : raw.slice(1);
}

type Scan = ReturnType<typeof createScan>;

/** A position in a source, and which open brace belongs to a template's expression. */
function createScan(source: string) {
  const braces: ("block" | "template")[] = [];
  let at = 0;
  let line = 1;

  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null || found[0] === "") return null;
    at += found[0].length;
    line += found[0].split("\n").length - 1;
    return found[0];
  };
  const templateText = (): void => {
    take(TEMPLATE_TEXT);
    const expression = source.startsWith("${", at);
    if (expression) braces.push("template");
    at += expression ? 2 : 1;
  };
  return {
    take,
    done: (): boolean => at >= source.length,
    line: (): number => line,
    peek: (): string => source.charAt(at),
    /** Steps over template text where a template starts or goes on after an expression. */
    template(): boolean {
      const starts = source.charAt(at) === "`";
      const goesOn = source.charAt(at) === "}" && braces.at(-1) === "template";
      if (!starts && !goesOn) return false;
      if (goesOn) braces.pop();
      at += 1;
      templateText();
      return true;
    },
    punctuation(): string {
      const char = source.charAt(at);
      if (char === "{") braces.push("block");
      if (char === "}") braces.pop();
      at += 1;
      return char;
    },
  };
}

function regexMayStart(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === "string") return false;
  if (before.kind === "word") return BEFORE_REGEX.has(before.text);
  return before.text !== ")" && before.text !== "]" && before.text !== "}";
}
