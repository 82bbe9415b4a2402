import { describe, expect, it } from "vitest";
import { testClockOffsetMs } from "../../../../shared/contract/index.ts";

describe("the shifted clock of tests (decisions §4)", () => {
  it.each([
    ["http://localhost:21000", "90000", 90_000],
    ["http://127.0.0.1:1/", "-5", -5],
    ["http://localhost:21000", undefined, 0],
    ["http://localhost:21000", "", 0],
    ["http://localhost:21000", "1e3", 0],
    ["http://localhost:21000", " 5", 0],
    ["http://localhost:21000", "Infinity", 0],
    ["https://example.cybozu.com", "90000", 0],
    ["http://localhost.evil.example", "90000", 0],
  ])("over %s with %j is %d ms", (baseUrl, text, ms) => {
    expect(testClockOffsetMs(baseUrl, text)).toBe(ms);
  });
});
