import { describe, expect, it } from "vitest";
import {
  failureStreak,
  inputRetentionExpired,
  parseRetryBrakeReason,
  retryBrake,
  retryBrakeReason,
} from "../../../../shared/domain/index.ts";

const history = (text: string) =>
  text.split(" ").map((entry, index) => {
    const code = entry === "P" ? "PREPARE_FAILED" : entry;
    const status =
      entry === "OK" ? "SUCCESS" : entry === "P" || entry === "CANCELLED" ? "CANCELLED" : "FAILED";
    return { attemptNo: index + 1, status, resultCode: entry === "-" ? "" : code } as const;
  });

describe("the retry brake (orchestration §4.6)", () => {
  it.each([
    ["A A A", { code: "A", count: 3 }],
    ["B A A A A", { code: "A", count: 4 }],
    ["A A P A P", { code: "A", count: 3 }],
    ["A A B", null],
    ["A A OK A", null],
    ["A A CANCELLED A", null],
    ["A A A OK", null],
    ["A A - A", null],
    ["P P P", null],
    ["A A", null],
  ])("%s", (text, brake) => {
    expect(retryBrake(history(text))).toEqual(brake);
    expect(retryBrake(history(text).reverse())).toEqual(brake);
  });

  it("shows the streak before it trips", () => {
    expect(failureStreak(history("B A A"))).toEqual({ code: "A", count: 2 });
    expect(failureStreak([])).toBeNull();
  });

  it("is written into the state's reason and read back", () => {
    const streak = { code: "INDEX_ERROR", count: 12 };
    expect(retryBrakeReason(streak)).toBe("RETRY_BRAKE:INDEX_ERRORx12");
    expect(parseRetryBrakeReason("RETRY_BRAKE:INDEX_ERRORx12")).toEqual(streak);
    expect(parseRetryBrakeReason("SQL_ERROR")).toBeNull();
    expect(parseRetryBrakeReason(null)).toBeNull();
  });
});

describe("input retention (orchestration §3.3)", () => {
  const end = Date.parse("2026-09-02T00:00:59.999Z");
  it.each([
    [end, false],
    [end + 1, true],
  ])("of one day at %i: %s", (now, expired) => {
    expect(inputRetentionExpired("2026-09-01T00:00:00Z", 1, now)).toBe(expired);
    expect(inputRetentionExpired("", 1, now)).toBe(false);
  });
});
