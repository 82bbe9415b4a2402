import { describe, expect, it } from "vitest";
import { invocationResult, nodeTransitionAllowed, RUN_STATUSES } from "../../../../shared/domain/index.ts";

describe("the end of an Invocation (orchestration §4.4)", () => {
  it.each([
    ["SUCCESS", "SUCCESS", "OK"],
    ["UNKNOWN", "UNKNOWN", "NODE_RESULT_UNKNOWN"],
    ["FAILED", "FAILED", "NODE_FAILED_OR_BLOCKED"],
    ["CANCELLED", "CANCELLED", "NODE_CANCELLED"],
    ["CREATED", "CANCELLED", "NODES_DEFERRED"],
    ["RUNNING", "CANCELLED", "NODES_DEFERRED"],
  ] as const)("with the aggregate %s is %s / %s", (aggregate, status, resultCode) => {
    expect(invocationResult(aggregate)).toEqual({ status, resultCode });
  });

  it("carries a file failure only when the Run failed", () => {
    const codes = RUN_STATUSES.map((status) => invocationResult(status, "INPUT_FILE_MISSING").resultCode);
    expect(codes.filter((code) => code === "INPUT_FILE_MISSING")).toHaveLength(1);
    expect(invocationResult("FAILED", "OUTPUT_PATH_REJECTED").resultCode).toBe("OUTPUT_PATH_REJECTED");
  });
});

describe("the idempotency rule (wire-format §1.6)", () => {
  it.each([
    ["FAILED", true, true],
    ["FAILED", false, false],
    ["CANCELLED", true, true],
    ["CANCELLED", false, false],
    ["BLOCKED", false, true],
    ["SUCCESS", false, true],
    ["RUNNING", false, true],
  ] as const)("%s back to WAITING, idempotent %s: %s", (from, idempotent, allowed) => {
    expect(nodeTransitionAllowed(from, "WAITING", { idempotent, matchingResolution: true })).toBe(allowed);
  });
});
