import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCalls } from "../../../main/job-runner/run/calls.ts";
import { startHeartbeat } from "../../../main/job-runner/run/heartbeat.ts";
import { acquireJobLock } from "../../../main/job-runner/run/job-lock.ts";
import { createLockSession, type LockSession } from "../../../main/job-runner/run/lock-session.ts";
import { createLogRecords } from "../../../main/job-runner/run/log-record.ts";
import { createStopControl } from "../../../main/job-runner/run/stop.ts";
import { createKintoneTransport } from "../../../main/kintone-client/index.ts";
import { appFields } from "../../../shared/records/index.ts";
import { ONE_TRY, type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
let transport: ReturnType<typeof createKintoneTransport>;
let session: LockSession;

beforeEach(async () => {
  fixture = await startRunnerFixture();
  transport = createKintoneTransport({
    baseUrl: `http://localhost:${fixture.port}`,
    tokens: new Map([[Number(fixture.jobLogApp), [fixture.logToken]]]),
  });
  const calls = createCalls({
    transport,
    stop: createStopControl(),
    ...ONE_TRY,
    maxApiCalls: null,
    sleep: (ms) => delay(ms),
  });
  const records = createLogRecords(
    calls,
    Number(fixture.jobLogApp),
    new Set(Object.keys(appFields("jobLog", null))),
  );
  const batchId = randomUUID();
  const insert = {
    jobKey: "prod:job",
    batchId,
    parentBatchId: null,
    scriptName: "job.sql",
    profile: "prod",
    asOf: "2026-04-01T00:00:00Z",
    startedAt: "2026-04-01T00:00:00Z",
    executedBy: "",
    host: "h",
    gitRef: "",
    ksqlVersion: "flow 0 / engine 0",
    correlation: null,
  };
  const ref = await acquireJobLock(records, {
    insert,
    staleAfterSec: null,
    nowMs: Date.now,
    onInsert: () => undefined,
    onTakeover: () => undefined,
    pause: () => Promise.resolve(),
  });
  session = createLockSession({ records, ref, batchId, jobKey: "prod:job", pause: () => Promise.resolve() });
});
afterEach(async () => {
  await transport.dispose();
  await fixture.dispose();
});

const checkpoint = () => ({ writtenCount: 0, deletedCount: 0, lastWrittenKey: null, apiCalls: 7 });
const end = {
  ...checkpoint(),
  status: "SUCCESS",
  jobKey: "prod:job",
  finishedAt: "2026-04-01T00:01:00Z",
  durationSec: 60,
  readCount: 0,
  errorMessage: null,
  logDetail: "",
} as const;
const puts = () => fixture.arrivals.filter(({ method }) => method === "PUT").length;

describe("signs of life (execution-contract §13 W4)", () => {
  it("touch the record again and again, and the final update still fits", async () => {
    const beats = startHeartbeat(session, checkpoint, () => undefined, 5);
    await fixture.arrived(() => puts() >= 3);
    await beats.dispose();
    expect(await session.finish(end)).toEqual({ kind: "written" });
    const [record] = await fixture.jobRecords();
    expect(record).toMatchObject({ status: "SUCCESS", job_key: "" });
    expect(Number(record?.$revision)).toBeGreaterThanOrEqual(5);
  });

  it("go on after somebody touched the record without taking the lock", async () => {
    const [record] = await fixture.jobRecords();
    await fixture.updateJobRecord(record?.$id ?? "", { git_ref: "touched" });
    expect(await session.beat(checkpoint())).toBe(true);
    expect(await session.beat(checkpoint())).toBe(true);
    expect((await fixture.jobRecords())[0]).toMatchObject({ api_calls: "7", git_ref: "touched" });
  });

  it("tell when the lock was released by somebody else, and write nothing then", async () => {
    const [record] = await fixture.jobRecords();
    await fixture.updateJobRecord(record?.$id ?? "", { status: "FAILED", job_key: "" });
    const lost = new Promise<void>((tell) => {
      const beats = startHeartbeat(session, checkpoint, () => tell(beats.dispose()), 5);
    });
    await lost;
    expect(await session.finish(end)).toEqual({ kind: "conflict", holder: "FAILED" });
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "FAILED", api_calls: "" });
  });
});

describe("start marker (execution-contract §6.4, W9)", () => {
  it("is written although a customization touched the record first", async () => {
    const [record] = await fixture.jobRecords();
    await fixture.updateJobRecord(record?.$id ?? "", { git_ref: "touched" });
    await session.mark("2026-04-01T00:00:10Z");
    expect((await fixture.jobRecords())[0]?.runner_execution_started_at).toBe("2026-04-01T00:00:00Z");
  });

  it("is refused once the record is no longer ours, and nothing is overwritten", async () => {
    const [record] = await fixture.jobRecords();
    await fixture.updateJobRecord(record?.$id ?? "", { status: "TIMEOUT", job_key: "" });
    await expect(session.mark("2026-04-01T00:00:10Z")).rejects.toThrow("not durable");
    expect(await session.finish({ ...end, status: "FAILED" })).toEqual({
      kind: "conflict",
      holder: "TIMEOUT",
    });
  });

  it("goes on from the revision the insert answered", async () => {
    await session.mark("2026-04-01T00:00:10Z");
    expect((await fixture.jobRecords())[0]).toMatchObject({
      runner_execution_started_at: "2026-04-01T00:00:00Z",
      $revision: "2",
    });
  });
});
