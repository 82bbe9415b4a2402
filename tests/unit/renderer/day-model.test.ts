import { describe, expect, it } from "vitest";
import {
  barOf,
  dayBeside,
  hoursOf,
  idleSpans,
  placeOf,
  rowsOf,
  type Span,
  spanOfDay,
} from "../../../renderer/timeline-day/day-model.ts";
import { isDay, timelineHash, timelineRoute } from "../../../renderer/timeline-day/day-route.ts";
import type { RunRow } from "../../../shared/api/index.ts";
import { row } from "../../support/run-rows.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const at = (clock: string): string => `2026-09-04T${clock}:00Z`;
const ms = (clock: string): number => Date.parse(at(clock));
const day: Span = spanOfDay("2026-09-04", "UTC");
const judge = { paceOf: () => "usual" as const, dueOf: () => null };
const ran = (runId: string, from: string, to: string | null, networkId = "net"): RunRow =>
  row({ runId, networkId, businessKey: runId, startedAt: from, finishedAt: to });
const barsOf = (runs: readonly RunRow[], now: number) =>
  runs.map((run) => barOf(run, day, now, judge)).filter((bar) => bar !== null);

describe("the day in the window's zone (operator-ux §1.1, time zone)", () => {
  it.each<[string, string, string, number]>([
    ["2026-09-04", "Asia/Tokyo", "2026-09-03T15:00:00.000Z", 24],
    ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z", 23],
    ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z", 25],
  ])("%s in %s begins at %s and has %i hours", (text, zone, from, hours) => {
    const span = spanOfDay(text, zone);
    expect(new Date(span.from).toISOString()).toBe(from);
    expect((span.to - span.from) / HOUR).toBe(hours);
    expect(hoursOf(text, zone).map((mark) => mark.text)).toEqual([
      "00:00",
      "03:00",
      "06:00",
      "09:00",
      "12:00",
      "15:00",
      "18:00",
      "21:00",
    ]);
  });

  it("goes from day to day over the end of a month", () => {
    expect(dayBeside("2026-02-28", 1)).toBe("2026-03-01");
    expect(dayBeside("2026-03-01", -1)).toBe("2026-02-28");
  });

  it.each<[string, boolean]>([
    ["2026-09-04", true],
    ["2026-02-30", false],
    ["2026-9-4", false],
    ["<b>", false],
  ])("takes %s for a day of an address: %j (electron-desktop P7)", (text, wanted) => {
    expect(isDay(text)).toBe(wanted);
    const route = timelineRoute(new URLSearchParams({ day: text }));
    expect(route).toEqual(wanted ? { page: "timeline", day: text } : { page: "timeline" });
    expect(timelineHash(route)).toBe(wanted ? `#/timeline?day=${text}` : "#/timeline");
  });
});

describe("bars of a day (operator-ux §1.1, timeline)", () => {
  const now = ms("12:00");
  it.each<[string, string | null, string | null, readonly [number, number] | null]>([
    ["within the day, its last minute whole", at("09:00"), at("09:12"), [ms("09:00"), ms("09:13")]],
    ["from the day before", "2026-09-03T23:00:00Z", at("01:00"), [day.from, ms("01:01")]],
    ["into the next day", at("23:00"), "2026-09-05T02:00:00Z", [ms("23:00"), day.to]],
    ["still running: to now", at("11:00"), null, [ms("11:00"), now]],
    ["begun in a minute that goes on", at("12:00"), null, [now, now]],
    ["over before it", "2026-09-03T01:00:00Z", "2026-09-03T02:00:00Z", null],
    ["the day after", "2026-09-05T00:00:00Z", null, null],
    ["never begun", null, null, null],
  ])("of a Run %s", (_, startedAt, finishedAt, wanted) => {
    const bar = barOf(row({ startedAt, finishedAt }), day, now, judge);
    expect(bar && [bar.from, bar.to]).toEqual(wanted);
  });

  it("stands by network; Runs that overlap go to lanes of their own, idle networks have a row", () => {
    const bars = barsOf(
      [
        ran("b1", at("09:00"), at("09:30"), "b"),
        ran("a2", at("09:10"), at("09:50")),
        ran("a1", at("09:00"), at("09:30")),
        ran("a3", at("09:40"), at("09:45")),
      ],
      now,
    );
    const rows = rowsOf(bars, ["idle", "b"]);
    expect(
      rows.map(({ networkId, lane, bars: own }) => [networkId, lane, own.map(({ run }) => run.runId)]),
    ).toEqual([
      ["b", 0, ["b1"]],
      ["idle", 0, []],
      ["net", 0, ["a1", "a3"]],
      ["net", 1, ["a2"]],
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it("finds the time in which nothing ran, the longest first, and none that is still to come", () => {
    const bars = barsOf([ran("a", at("02:00"), at("04:00")), ran("b", at("03:00"), at("03:30"))], now);
    expect(idleSpans(bars, day, now)).toEqual([
      { from: ms("04:00") + MINUTE, to: now },
      { from: day.from, to: ms("02:00") },
    ]);
    expect(idleSpans([], day, day.to + HOUR)).toEqual([{ from: day.from, to: day.to }]);
  });

  it("places instants on the axis and never beside it", () => {
    expect(placeOf(day, ms("06:00"))).toBe(0.25);
    expect(placeOf(day, day.from - 1)).toBe(0);
    expect(placeOf(day, day.to + 1)).toBe(1);
  });
});
