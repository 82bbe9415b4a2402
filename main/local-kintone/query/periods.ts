import { badArgument, syntaxError } from "./errors.ts";

/** What a date function stands for: milliseconds UTC, `end` exclusive; `wide` for weeks, months, years. */
export interface Period {
  readonly start: number;
  readonly end: number;
  readonly wide: boolean;
}

const DAY = 86_400_000;
const WEEKDAYS = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];

/** A calendar day in the user's zone, as the UTC midnight of the same date. */
type Day = number;

function addMonths(day: Day, months: number): Day {
  const date = new Date(day);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), last) - 1) * DAY;
}

function fromToday(today: Day, args: readonly string[]): Day {
  const [amount, unit] = args;
  if (amount === undefined || unit === undefined) throw badArgument("GAIA_IL08", "FROM_TODAY");
  if (!/^-?\d{1,6}$/.test(amount)) throw badArgument("GAIA_IL08", "FROM_TODAY");
  const count = Number(amount);
  switch (unit.toUpperCase()) {
    case "DAYS":
      return today + count * DAY;
    case "WEEKS":
      return today + count * 7 * DAY;
    case "MONTHS":
      return addMonths(today, count);
    case "YEARS":
      return addMonths(today, count * 12);
    default:
      throw badArgument("GAIA_IQ25", "FROM_TODAY");
  }
}

function week(today: Day, shift: number, arg: string | undefined, name: string): readonly [Day, Day] {
  const start = today - new Date(today).getUTCDay() * DAY + shift * 7 * DAY;
  if (arg === undefined) return [start, start + 7 * DAY];
  const weekday = WEEKDAYS.indexOf(arg.toUpperCase());
  if (weekday < 0) throw badArgument("GAIA_IQ25", name);
  return [start + weekday * DAY, start + (weekday + 1) * DAY];
}

function month(today: Day, shift: number, arg: string | undefined, name: string): readonly [Day, Day] {
  const date = new Date(today);
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + shift, 1);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + shift + 1, 1);
  if (arg === undefined) return [start, end];
  if (arg.toUpperCase() === "LAST") return [end - DAY, end];
  if (!/^\d{1,2}$/.test(arg) || Number(arg) < 1 || Number(arg) > 31) throw badArgument("GAIA_IQ23", name);
  // A day the month lacks counts as the 1st of the next month.
  const day = Math.min(start + (Number(arg) - 1) * DAY, end);
  return [day, day + DAY];
}

function year(today: Day, shift: number): readonly [Day, Day] {
  const at = new Date(today).getUTCFullYear() + shift;
  return [Date.UTC(at, 0, 1), Date.UTC(at + 1, 0, 1)];
}

/** Functions that are not here take none. */
const MOST_ARGUMENTS: Readonly<Record<string, number>> = {
  FROM_TODAY: 2,
  LAST_WEEK: 1,
  THIS_WEEK: 1,
  NEXT_WEEK: 1,
  LAST_MONTH: 1,
  THIS_MONTH: 1,
  NEXT_MONTH: 1,
};

const SHIFTS: Readonly<Record<string, number>> = { LAST: -1, THIS: 0, NEXT: 1 };

function wide(today: Day, name: string, args: readonly string[]): readonly [Day, Day] {
  const match = /^(LAST|THIS|NEXT)_(WEEK|MONTH|YEAR)$/.exec(name);
  if (match === null) throw syntaxError();
  const shift = SHIFTS[match[1] ?? ""] ?? 0;
  if (match[2] === "WEEK") return week(today, shift, args[0], name);
  if (match[2] === "MONTH") return month(today, shift, args[0], name);
  return year(today, shift);
}

/**
 * Resolves a date function (kintone-rest §13.3). Days are those of the user's zone, `offsetMinutes` east of
 * UTC; NOW() is the instant itself as a one-minute period. Throws the documented argument errors.
 */
export function resolvePeriod(
  name: string,
  args: readonly string[],
  now: number,
  offsetMinutes: number,
): Period {
  if (args.length > (MOST_ARGUMENTS[name] ?? 0)) throw syntaxError();
  const minute = Math.floor(now / 60_000) * 60_000;
  if (name === "NOW") return { start: minute, end: minute + 60_000, wide: false };
  const shift = offsetMinutes * 60_000;
  const today = Math.floor((now + shift) / DAY) * DAY;
  const days: Readonly<Record<string, number>> = { TODAY: 0, YESTERDAY: -1, TOMORROW: 1 };
  const single = name === "FROM_TODAY" ? fromToday(today, args) : undefined;
  const offset = days[name];
  const day = single ?? (offset === undefined ? undefined : today + offset * DAY);
  if (day !== undefined) return { start: day - shift, end: day + DAY - shift, wide: false };
  const [start, end] = wide(today, name, args);
  return { start: start - shift, end: end - shift, wide: args.length === 0 };
}
