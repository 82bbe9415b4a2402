import { describe, expect, it } from "vitest";
import type { Resolution, ResolvedOutcome } from "../../../../shared/domain/model.ts";
import {
  planResolve,
  type ResolveFacts,
  type ResolveWish,
  resolveConsequences,
} from "../../../../shared/domain/resolve-node.ts";
import { storedAttempt, storedState } from "./run-records.ts";

const WISH: ResolveWish = {
  nodeId: "load",
  outcome: "FAILED",
  manualCompletion: false,
  compensation: false,
  reason: "rows are missing",
  evidenceRef: "INC-1",
  stopConfirmedBy: "ops2",
  stopEvidenceRef: "INC-1#2",
  approvedBy: null,
  requestedBy: "ops1",
  servicePrincipal: "svc",
  resolvedAt: "2026-09-02T00:00:00.123Z",
};
const FACTS: ResolveFacts = { states: [storedState()], attempts: [storedAttempt()], resolutions: [] };
const SUCCESS = { outcome: "SUCCESS", manualCompletion: true } as const;
const ONCE: ResolveFacts = { ...FACTS, states: [storedState({ idempotent: false })] };

const codeOf = (wish: Partial<ResolveWish>, facts: Partial<ResolveFacts> = {}): string => {
  const plan = planResolve({ ...WISH, ...wish }, { ...FACTS, ...facts });
  return plan.ok ? "ok" : plan.error.code;
};

describe("resolving a node (orchestration §5.4)", () => {
  it.each<[string, Partial<ResolveWish>, Partial<ResolveFacts>, string]>([
    ["a blank reason", { reason: "  " }, {}, "AUDIT_INPUT_REQUIRED"],
    ["no confirmer of the stop", { stopConfirmedBy: "" }, {}, "AUDIT_INPUT_REQUIRED"],
    [
      "compensation as SUCCESS",
      { outcome: "SUCCESS", compensation: true },
      {},
      "COMPENSATION_CANNOT_SUCCEED",
    ],
    ["SUCCESS without completion", { outcome: "SUCCESS" }, {}, "MANUAL_COMPLETION_REQUIRED"],
    ["completion without SUCCESS", { manualCompletion: true }, {}, "MANUAL_COMPLETION_REQUIRES_SUCCESS"],
    ["no such node", {}, { states: [] }, "NODE_STATE_NOT_UNIQUE"],
    ["two states", {}, { states: [storedState(), storedState()] }, "NODE_STATE_NOT_UNIQUE"],
    ["a waiting node", {}, { states: [storedState({ status: "WAITING" })] }, "NODE_NOT_RESOLVABLE"],
    ["an idempotent failure", {}, { states: [storedState({ status: "FAILED" })] }, "NODE_NOT_RESOLVABLE"],
    ["no attempt of the latest number", {}, { attempts: [] }, "CURRENT_ATTEMPT_NOT_UNIQUE"],
    [
      "an attempt that says otherwise",
      {},
      { attempts: [storedAttempt({ status: "FAILED" })] },
      "STATE_ATTEMPT_MISMATCH",
    ],
    ["an unknown node to FAILED", {}, {}, "ok"],
    ["an unknown node to SUCCESS", SUCCESS, {}, "ok"],
    ["an unknown node, compensated", { outcome: "CANCELLED", compensation: true }, {}, "ok"],
  ])("%s", (_name, wish, facts, expected) => {
    expect(codeOf(wish, facts)).toBe(expected);
  });

  it.each<[string | null, string]>([
    [null, "DISTINCT_APPROVER_REQUIRED"],
    ["ops1", "DISTINCT_APPROVER_REQUIRED"],
    ["svc", "DISTINCT_APPROVER_REQUIRED"],
    [" OPS1 ", "DISTINCT_APPROVER_REQUIRED"],
    ["ｏｐｓ１", "DISTINCT_APPROVER_REQUIRED"],
    ["lead", "ok"],
  ])("a node that must not run twice becomes SUCCESS on the word of %s: %s", (approvedBy, expected) => {
    expect(codeOf({ ...SUCCESS, approvedBy }, ONCE)).toBe(expected);
  });

  it("writes the resolution and the node's next state, and leaves the attempt alone", () => {
    const plan = planResolve({ ...WISH, ...SUCCESS }, FACTS);
    expect(plan).toMatchObject({
      ok: true,
      value: {
        resolution: {
          attemptId: "attempt_1",
          outcome: "SUCCESS",
          resolutionType: "NODE_MANUAL_COMPLETION_CONFIRMED",
          resolvedAt: WISH.resolvedAt,
        },
        next: {
          status: "SUCCESS",
          revision: 5,
          activeAttemptId: null,
          statusReason: "NODE_MANUAL_COMPLETION_CONFIRMED",
          finishedAt: WISH.resolvedAt,
        },
      },
    });
  });

  it("a second, differing word about one attempt is refused; the same one again is not (W-08)", () => {
    const earlier = (outcome: ResolvedOutcome): Resolution => ({
      ...WISH,
      attemptId: "attempt_1",
      outcome,
      resolutionType: "OUTCOME_CONFIRMED",
    });
    expect(codeOf(SUCCESS, { resolutions: [earlier("FAILED")] })).toBe("RESOLUTION_FINAL");
    expect(codeOf({}, { resolutions: [earlier("FAILED")] })).toBe("ok");
    const older = { ...earlier("FAILED"), attemptId: "attempt_0" };
    expect(codeOf(SUCCESS, { resolutions: [older] })).toBe("ok");
  });
});

describe("what an outcome closes off (W-05, W-08b)", () => {
  it.each<[ResolvedOutcome, boolean, [retried: boolean, closeOnly: boolean]]>([
    ["SUCCESS", true, [false, false]],
    ["SUCCESS", false, [false, false]],
    ["FAILED", true, [true, false]],
    ["CANCELLED", true, [true, false]],
    ["FAILED", false, [false, true]],
    ["CANCELLED", false, [false, true]],
  ])("%s of a node with idempotent=%s", (outcome, idempotent, [retried, closeOnly]) => {
    expect(resolveConsequences(outcome, { idempotent })).toEqual({
      retriedByResume: retried,
      peerResumesOnceMore: retried,
      onlyCloseRemains: closeOnly,
    });
  });
});
