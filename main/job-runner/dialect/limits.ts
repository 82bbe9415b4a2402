import type { Cursor } from "./cursor.ts";
import { syntaxError } from "./diagnostic.ts";

/** Most AND and OR of one statement; every reader of a condition walks it recursively. */
export const MAX_TERMS = 3_000;
/** Most operators one value, or the NOTs before one comparison, may be made of; SQLite bounds the depth of a value. */
export const MAX_OPERATORS = 200;
/** Most columns of a SELECT, and names of GROUP BY or ORDER BY; SQLite allows a table 2,000. */
export const MAX_COLUMNS = 1_000;

const OPERATORS: readonly string[] = ["+", "-", "*", "/", "||"];
/** What ends a value, so that the next one starts at depth zero. */
const BORDER_SYMBOLS: readonly string[] = [",", "=", "!=", "<>", "<", "<=", ">", ">="];
const BORDER_WORDS: readonly string[] = "AND OR FROM WHERE AS UNION IN LIKE BETWEEN IS GROUP ORDER".split(
  " ",
);

/** Operators of the value that is being read at one level of parentheses, and the most of one before it. */
interface Level {
  current: number;
  most: number;
}

/**
 * Refuses a statement that is larger than everything behind the parser can walk (job-dialect §10), before it is
 * parsed. Throws DialectError KSQL1202 at the token that is one too many.
 */
export function refuseExcess(cursor: Cursor): void {
  let terms = 0;
  let levels: Level[] = [{ current: 0, most: 0 }];
  for (let ahead = 0; cursor.peek(ahead).kind !== "end" && !cursor.isSymbol(";", ahead); ahead++) {
    const token = cursor.peek(ahead);
    const text = token.kind === "word" ? token.text.toUpperCase() : token.kind === "symbol" ? token.text : "";
    if (text === "AND" || text === "OR") terms += 1;
    if (terms > MAX_TERMS) {
      throw syntaxError(`A statement has more than ${MAX_TERMS} AND and OR; IN takes a list.`, token.start);
    }
    levels = after(levels, text);
    if (depthOf(levels) > MAX_OPERATORS) {
      throw syntaxError(`A value is made of more than ${MAX_OPERATORS} operators.`, token.start);
    }
  }
}

/** Throws DialectError KSQL1202 when a list of columns or names has grown too long. */
export function refuseTooMany(count: number, offset: number): void {
  if (count > MAX_COLUMNS) throw syntaxError(`More than ${MAX_COLUMNS} columns in one list.`, offset);
}

const depthOf = (levels: readonly Level[]): number => levels.reduce((sum, { current }) => sum + current, 0);

function after(levels: Level[], text: string): Level[] {
  const top = levels.at(-1);
  if (top === undefined) return [{ current: 0, most: 0 }];
  if (text === "(") return [...levels, { current: 0, most: 0 }];
  if (text === ")") {
    const [outer, ...rest] = levels.slice(0, -1).reverse();
    if (outer === undefined) return levels;
    outer.current += Math.max(top.current, top.most);
    return [...rest.reverse(), outer];
  }
  if (OPERATORS.includes(text) || text === "NOT") top.current += 1;
  if (BORDER_SYMBOLS.includes(text) || BORDER_WORDS.includes(text)) {
    top.most = Math.max(top.most, top.current);
    top.current = 0;
  }
  return levels;
}
