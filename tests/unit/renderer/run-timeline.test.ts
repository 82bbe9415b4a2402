import { describe, expect, it } from "vitest";
import { axisOf, barOf, barsOf, positionOf, ticksOf } from "../../../renderer/run/timeline/timeline.ts";
import type { AttemptFacts } from "../../../shared/api/index.ts";
import { attempt } from "./run-facts.ts";

const MINUTE = 60_000;
const BASE = Date.parse("2026-09-05T05:00:00Z");
const at = (minutes: number): string => new Date(BASE + minutes * MINUTE).toISOString();
const ran = (from: number, to: number | null, change: Partial<AttemptFacts> = {}): AttemptFacts =>
  attempt({
    executionStartedAt: at(from),
    finishedAt: to === null ? null : at(to),
    status: to === null ? "RUNNING" : "SUCCESS",
    ...change,
  });

describe("bars of the timeline (wire-format §5, minute precision)", () => {
  it("within one minute nothing is certain", () => {
    const bar = barOf(ran(0, 0), true, BASE);
    expect(bar).toMatchObject({ whole: { from: BASE, to: BASE + MINUTE }, certain: null, running: false });
  });

  it("over several minutes only what lies between the two uncertain minutes is certain", () => {
    const bar = barOf(ran(0, 5), true, BASE);
    expect(bar?.whole).toEqual({ from: BASE, to: BASE + 6 * MINUTE });
    expect(bar?.certain).toEqual({ from: BASE + MINUTE, to: BASE + 5 * MINUTE });
  });

  it("a running bar grows to the present and not beyond", () => {
    const now = BASE + 3 * MINUTE + 12_000;
    expect(barOf(ran(0, null), true, now)?.whole.to).toBe(now);
    expect(barOf(ran(0, null), true, BASE - 1)?.whole).toEqual({ from: BASE, to: BASE });
  });

  it.each<[string, Partial<AttemptFacts>]>([
    ["without a start marker", { executionStartedAt: null }],
    ["with one that is no time", { executionStartedAt: "soon" }],
  ])("an attempt %s has none", (_, change) => {
    expect(barOf(attempt(change), true, BASE)).toBeNull();
  });

  it("keeps earlier attempts, in the order of records and numbers, whatever their times say", () => {
    const bars = barsOf(
      [
        ran(9, 9, { recordId: "30", attemptId: "b1", nodeId: "b" }),
        ran(0, 0, { recordId: "40", attemptId: "a2", attemptNo: 2 }),
        ran(5, 5, { recordId: "20", attemptId: "a1", attemptNo: 1 }),
      ],
      BASE,
    );
    expect(bars.map(({ attemptId, latest }) => [attemptId, latest])).toEqual([
      ["a1", false],
      ["a2", true],
      ["b1", true],
    ]);
  });
});

describe("the axis of the timeline (operator-ux §1.1)", () => {
  const bars = barsOf(
    [
      ran(0, 9, { recordId: "1", attemptId: "x", nodeId: "x" }),
      ran(600, 609, { recordId: "2", attemptId: "y", nodeId: "y" }),
    ],
    BASE,
  );

  it("collapses long idle time and says where", () => {
    const axis = axisOf(bars, true);
    expect(axis.stretches).toHaveLength(2);
    expect(positionOf(axis, BASE)).toBe(0);
    expect(positionOf(axis, BASE + 610 * MINUTE)).toBe(1);
    expect(positionOf(axis, BASE + 10 * MINUTE)).toBeGreaterThan(0.4);
    expect(positionOf(axis, BASE + 300 * MINUTE)).toBe(positionOf(axis, BASE + 10 * MINUTE));
  });

  it("keeps it at scale when told so", () => {
    const axis = axisOf(bars, false);
    expect(axis.stretches).toHaveLength(1);
    expect(positionOf(axis, BASE + 305 * MINUTE)).toBeCloseTo(0.5, 5);
  });

  it("has a few ticks, in order, the beginning of each stretch among them", () => {
    const ticks = ticksOf(axisOf(bars, true), 6);
    expect(ticks.map((tick) => tick.at)).toContain(BASE);
    expect(ticks.map((tick) => tick.at)).toContain(BASE + 600 * MINUTE);
    expect(ticks.length).toBeLessThan(14);
    const positions = ticks.map((tick) => tick.position);
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
  });

  it("stands on nothing without a bar", () => {
    expect(axisOf([], true)).toEqual({ stretches: [], length: 1, gap: 0 });
    expect(ticksOf(axisOf([], true), 6)).toEqual([]);
  });
});
