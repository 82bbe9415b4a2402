import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Arrival } from "../../../main/local-kintone/index.ts";
import { startFaultProxy } from "../../support/fault-proxy.ts";
import { openPipe } from "./control-pipe.ts";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

/** Many pages, one branch after another, each answer held back a little: busy until it is stopped. */
const LONG_JOB = `SELECT COUNT(*) FROM LAPP_注文 ${"UNION ALL SELECT COUNT(*) FROM LAPP_注文 ".repeat(300)};`;

let fixture: RunnerFixture;
beforeEach(async () => {
  fixture = await startRunnerFixture({ delayMs: 30 });
});
afterEach(() => fixture.dispose());

const reads = (arrivals: readonly Arrival[]) =>
  arrivals.filter(({ method, path }) => method === "GET" && path.endsWith("records.json")).length;
const isReading = (arrivals: readonly Arrival[]) => reads(arrivals) >= 4;

const localLocks = () =>
  existsSync(join(fixture.folder, ".ksql"))
    ? readdirSync(join(fixture.folder, ".ksql")).filter((name) => name.startsWith("lock-"))
    : [];

describe("cancel (execution-contract §9, decisions §3)", () => {
  it("through the control pipe ends CANCELLED between two pages, key and local lock released", async () => {
    const pipe = await openPipe(fixture.folder);
    const job = fixture.start(fixture.writeJob(LONG_JOB), { env: { FLOWNET_CONTROL_PIPE: pipe.address } });
    const socket = await pipe.connected;
    await fixture.arrived(isReading);
    socket.write("cancel\n");
    const ended = await job.ended;
    await pipe.close();
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      status: "CANCELLED",
      resultCode: "CANCELLED",
      executionStarted: true,
    });
    expect(reads(fixture.arrivals)).toBeLessThan(200);
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "CANCELLED", job_key: "" });
    expect(localLocks()).toEqual([]);
  });

  it("is not caused by a pipe that closes", async () => {
    const pipe = await openPipe(fixture.folder);
    const job = fixture.start(fixture.writeJob("SELECT COUNT(*) FROM LAPP_注文;"), {
      env: { FLOWNET_CONTROL_PIPE: pipe.address },
    });
    await pipe.connected;
    await pipe.close();
    expect((await job.ended).result?.resultCode).toBe("OK");
  });

  it("a pipe that does not exist is ignored", async () => {
    const ended = await fixture.run(fixture.writeJob("SELECT 1;"), {
      env: { FLOWNET_CONTROL_PIPE: join(fixture.folder, "none.sock") },
    });
    expect(ended.result?.resultCode).toBe("OK");
  });

  it.each(["SIGTERM", "SIGINT"] as const)("by %s ends in order", async (signal) => {
    const job = fixture.start(fixture.writeJob(LONG_JOB));
    await fixture.arrived(isReading);
    job.child.kill(signal);
    const ended = await job.ended;
    expect(ended.code).toBe(3);
    expect(ended.result?.resultCode).toBe("CANCELLED");
  });

  it("by a second signal exits 3 at once: no result, the record stays RUNNING, the lock file stays", async () => {
    const job = fixture.start(fixture.writeJob(LONG_JOB));
    await fixture.arrived(isReading);
    job.child.kill("SIGTERM");
    job.child.kill("SIGINT");
    const ended = await job.ended;
    expect(ended.code).toBe(3);
    expect(ended.result).toBeNull();
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "RUNNING", job_key: "prod:job" });
    expect(localLocks()).toHaveLength(1);
  });
});

describe("time limit (job-dialect §8)", () => {
  it("ends a long read EXECUTION_TIMEOUT and skips what follows", async () => {
    fixture.writeConfig((profile) => Object.assign(profile, { limits: { batchTimeoutSec: 1 } }));
    const ended = await fixture.run(fixture.writeJob(`${LONG_JOB}\nSELECT 1;`));
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "EXECUTION_TIMEOUT",
      error: { category: "TIMEOUT", code: "EXECUTION_TIMEOUT" },
    });
    const [record] = await fixture.jobRecords();
    expect(record).toMatchObject({ status: "TIMEOUT", job_key: "" });
    expect(record?.log_detail).toContain("#2 SELECT skipped (timeout)");
  });

  it("gives up a request that is never answered, and the process ends with a result", async () => {
    const proxy = await startFaultProxy(fixture.port);
    const silence = Promise.withResolvers<void>();
    fixture.writeConfig((profile) => Object.assign(profile, { limits: { batchTimeoutSec: 1 } }), proxy.port);
    proxy.on(({ method, query }) => method === "GET" && query.startsWith("$id > 0"), {
      kind: "first",
      run: () => silence.promise,
    });
    const ended = await fixture.run(fixture.writeJob("SELECT COUNT(*) FROM LAPP_注文;"));
    silence.resolve();
    await proxy.dispose();
    expect(ended.code).toBe(3);
    expect(ended.result?.resultCode).toBe("EXECUTION_TIMEOUT");
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "TIMEOUT", job_key: "" });
  });
});
