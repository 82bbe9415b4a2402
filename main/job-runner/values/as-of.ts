import type { AsOfName } from "../dialect/ast.ts";
import { dayInZone } from "./zone.ts";

/** The values of the as-of functions, fixed once a run (job-dialect §4). */
export type AsOfValues = Readonly<Record<AsOfName, string>>;

function firstOfMonth(day: string, monthsOn: number): string {
  const year = Number(day.slice(0, 4));
  const month = Number(day.slice(5, 7)) - 1 + monthsOn;
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

/** `NOW` is UTC ISO with milliseconds; the others are calendar days in `timeZone` (IANA). */
export function asOfValues(instantMs: number, timeZone: string): AsOfValues {
  const today = dayInZone(instantMs, timeZone);
  return {
    NOW: new Date(instantMs).toISOString(),
    TODAY: today,
    MONTH_START: firstOfMonth(today, 0),
    NEXT_MONTH_START: firstOfMonth(today, 1),
  };
}
