import type { RunRow } from "../../shared/api/index.ts";

/** A row of the Run list with what a test cares about. */
export function row(change: Partial<RunRow>): RunRow {
  return {
    runId: "run-1",
    networkId: "monthly_summary",
    profile: "local",
    businessKey: "monthly_summary@2026-09",
    status: "RUNNING",
    lifecycle: "ACTIVE",
    resumeAllowed: true,
    activity: null,
    activityJudgedAt: null,
    asOf: null,
    createdAt: "2026-09-01T00:00:00Z",
    startedAt: "2026-09-01T00:00:00Z",
    finishedAt: null,
    updatedAt: "2026-09-01T00:00:00Z",
    recordId: "1",
    revision: 1,
    ...change,
  };
}
