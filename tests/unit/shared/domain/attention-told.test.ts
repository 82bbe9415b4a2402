import { describe, expect, it } from "vitest";
import { storedState } from "../../../support/entities.ts";
import { failedNode, list } from "./attention-case.ts";
import { attempt } from "./attention-samples.ts";

describe("what is told beside what needs somebody (operator-ux §1.1)", () => {
  it.each([
    [undefined, null],
    ["stale", "9"],
    ["standing", "9"],
  ] as const)("names the lock that keeps an interrupted Run from its resume: %s", (locked, lockRecordId) => {
    const items = list({
      run: { status: "RUNNING", activity: "INTERRUPTED" },
      ...(locked !== undefined && { locked }),
    });
    expect(items.find(({ kind }) => kind === "interrupted")).toMatchObject({ lockRecordId });
  });

  it("tells every node whose result is unknown, each with its attempt and the evidence that is there", () => {
    const states = ["a", "b"].map((id) =>
      storedState(id, "UNKNOWN", {
        activeAttemptId: `att-${id}`,
        latestAttemptNo: 2,
        revision: 3,
        ref: { recordId: id, revision: 3 },
      }),
    );
    const attempts = ["a", "b"].map((nodeId) =>
      attempt({
        nodeId,
        attemptId: `att-${nodeId}`,
        attemptNo: 2,
        status: "UNKNOWN",
        resultCode: "FORCED_TERMINATION",
      }),
    );
    const items = list({ run: { status: "UNKNOWN" }, records: { states, attempts } });
    expect(
      items.map(({ id, nodeId, attemptNo, code, responder, urgency }) => ({
        id,
        nodeId,
        attemptNo,
        code,
        responder,
        urgency,
      })),
    ).toEqual(
      ["a", "b"].map((nodeId) => ({
        id: `unknown:run-1:${nodeId}`,
        nodeId,
        attemptNo: 2,
        code: "FORCED_TERMINATION",
        responder: "second",
        urgency: "critical",
      })),
    );
    expect(items[0]?.facts).toContainEqual({
      name: "startMarker",
      kind: "time",
      value: "2026-09-05T04:00:00Z",
      precision: "minute",
    });
    expect(items[0]?.facts).toContainEqual({
      name: "sqlStarted",
      kind: "time",
      value: null,
      precision: "minute",
    });
  });

  it("counts the failures in a row and the nodes they stop (orchestration §4.6)", () => {
    const states = [failedNode, storedState("next", "BLOCKED", { blockedBy: ["load"] })];
    const attempts = [1, 2].map((attemptNo) =>
      attempt({ attemptId: `att-${attemptNo}`, attemptNo, status: "FAILED", resultCode: "ASSERT_FAILED" }),
    );
    const [item] = list({
      run: { status: "FAILED" },
      records: {
        states: [{ ...failedNode, activeAttemptId: "att-2", latestAttemptNo: 2 }, ...states.slice(1)],
        attempts,
      },
    });
    expect(item).toMatchObject({ kind: "failed", code: "ASSERT_FAILED", repeated: 2, nodeId: "load" });
    expect(item?.facts).toContainEqual({ name: "blockedNodes", kind: "count", value: 1 });
  });

  it("keeps its identity when more is learnt: a failure that becomes a braked one is the same row", () => {
    const before = list({ run: { status: "FAILED" }, records: null });
    const after = list({
      run: { status: "FAILED" },
      records: { states: [{ ...failedNode, statusReason: "RETRY_BRAKE:ASSERT_FAILEDx3" }] },
    });
    expect(after.map((item) => item.id)).toContain(before[0]?.id);
  });
});
