import { describe, expect, it } from "vitest";
import {
  expectedDuration,
  LOOK_BACK,
  minutesBetween,
  type Pace,
  paceOf,
  SUCCESSES_MIN,
  successMinutes,
} from "../../../../shared/domain/expected-duration.ts";

const at = (clock: string): string => `2026-09-04T${clock}:00Z`;
const ms = (clock: string): number => Date.parse(at(clock));
const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, each) => from + each);

describe("how long something usually takes (operator-ux §1.1, expected duration)", () => {
  it.each<[string, readonly number[], readonly [number, number, number] | null]>([
    ["none", [], null],
    ["one too few", numbers(1, SUCCESSES_MIN - 1), null],
    ["the fewest that tell", [5, 1, 4, 2, 3], [3, 5, 5]],
    ["all the same", Array.from({ length: 20 }, () => 7), [7, 7, 20]],
    ["twenty: the 10th and the 18th", numbers(1, 20), [10, 18, 20]],
    ["an even number: one that was measured, no half minute", [1, 2, 3, 4, 5, 6], [3, 6, 6]],
    ["one outlier beyond the 90th percentile", [...numbers(1, 19), 900], [10, 18, 20]],
    [
      "more than are looked back on: the newest count",
      [...numbers(1, LOOK_BACK), 900, 900, 900],
      [10, 18, 20],
    ],
    ["under a minute each", [0, 0, 0, 0, 0], [0, 0, 5]],
  ])("of %s", (_, minutes, wanted) => {
    expect(expectedDuration(minutes)).toEqual(
      wanted && { medianMin: wanted[0], p90Min: wanted[1], of: wanted[2] },
    );
  });

  it.each<[string | null, string | null, number | null]>([
    [at("09:00"), at("09:12"), 12],
    [at("09:00"), at("09:00"), 0],
    [at("09:00"), null, null],
    [null, at("09:00"), null],
    [at("09:01"), at("09:00"), null],
    ["no time", at("09:00"), null],
  ])("from %s to %s are %j whole minutes (wire-format §5)", (from, to, wanted) => {
    expect(minutesBetween(from, to)).toBe(wanted);
  });

  it("learns from successes with both times alone", () => {
    const run = (status: string, finishedAt: string | null) => ({
      status,
      startedAt: at("09:00"),
      finishedAt,
    });
    expect(
      successMinutes([run("SUCCESS", at("09:03")), run("FAILED", at("09:59")), run("SUCCESS", null)]),
    ).toEqual([3]);
  });
});

describe("what takes longer than usual, and what is late (operator-ux §1.1)", () => {
  const usual = { medianMin: 12, p90Min: 20, of: 20 };
  it.each<[string, string | null, string | null, string | null, string, Pace]>([
    ["not begun", null, null, at("09:00"), "23:00", "usual"],
    ["within the 90th percentile", at("09:00"), null, null, "09:20", "usual"],
    ["its last minute not yet over", at("09:00"), null, null, "09:20", "usual"],
    ["past it, nothing due", at("09:00"), null, null, "09:21", "long"],
    ["past it, the due time to come", at("09:00"), null, at("10:00"), "09:30", "long"],
    ["past it and past its due time", at("09:00"), null, at("09:25"), "09:30", "late"],
    ["past its due time alone: it began late", at("09:00"), null, at("08:00"), "09:10", "usual"],
    ["ended long, before it was due", at("09:00"), at("09:40"), at("10:00"), "23:00", "long"],
    ["ended long, after it was due", at("09:00"), at("09:40"), at("09:30"), "23:00", "late"],
    ["ended as usual", at("09:00"), at("09:12"), at("09:10"), "23:00", "usual"],
  ])("%s", (_, startedAt, finishedAt, due, now, wanted) => {
    const run = { status: "RUNNING", startedAt, finishedAt };
    expect(paceOf(run, usual, due === null ? null : Date.parse(due), ms(now))).toBe(wanted);
  });

  it("says nothing where too few succeeded to tell", () => {
    const run = { status: "RUNNING", startedAt: at("00:00"), finishedAt: null };
    expect(paceOf(run, null, ms("01:00"), ms("23:00"))).toBe("usual");
  });
});
