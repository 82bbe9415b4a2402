import { describe, expect, it } from "vitest";
import {
  activeRunProblem,
  decideRun,
  type ExistingRun,
  RUN_STATUSES,
  type RunQuestion,
} from "../../../../shared/domain/index.ts";

const run = (more: Partial<ExistingRun> = {}): ExistingRun => ({
  runId: "netrun_1",
  status: "FAILED",
  lifecycle: "ACTIVE",
  resumeAllowed: true,
  ...more,
});
const decide = (more: Partial<RunQuestion>): string => {
  const decision = decideRun({ existing: null, resume: "none", rerunFrom: false, onHold: false, ...more });
  if (decision.kind === "reject") return decision.problem.code;
  return decision.kind === "resume" ? decision.mode : decision.kind;
};

describe("a start for a key that has a Run (orchestration §2.2)", () => {
  it.each(RUN_STATUSES.filter((status) => status !== "SUCCESS"))(
    "says whether it has ended, and that it can be resumed: %s",
    (status) => {
      const decision = decideRun({
        existing: run({ status }),
        resume: "none",
        rerunFrom: false,
        onHold: false,
      });
      if (decision.kind !== "reject") throw new Error("not refused");
      const { message, remedy } = decision.problem;
      expect(message).toContain(
        ["CREATED", "RUNNING"].includes(status) ? "is not finished" : `has ended ${status}`,
      );
      expect(remedy).toContain("resume it");
    },
  );
});

describe("what a start means (orchestration §2.2)", () => {
  it.each<[string, Partial<RunQuestion>, string]>([
    ["nothing there", {}, "new"],
    ["nothing there, --resume", { resume: "resume" }, "new"],
    ["nothing there, rerun", { resume: "resume", rerunFrom: true }, "RUN_NOT_FOUND"],
    ["nothing there, --resume-run", { resume: "resume-run" }, "RUN_NOT_FOUND"],
    ["done", { existing: run({ status: "SUCCESS" }) }, "noop"],
    [
      "done, held and closed",
      { existing: run({ status: "SUCCESS", lifecycle: "ARCHIVED" }), resume: "resume", onHold: true },
      "noop",
    ],
    [
      "done, rerun",
      { existing: run({ status: "SUCCESS" }), resume: "resume", rerunFrom: true },
      "RERUN_FROM_SUCCESS_RUN",
    ],
    [
      "done, closed, rerun",
      { existing: run({ status: "SUCCESS", lifecycle: "ARCHIVED" }), resume: "resume-run", rerunFrom: true },
      "RERUN_FROM_SUCCESS_RUN",
    ],
    [
      "done, held, rerun",
      { existing: run({ status: "SUCCESS" }), resume: "resume", rerunFrom: true, onHold: true },
      "RUN_ON_HOLD",
    ],
    ["unfinished", { existing: run() }, "RUN_ALREADY_EXISTS"],
    ["unfinished and held", { existing: run(), onHold: true }, "RUN_ALREADY_EXISTS"],
    ["held, resume", { existing: run(), resume: "resume", onHold: true }, "RUN_ON_HOLD"],
    [
      "closed and held, resume",
      { existing: run({ lifecycle: "ARCHIVED" }), resume: "resume", onHold: true },
      "RUN_ON_HOLD",
    ],
    [
      "closed, resume",
      { existing: run({ lifecycle: "ARCHIVED" }), resume: "resume-run" },
      "RUN_NOT_RESUMABLE",
    ],
    ["not resumable", { existing: run({ resumeAllowed: false }), resume: "resume" }, "RUN_NOT_RESUMABLE"],
    [
      "not resumable, rerun",
      { existing: run({ resumeAllowed: false }), resume: "resume", rerunFrom: true },
      "RUN_NOT_RESUMABLE",
    ],
    ["rerun", { existing: run(), resume: "resume", rerunFrom: true }, "RERUN_FROM"],
    ["two Runs", { existing: run(), others: [{ runId: "netrun_2" }], resume: "resume" }, "MULTIPLE_RUNS"],
  ])("%s", (_, question, expected) => {
    expect(decide(question)).toBe(expected);
  });

  it.each(RUN_STATUSES.filter((status) => status !== "SUCCESS"))("a Run %s resumes", (status) => {
    expect(decide({ existing: run({ status }), resume: "resume" })).toBe("RESUME");
  });

  it("says where every refusal lies and what to do", () => {
    const questions: readonly Parameters<typeof decideRun>[0][] = [
      { existing: run(), resume: "none", rerunFrom: false, onHold: false },
      { existing: run(), resume: "resume", rerunFrom: false, onHold: true },
      { existing: run({ resumeAllowed: false }), resume: "resume", rerunFrom: false, onHold: false },
      { existing: run({ status: "SUCCESS" }), resume: "resume", rerunFrom: true, onHold: false },
    ];
    for (const question of questions) {
      const problem = { place: "Run netrun_1", remedy: expect.stringMatching(/\.$/) };
      expect(decideRun(question)).toMatchObject({ kind: "reject", problem });
    }
  });

  it("names the Run in the way", () => {
    const decision = decideRun({ existing: run(), resume: "none", rerunFrom: false, onHold: false });
    expect(decision).toMatchObject({ problem: { details: { blockedRunIds: ["netrun_1"] } } });
  });
});

describe("the limit of unfinished Runs (orchestration §2.1 N1)", () => {
  const runs = [
    { ...run({ runId: "z" }), businessKey: "other" },
    { ...run({ runId: "b", status: "RUNNING" }), businessKey: "more" },
    { ...run({ runId: "own" }), businessKey: "key" },
    { ...run({ runId: "done", status: "SUCCESS" }), businessKey: "x" },
    { ...run({ runId: "closed", lifecycle: "ARCHIVED" }), businessKey: "y" },
    { ...run({ runId: "barred", resumeAllowed: false }), businessKey: "w" },
  ];
  it("counts unfinished, open Runs of other keys, and names them sorted", () => {
    expect(activeRunProblem(runs, "key", 3)).toBeNull();
    expect(activeRunProblem(runs, "key", 2)).toMatchObject({
      code: "MAX_ACTIVE_RUNS",
      details: { blockedRunIds: ["b", "z"] },
    });
    expect(activeRunProblem([], "key", 1)).toBeNull();
  });
});
