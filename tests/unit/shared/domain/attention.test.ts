import { describe, expect, it } from "vitest";
import { storedInvocation, storedState } from "../../../support/entities.ts";
import { type Case, failedNode, kinds, list, unknownNode } from "./attention-case.ts";
import { attempt, hold } from "./attention-samples.ts";

describe("what of a Run needs somebody, and in which order (operator-ux §1.1)", () => {
  it.each<[string, Case, readonly string[]]>([
    ["a success", { run: { status: "SUCCESS" } }, []],
    ["a closed failure", { run: { status: "FAILED", lifecycle: "ARCHIVED" } }, []],
    ["a Run at work", { run: { status: "RUNNING", activity: "LIVE" } }, []],
    ["a failed Run whose owner is at work again (W-06)", { run: { status: "FAILED", activity: "LIVE" } }, []],
    [
      "a Run that waits for its start",
      {
        run: { status: "CREATED", activity: "IDLE", startedAt: null },
        records: { states: [storedState("load")] },
      },
      [],
    ],
    [
      "an unknown result",
      {
        run: { status: "UNKNOWN" },
        records: {
          states: [unknownNode],
          attempts: [attempt({ status: "UNKNOWN", resultCode: "NO_EXECUTION_RESULT" })],
        },
      },
      ["unknown"],
    ],
    [
      "an unknown result while the rest goes on",
      { run: { status: "UNKNOWN", activity: "LIVE" }, records: null },
      ["unknown"],
    ],
    [
      "an unknown result whose nodes were not read",
      { run: { status: "UNKNOWN" }, records: null },
      ["unknown"],
    ],
    [
      "an interruption",
      {
        run: { status: "RUNNING", activity: "INTERRUPTED" },
        records: {
          states: [
            storedState("load", "RUNNING", {
              activeAttemptId: "att-1",
              latestAttemptNo: 1,
              revision: 3,
              ref: { recordId: "s", revision: 3 },
            }),
          ],
          attempts: [attempt({})],
        },
      },
      ["interrupted"],
    ],
    [
      "a failure",
      {
        run: { status: "FAILED" },
        records: {
          states: [failedNode],
          attempts: [attempt({ status: "FAILED", resultCode: "ASSERT_FAILED" })],
        },
      },
      ["failed"],
    ],
    ["a failure whose nodes were not read", { run: { status: "FAILED" }, records: null }, ["failed"]],
    [
      "a failure that repeated itself",
      {
        run: { status: "FAILED" },
        records: {
          states: [{ ...failedNode, activeAttemptId: "att-3", latestAttemptNo: 3 }],
          attempts: [1, 2, 3].map((attemptNo) =>
            attempt({
              attemptId: `att-${attemptNo}`,
              attemptNo,
              status: "FAILED",
              resultCode: "ASSERT_FAILED",
            }),
          ),
        },
      },
      ["retryBrake"],
    ],
    [
      "a brake the last resume wrote, whatever the attempts say",
      {
        run: { status: "FAILED" },
        records: {
          states: [{ ...failedNode, statusReason: "RETRY_BRAKE:ASSERT_FAILEDx4" }],
          attempts: [attempt({ status: "FAILED", resultCode: "ASSERT_FAILED" })],
        },
      },
      ["retryBrake"],
    ],
    [
      "a hold on an unfinished Run",
      {
        run: { status: "RUNNING", activity: "STOPPED" },
        records: { states: [storedState("load")], hold: hold({}) },
      },
      ["held"],
    ],
    [
      "a hold on a failed Run is told beside the failure",
      {
        run: { status: "FAILED" },
        records: {
          states: [failedNode],
          attempts: [attempt({ status: "FAILED", resultCode: "FAILED" })],
          hold: hold({ state: "ACCEPTED" }),
        },
      },
      ["failed", "held"],
    ],
    [
      "a released hold is none",
      {
        run: { status: "FAILED" },
        records: {
          states: [failedNode],
          attempts: [attempt({ status: "FAILED", resultCode: "FAILED" })],
          hold: hold({ state: "RELEASED" }),
        },
      },
      ["failed"],
    ],
    [
      "a creation that stopped half-way (W-07)",
      {
        run: { status: "CREATED", activity: "IDLE", startedAt: null },
        records: { states: [], invocations: [] },
      },
      ["halfCreated"],
    ],
    [
      "a creation under a standing lock may still be going on",
      {
        run: { status: "CREATED", activity: "IDLE", startedAt: null },
        records: { states: [], invocations: [] },
        locked: "standing",
      },
      [],
    ],
    [
      "a cancellation",
      { run: { status: "CANCELLED" }, records: { states: [storedState("load", "CANCELLED")] } },
      ["cancelled"],
    ],
    [
      "records that contradict each other",
      {
        run: { status: "RUNNING", activity: "INTERRUPTED" },
        records: { states: [storedState("load", "RUNNING")] },
      },
      ["interrupted", "contradictory"],
    ],
    [
      "a contradiction without anything else wrong",
      {
        run: { status: "CREATED", activity: "IDLE", startedAt: null },
        records: { states: [storedState("load", "WAITING", { revision: 2 })] },
      },
      ["contradictory"],
    ],
    [
      "what a resume repairs is evidence of the interruption, not a row",
      {
        run: { status: "RUNNING", activity: "INTERRUPTED" },
        records: {
          states: [
            storedState("load", "RUNNING", {
              activeAttemptId: "att-1",
              latestAttemptNo: 1,
              revision: 3,
              ref: { recordId: "s", revision: 3 },
            }),
          ],
          attempts: [attempt({ status: "SUCCESS", resultCode: "OK" })],
        },
      },
      ["interrupted"],
    ],
  ])("%s", (_, given, expected) => {
    expect(kinds(list(given))).toEqual(expected);
  });
});

describe("records of an invocation that is known", () => {
  it("does not call a Run half-created that has its invocation and its states", () => {
    const given: Case = {
      run: { status: "CREATED", activity: "IDLE", startedAt: null },
      records: { states: [storedState("load")], invocations: [storedInvocation()] },
    };
    expect(list(given)).toEqual([]);
  });
});
