import type { RunRow } from "../../shared/api/index.ts";
import type { Pace } from "../../shared/domain/expected-duration.ts";
import { instantOfWall, wallDay } from "../../shared/domain/wall-clock.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Shorter stretches without a Run are no room for anything. */
const IDLE_MIN = 30 * MINUTE;

/** A stretch of time in epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A Run's bar, cut to the day. Record times are kept to the minute: the last minute is drawn whole. */
export interface DayBar extends Span {
  readonly run: RunRow;
  readonly running: boolean;
  readonly pace: Pace;
  /** Epoch milliseconds; null when nothing is expected of it, or on another day. */
  readonly due: number | null;
}

/** A row of the day: one network, or one more lane of it where its Runs overlap. */
export interface DayRow {
  readonly key: string;
  readonly networkId: string;
  /** Lane of its network, from 0. */
  readonly lane: number;
  readonly bars: readonly DayBar[];
}

/** The day an instant lies on in a zone, `YYYY-MM-DD`. */
export const dayOf = (nowMs: number, zone: string): string => wallDay(nowMs, zone);

/** The calendar day some days away. Pure. */
export const dayBeside = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** The instants a day of a zone begins and ends at: 23 or 25 hours apart where its clock changes. Pure. */
export function spanOfDay(day: string, zone: string): Span {
  const start = Date.parse(`${day}T00:00:00Z`);
  return { from: instantOfWall(start, zone), to: instantOfWall(start + DAY, zone) };
}

export interface Judge {
  readonly paceOf: (run: RunRow, nowMs: number) => Pace;
  readonly dueOf: (run: RunRow) => number | null;
}

/** The bar of a Run; null when it did not run on that day. What still runs reaches to now, and no further. Pure. */
export function barOf(run: RunRow, day: Span, nowMs: number, judge: Judge): DayBar | null {
  if (run.startedAt === null) return null;
  const start = Date.parse(run.startedAt);
  const running = run.finishedAt === null;
  const end = running ? Math.max(start, nowMs) : Date.parse(run.finishedAt ?? "") + MINUTE;
  const from = Math.max(start, day.from);
  const to = Math.min(end, day.to);
  if (!(to >= from) || start >= day.to) return null;
  const due = judge.dueOf(run);
  const within = due !== null && due >= day.from && due < day.to;
  return { run, from, to, running, pace: judge.paceOf(run, nowMs), due: within ? due : null };
}

/**
 * The rows of a day: networks by name, in each the Runs by their start; one that begins before another ended goes to
 * a lane of its own. Networks that are known but did not run have a row as well: idle is what is looked for. Pure.
 */
export function rowsOf(bars: readonly DayBar[], networkIds: readonly string[]): readonly DayRow[] {
  const byNetwork = Map.groupBy(bars, ({ run }) => run.networkId);
  const names = [...new Set([...networkIds, ...byNetwork.keys()])].sort();
  return names.flatMap((networkId) => {
    const lanes: DayBar[][] = [[]];
    for (const bar of (byNetwork.get(networkId) ?? []).toSorted((left, right) => left.from - right.from)) {
      const free = lanes.find((lane) => (lane.at(-1)?.to ?? Number.NEGATIVE_INFINITY) <= bar.from);
      if (free === undefined) lanes.push([bar]);
      else free.push(bar);
    }
    return lanes.map((own, lane) => ({ key: JSON.stringify([networkId, lane]), networkId, lane, bars: own }));
  });
}

/** Stretches of the day in which nothing ran, as far as it is over: the longest first. Pure. */
export function idleSpans(bars: readonly Span[], day: Span, nowMs: number): readonly Span[] {
  const until = Math.min(day.to, nowMs);
  const idle: Span[] = [];
  let free = day.from;
  for (const { from, to } of bars.toSorted((left, right) => left.from - right.from)) {
    if (from - free >= IDLE_MIN) idle.push({ from: free, to: from });
    free = Math.max(free, to);
  }
  if (until - free >= IDLE_MIN) idle.push({ from: free, to: until });
  return idle.sort((left, right) => right.to - right.from - (left.to - left.from));
}

/** Where an instant lies on the day's axis, from 0 to 1. Pure. */
export const placeOf = (day: Span, instant: number): number =>
  Math.max(0, Math.min(1, (instant - day.from) / (day.to - day.from)));

/** Every third hour of the day's clock. Pure. */
export function hoursOf(
  day: string,
  zone: string,
): readonly { readonly at: number; readonly text: string }[] {
  const start = Date.parse(`${day}T00:00:00Z`);
  return [0, 3, 6, 9, 12, 15, 18, 21].map((hour) => ({
    at: instantOfWall(start + hour * 60 * MINUTE, zone),
    text: `${String(hour).padStart(2, "0")}:00`,
  }));
}
