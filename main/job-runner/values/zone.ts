const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** True for a `YYYY-MM-DD` of the calendar: `Date.parse` moves the 30th of February to March without a word. */
export function isRealDay(day: string): boolean {
  const time = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

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
  if (!isRealDay(day)) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offsetAt = (instant: number): number => wallClock(instant, timeZone) - instant;
  const first = midnight - offsetAt(midnight);
  const second = midnight - offsetAt(first);
  const begins = [first, second].filter((instant) => dayInZone(instant, timeZone) === day);
  return new Date(begins.length === 0 ? second : Math.min(...begins)).toISOString();
}

const DAY_MS = 86_400_000;
const LOCAL = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * ISO UTC with milliseconds of an instant with an offset, or of a wall clock `YYYY-MM-DD[ hh:mm[:ss]]` in
 * `timeZone` (job-dialect §6); null for any other text and for days and times that do not exist. Of two
 * instants with the same wall clock the first; of a time the clock skips, the instant it is moved to.
 */
export function instantOfText(text: string, timeZone: string): string | null {
  if (WITH_OFFSET.test(text)) {
    const instant = Date.parse(text);
    return Number.isNaN(instant) || !isRealDay(text.slice(0, 10)) ? null : new Date(instant).toISOString();
  }
  const match = LOCAL.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? "0"));
  const wall = Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0);
  const read = new Date(wall);
  const same =
    // Date.UTC takes the years 0 to 99 for those of the last century.
    read.getUTCFullYear() === year &&
    read.getUTCMonth() + 1 === month &&
    read.getUTCDate() === day &&
    read.getUTCHours() === (hour ?? 0);
  if (!same || (minute ?? 0) > 59 || (second ?? 0) > 59) return null;
  if (hour === 0 && minute === 0 && second === 0)
    return startOfDay(read.toISOString().slice(0, 10), timeZone);
  // Offsets before and after any clock change near by: at most one change lies within a day.
  const candidates = [-DAY_MS, DAY_MS].map((step) => wall - (wallClock(wall + step, timeZone) - wall - step));
  const fits = candidates.filter((instant) => wallClock(instant, timeZone) === wall);
  return new Date(fits.length === 0 ? (candidates[0] ?? wall) : Math.min(...fits)).toISOString();
}

/** An ISO instant as `YYYY-MM-DDThh:mm:ss.mmm±hh:mm` in a zone; null for a text that is none. */
export function offsetInstant(text: string, timeZone: string): string | null {
  const instant = WITH_OFFSET.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) return null;
  const wall = wallClock(instant, timeZone);
  const minutes = Math.round((wall - instant) / 60_000);
  const two = (part: number): string => String(part).padStart(2, "0");
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return new Date(wall).toISOString().replace("Z", offset);
}

/** The zone of this host (execution-contract §12: used when the profile names none). */
export function hostZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
