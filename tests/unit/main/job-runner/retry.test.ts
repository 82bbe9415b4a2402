import { describe, expect, it } from "vitest";
import { mayReadAgain, mayWriteAgain, pauseBefore } from "../../../../main/job-runner/run/retry.ts";
import type { Refusal, UnknownOutcome } from "../../../../main/kintone-client/index.ts";

const refused = (status: number, code = "X", retryAfter?: string): Refusal => ({
  kind: "refused",
  status,
  code,
  message: "",
  errors: {},
  bulkIndex: null,
  ...(retryAfter !== undefined && { retryAfter }),
});
const unknown = (reason: UnknownOutcome["reason"], extra: Partial<UnknownOutcome> = {}): UnknownOutcome => ({
  kind: "unknown",
  reason,
  ...extra,
});

describe("what is sent again (execution-contract §8, §13 W3)", () => {
  it.each([
    ["429", refused(429), true, true],
    ["a busy lock", refused(400, "GAIA_DA02"), true, true],
    ["400", refused(400), false, false],
    ["401", refused(401), false, false],
    ["409", refused(409, "GAIA_CO02"), false, false],
    ["500", unknown("server-error", { status: 500 }), true, false],
    ["501", unknown("server-error", { status: 501 }), false, false],
    ["503", unknown("server-error", { status: 503 }), true, false],
    ["520", unknown("server-error", { status: 520 }), true, false],
    ["524", unknown("server-error", { status: 524 }), true, false],
    ["a lost answer", unknown("lost"), true, false],
    ["a time-out", unknown("timeout"), true, false],
    ["half an answer", unknown("unreadable", { status: 200 }), true, false],
    ["a request given up", unknown("aborted"), false, false],
    ["a request that never left", unknown("lost", { neverLeft: true }), true, true],
  ])("after %s: reads %s", (_what, answer, read, write) => {
    expect(mayReadAgain(answer)).toBe(read);
    expect(mayWriteAgain(answer)).toBe(write);
  });
});

describe("how long is waited (execution-contract §8, Delay)", () => {
  const rules = { maxAttempts: 9, initialDelayMs: 1000, maxDelayMs: 5000, respectRetryAfter: true };
  const now = Date.parse("2026-04-01T00:00:00Z");
  it.each([
    ["the second attempt, no luck", 2, refused(429), 0, 0],
    ["the second attempt, all of it", 2, refused(429), 0.9999, 999],
    ["the third doubles", 3, refused(429), 0.5, 1000],
    ["the cap holds", 9, refused(429), 0.9999, 4999],
    ["a hundredth attempt stays finite", 100, refused(429), 0.9999, 4999],
    ["Retry-After in seconds, without jitter", 2, refused(429, "X", "3"), 0.1, 3000],
    ["Retry-After above the cap", 2, refused(429, "X", "60"), 0.1, 5000],
    ["Retry-After as a date", 2, refused(429, "X", "Wed, 01 Apr 2026 00:00:02 GMT"), 0.1, 2000],
    ["Retry-After in the past", 2, refused(429, "X", "Tue, 31 Mar 2026 00:00:02 GMT"), 0.9, 0],
    ["Retry-After nobody understands", 2, refused(429, "X", "soon"), 0.5, 500],
  ])("%s", (_what, next, answer, random, ms) => {
    expect(pauseBefore(next, answer, rules, now, random)).toBe(ms);
  });

  it("ignores Retry-After where the profile says so", () => {
    const deaf = { ...rules, respectRetryAfter: false };
    expect(pauseBefore(2, refused(429, "X", "3"), deaf, now, 0.5)).toBe(500);
  });
});
