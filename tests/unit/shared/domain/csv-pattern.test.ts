import { describe, expect, it } from "vitest";
import { encodePathSegment, expandPattern, patternFault } from "../../../../shared/domain/index.ts";

describe("CSV path patterns (orchestration §8.1)", () => {
  it.each([
    ["a.csv", "input", true],
    ["in/{business_key}/{profile}.csv", "input", true],
    ["out/{run_id}/{node_id}.csv", "output", true],
    ["out/{run_id}.csv", "input", false],
    ["", "input", false],
    ["a\u0000", "input", false],
    ["/a", "input", false],
    ["\\a", "input", false],
    ["c:a", "input", false],
    ["a/../b", "input", false],
    ["a\\.\\b", "input", false],
    ["a..b/c", "input", true],
    ["{other}", "output", false],
    ["a{b", "output", false],
    ["{{profile}}", "output", false],
  ] as const)("%j as %s: %s", (pattern, kind, usable) => {
    expect(patternFault(pattern, kind) === null).toBe(usable);
  });

  it("percent-encode everything but letters, digits, - _ ~", () => {
    expect(encodePathSegment("a-b_c~1.x@月/\\")).toBe("a-b_c~1%2Ex%40%E6%9C%88%2F%5C");
  });

  it("put each value in as one path segment", () => {
    const values = { businessKey: "jobs@2026-09", profile: "prod", runId: "netrun_1", nodeId: "a" };
    expect(expandPattern("{business_key}/{profile}/{run_id}/{node_id}.csv", values)).toBe(
      "jobs%402026-09/prod/netrun_1/a.csv",
    );
  });
});
