/** Wall clock of an instant in an IANA zone, told as if it were UTC; epoch milliseconds. */
function wallOf(instant: number, zone: string): number {
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
}

/** True for the name of a zone this system knows. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).format(0) !== "";
  } catch {
    return false;
  }
}

/** Calendar day `YYYY-MM-DD` of an instant in a zone. */
export function wallDay(instant: number, zone: string): string {
  return new Date(wallOf(instant, zone)).toISOString().slice(0, 10);
}

/**
 * The instant at which a zone's clock shows a wall time, which is given as if it were UTC; epoch milliseconds. Of two
 * such instants the earlier; where a clock change skips the wall time, the instant as much later as was skipped.
 */
export function instantOfWall(wall: number, zone: string): number {
  const offsetAt = (instant: number): number => wallOf(instant, zone) - Math.floor(instant / 1000) * 1000;
  // One of the offsets around the wall time is the right one; a day on either side sees both of a change.
  const candidates = [offsetAt(wall - 86_400_000), offsetAt(wall + 86_400_000)].map(
    (offset) => wall - offset,
  );
  const shown = candidates.filter((instant) => wallOf(instant, zone) === Math.floor(wall / 1000) * 1000);
  return shown.length > 0 ? Math.min(...shown) : Math.max(...candidates);
}
