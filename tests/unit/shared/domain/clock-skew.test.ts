import { describe, expect, it } from "vitest";
import { type ClockVerdict, judgeSkew, skewOf } from "../../../../shared/domain/clock-skew.ts";

describe("how far two clocks are apart (electron-desktop L13)", () => {
  it.each<[string, number, number, number, number, number]>([
    ["the same second", 1_000_000, 1_000_000, 1_000_000, 500, 500],
    ["the way there and back is halved", 1_000_000, 1_004_000, 1_002_000, 500, 2_500],
    ["a server ahead", 1_000_000, 1_000_200, 1_040_000, 40_400, 600],
    ["a server behind", 1_000_000, 1_000_200, 960_000, -39_600, 600],
    ["a clock set back while the answer was on its way", 1_000_000, 940_000, 1_000_000, 30_500, 500],
  ])("%s", (_, sentMs, receivedMs, serverMs, skewMs, uncertaintyMs) => {
    expect(skewOf({ sentMs, receivedMs, serverMs })).toEqual({ skewMs, uncertaintyMs });
  });
});

describe("what a difference of the clocks means (electron-desktop L13)", () => {
  it.each<[number, number, ClockVerdict]>([
    [0, 500, "fine"],
    [30_500, 500, "fine"],
    [30_501, 500, "off"],
    [-30_501, 500, "off"],
    [60_500, 500, "off"],
    [60_501, 500, "wrong"],
    [-3_600_000, 500, "wrong"],
    // A slow answer proves less.
    [33_000, 5_000, "fine"],
    [63_000, 5_000, "off"],
  ])("%i ms, known to %i ms, is %s", (skewMs, uncertaintyMs, verdict) => {
    expect(judgeSkew({ skewMs, uncertaintyMs })).toBe(verdict);
  });
});
