import { describe, expect, it } from "vitest";
import {
  instantOf,
  isOffsetIso,
  isUtcInstant,
  normalizeScheduledFor,
  sameMinute,
  truncateToMinute,
} from "../../../../shared/domain/index.ts";

describe("times (wire-format §5)", () => {
  it.each([
    ["2026-09-01T00:00:59.999Z", "2026-09-01T00:00:00Z"],
    ["2026-09-01T09:00:30+09:00", "2026-09-01T00:00:00Z"],
    ["1969-12-31T23:59:59.999Z", "1969-12-31T23:59:00Z"],
    ["", null],
    ["soon", null],
  ])("%s is stored as %s", (text, stored) => {
    expect(truncateToMinute(text)).toBe(stored);
  });

  it("compares by minute, and never calls two unreadable times equal", () => {
    expect(sameMinute("2026-09-01T00:00:59.999Z", "2026-09-01T00:00:00Z")).toBe(true);
    expect(sameMinute("2026-09-01T00:00:59.999Z", "2026-09-01T00:01:00Z")).toBe(false);
    expect(sameMinute("", "")).toBe(false);
  });

  it.each([
    ["2026-09-01T00:00:00Z", true],
    ["2026-09-01T00:00:00.123Z", true],
    ["2026-09-01T00:00:00.12Z", false],
    ["2026-09-01T00:00Z", false],
    ["2026-09-01T09:00:00+09:00", false],
    ["2026-02-30T00:00:00Z", false],
  ])("kintone instant %s: %s", (text, valid) => {
    expect(isUtcInstant(text)).toBe(valid);
  });

  it.each([
    ["2026-09-01T00:00:00Z", true],
    ["2026-09-01T00:00:00.123456+09:00", true],
    ["2026-09-01T00:00+09:00", true],
    ["2026-09-01T00:00:00", false],
    ["2026-09-01", false],
    ["2026-13-01T00:00:00Z", false],
  ])("asOf %s: %s (execution-contract §5.6)", (text, valid) => {
    expect(isOffsetIso(text)).toBe(valid);
  });

  it.each([
    ["2026-09-01T00:00:00Z", Date.UTC(2026, 8, 1)],
    ["", null],
    [null, null],
    ["x", null],
  ])("instant of %s", (text, instant) => {
    expect(instantOf(text)).toBe(instant);
  });

  it("keeps the years 1 to 99 where they are (wire-format §2.5)", () => {
    expect(normalizeScheduledFor("0099-01-01T00:00Z")).toBe("0099-01-01T00:00:00.000Z");
  });
});
