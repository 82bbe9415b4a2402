const SCHEDULED_FOR =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(Z|[+-]\d{2}:\d{2})$/;
const UTC_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;
const OFFSET_ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const MINUTE_MS = 60_000;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Minutes east of UTC of `Z` or `±hh:mm`; null beyond ±14:00 or with an impossible minute. */
function offsetMinutes(text: string): number | null {
  if (text === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (minutes > 59 || hours * 60 + minutes > 14 * 60) return null;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Epoch milliseconds of a scheduled-for text, or null when it is not one (wire-format §2.5): a real calendar
 * date of the years 0001 to 9999, seconds and fraction optional, offset mandatory.
 */
export function parseScheduledFor(text: string): number | null {
  const match = SCHEDULED_FOR.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((i) => Number(match[i] ?? "0"));
  if (year === undefined || month === undefined || day === undefined) return null;
  if (hour === undefined || minute === undefined || second === undefined) return null;
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const offset = offsetMinutes(match[8] ?? "");
  if (offset === null) return null;
  // Date.UTC would read the years 1 to 99 as 1901 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number((match[7] ?? "0").padEnd(3, "0")));
  return date.getTime() - offset * MINUTE_MS;
}

/** A scheduled-for text as ISO UTC with milliseconds, or null when it is not one (wire-format §2.5). */
export function normalizeScheduledFor(text: string): string | null {
  const instant = parseScheduledFor(text);
  return instant === null ? null : new Date(instant).toISOString();
}

/** True for `YYYY-MM-DDTHH:MM:SS[.mmm]Z` naming a real instant: the only form kintone and the request app give (wire-format §5). */
export function isUtcInstant(text: string): boolean {
  return UTC_INSTANT.test(text) && parseScheduledFor(text) !== null;
}

/** True for a text of the form of {@link isUtcInstant} whose month may lack the day it names. */
export function hasUtcForm(text: string): boolean {
  return UTC_INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}

/** True for an ISO time with `Z` or `±hh:mm`, as an Execution Result's `asOf` must be (execution-contract §5.6). */
export function isOffsetIso(text: string): boolean {
  return OFFSET_ISO.test(text) && !Number.isNaN(Date.parse(text));
}

/** Epoch milliseconds of an ISO time, or null when it is empty or cannot be read. */
export function instantOf(text: string | null): number | null {
  if (text === null || text === "") return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}

/** The form kintone gives a DATETIME back in: seconds cut, `YYYY-MM-DDTHH:MM:00Z`; null when unreadable (wire-format §5). */
export function truncateToMinute(text: string): string | null {
  const instant = instantOf(text);
  if (instant === null) return null;
  return `${new Date(Math.floor(instant / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 17)}00Z`;
}

/** True when both times fall in the same minute; two unreadable times are not equal (wire-format §7 row 2). */
export function sameMinute(left: string, right: string): boolean {
  const minute = truncateToMinute(left);
  return minute !== null && minute === truncateToMinute(right);
}
