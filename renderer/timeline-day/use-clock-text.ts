import { useMemo } from "react";
import { useTimeZone } from "../state/context.tsx";

/** Gives instants as time of day in the window's zone, to the minute; epoch milliseconds. */
export function useClockText(): (instant: number) => string {
  const timeZone = useTimeZone();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
    return (instant) => format.format(instant);
  }, [timeZone]);
}
