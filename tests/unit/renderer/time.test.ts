import { describe, expect, it } from "vitest";
import {
  agoOf,
  dateOf,
  durationParts,
  minuteText,
  scheduledForOf,
  secondText,
  timeOf,
  zoneLabel,
} from "../../../renderer/text/time.ts";

describe("times of the window (operator-ux §1.1, §5.1)", () => {
  it.each([
    ["2026-09-05T05:03:00Z", "Asia/Tokyo", "ja", "2026/09/05(土) 14:03"],
    ["2026-09-05T05:03:59Z", "Asia/Tokyo", "ja", "2026/09/05(土) 14:03"],
    ["2026-09-05T15:00:00Z", "Asia/Tokyo", "ja", "2026/09/06(日) 00:00"],
    ["2026-09-05T05:03:00Z", "Asia/Tokyo", "en", "Sat 2026-09-05 14:03"],
    ["2026-09-05T05:03:00Z", "UTC", "en", "Sat 2026-09-05 05:03"],
    ["2026-07-05T05:03:00Z", "America/New_York", "en", "Sun 2026-07-05 01:03"],
    ["not a time", "Asia/Tokyo", "ja", "not a time"],
  ] as const)("shows %s in %s (%s) as %s, without invented seconds", (iso, zone, language, text) => {
    expect(minuteText(iso, zone, language)).toBe(text);
  });

  it("keeps the seconds of what it measured itself", () => {
    expect(secondText("2026-09-05T05:03:07.900Z", "Asia/Tokyo")).toBe("14:03:07");
  });

  it("names the zone", () => {
    expect(zoneLabel("Asia/Tokyo", 0)).toBe("JST");
    expect(zoneLabel("Europe/Berlin", Date.parse("2026-07-01T00:00:00Z"))).toBe("GMT+2");
  });

  it.each([
    ["2026-09-01", "2026-09-01"],
    ["2026/9/1", "2026-09-01"],
    ["2026-09", "2026-09-01"],
    ["２０２６－０９－０１", "2026-09-01"],
    [" 2026-02-28 ", "2026-02-28"],
    ["2026-02-29", null],
    ["2026-13", null],
    ["2026", null],
    ["9/1", null],
    ["", null],
  ])("reads the typed date %j as %j", (typed, date) => {
    expect(dateOf(typed)).toBe(date);
  });

  it.each([
    ["00:00", "00:00"],
    ["9:05", "09:05"],
    ["１４：３０", "14:30"],
    ["24:00", null],
    ["12:60", null],
    ["noon", null],
  ])("reads the typed time %j as %j", (typed, time) => {
    expect(timeOf(typed)).toBe(time);
  });

  it.each([
    ["2026-09", "00:00", "Asia/Tokyo", "2026-09-01T00:00:00+09:00"],
    ["2026-09-01", "8:30", "UTC", "2026-09-01T08:30:00+00:00"],
    ["2026-07-01", "00:00", "America/New_York", "2026-07-01T00:00:00-04:00"],
    ["2026-01-01", "00:00", "America/New_York", "2026-01-01T00:00:00-05:00"],
    ["2026-01-01", "00:00", "Asia/Kolkata", "2026-01-01T00:00:00+05:30"],
    ["2026-01-32", "00:00", "Asia/Tokyo", null],
  ])("makes %s %s in %s the scheduled time %s (wire-format §2.5)", (date, time, zone, expected) => {
    expect(scheduledForOf(date, time, zone)).toBe(expected);
  });

  it.each([
    [1_000, { unit: "now" }],
    [59_000, { unit: "seconds", count: 59 }],
    [119_000, { unit: "minutes", count: 1 }],
    [7_300_000, { unit: "hours", count: 2 }],
    [-5_000, { unit: "now" }],
  ])("says how long ago %i ms are", (ms, expected) => {
    const now = Date.parse("2026-09-05T05:00:00Z");
    expect(agoOf(new Date(now - ms).toISOString(), now)).toEqual(expected);
  });

  it.each([
    [0.84, { unit: "seconds", hours: 0, minutes: 0, seconds: 0.8 }],
    [59.4, { unit: "seconds", hours: 0, minutes: 0, seconds: 59 }],
    [83, { unit: "minutes", hours: 0, minutes: 1, seconds: 23 }],
    [4_980, { unit: "hours", hours: 1, minutes: 23, seconds: 0 }],
  ])("splits %f seconds", (seconds, expected) => {
    expect(durationParts(seconds)).toEqual(expected);
  });
});
