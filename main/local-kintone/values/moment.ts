/** Dates and times as kintone stores them: minutes, days, wall-clock minutes (kintone-rest §8.4). */

const DATETIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/;
const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const TIME = /^(\d{1,2}):(\d{1,2})(?::\d{1,2}(?:\.\d+)?)?$/;

const pad = (value: number): string => String(value).padStart(2, "0");

/** `2026-09-01T00:00:00Z` of an instant: seconds are discarded, not rounded. */
export function minuteText(milliseconds: number): string {
  return `${new Date(Math.floor(milliseconds / 60_000) * 60_000).toISOString().slice(0, 16)}:00Z`;
}

function dayMilliseconds(year: number, month: number, day: number): number | null {
  const time = Date.UTC(year, month - 1, day);
  const back = new Date(time);
  const real =
    back.getUTCFullYear() === year && back.getUTCMonth() === month - 1 && back.getUTCDate() === day;
  return real ? time : null;
}

function offsetMinutes(zone: string): number | null {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** DATETIME input to `YYYY-MM-DDTHH:MM:00Z`; a bare date is midnight UTC; null when not a real instant. */
export function normalizeDateTime(input: string): string | null {
  const match = DATETIME.exec(input.trim());
  if (match === null) return null;
  const day = dayMilliseconds(Number(match[1]), Number(match[2]), Number(match[3]));
  if (day === null) return null;
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)];
  const offset = offsetMinutes(match[7] ?? "Z");
  if (offset === null || hour > 23 || minute > 59 || second > 59) return null;
  return minuteText(day + (hour * 60 + minute - offset) * 60_000);
}

/** DATE input to `YYYY-MM-DD`; missing parts become 01. */
export function normalizeDate(input: string): string | null {
  const match = DATE.exec(input.trim());
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1)];
  if (dayMilliseconds(year, month, day) === null) return null;
  return `${match[1]}-${pad(month)}-${pad(day)}`;
}

/** TIME input to `HH:MM`; seconds are accepted and dropped. */
export function normalizeTime(input: string): string | null {
  const match = TIME.exec(input.trim());
  if (match === null) return null;
  const [hour, minute] = [Number(match[1]), Number(match[2])];
  return hour > 23 || minute > 59 ? null : `${pad(hour)}:${pad(minute)}`;
}
