import { describe, expect, it } from "vitest";
import {
  type Expectation,
  expectedKey,
  latenessOf,
  OCCURRENCES_MAX,
  occurrences,
} from "../../../../shared/domain/expectation.ts";
import { parseSchedules } from "../../../../shared/domain/expectation-schema.ts";
import { instantOfWall, isZone, wallDay } from "../../../../shared/domain/wall-clock.ts";

const base: Expectation = {
  networkId: "stock_check",
  zone: "Asia/Tokyo",
  from: "2026-09-01",
  recurrence: { every: "day" },
  businessKey: "{network_id}@{yyyy}-{MM}-{dd}",
  existsBy: 2 * 60,
  successBy: 26 * 60,
};
const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

describe("expected days (decisions §5, schedules.json)", () => {
  const now = Date.parse("2026-09-04T18:00:00Z"); // 03:00 on 2026-09-05 in Tokyo
  it("are those of the expectation's own zone, newest first, with keys and due instants", () => {
    const [today, before] = occurrences(base, now);
    expect(today).toMatchObject({ day: "2026-09-05", businessKey: "stock_check@2026-09-05" });
    expect(iso(today?.existsDue ?? null)).toBe("2026-09-04T17:00:00.000Z");
    expect(iso(today?.successDue ?? null)).toBe("2026-09-05T17:00:00.000Z");
    expect(before?.day).toBe("2026-09-04");
  });

  it.each<[string, Partial<Expectation>, readonly string[]]>([
    ["every day from the first", { from: "2026-09-03" }, ["2026-09-05", "2026-09-04", "2026-09-03"]],
    ["a day of the week", { recurrence: { every: "week", day: 2 } }, ["2026-09-01"]],
    [
      "a day of the month",
      { recurrence: { every: "month", day: 1 }, from: "2026-07-15" },
      ["2026-09-01", "2026-08-01"],
    ],
    [
      "the last day of a month that is too short",
      { recurrence: { every: "month", day: 31 }, from: "2026-07-31" },
      ["2026-08-31", "2026-07-31"],
    ],
    ["nothing before the first day", { from: "2026-09-06" }, []],
  ])("%s", (_, change, expected) => {
    expect(occurrences({ ...base, ...change }, now).map(({ day }) => day)).toEqual(expected);
  });

  it("are bounded, however long the first day lies back", () => {
    expect(occurrences({ ...base, from: "2020-01-01" }, now)).toHaveLength(OCCURRENCES_MAX);
  });

  it("leave a placeholder nobody knows as it stands", () => {
    expect(expectedKey({ networkId: "n", businessKey: "{network_id}-{x}" }, "2026-09-05")).toBe("n-{x}");
  });
});

describe("when a Run is late", () => {
  const occurrence = { day: "d", businessKey: "k", existsDue: 1000, successDue: 2000 };
  const run = (status: "RUNNING" | "SUCCESS" | "FAILED", lifecycle: "ACTIVE" | "ARCHIVED" = "ACTIVE") => ({
    status,
    lifecycle,
  });
  it.each([
    ["not there at its due instant", null, 1000, null],
    ["not there after it", null, 1001, "missing"],
    ["there and at work before its success is due", run("RUNNING"), 2000, null],
    ["at work after that", run("RUNNING"), 2001, "unfinished"],
    ["failed after that", run("FAILED"), 2001, "unfinished"],
    ["succeeded", run("SUCCESS"), 9999, null],
    ["closed", run("FAILED", "ARCHIVED"), 9999, null],
  ] as const)("%s", (_, found, now, expected) => {
    expect(latenessOf(occurrence, found, now)?.kind ?? null).toBe(expected);
  });

  it("is never late by what is not watched", () => {
    const unwatched = { ...occurrence, existsDue: null, successDue: null };
    expect(latenessOf(unwatched, null, 9999)).toBeNull();
    expect(latenessOf({ ...occurrence, existsDue: null }, null, 2001)).toEqual({
      kind: "missing",
      due: 2000,
    });
  });
});

describe("wall clocks", () => {
  it.each([
    ["2026-09-05T02:00:00Z", "Asia/Tokyo", "2026-09-04T17:00:00.000Z"],
    ["2026-07-01T00:00:00Z", "Europe/Berlin", "2026-06-30T22:00:00.000Z"],
    // Skipped by the change to summer time: the clock shows 03:30 an hour later.
    ["2026-03-29T02:30:00Z", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    // Shown twice by the change back: the first time counts.
    ["2026-10-25T02:30:00Z", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ])("%s in %s is %s", (wall, zone, expected) => {
    expect(iso(instantOfWall(Date.parse(wall), zone))).toBe(expected);
  });

  it("know their day and their names", () => {
    expect(wallDay(Date.parse("2026-09-04T15:00:00Z"), "Asia/Tokyo")).toBe("2026-09-05");
    expect([isZone("Asia/Tokyo"), isZone("Asia/Nowhere")]).toEqual([true, false]);
  });
});

describe("schedules.json", () => {
  const entry = {
    networkId: "stock_check",
    zone: "Asia/Tokyo",
    from: "2026-09-01",
    repeat: { every: "week", day: "MON" },
    businessKey: "{network_id}@{yyyy}-{MM}-{dd}",
    existsBy: "02:00",
    successBy: "26:30",
  };
  const file = (...networks: readonly object[]) => ({
    kind: "FLOWNET_SCHEDULES",
    formatVersion: 1,
    networks,
  });

  it("reads times as minutes of the day, past midnight included", () => {
    const parsed = parseSchedules(file(entry), "s.json");
    expect(parsed.ok && parsed.value[0]).toMatchObject({
      recurrence: { every: "week", day: 1 },
      existsBy: 120,
      successBy: 26 * 60 + 30,
    });
  });

  it.each<[string, unknown, string]>([
    ["is not JSON", undefined, "s.json $"],
    ["is of another kind", { ...file(), kind: "X" }, "s.json $.kind"],
    ["is of a later format", { ...file(), formatVersion: 2 }, "s.json $.formatVersion"],
    ["has an unknown zone", file({ ...entry, zone: "Asia/Nowhere" }), "s.json $.networks.0.zone"],
    ["has a time that is none", file({ ...entry, existsBy: "48:00" }), "s.json $.networks.0.existsBy"],
    ["has a day that is none", file({ ...entry, from: "2026-02-30" }), "s.json $.networks.0.from"],
    [
      "has an unknown placeholder",
      file({ ...entry, businessKey: "{dd}{MM}{yyyy}{hh}" }),
      "s.json $.networks.0.businessKey",
    ],
    [
      "has a key that days would share",
      file({ ...entry, businessKey: "{yyyy}-{MM}" }),
      "s.json $.networks.0.businessKey",
    ],
    [
      "watches nothing",
      file({ ...entry, existsBy: undefined, successBy: undefined }),
      "s.json $.networks.0.existsBy",
    ],
    [
      "wants success before existence",
      file({ ...entry, successBy: "01:00" }),
      "s.json $.networks.0.successBy",
    ],
    ["says the same twice", file(entry, entry), "s.json $.networks.1"],
  ])("that %s is refused with the file and the key", (_, value, place) => {
    expect(parseSchedules(value, "s.json")).toMatchObject({
      ok: false,
      error: { code: "SCHEDULES_INVALID", place },
    });
  });
});
