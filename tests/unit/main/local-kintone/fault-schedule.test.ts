import { describe, expect, it } from "vitest";
import { createFaultClock } from "../../../../main/local-kintone/faults/clock.ts";
import { effectSchema } from "../../../../main/local-kintone/faults/effect-schema.ts";
import { whenSchema } from "../../../../main/local-kintone/faults/match-schema.ts";
import { draw, NO_COUNTS, takeTurn, timesOf } from "../../../../main/local-kintone/faults/schedule.ts";

const LOST = { kind: "lose-response" };
const T0 = Date.parse("2026-09-01T00:00:30Z");

/** On which of the first matches a rule acts, from 1. */
function turns(
  when: unknown,
  effect: unknown = LOST,
  options: { seed?: number; now?: number; of?: number } = {},
): number[] {
  const { seed = 1, now = T0, of = 12 } = options;
  const rule = { when: whenSchema.parse(when), effect: effectSchema.parse(effect) };
  const acting: number[] = [];
  let counts = NO_COUNTS;
  for (let match = 1; match <= of; match += 1) {
    const turn = takeTurn(rule, counts, { now, seed, ruleId: "rule" });
    counts = turn.counts;
    if (turn.acts) acting.push(match);
  }
  return acting;
}

describe("turns of fault rules (kintone-rest §19)", () => {
  it.each([
    ["an event happens once", {}, [1]],
    ["the n-th match", { nth: 3 }, [3]],
    ["every n-th match", { every: 4, times: "unlimited" }, [4, 8, 12]],
    ["the first ones", { times: 3 }, [1, 2, 3]],
    ["after some are passed over", { skip: 2, times: 2 }, [3, 4]],
    ["the n-th after some", { skip: 2, nth: 2 }, [4]],
    ["every n-th after some, so often", { skip: 1, every: 3, times: 2 }, [4, 7]],
    ["never by chance 0", { probability: 0, times: "unlimited" }, []],
    ["within its window", { from: "2026-09-01T00:00:00Z", until: "2026-09-01T09:00:31+09:00" }, [1]],
    ["before its window", { from: "2026-09-01T00:00:31Z" }, []],
    ["at the end of its window", { until: "2026-09-01T00:00:30Z" }, []],
    ["at a second of the minute", { seconds: [29, 30] }, [1]],
    ["at other seconds", { seconds: [59, 0] }, []],
  ])("acts %s", (_, when, expected) => {
    expect(turns(when)).toEqual(expected);
  });

  it("goes on with a state of the service and ends with an event", () => {
    const unlimited = Number.POSITIVE_INFINITY;
    const times = (effect: unknown): number => timesOf(effectSchema.parse(effect), {});
    expect(times({ kind: "delay", ms: 5 })).toBe(unlimited);
    expect(times({ kind: "block", how: "reset" })).toBe(unlimited);
    expect(times({ kind: "concurrency", limit: 3 })).toBe(unlimited);
    expect(times({ kind: "barrier", phase: "before" })).toBe(1);
    expect(times({ kind: "status", status: 503 })).toBe(1);
    expect(timesOf(effectSchema.parse({ kind: "delay" }), { times: 2 })).toBe(2);
  });

  it("counts no match outside its window", () => {
    const rule = { when: whenSchema.parse({ seconds: [0], nth: 2 }), effect: effectSchema.parse(LOST) };
    const outside = takeTurn(rule, NO_COUNTS, { now: T0, seed: 1, ruleId: "r" });
    expect(outside).toEqual({ acts: false, counts: NO_COUNTS });
  });

  it("draws chances from the seed and the rule alone, about as often as asked", () => {
    const chance = { probability: 0.25, times: "unlimited" };
    const options = { seed: 9, of: 4000 };
    const first = turns(chance, LOST, options);
    expect(turns(chance, LOST, options)).toEqual(first);
    expect(turns(chance, LOST, { ...options, seed: 10 })).not.toEqual(first);
    expect(first.length).toBeGreaterThan(850);
    expect(first.length).toBeLessThan(1150);
  });

  it("draws numbers from 0 to below 1 that differ by every word", () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => draw(1, "rule", index));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(new Set(numbers).size).toBeGreaterThan(990);
    expect(draw(1, "a", "bc")).not.toBe(draw(1, "ab", "c"));
  });
});

describe("the clock of a faulty server (kintone-rest §19, F16, F17)", () => {
  it("runs, shifts, steps, stops and runs again", () => {
    let real = T0;
    const clock = createFaultClock({ now: () => real });
    const set = (action: Parameters<typeof clock.set>[0]): number => {
      clock.set(action);
      return clock.now() - real;
    };
    expect(clock.now()).toBe(T0);
    expect(set({ kind: "clock", set: "offset", ms: 1000 })).toBe(1000);
    expect(set({ kind: "clock", set: "step", ms: -3000 })).toBe(-2000);
    real += 500;
    expect(clock.now() - real).toBe(-2000);
    expect(set({ kind: "clock", set: "freeze" })).toBe(-2000);
    real += 500;
    expect(clock.now() - real).toBe(-2500);
    expect(set({ kind: "clock", set: "step", ms: 2500 })).toBe(0);
    expect(set({ kind: "clock", set: "run" })).toBe(0);
    real += 500;
    expect(clock.now()).toBe(real);
  });

  it.each([
    [59, "00:00:59.000"],
    [0, "00:01:00.000"],
    [30, "00:01:30.000"],
  ])("goes forward to second %i", (second, expected) => {
    const clock = createFaultClock({ now: () => T0 + 250 });
    clock.set({ kind: "clock", set: "second", second });
    expect(new Date(clock.now()).toISOString().slice(11, 23)).toBe(expected);
  });
});
