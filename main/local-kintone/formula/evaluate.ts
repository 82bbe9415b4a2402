import {
  add,
  compare,
  type Decimal,
  decimalText,
  divide,
  multiply,
  negate,
  ofInteger,
  parseDecimal,
  power,
  type Rounding,
  round,
  ZERO,
} from "../values/arithmetic.ts";
import { normalizeDecimal } from "../values/decimal.ts";
import type { BinaryOperator, Formula, FunctionName } from "./parser.ts";

/** What a part of a formula is worth. */
export type Value = Decimal | string | boolean;

/** Ends one evaluation without a value: a division by zero, an empty date, a text in a sum. */
export class NoValue extends Error {
  override readonly name = "NoValue";
}

/** Reads fields for a formula. */
export interface FieldReader {
  /** The value of one field in the row at hand; throws {@link NoValue} for what has none. */
  read(code: string): Value;
  /** The values of a column in every row of its table, or of one field as a list of one. */
  readAll(code: string): readonly Value[];
}

const isDecimal = (value: Value): value is Decimal => typeof value === "object";

function number(value: Value): Decimal {
  if (isDecimal(value)) return value;
  if (typeof value === "boolean") return ofInteger(value ? 1 : 0);
  const text = value === "" ? "0" : normalizeDecimal(value);
  if (text === null) throw new NoValue("a text is no number");
  return parseDecimal(text);
}

const text = (value: Value): string =>
  isDecimal(value) ? decimalText(value) : typeof value === "boolean" ? (value ? "1" : "0") : value;

const truth = (value: Value): boolean => (typeof value === "boolean" ? value : number(value).digits !== 0n);

/** Longest text a formula makes, UTF-16 units: that of a long text field (kintone-rest §8.3). */
const MAX_TEXT_UNITS = 65_535;

/** Texts that double from field to field would fill the memory. */
function join(left: string, right: string): string {
  if (left.length + right.length > MAX_TEXT_UNITS) throw new NoValue("the text is too long");
  return left + right;
}

function must(value: Decimal | null): Decimal {
  if (value === null) throw new NoValue("the calculation has no result");
  return value;
}

function order(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  return compare(number(left), number(right));
}

const BINARY: Readonly<Record<BinaryOperator, (left: Value, right: Value) => Value>> = {
  "+": (left, right) => add(number(left), number(right)),
  "-": (left, right) => add(number(left), negate(number(right))),
  "*": (left, right) => multiply(number(left), number(right)),
  "/": (left, right) => must(divide(number(left), number(right))),
  "^": (left, right) => must(power(number(left), number(right))),
  "&": (left, right) => join(text(left), text(right)),
  "=": (left, right) => order(left, right) === 0,
  "!=": (left, right) => order(left, right) !== 0,
  "<>": (left, right) => order(left, right) !== 0,
  ">": (left, right) => order(left, right) > 0,
  ">=": (left, right) => order(left, right) >= 0,
  "<": (left, right) => order(left, right) < 0,
  "<=": (left, right) => order(left, right) <= 0,
};

const ROUNDINGS: Readonly<Partial<Record<FunctionName, Rounding>>> = {
  ROUND: "HALF_UP",
  ROUNDUP: "UP",
  ROUNDDOWN: "DOWN",
};

function sum(args: readonly Formula[], fields: FieldReader): Decimal {
  const values = args.flatMap((arg) =>
    arg.kind === "field" ? fields.readAll(arg.value) : [evaluate(arg, fields)],
  );
  return values.reduce<Decimal>((total, value) => add(total, number(value)), ZERO);
}

function call(name: FunctionName, args: readonly Formula[], fields: FieldReader): Value {
  const [first, second, third] = args;
  if (name === "SUM") return sum(args, fields);
  if (name === "AND") return args.every((arg) => truth(evaluate(arg, fields)));
  if (name === "OR") return args.some((arg) => truth(evaluate(arg, fields)));
  if (first === undefined) throw new NoValue("an argument is missing");
  const value = evaluate(first, fields);
  if (name === "NOT") return !truth(value);
  if (name === "IF") {
    const branch = truth(value) ? second : third;
    if (branch === undefined) throw new NoValue("an argument is missing");
    return evaluate(branch, fields);
  }
  const places = second === undefined ? 0 : Number(decimalText(number(evaluate(second, fields))));
  if (!Number.isInteger(places) || Math.abs(places) > 100) throw new NoValue("wrong number of places");
  return round(number(value), places, ROUNDINGS[name] ?? "HALF_UP");
}

/** Evaluates a formula exactly; throws {@link NoValue} where it has no result. */
export function evaluate(formula: Formula, fields: FieldReader): Value {
  switch (formula.kind) {
    case "number":
      return parseDecimal(formula.value);
    case "text":
      return formula.value;
    case "field":
      return fields.read(formula.value);
    case "minus":
      return negate(number(evaluate(formula.of, fields)));
    case "binary":
      return BINARY[formula.operator](evaluate(formula.left, fields), evaluate(formula.right, fields));
    default:
      return call(formula.name, formula.args, fields);
  }
}

/** The result as a number, for a CALC field. */
export const asNumber = (value: Value): Decimal => number(value);
/** The result as a text, for a calculated text field. */
export const asText = (value: Value): string => text(value);
