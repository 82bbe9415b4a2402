import { describe, expect, it } from "vitest";
import { jobLocksLeft } from "../../../../../main/console/unknown/job-locks-left.ts";
import type { JobLogLookup } from "../../../../../main/store/index.ts";
import type { JobLog } from "../../../../../shared/domain/model.ts";
import { storedAttempt } from "../../../shared/domain/run-records.ts";

const attempt = (attemptNo: number) => storedAttempt({ attemptId: `attempt_${attemptNo}`, attemptNo });
const locked: JobLookup = { kind: "found", log: logOf("prod:load") };
const down = { code: "STORE_UNREACHABLE", message: "no answer" };
type JobLookup = JobLogLookup | Error;

function logOf(jobKey: string | null): JobLog {
  return {
    status: "RUNNING",
    attemptId: "attempt_1",
    executionId: null,
    correlationId: null,
    jobId: "load",
    jobKey,
    runnerExecutionStartedAt: null,
    startedAt: null,
    finishedAt: null,
    readCount: null,
    writtenCount: null,
    lastWrittenKey: null,
    errorMessage: null,
    host: null,
  };
}

const left = (logs: (attemptId: string) => JobLookup, attempts = [attempt(1)]) => {
  const findJobLog = async (attemptId: string): Promise<JobLogLookup> => {
    const answer = logs(attemptId);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return jobLocksLeft({ findJobLog }, attempts, undefined);
};

describe("the locks of jobs that were killed (execution-contract §7.2)", () => {
  it.each<[string, JobLookup, readonly string[], string | null]>([
    ["names its lock", locked, ["prod:load"], null],
    ["gave its lock back", { kind: "found", log: logOf(null) }, [], null],
    ["was never begun", { kind: "none" }, [], null],
    ["cannot be read", { kind: "unreadable", problem: down }, [], "STORE_UNREACHABLE"],
    ["cannot be asked for", new Error("cut off"), [], "JOB_LOG_UNREADABLE"],
    ["has two records", { kind: "ambiguous", count: 2 }, [], "MULTIPLE_RECORDS"],
  ])(
    "a JOB log that %s leaves what it says, and no word that there is none unless it says so",
    async (_, log, keys, code) => {
      const { locks, problem } = await left(() => log);
      expect(locks.map(({ jobKey }) => jobKey)).toEqual(keys);
      expect(problem?.code ?? null).toBe(code);
    },
  );

  it("asks the log of every attempt whose end is open, however many there are", async () => {
    const attempts = Array.from({ length: 50 }, (_, index) => attempt(index + 1));
    const { locks } = await left((id) => (id === "attempt_1" ? locked : { kind: "none" }), attempts);
    expect(locks).toEqual([{ jobKey: "prod:load", nodeId: "load", attemptNo: 1 }]);
  });

  it("asks none of an attempt that told its end", async () => {
    const ended = storedAttempt({ status: "FAILED" });
    expect(await left(() => locked, [ended])).toEqual({ locks: [], problem: null });
  });
});
