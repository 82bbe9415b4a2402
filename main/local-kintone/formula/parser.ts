import { FormulaError, type Token, tokenizeFormula } from "./lexer.ts";

const FUNCTIONS = ["SUM", "IF", "AND", "OR", "NOT", "ROUND", "ROUNDUP", "ROUNDDOWN"] as const;
export type FunctionName = (typeof FUNCTIONS)[number];
export type BinaryOperator = "+" | "-" | "*" | "/" | "^" | "&" | "=" | "!=" | "<>" | ">" | ">=" | "<" | "<=";

export type Formula =
  | { readonly kind: "number" | "text" | "field"; readonly value: string }
  | { readonly kind: "minus"; readonly of: Formula }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Formula;
      readonly right: Formula;
    }
  | { readonly kind: "call"; readonly name: FunctionName; readonly args: readonly Formula[] };

/** Arguments each function takes, least and most. */
const ARITY: Readonly<Record<FunctionName, readonly [number, number]>> = {
  SUM: [1, 100],
  IF: [3, 3],
  AND: [1, 100],
  OR: [1, 100],
  NOT: [1, 1],
  ROUND: [1, 2],
  ROUNDUP: [1, 2],
  ROUNDDOWN: [1, 2],
};

/** Weakest binding first. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ["=", "!=", "<>", ">", ">=", "<", "<="],
  ["&"],
  ["+", "-"],
  ["*", "/"],
];
const MAX_DEPTH = 60;

interface Reader {
  next(): Token | undefined;
  takeSign<T extends string>(signs: readonly T[]): T | null;
  expect(sign: string): void;
  readonly done: boolean;
}

function createReader(tokens: readonly Token[]): Reader {
  let position = 0;
  return {
    get done() {
      return position >= tokens.length;
    },
    next() {
      position += 1;
      return tokens[position - 1];
    },
    takeSign(signs) {
      const token = tokens[position];
      const found = token?.kind === "sign" ? signs.find((sign) => sign === token.value) : undefined;
      if (found === undefined) return null;
      position += 1;
      return found;
    },
    expect(sign) {
      if (this.takeSign([sign]) === null) throw new FormulaError(`expected ${sign}`);
    },
  };
}

function parseCall(reader: Reader, word: string, depth: number): Formula {
  const name = FUNCTIONS.find((known) => known === word.toUpperCase());
  if (name === undefined) throw new FormulaError(`the function ${word} is not supported`);
  const args: Formula[] = [];
  if (reader.takeSign([")"]) === null) {
    do args.push(parseLevel(reader, 0, depth + 1));
    while (reader.takeSign([","]) !== null);
    reader.expect(")");
  }
  const [least, most] = ARITY[name];
  if (args.length < least || args.length > most) throw new FormulaError(`wrong arguments of ${name}`);
  return { kind: "call", name, args };
}

function parsePrimary(reader: Reader, depth: number): Formula {
  if (depth > MAX_DEPTH) throw new FormulaError("nested too deeply");
  if (reader.takeSign(["("]) !== null) {
    const inner = parseLevel(reader, 0, depth + 1);
    reader.expect(")");
    return inner;
  }
  const token = reader.next();
  if (token === undefined) throw new FormulaError("unexpected end");
  if (token.kind === "number" || token.kind === "text") return { kind: token.kind, value: token.value };
  if (token.kind === "sign") throw new FormulaError(`unexpected ${token.value}`);
  if (reader.takeSign(["("]) !== null) return parseCall(reader, token.value, depth);
  return { kind: "field", value: token.value };
}

/** `^` binds tighter than a sign before it and groups to the right. */
function parsePower(reader: Reader, depth: number): Formula {
  const base = parsePrimary(reader, depth);
  if (reader.takeSign(["^"]) === null) return base;
  return { kind: "binary", operator: "^", left: base, right: parseUnary(reader, depth + 1) };
}

function parseUnary(reader: Reader, depth: number): Formula {
  const sign = reader.takeSign(["-", "+"]);
  if (sign === null) return parsePower(reader, depth);
  if (depth > MAX_DEPTH) throw new FormulaError("nested too deeply");
  const of = parseUnary(reader, depth + 1);
  return sign === "-" ? { kind: "minus", of } : of;
}

function parseLevel(reader: Reader, level: number, depth: number): Formula {
  const operators = LEVELS[level];
  if (operators === undefined) return parseUnary(reader, depth);
  let left = parseLevel(reader, level + 1, depth);
  for (let found = reader.takeSign(operators); found !== null; found = reader.takeSign(operators)) {
    left = { kind: "binary", operator: found, left, right: parseLevel(reader, level + 1, depth) };
  }
  return left;
}

/** Parses a formula; throws {@link FormulaError} with what it cannot follow. */
export function parseFormula(source: string): Formula {
  const reader = createReader(tokenizeFormula(source));
  const formula = parseLevel(reader, 0, 0);
  if (!reader.done) throw new FormulaError("unexpected text behind the formula");
  return formula;
}

/** Field codes a formula reads; `inSum` ones stand inside SUM and may name columns of any table. */
export function fieldsOf(
  formula: Formula,
  inSum = false,
): { readonly code: string; readonly inSum: boolean }[] {
  switch (formula.kind) {
    case "field":
      return [{ code: formula.value, inSum }];
    case "minus":
      return fieldsOf(formula.of, inSum);
    case "binary":
      return [...fieldsOf(formula.left, inSum), ...fieldsOf(formula.right, inSum)];
    case "call":
      return formula.args.flatMap((arg) => fieldsOf(arg, inSum || formula.name === "SUM"));
    default:
      return [];
  }
}
