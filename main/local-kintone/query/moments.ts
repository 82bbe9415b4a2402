import type { FieldType } from "../model.ts";
import { minuteText, normalizeDate, normalizeDateTime, normalizeTime } from "../values/moment.ts";
import type { CompileContext } from "./context.ts";
import { syntaxError } from "./errors.ts";
import type { Operand, Operator } from "./parser.ts";
import { resolvePeriod } from "./periods.ts";

/** Texts `[first, last]` a moment operand covers in the stored form of the type, and whether it is wide. */
export interface MomentRange {
  readonly first: string;
  readonly last: string;
  readonly wide: boolean;
}

const MOMENTS: ReadonlySet<FieldType> = new Set<FieldType>([
  "DATE",
  "TIME",
  "DATETIME",
  "CREATED_TIME",
  "UPDATED_TIME",
]);
export const isMoment = (type: FieldType): boolean => MOMENTS.has(type);

/** Reads a literal or a date function for a field of this type (kintone-rest §13.3); throws the errors of §13.4. */
export function momentRange(type: FieldType, operand: Operand, context: CompileContext): MomentRange {
  if (operand.kind === "function") {
    if (type === "TIME") throw syntaxError();
    context.notes.volatile = true;
    const { now, timeZoneOffsetMinutes: offset } = context.environment;
    const period = resolvePeriod(operand.name, operand.args, now(), offset);
    const show = (time: number): string =>
      type === "DATE" ? new Date(time + offset * 60_000).toISOString().slice(0, 10) : minuteText(time);
    return { first: show(period.start), last: show(period.end - 1), wide: period.wide };
  }
  if (operand.text === "") return { first: "", last: "", wide: false };
  const text =
    type === "DATE"
      ? normalizeDate(operand.text)
      : type === "TIME"
        ? normalizeTime(operand.text)
        : normalizeDateTime(operand.text);
  if (text === null) throw syntaxError();
  return { first: text, last: text, wide: false };
}

/**
 * The comparison as SQL over a column, its text in `?`. Weeks, months and years compare to their far end, single days
 * to their near one (kintone-rest §13.3). Null for an operator that is no comparison of order.
 */
export function momentBound(
  operator: Operator,
  { first, last, wide }: MomentRange,
): { readonly sql: string; readonly text: string } | null {
  switch (operator) {
    case ">":
      return { sql: "> ?", text: last };
    case "<":
      return { sql: "< ?", text: first };
    case ">=":
      return { sql: ">= ?", text: wide ? last : first };
    case "<=":
      return { sql: "<= ?", text: wide ? first : last };
    default:
      return null;
  }
}
