import { describe, expect, it } from "vitest";
import { giveBack } from "../../../../main/orchestrator/give-back.ts";
import { endAfterDefect } from "../../../../main/orchestrator/scheduler.ts";
import type { LockSession, WriteOutcome } from "../../../../main/store/index.ts";

type Lock = Pick<LockSession, "release" | "lockKey">;
const lock = (release: () => Promise<WriteOutcome>): Lock => ({ lockKey: "N1:x", release });
const broken = async (): Promise<never> => {
  throw new Error("a defect");
};
const applied = async (): Promise<WriteOutcome> => ({ kind: "applied", refs: [] });
const lost = { kind: "fence-lost", problem: { code: "LOCK_UNAVAILABLE", message: "gone" } } as const;
const FAILED = { status: "FAILED", resultCode: "SCHEDULER_FAILED" } as const;

describe("the lock that goes back last (orchestration W-16)", () => {
  it.each([
    ["went back", applied, null],
    ["was not there any more", async () => lost, { code: "LOCK_UNAVAILABLE" }],
    ["met a defect", broken, { code: "LOCK_RELEASE_FAILED", place: "N1:x" }],
  ])("is told as it is: %s", async (_name, release, problem) => {
    const told = await giveBack(lock(release), FAILED);
    if (problem === null) expect(told).toBeNull();
    else expect(told).toMatchObject(problem);
  });
});

describe("a defect in the way of the end (orchestration section 4.4)", () => {
  const first = { code: "SCHEDULER_FAILED", message: "the first defect", details: { runId: "netrun_1" } };

  it("keeps the first defect, and gives the lock back", async () => {
    const end = await endAfterDefect(lock(applied), first, broken);
    expect(end).toEqual({
      aggregateStatus: null,
      resultCode: "SCHEDULER_FAILED",
      problem: { ...first, details: { runId: "netrun_1", endNotWritten: "a defect" } },
    });
  });

  it("tells the lock that stayed behind beside it", async () => {
    const end = await endAfterDefect(lock(broken), first, broken);
    expect(end.problem?.details).toMatchObject({
      endNotWritten: "a defect",
      lockNotReleased: "LOCK_RELEASE_FAILED",
    });
  });
});
