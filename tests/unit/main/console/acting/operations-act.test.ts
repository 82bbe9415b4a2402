import { describe, expect, it } from "vitest";
import { aboutOf } from "../../../../../main/console/acting/about.ts";
import { endedBadly, tellingWhose } from "../../../../../main/console/acting/carry-out.ts";
import type { ActionOrder } from "../../../../../main/console/acting/ports.ts";
import { createOperations } from "../../../../../main/console/api/operations.ts";
import type { Intent, Operation } from "../../../../../shared/api/index.ts";
import { NO_SUBJECT } from "../../../../../shared/domain/operations/index.ts";
import type { Problem } from "../../../../../shared/domain/problem.ts";
import { code, value } from "../../../../support/console-fixture.ts";

function book() {
  const told: Operation[] = [];
  const unused = () => Promise.reject(new Error("not asked for"));
  const operations = createOperations({
    orchestrator: { runNetwork: unused, validate: unused, plan: unused, status: unused },
    requestedBy: "console",
    nowMs: () => Date.parse("2026-09-01T00:00:00.000Z"),
    changed: (operation) => told.push(operation),
    runEvent: () => undefined,
  });
  return { operations, told };
}

const order = (operationId: string, carry: ActionOrder["carry"], about = "lock 7"): ActionOrder => ({
  operationId,
  kind: "forceUnlock",
  subject: { ...NO_SUBJECT, networkId: "net" },
  reason: "the host is off",
  requestedBy: "tanaka",
  consent: { kind: "person", account: "suzuki" },
  about,
  carry,
});

describe("the book of operations (operator-ux D8, electron-desktop I5)", () => {
  it("answers the same operation for the same id, and carries it out once", async () => {
    const { operations, told } = book();
    let carried = 0;
    const carry: ActionOrder["carry"] = async (steps) => {
      carried += 1;
      steps.update({ probes: [] });
      return { state: "done", detail: { eventId: "e1" } };
    };
    const first = value(operations.act(order("a", carry)));
    expect(value(operations.act(order("a", carry)))).toEqual(first);
    await operations.dispose();
    expect(carried).toBe(1);
    expect(operations.get("a")).toMatchObject({ state: "done", detail: { eventId: "e1" }, networkId: "net" });
    expect(told.map(({ state }) => state)).toEqual(["accepted", "accepted", "done"]);
  });

  it("refuses a second one about the same until the first has ended, whatever its id", async () => {
    const { operations } = book();
    const gate = Promise.withResolvers<void>();
    const slow: ActionOrder["carry"] = async () => {
      await gate.promise;
      return { state: "done" };
    };
    value(operations.act(order("a", slow)));
    expect(operations.act(order("b", slow))).toMatchObject({
      ok: false,
      error: { code: "OPERATION_UNDER_WAY", details: { operationId: "a" } },
    });
    value(operations.act(order("c", slow, "lock 8")));
    gate.resolve();
    await operations.dispose();
    expect(operations.get("a")?.state).toBe("done");
  });

  it("takes the next about the same once the first has ended", async () => {
    const { operations, told } = book();
    const quick: ActionOrder["carry"] = async () => ({ state: "done" });
    value(operations.act(order("a", quick)));
    await expect.poll(() => told.at(-1)?.state).toBe("done");
    expect(code(operations.act(order("b", quick)))).toBeNull();
    await operations.dispose();
  });

  it("begins nothing once the console ends: nobody would wait for it", async () => {
    const { operations, told } = book();
    await operations.dispose();
    let carried = 0;
    const late = order("late", async () => {
      carried += 1;
      return { state: "done" };
    });
    expect(code(operations.mayAct(late))).toBe("CONSOLE_ENDING");
    expect(code(operations.act(late))).toBe("CONSOLE_ENDING");
    expect([carried, told.length]).toEqual([0, 0]);
  });

  it("calls an end nobody learnt uncertain, and never asks again", async () => {
    const { operations } = book();
    let carried = 0;
    operations.act(
      order("a", async () => {
        carried += 1;
        throw new Error("the line broke");
      }),
    );
    await operations.dispose();
    expect(operations.get("a")).toMatchObject({ state: "uncertain", endedAt: expect.any(String) });
    expect(carried).toBe(1);
  });

  it.each([
    ["WRITE_UNCERTAIN", "uncertain"],
    ["RELEASE_UNCONFIRMED", "uncertain"],
    ["ARCHIVE_UNCONFIRMED", "uncertain"],
    ["LEASE_UNCERTAIN", "uncertain"],
    ["REVISION_CONFLICT", "refused"],
    ["LOCK_CONFLICT", "refused"],
    ["AUDIT_FAILED", "refused"],
  ])("an end with %s is %s", (problemCode, state) => {
    expect(endedBadly({ code: problemCode, message: "" })).toMatchObject({ state, resultCode: problemCode });
  });
});

describe("a job lock that was handed over before its release (execution-contract §2.5)", () => {
  const end = {
    state: "done",
    resultCode: "JOB_LOCK_RELEASED",
    detail: { recordId: "7", batchId: "b" },
  } as const;
  it.each([
    ["the one that was decided on", "7 b", "JOB_LOCK_RELEASED", undefined],
    ["another batch", "7 a", "JOB_LOCK_RELEASED", "JOB_LOCK_OTHER_HOLDER"],
    ["another record", "6 b", "JOB_LOCK_RELEASED", "JOB_LOCK_OTHER_HOLDER"],
    ["nobody", "6 b", "JOB_LOCK_NOT_RUNNING", undefined],
  ])("of %s", (_, recordId, resultCode, expected) => {
    const told = tellingWhose({ ...end, resultCode }, { jobLock: { recordId, revision: 1 } });
    expect(told.problem?.code).toBe(expected);
    expect(told).toMatchObject({ state: "done", resultCode });
  });
});

describe("a start in the action journal (operator-ux §2.5)", () => {
  const start = (
    operations: ReturnType<typeof book>["operations"],
    refusal: Problem | null,
    told: string[],
  ) =>
    operations.start({
      operationId: "a",
      entry: { networkId: "net", definitionPath: "/net.yaml", appStart: true },
      businessKey: "k",
      scheduledFor: null,
      reason: "first",
      record: {
        begin: async () => {
          told.push("begin");
          return refusal;
        },
        end: async ({ state }) => void told.push(`end ${state}`),
      },
    });

  it("has its line before it begins and one when it ended", async () => {
    const { operations } = book();
    const told: string[] = [];
    start(operations, null, told);
    await operations.dispose();
    expect(told).toEqual(["begin", "end uncertain"]);
  });

  it("is not begun when that line cannot be written", async () => {
    const { operations } = book();
    const told: string[] = [];
    start(operations, { code: "ACTION_JOURNAL_FAILED", message: "full" }, told);
    await operations.dispose();
    expect(told).toEqual(["begin"]);
    expect(operations.get("a")).toMatchObject({ state: "refused", resultCode: "ACTION_JOURNAL_FAILED" });
  });
});

describe("what two operations may not be about at once", () => {
  const ofRun = { runId: "netrun_1", reason: "" };
  const fact = {
    eventId: "",
    archivedAt: "",
    previousStatus: "FAILED",
    runRevisionBefore: 1,
  } as const;
  it.each<[string, Intent, Intent, boolean]>([
    ["resume and rerun", { kind: "resume", ...ofRun }, { kind: "rerun", ...ofRun, fromNode: "a" }, true],
    ["resume and stop", { kind: "resume", ...ofRun }, { kind: "stop", ...ofRun }, false],
    ["stop and release", { kind: "stop", ...ofRun }, { kind: "release", ...ofRun }, true],
    ["close and its audit", { kind: "close", ...ofRun }, { kind: "completeAudit", ...ofRun, ...fact }, true],
    ["two Runs", { kind: "close", ...ofRun }, { kind: "close", ...ofRun, runId: "netrun_2" }, false],
  ])("%s", (_, left, right, same) => {
    expect(aboutOf(left) === aboutOf(right)).toBe(same);
  });
});
