import { QuerySyntaxError, type Token, tokenize } from "./lexer.ts";

export type Operator =
  | "="
  | "!="
  | ">"
  | "<"
  | ">="
  | "<="
  | "in"
  | "not in"
  | "like"
  | "not like"
  | "is empty"
  | "is not empty";

export type Operand =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "function"; readonly name: string; readonly args: readonly string[] };

export interface Comparison {
  readonly kind: "compare";
  readonly field: string;
  readonly operator: Operator;
  readonly operands: readonly Operand[];
}
export type Condition = Comparison | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] };

export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}
export interface Query {
  readonly condition: Condition | null;
  readonly sorts: readonly Sort[];
  readonly limit: number | null;
  readonly offset: number | null;
}

/** Deepest nesting of parentheses: a bound for our own stack, far beyond any real query. */
const MAX_DEPTH = 100;

interface Reader {
  peek(ahead?: number): Token | undefined;
  next(): Token;
  /** True and consumed when the next token is this keyword or sign. */
  take(value: string): boolean;
  isWord(value: string, ahead?: number): boolean;
  expect(value: string): void;
}

function createReader(tokens: readonly Token[]): Reader {
  let position = 0;
  const isWord = (value: string, ahead = 0): boolean => {
    const token = tokens[position + ahead];
    return token?.kind === "word" && token.value.toLowerCase() === value;
  };
  const isSign = (value: string): boolean => {
    const token = tokens[position];
    return token?.kind === "sign" && token.value === value;
  };
  const take = (value: string): boolean => {
    if (!isWord(value) && !isSign(value)) return false;
    position += 1;
    return true;
  };
  return {
    peek: (ahead = 0) => tokens[position + ahead],
    next() {
      const token = tokens[position];
      if (token === undefined) throw new QuerySyntaxError("unexpected end");
      position += 1;
      return token;
    },
    take,
    isWord,
    expect(value) {
      if (!take(value)) throw new QuerySyntaxError(`expected ${value}`);
    },
  };
}

function parseOperand(reader: Reader): Operand {
  const token = reader.next();
  if (token.kind === "text" || token.kind === "number") return { kind: "literal", text: token.value };
  if (token.kind !== "word") throw new QuerySyntaxError("expected a value");
  reader.expect("(");
  const args: string[] = [];
  while (!reader.take(")")) {
    if (args.length > 0) reader.expect(",");
    const arg = reader.next();
    if (arg.kind === "sign") throw new QuerySyntaxError("expected an argument");
    args.push(arg.value);
  }
  return { kind: "function", name: token.value.toUpperCase(), args };
}

function parseList(reader: Reader): Operand[] {
  reader.expect("(");
  const operands = [parseOperand(reader)];
  while (reader.take(",")) operands.push(parseOperand(reader));
  reader.expect(")");
  return operands;
}

const SIGNS: readonly Operator[] = ["=", "!=", ">", "<", ">=", "<="];

function parseComparison(reader: Reader): Comparison {
  const name = reader.next();
  if (name.kind !== "word") throw new QuerySyntaxError("expected a field");
  const field = name.value;
  const make = (operator: Operator, operands: readonly Operand[]): Comparison => ({
    kind: "compare",
    field,
    operator,
    operands,
  });
  for (const sign of SIGNS) if (reader.take(sign)) return make(sign, [parseOperand(reader)]);
  if (reader.take("is")) {
    const not = reader.take("not");
    reader.expect("empty");
    return make(not ? "is not empty" : "is empty", []);
  }
  const not = reader.take("not");
  if (reader.take("in")) return make(not ? "not in" : "in", parseList(reader));
  reader.expect("like");
  return make(not ? "not like" : "like", [parseOperand(reader)]);
}

function parsePrimary(reader: Reader, depth: number): Condition {
  if (depth > MAX_DEPTH) throw new QuerySyntaxError("nested too deeply");
  if (!reader.take("(")) return parseComparison(reader);
  const inner = parseOr(reader, depth + 1);
  reader.expect(")");
  return inner;
}

function parseAnd(reader: Reader, depth: number): Condition {
  const parts = [parsePrimary(reader, depth)];
  while (reader.take("and")) parts.push(parsePrimary(reader, depth));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "and", parts };
}

function parseOr(reader: Reader, depth: number): Condition {
  const parts = [parseAnd(reader, depth)];
  while (reader.take("or")) parts.push(parseAnd(reader, depth));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "or", parts };
}

function parseSorts(reader: Reader): Sort[] {
  const sorts: Sort[] = [];
  do {
    const name = reader.next();
    if (name.kind !== "word") throw new QuerySyntaxError("expected a field");
    const descending = reader.take("desc");
    if (!descending) reader.take("asc");
    sorts.push({ field: name.value, descending });
  } while (reader.take(","));
  return sorts;
}

function parseCount(reader: Reader): number {
  const token = reader.next();
  if (token.kind !== "number" || !/^-?\d{1,15}$/.test(token.value)) {
    throw new QuerySyntaxError("expected a whole number");
  }
  return Number(token.value);
}

// A field may be called `limit` or `order`; a section starts only where its second token fits.
const atSection = (reader: Reader): boolean =>
  (reader.isWord("order") && reader.isWord("by", 1)) ||
  ((reader.isWord("limit") || reader.isWord("offset")) && reader.peek(1)?.kind === "number");

/** Parses a query text; throws {@link QuerySyntaxError} (kintone-rest §13.1). */
export function parseQuery(source: string): Query {
  const reader = createReader(tokenize(source));
  const empty = reader.peek() === undefined;
  const condition = empty || atSection(reader) ? null : parseOr(reader, 0);
  let sorts: readonly Sort[] = [];
  if (reader.isWord("order")) {
    reader.expect("order");
    reader.expect("by");
    sorts = parseSorts(reader);
  }
  const limit = reader.take("limit") ? parseCount(reader) : null;
  const offset = reader.take("offset") ? parseCount(reader) : null;
  if (reader.peek() !== undefined) throw new QuerySyntaxError("unexpected text after the query");
  return { condition, sorts, limit, offset };
}
