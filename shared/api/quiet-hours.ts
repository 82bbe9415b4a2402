/** A stretch of every day, minutes after midnight in the window's zone; `to` before `from` goes over midnight. */
export interface QuietHours {
  /** `HH:MM`. */
  readonly from: string;
  readonly to: string;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Minutes after midnight of an instant in a zone. Pure. */
export function minuteOfDay(instant: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return minutesOf(format.format(instant));
}

/** Whether a minute of the day lies in the quiet hours: their beginning does, their end does not. Pure. */
export function isQuiet(quiet: QuietHours | null, minute: number): boolean {
  if (quiet === null) return false;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}
