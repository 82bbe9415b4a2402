import { describe, expect, it } from "vitest";
import { closeVerdict } from "../../../../shared/domain/close-run.ts";
import { acceptHold, planRelease, planStop } from "../../../../shared/domain/hold.ts";
import type { HoldState, Run, RunStatus } from "../../../../shared/domain/model.ts";
import { aHold } from "./run-records.ts";

const STATES: readonly HoldState[] = ["REQUESTED", "ACCEPTED", "RELEASED"];
const wish = { runId: "netrun_1", requestedBy: "ops2", reason: "wait", at: "2026-09-02T00:00:00.000Z" };
const RELEASED = aHold({
  state: "RELEASED",
  acceptedAt: "2026-09-01T00:01:00.000Z",
  releasedAt: "2026-09-01T00:02:00.000Z",
  releaseReason: "done",
  releaseRequestedBy: "ops1",
});

describe("STOP (orchestration §4.7)", () => {
  it.each<RunStatus>(["SUCCESS", "FAILED", "CANCELLED", "UNKNOWN"])(
    "a Run that ended as %s is refused, held before or not",
    (status) => {
      for (const hold of [null, RELEASED]) {
        const plan = planStop(hold, status, wish);
        expect(plan.ok ? plan.value : plan.error.code).toBe("RUN_ALREADY_TERMINAL");
      }
    },
  );

  it.each<HoldState>(["REQUESTED", "ACCEPTED"])(
    "a hold that is %s stays as it is, also on an ended Run",
    (state) => {
      const hold = aHold({ state });
      expect(planStop(hold, "FAILED", wish)).toEqual({ ok: true, value: { kind: "none", hold } });
    },
  );

  it.each<RunStatus>(["CREATED", "RUNNING"])("a %s Run without hold gets one", (status) => {
    expect(planStop(null, status, wish)).toMatchObject({
      value: { kind: "insert", next: { state: "REQUESTED", requestedBy: "ops2", requestedAt: wish.at } },
    });
  });

  it("a released hold is asked for anew, without the traces of the earlier one", () => {
    expect(planStop(RELEASED, "RUNNING", wish)).toMatchObject({
      value: {
        kind: "update",
        next: { state: "REQUESTED", acceptedAt: null, releasedAt: null, releaseReason: null },
      },
    });
  });
});

describe("RELEASE (orchestration §4.7)", () => {
  it.each<HoldState>(["REQUESTED", "ACCEPTED"])(
    "frees a hold that is %s and keeps who asked for it",
    (state) => {
      expect(planRelease(aHold({ state }), wish)).toMatchObject({
        kind: "update",
        next: { state: "RELEASED", requestedBy: "ops1", releaseRequestedBy: "ops2", releaseReason: "wait" },
      });
    },
  );

  it("has nothing to write without a hold or after a release", () => {
    expect(planRelease(null, wish)).toEqual({ kind: "none", hold: null });
    expect(planRelease(RELEASED, wish)).toEqual({ kind: "none", hold: RELEASED });
  });
});

it("a hold moves only forward, and from RELEASED only to a new request (orchestration §4.7)", () => {
  const moves = STATES.flatMap((from) => {
    const hold = aHold({ state: from });
    const stop = planStop(hold, "RUNNING", wish);
    if (!stop.ok) throw new Error(stop.error.code);
    const plans = [stop.value, planRelease(hold, wish)];
    const planned = plans.flatMap((plan) => (plan.kind === "none" ? [] : [plan.next.state]));
    const reached = new Set([acceptHold(hold, wish.at).state, ...planned]);
    return STATES.filter((to) => to !== from && reached.has(to)).map((to) => `${from}>${to}`);
  });
  expect(moves).toEqual([
    "REQUESTED>ACCEPTED",
    "REQUESTED>RELEASED",
    "ACCEPTED>RELEASED",
    "RELEASED>REQUESTED",
  ]);
});

it("accepting keeps an earlier acceptance (orchestration §4.7)", () => {
  expect(acceptHold(aHold(), wish.at)).toMatchObject({ state: "ACCEPTED", acceptedAt: wish.at });
  const accepted = aHold({ state: "ACCEPTED", acceptedAt: "2026-09-01T00:01:00.000Z" });
  expect(acceptHold(accepted, wish.at)).toBe(accepted);
});

describe("CLOSE (orchestration §4.8)", () => {
  const run = (status: RunStatus, lifecycle: Run["lifecycle"] = "ACTIVE") => ({
    runId: "netrun_1",
    status,
    lifecycle,
  });
  it.each<[RunStatus, HoldState | null, string]>([
    ["FAILED", null, "close"],
    ["CANCELLED", "RELEASED", "close"],
    ["SUCCESS", "ACCEPTED", "RUN_STATUS_NOT_CLOSABLE"],
    ["UNKNOWN", null, "RUN_UNKNOWN_NOT_CLOSABLE"],
    ["CREATED", null, "RUN_NOT_TERMINAL"],
    ["RUNNING", "ACCEPTED", "RUN_NOT_TERMINAL"],
    ["FAILED", "REQUESTED", "RUN_ON_HOLD"],
    ["CANCELLED", "ACCEPTED", "RUN_ON_HOLD"],
  ])("a Run that is %s with hold %s: %s", (status, hold, expected) => {
    const verdict = closeVerdict(run(status), hold);
    expect(verdict.kind === "refused" ? verdict.problem.code : verdict.kind).toBe(expected);
  });

  it("a Run closed before is told so, whatever else is true of it", () => {
    expect(closeVerdict(run("SUCCESS", "ARCHIVED"), "REQUESTED")).toEqual({ kind: "already-archived" });
  });
});
