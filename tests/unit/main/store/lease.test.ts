import { describe, expect, it } from "vitest";
import {
  elapsedSince,
  leaseFrom,
  leaseLeft,
  leaseReadBack,
} from "../../../../main/store/kintone/fence/lease.ts";

const at = Date.parse("2026-09-01T00:00:30.000Z");
const stamp = { wallMs: at, monotonicMs: 1_000 };
const lease = leaseFrom(stamp, 180_000);

describe("the lease by two clocks (fenced-writes R4)", () => {
  const table: readonly (readonly [string, number, number, number])[] = [
    ["both clocks agree", 60_000, 60_000, 120_000],
    ["the wall clock was set back", -3_600_000, 60_000, 120_000],
    ["the wall clock was set forward", 100_000, 60_000, 80_000],
    ["the host slept and only the wall clock knows", 200_000, 10, 0],
    ["nothing has passed", 0, 0, 180_000],
  ];
  it.each(table)("%s", (_name, wall, monotonic, left) => {
    expect(leaseLeft(lease, { wallMs: at + wall, monotonicMs: 1_000 + monotonic })).toBe(left);
  });

  it("no time goes backwards", () => {
    expect(elapsedSince(stamp, { wallMs: at - 5, monotonicMs: 1_000 })).toBe(0);
  });
});

describe("the value read back (fenced-writes R4, wire-format §5)", () => {
  it("the same minute is the value that was sent: kintone cut the seconds", () => {
    expect(leaseReadBack(lease, "2026-09-01T00:03:00Z")).toEqual(lease);
  });
  it("an earlier minute wins", () => {
    expect(leaseReadBack(lease, "2026-09-01T00:02:00Z").expiresAtMs).toBe(Date.parse("2026-09-01T00:02:00Z"));
  });
  it("a later value, or none, does not", () => {
    expect(leaseReadBack(lease, "2026-09-01T00:09:00Z")).toEqual(lease);
    expect(leaseReadBack(lease, "")).toEqual(lease);
  });
});
