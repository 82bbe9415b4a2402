import type { RunQuery } from "../../shared/api/index.ts";
import { scheduledForOf } from "../text/time.ts";
import type { RunFilter } from "./run-filter.ts";

const DAY_MS = 86_400_000;

/** The question a filter asks main: days of the window's zone become instants. */
export function queryOf(filter: RunFilter, timeZone: string): RunQuery {
  const { networkId, status, activity, text, from, to, sort } = filter;
  const createdFrom = from === undefined ? null : startOfDay(from, timeZone);
  const createdBefore = to === undefined ? null : startOfDay(dayAfter(to), timeZone);
  return {
    ...(networkId !== undefined && { networkId }),
    ...(status !== undefined && { status }),
    ...(activity !== undefined && { activity }),
    ...(text !== undefined && { text }),
    ...(createdFrom !== null && { createdFrom }),
    ...(createdBefore !== null && { createdBefore }),
    ...(sort !== undefined && { sort }),
  };
}

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

function startOfDay(day: string, timeZone: string): string | null {
  const start = scheduledForOf(day, "00:00", timeZone);
  return start === null ? null : new Date(start).toISOString();
}
