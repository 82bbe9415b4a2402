import type { Language } from "./i18n.ts";

/** Zones operators know by a short name; all others carry their offset. */
const ZONE_NAMES: Readonly<Record<string, string>> = { "Asia/Tokyo": "JST", UTC: "UTC" };

/** The label every time of the window stands under (operator-ux §1.1): `JST`, else e.g. `GMT+2`. */
export function zoneLabel(timeZone: string, now: number): string {
  const known = ZONE_NAMES[timeZone];
  if (known !== undefined) return known;
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "shortOffset" }).formatToParts(
    now,
  );
  return parts.find((part) => part.type === "timeZoneName")?.value ?? timeZone;
}

function partsOf(instant: number, timeZone: string, language: Language): Readonly<Record<string, string>> {
  const format = new Intl.DateTimeFormat(language === "ja" ? "ja-JP" : "en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  return Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
}

/**
 * Date and time to the minute, `2026/09/05(土) 14:03` or `Sat 2026-09-05 14:03`. Record times carry no seconds, so none
 * are invented (operator-ux §1.1). A text that is no time is shown as it stands.
 */
export function minuteText(iso: string, timeZone: string, language: Language): string {
  const instant = Date.parse(iso);
  if (Number.isNaN(instant)) return iso;
  const { year, month, day, weekday, hour, minute } = partsOf(instant, timeZone, language);
  return language === "ja"
    ? `${year}/${month}/${day}(${weekday}) ${hour}:${minute}`
    : `${weekday} ${year}-${month}-${day} ${hour}:${minute}`;
}

/** Time of day with seconds, for moments this program measured itself. */
export function secondText(iso: string, timeZone: string): string {
  const instant = Date.parse(iso);
  if (Number.isNaN(instant)) return iso;
  const { hour, minute, second } = partsOf(instant, timeZone, "en");
  return `${hour}:${minute}:${second}`;
}

/** Minutes east of UTC of a zone at an instant. */
export function offsetMinutes(timeZone: string, instant: number): number {
  const { year, month, day, hour, minute, second } = partsOf(instant, timeZone, "en");
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return Math.round((wall - Math.floor(instant / 1000) * 1000) / 60_000);
}

/**
 * `YYYY-MM-DD` of what an operator typed: `2026-09-01`, `2026/9/1`, or a month, which means its first day; full-width
 * digits of an IME count. Null when it is no calendar date.
 */
export function dateOf(typed: string): string | null {
  const match = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/.exec(typed.normalize("NFKC").trim());
  if (match === null) return null;
  const [, year = "", month = "", day = "1"] = match;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const instant = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(instant) || new Date(instant).toISOString().slice(0, 10) !== date ? null : date;
}

/** `HH:MM` of what an operator typed, or null when it is no time of day. */
export function timeOf(typed: string): string | null {
  const match = /^(\d{1,2}):(\d{2})$/.exec(typed.normalize("NFKC").trim());
  if (match === null) return null;
  const [, hour = "", minute = ""] = match;
  return Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, "0")}:${minute}` : null;
}

/**
 * A typed date and time of day in the window's zone as scheduled-for text with offset (wire-format §2.5); null while
 * either is not one.
 */
export function scheduledForOf(typedDate: string, typedTime: string, timeZone: string): string | null {
  const date = dateOf(typedDate);
  const time = timeOf(typedTime);
  if (date === null || time === null) return null;
  const wall = Date.parse(`${date}T${time}:00Z`);
  // The offset before the jump may differ from the one after: asked again at the corrected instant.
  const guess = offsetMinutes(timeZone, wall);
  const offset = offsetMinutes(timeZone, wall - guess * 60_000);
  const sign = offset < 0 ? "-" : "+";
  const two = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, "0");
  return `${date}T${time}:00${sign}${two(offset / 60)}:${two(offset % 60)}`;
}

export type Ago =
  | { readonly unit: "now" }
  | { readonly unit: "seconds" | "minutes" | "hours"; readonly count: number };

/** How long ago, in the largest unit that says something. */
export function agoOf(iso: string, now: number): Ago {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000));
  if (seconds < 2) return { unit: "now" };
  if (seconds < 60) return { unit: "seconds", count: seconds };
  if (seconds < 3600) return { unit: "minutes", count: Math.floor(seconds / 60) };
  return { unit: "hours", count: Math.floor(seconds / 3600) };
}

export interface DurationParts {
  readonly unit: "seconds" | "minutes" | "hours";
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** A duration in seconds, split for its text. Below ten seconds one decimal says more than none. */
export function durationParts(totalSec: number): DurationParts {
  if (totalSec < 10)
    return { unit: "seconds", hours: 0, minutes: 0, seconds: Math.round(totalSec * 10) / 10 };
  const whole = Math.round(totalSec);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const unit = hours > 0 ? "hours" : minutes > 0 ? "minutes" : "seconds";
  return { unit, hours, minutes, seconds: whole % 60 };
}
