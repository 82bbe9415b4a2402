import type { Expression } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { syntaxError } from "./diagnostic.ts";

/**
 * Functions evaluated by the kintone server when the page is read (job-dialect §4, kintone-rest §13.3): not
 * fixed by the as-of time, so they carry KSQL1306 and can only be pushed down.
 */
const PERIOD = ["WEEK", "MONTH", "YEAR"].flatMap((unit) => [`THIS_${unit}`, `LAST_${unit}`, `NEXT_${unit}`]);
const NAMES = new Set(["NOW", "TODAY", "YESTERDAY", "TOMORROW", "FROM_TODAY", ...PERIOD]);
const WEEKDAYS = "SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY".split(" ");
const UNITS = ["DAYS", "WEEKS", "MONTHS", "YEARS"];

/** True for the upper-cased name of a server-time function. */
export function isServerFunction(upper: string): boolean {
  return NAMES.has(upper);
}

function argumentsFit(name: string, args: readonly string[]): boolean {
  const [first, second] = args;
  if (name === "FROM_TODAY") {
    return args.length === 2 && /^-?\d+$/.test(first ?? "") && UNITS.includes(second ?? "");
  }
  if (first === undefined) return true;
  if (args.length > 1) return false;
  if (name.endsWith("_WEEK")) return WEEKDAYS.includes(first);
  return name.endsWith("_MONTH") && (first === "LAST" || /^([1-9]|[12]\d|3[01])$/.test(first));
}

/** Reads `NAME(args)` at the cursor; `query` is the canonical text for a kintone query. Throws DialectError. */
export function parseServerFunction(cursor: Cursor): Expression {
  const token = cursor.next();
  const name = token.text.toUpperCase();
  cursor.expectSymbol("(");
  const args: string[] = [];
  while (!cursor.isSymbol(")")) {
    if (args.length > 0) cursor.expectSymbol(",");
    const sign = cursor.takeSymbol("-") ? "-" : "";
    const argument = cursor.next();
    if (argument.kind !== "word" && argument.kind !== "number") {
      throw syntaxError(`The arguments of ${name}() are not understood.`, argument.start);
    }
    args.push(sign + argument.text.toUpperCase());
  }
  cursor.expectSymbol(")");
  if (!argumentsFit(name, args)) {
    throw syntaxError(`The arguments of ${name}() are not understood.`, token.start);
  }
  return { kind: "serverTime", query: `${name}(${args.join(", ")})`, at: token.start };
}
