import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
beforeEach(async () => {
  fixture = await startRunnerFixture();
});
afterEach(() => fixture.dispose());

const trail = () =>
  fixture.arrivals.map(({ method, path, status }) => `${method} ${path.replace("/k/v1/", "")} ${status}`);

describe("run in orchestrator mode (execution-contract §4)", () => {
  it("costs five kintone calls outside the SQL and leaves a released SUCCESS record", async () => {
    const ended = await fixture.run(fixture.writeJob("ASSERT 1 = 1, 'never';"));
    expect(ended.stderr).toContain("job: OK");
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe("");
    expect(trail()).toEqual([
      "GET app/form/fields.json 200",
      "GET records.json 200",
      "POST record.json 200",
      "PUT record.json 200",
      "PUT record.json 200",
    ]);
    expect(ended.result).toMatchObject({
      resultCode: "OK",
      executionStarted: true,
      exitCode: 0,
      asOf: "2026-04-01T01:00:00+09:00",
      correlationId: "netrun_1",
      apiCalls: 3,
      engineVersion: expect.stringContaining("flownet"),
    });
    const [record] = await fixture.jobRecords();
    expect(record).toMatchObject({
      status: "SUCCESS",
      job_key: "",
      job_key_done: "prod:job",
      execution_id: ended.result?.executionId,
      batch_id: ended.result?.executionId,
      attempt_id: ended.result?.attemptId,
      as_of: "2026-03-31T16:00:00Z",
      log_detail: "#1 ASSERT ASSERT_PASSED | ASSERT 1 = 1, 'never'",
    });
    expect(record?.runner_execution_started_at?.slice(0, 16)).toBe(ended.result?.startedAt?.slice(0, 16));
  });
});
