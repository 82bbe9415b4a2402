import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStopControl } from "../../../main/job-runner/run/stop.ts";
import { type FaultProxy, isInsert, isLonePut, startFaultProxy } from "../../support/fault-proxy.ts";
import { type FixtureOptions, type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
let proxy: FaultProxy;
async function open(options: FixtureOptions = {}): Promise<void> {
  fixture = await startRunnerFixture(options);
  proxy = await startFaultProxy(fixture.port);
  fixture.writeConfig(undefined, proxy.port);
}
beforeEach(() => open());
afterEach(async () => {
  await proxy.dispose();
  await fixture.dispose();
});

async function reopen(options: FixtureOptions): Promise<void> {
  await proxy.dispose();
  await fixture.dispose();
  await open(options);
}

const held = (startedAt: string) => ({
  record_type: { value: "JOB" },
  status: { value: "RUNNING" },
  job_key: { value: "prod:job" },
  batch_id: { value: "other-batch" },
  host: { value: "HOST-B" },
  started_at: { value: startedAt },
});

const runProcess = () => fixture.run(fixture.writeJob("SELECT 1;"));
const run = () => fixture.runHere(fixture.writeJob("SELECT 1;"));

describe("job lock (execution-contract §7)", () => {
  it("held by another run: LOCK_CONFLICT, exit 5, the holder untouched", async () => {
    fixture.insertJobRecord(held(new Date().toISOString()));
    const ended = await runProcess();
    expect(ended.code).toBe(5);
    expect(ended.result).toMatchObject({ resultCode: "LOCK_CONFLICT", error: { code: "LOCK_CONFLICT" } });
    const records = await fixture.jobRecords();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ status: "RUNNING", $revision: "1" });
  });

  it("is not taken over while its record was changed within the stale age, whatever its start (W4)", async () => {
    fixture.insertJobRecord(held("2020-01-01T00:00:00Z"));
    expect((await run()).code).toBe(5);
  });

  it("older than batchTimeoutSec in both respects is ended TIMEOUT and taken over", async () => {
    fixture.insertJobRecord(held("2020-01-01T00:00:00Z"));
    const ended = await fixture.runHere(fixture.writeJob("SELECT 1;"), {
      env: { FLOWNET_TEST_CLOCK_OFFSET_MS: String(2 * 3600_000) },
    });
    expect(ended.result?.resultCode).toBe("OK");
    const [ours, theirs] = await fixture.jobRecords();
    expect(ours?.status).toBe("SUCCESS");
    expect(theirs).toMatchObject({ status: "TIMEOUT", job_key: "", job_key_done: "prod:job" });
    expect(fixture.events().some(({ event }) => event === "stale_lock_recovered")).toBe(true);
  });

  it("is never taken over when batchTimeoutSec is null", async () => {
    fixture.writeConfig(
      (profile) => Object.assign(profile, { limits: { batchTimeoutSec: null } }),
      proxy.port,
    );
    fixture.insertJobRecord(held("2020-01-01T00:00:00Z"));
    const ended = await fixture.runHere(fixture.writeJob("SELECT 1;"), {
      env: { FLOWNET_TEST_CLOCK_OFFSET_MS: String(2 * 3600_000) },
    });
    expect(ended.code).toBe(5);
  });

  it("accepts its own record when the answer to the insert is lost (W3)", async () => {
    proxy.on(isInsert, { kind: "lose-answer" });
    const ended = await runProcess();
    expect(ended.result?.resultCode).toBe("OK");
    const records = await fixture.jobRecords();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ status: "SUCCESS", batch_id: ended.result?.executionId });
  });

  it("inserts again when the request was lost, still once", async () => {
    proxy.on(isInsert, { kind: "lose-request" });
    expect((await run()).result?.resultCode).toBe("OK");
    expect(await fixture.jobRecords()).toHaveLength(1);
  });

  it("a conflict that appears between look-up and insert is LOCK_CONFLICT", async () => {
    proxy.on(isInsert, {
      kind: "first",
      run: async () => fixture.insertJobRecord(held(new Date().toISOString())),
    });
    expect((await run()).code).toBe(5);
    expect(await fixture.jobRecords()).toHaveLength(1);
  });

  it.each(["correlation_id", "runner_execution_started_at"])(
    "a log app without %s is LOCK_UNAVAILABLE before anything is written (§6.1)",
    async (field) => {
      await reopen({ withoutLogFields: [field] });
      const ended = await run();
      expect(ended.code).toBe(3);
      expect(ended.result).toMatchObject({ resultCode: "LOCK_UNAVAILABLE", executionStarted: false });
      expect(ended.result?.error?.message).toContain(field);
      expect(await fixture.jobRecords()).toEqual([]);
    },
  );

  it("a cancel is not held up by a log app that asks to wait, while no lock can exist yet", async () => {
    const stop = createStopControl();
    fixture.writeConfig((profile) => {
      Object.assign(profile, { retry: { maxAttempts: 5, initialDelayMs: 3_600_000, maxDelayMs: 3_600_000 } });
    }, proxy.port);
    const busy = { status: 429, body: "{}", type: "application/json", headers: { "retry-after": "3600" } };
    proxy.on(({ method, query }) => method === "GET" && query.startsWith("job_key"), {
      kind: "answer",
      ...busy,
      run: async () => stop.requestCancel(),
    });
    const ended = await fixture.runHere(fixture.writeJob("SELECT 1;"), { stop });
    expect(ended.result).toMatchObject({ resultCode: "CANCELLED", executionStarted: false });
    expect(await fixture.jobRecords()).toEqual([]);
  });

  it("a log app that refuses the token is LOCK_UNAVAILABLE (step 8)", async () => {
    const ended = await fixture.runHere(fixture.writeJob("SELECT 1;"), { env: { LOG_TOKEN: "not-a-token" } });
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({ resultCode: "LOCK_UNAVAILABLE", error: { category: "LOCK" } });
  });

  it("a log app without optional columns gets the others", async () => {
    await reopen({ withoutLogFields: ["deleted_count", "git_ref"] });
    expect((await run()).result?.resultCode).toBe("OK");
  });
});

describe("start marker (execution-contract §6.4)", () => {
  it("whose answer is lost is found by the minute and the run goes on", async () => {
    proxy.on(isLonePut, { kind: "lose-answer" });
    const ended = await run();
    expect(ended.result?.resultCode).toBe("OK");
    expect((await fixture.jobRecords())[0]?.status).toBe("SUCCESS");
  });

  it("that cannot be written is LOCK_UNAVAILABLE: no SQL, record FAILED, key released", async () => {
    proxy.on(isLonePut, { kind: "answer", status: 500, body: "<html></html>", type: "text/html" });
    const ended = await run();
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({ resultCode: "LOCK_UNAVAILABLE", executionStarted: false });
    expect((await fixture.jobRecords())[0]).toMatchObject({
      status: "FAILED",
      job_key: "",
      runner_execution_started_at: "",
      log_detail: "",
    });
  });
});

describe("final update (execution-contract §6.2, W8, W10)", () => {
  const isFinal = (request: { readonly method: string; readonly body: string }): boolean =>
    request.method === "PUT" && request.body.includes("finished_at");

  it("whose answer is lost is recognised by reading and not written twice", async () => {
    proxy.on(isFinal, { kind: "lose-answer" });
    expect((await run()).result?.resultCode).toBe("OK");
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "SUCCESS", $revision: "3" });
  });

  it("never overwrites a record that somebody else released meanwhile", async () => {
    proxy.on(isFinal, {
      kind: "first",
      run: async () => {
        const [record] = await fixture.jobRecords();
        await fixture.updateJobRecord(record?.$id ?? "", { status: "TIMEOUT", job_key: "" });
      },
    });
    const ended = await run();
    expect(ended.code).toBe(0);
    expect((await fixture.jobRecords())[0]?.status).toBe("TIMEOUT");
    expect(fixture.events().some(({ event }) => event === "final_update_conflict")).toBe(true);
  });

  it("is queued when kintone does not take it, and resent by the next run", async () => {
    proxy.on(isFinal, { kind: "answer", status: 503, body: "maintenance", type: "text/plain" }, 3);
    const first = await run();
    expect(first.code).toBe(0);
    expect(readdirSync(join(fixture.folder, "logs", "pending"))).toHaveLength(1);
    expect((await fixture.jobRecords())[0]?.status).toBe("RUNNING");
    expect((await run()).result?.resultCode).toBe("OK");
    expect(readdirSync(join(fixture.folder, "logs", "pending"))).toEqual([]);
    expect((await fixture.jobRecords()).map(({ status }) => status)).toEqual(["SUCCESS", "SUCCESS"]);
  });

  it("is given up when its record was deleted: nothing behind it waits for ever", async () => {
    proxy.on(isFinal, { kind: "answer", status: 503, body: "maintenance", type: "text/plain" }, 3);
    await run();
    const pending = join(fixture.folder, "logs", "pending");
    const [name = ""] = readdirSync(pending);
    const path = join(pending, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/"recordId":"\d+"/, '"recordId":"999"'));
    await fixture.updateJobRecord("1", { status: "TIMEOUT", job_key: "" });
    expect((await run()).result?.resultCode).toBe("OK");
    expect(readdirSync(pending)).toEqual([]);
  });

  it("stands against a cancel that comes while it is written: result and record say the same", async () => {
    const stop = createStopControl();
    proxy.on(isFinal, { kind: "first", run: async () => stop.requestCancel() });
    const ended = await fixture.runHere(fixture.writeJob("SELECT 1;"), { stop });
    expect(ended.result).toMatchObject({ resultCode: "OK", exitCode: 0 });
    expect((await fixture.jobRecords())[0]?.status).toBe("SUCCESS");
  });

  it("says FAILED where the log app has no CANCELLED", async () => {
    await reopen({ withoutStatus: ["CANCELLED"], delayMs: 20 });
    const job = fixture.start(
      fixture.writeJob(
        `SELECT COUNT(*) FROM LAPP_注文 ${"UNION ALL SELECT COUNT(*) FROM LAPP_注文 ".repeat(200)};`,
      ),
    );
    await fixture.arrived((arrivals) => arrivals.length > 8);
    job.child.kill("SIGTERM");
    expect((await job.ended).result?.resultCode).toBe("CANCELLED");
    const [record] = await fixture.jobRecords();
    expect(record).toMatchObject({ status: "FAILED", job_key: "" });
    expect(record?.error_message).toMatch(/^CANCELLED/);
  });
});

describe("local lock file (execution-contract §7.4)", () => {
  /** Puts a lock file where a run of this profile looks for it. */
  const lockFile = async (content: unknown): Promise<void> => {
    const folder = join(fixture.folder, ".ksql");
    const names: string[] = [];
    proxy.on(isInsert, {
      kind: "first",
      run: async () => {
        names.push(...readdirSync(folder));
      },
    });
    await run();
    expect(names).toHaveLength(1);
    writeFileSync(join(folder, names[0] ?? ""), JSON.stringify(content));
  };
  const content = {
    pid: process.pid,
    profile: "prod",
    startedAt: new Date().toISOString(),
    batchId: "b",
  };

  it("of a living process of this host is a conflict before any record is made", async () => {
    const { hostname } = await import("node:os");
    await lockFile({ ...content, host: hostname() });
    const ended = await run();
    expect(ended.code).toBe(5);
    expect(ended.result?.resultCode).toBe("LOCK_CONFLICT");
    expect(await fixture.jobRecords()).toHaveLength(1);
  });

  it("of a process that is gone, or that cannot be read, is stale", async () => {
    const { hostname } = await import("node:os");
    await lockFile({ ...content, host: hostname(), pid: 2 ** 22 + 1 });
    expect((await run()).code).toBe(0);
  });

  it("of a number that another process got meanwhile is stale (W13)", async () => {
    const { hostname } = await import("node:os");
    await lockFile({ ...content, host: hostname(), processStart: "1" });
    expect((await run()).code).toBe(0);
  });

  it("of another host is a conflict until it is old", async () => {
    await lockFile({ ...content, host: "HOST-B" });
    expect((await run()).code).toBe(5);
    const later = { env: { FLOWNET_TEST_CLOCK_OFFSET_MS: String(2 * 3600_000) } };
    expect((await fixture.runHere(fixture.writeJob("SELECT 1;"), later)).code).toBe(0);
  });
});
