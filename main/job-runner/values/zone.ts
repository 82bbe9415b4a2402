const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The wall clock of an instant in an IANA zone, as if it were UTC, in milliseconds. */
function wallClock(instantMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const parts = new Map(format.formatToParts(instantMs).map((part) => [part.type, Number(part.value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const seconds = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return seconds + (((instantMs % 1000) + 1000) % 1000);
}

/** Calendar day `YYYY-MM-DD` of an instant in an IANA zone. */
export function dayInZone(instantMs: number, timeZone: string): string {
  return new Date(wallClock(instantMs, timeZone)).toISOString().slice(0, 10);
}

/**
 * The instant at which a calendar day begins in a zone, ISO UTC with milliseconds; null when `day` is not a
 * real day. Where a clock change skips midnight, the first instant after it.
 */
export function startOfDay(day: string, timeZone: string): string | null {
  const midnight = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(midnight)) return null;
  const offsetAt = (instant: number): number => wallClock(instant, timeZone) - instant;
  const first = midnight - offsetAt(midnight);
  const second = midnight - offsetAt(first);
  const begins = [first, second].filter((instant) => dayInZone(instant, timeZone) === day);
  return new Date(begins.length === 0 ? second : Math.min(...begins)).toISOString();
}

/** The zone of this host (execution-contract §12: used when the profile names none). */
export function hostZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
