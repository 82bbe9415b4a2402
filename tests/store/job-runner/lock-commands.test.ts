import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseLockInspection, parseLockRecovery } from "../../../shared/contract/index.ts";
import { type FaultProxy, startFaultProxy } from "../../support/fault-proxy.ts";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
let proxy: FaultProxy;
beforeEach(async () => {
  fixture = await startRunnerFixture();
  proxy = await startFaultProxy(fixture.port);
  fixture.writeConfig(() => undefined, proxy.port);
});
afterEach(async () => {
  await proxy.dispose();
  await fixture.dispose();
});

const KEY = "prod:job";
const where = () => ["--profile", "prod", "--config", join(fixture.folder, "ksql.config.json"), "--json"];
const inspect = async (key = KEY) => {
  const ended = await fixture.commandHere(["inspect-lock", "--job-key", key, ...where()]);
  const parsed = parseLockInspection(JSON.parse(ended.stdout));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return { ...ended, keys: Object.keys(JSON.parse(ended.stdout)), value: parsed.value };
};
const unlockArguments = (changes: Readonly<Record<string, string>> = {}) => {
  const flags = {
    "job-key": KEY,
    reason: "ended by hand",
    "confirmed-by": "Sato",
    "evidence-ref": "file:///evidence/1.txt",
    ...changes,
  };
  return ["force-unlock-job", ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}=${value}`])];
};
const unlock = async () => {
  const ended = await fixture.commandHere([...unlockArguments(), ...where()]);
  const parsed = parseLockRecovery(JSON.parse(ended.stdout));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return { ...ended, keys: Object.keys(JSON.parse(ended.stdout)), value: parsed.value };
};

function hold(changes: Readonly<Record<string, string>> = {}): void {
  const record = {
    record_type: "JOB",
    status: "RUNNING",
    batch_id: "batch-1",
    job_key: KEY,
    started_at: "2026-04-01T00:00:00Z",
    host: "host-a",
    script_name: "job.sql",
    ...changes,
  };
  fixture.insertJobRecord(
    Object.fromEntries(Object.entries(record).map(([code, value]) => [code, { value }])),
  );
}
const heldId = async (): Promise<string> => (await fixture.jobRecords())[0]?.$id ?? "";
const isPut = ({ method }: { readonly method: string }): boolean => method === "PUT";
const refusal = JSON.stringify({ code: "CB_X", id: "x", message: "no" });

describe("inspect-lock (execution-contract §2.4)", () => {
  it("shows who holds the key, in one read and without a trace on disk (W20)", async () => {
    hold();
    const { code, keys, value } = await inspect();
    expect(code).toBe(0);
    expect(keys).toEqual(["kind", "formatVersion", "jobKey", "locked", "record", "inspectedAt"]);
    expect(value).toMatchObject({
      locked: true,
      record: {
        recordId: await heldId(),
        batchId: "batch-1",
        startedAt: "2026-04-01T00:00:00Z",
        host: "host-a",
        scriptName: "job.sql",
      },
      inspectedAt: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(proxy.requests()).toHaveLength(1);
    expect(existsSync(join(fixture.folder, "logs"))).toBe(false);
    expect(existsSync(join(fixture.folder, ".ksql"))).toBe(false);
  });

  it("tells free keys and keys of records that run no more", async () => {
    expect((await inspect()).value).toMatchObject({ locked: false, record: null });
    hold({ status: "FAILED" });
    expect((await inspect()).value).toMatchObject({ locked: false, record: null });
  });

  it("is null with exit 3 when the log app cannot be read", async () => {
    proxy.on(() => true, { kind: "answer", status: 403, body: refusal });
    const { code, keys, value } = await inspect();
    expect(code).toBe(3);
    expect(keys.at(-1)).toBe("error");
    expect(value).toMatchObject({ locked: null, record: null, error: { code: "LOCK_QUERY_UNAVAILABLE" } });
  });

  it.each(["job-key", "profile", "config", "json"])("without --%s exits 1 without JSON", async (flag) => {
    const all = [
      "--job-key=k",
      "--profile=prod",
      `--config=${join(fixture.folder, "ksql.config.json")}`,
      "--json",
    ];
    const args = all.filter((argument) => !argument.startsWith(`--${flag}`));
    const ended = await fixture.commandHere(["inspect-lock", ...args]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain(`--${flag}`);
  });
});

describe("force-unlock-job (execution-contract §2.5)", () => {
  it("releases the key under its revision and leaves who did it on the record", async () => {
    hold();
    const { code, keys, value } = await unlock();
    expect(code).toBe(0);
    expect(keys).toEqual([
      ...["kind", "formatVersion", "jobKey", "recordId", "outcome", "before", "executedAt"],
    ]);
    expect(value).toMatchObject({
      recordId: await heldId(),
      outcome: "RELEASED",
      before: { batchId: "batch-1", startedAt: "2026-04-01T00:00:00Z", host: "host-a" },
    });
    const [record] = await fixture.jobRecords();
    expect(record).toMatchObject({ status: "FAILED", job_key: "", job_key_done: KEY });
    const audit = JSON.parse((record?.log_detail ?? "").replace("LOCK_RECOVERY ", ""));
    expect(Object.entries(audit)).toEqual([
      ["operation", "force-unlock-job"],
      ["jobKey", KEY],
      ["reason", "ended by hand"],
      ["confirmedBy", "Sato"],
      ["evidenceRef", "file:///evidence/1.txt"],
      ["authenticationSubject", "profile:prod"],
      ["executedAt", `${value.executedAt.slice(0, 19)}Z`],
    ]);
  });

  it("is NOT_FOUND for a free key and NOT_RUNNING for a record that ended with its key", async () => {
    expect(await unlock()).toMatchObject({
      code: 0,
      value: { outcome: "NOT_FOUND", recordId: null, before: null },
    });
    hold({ status: "FAILED" });
    expect(await unlock()).toMatchObject({ code: 0, value: { outcome: "NOT_RUNNING" } });
    expect(proxy.requests().some(isPut)).toBe(false);
  });

  it("is RELEASED when the answer was lost but our text stands on the record", async () => {
    hold();
    proxy.on(isPut, { kind: "lose-answer" });
    expect(await unlock()).toMatchObject({ code: 0, value: { outcome: "RELEASED" } });
  });

  it("is NOT_RUNNING when somebody else released it first", async () => {
    hold();
    const id = await heldId();
    const run = () => fixture.updateJobRecord(id, { status: "SUCCESS", job_key: "", job_key_done: KEY });
    proxy.on(isPut, { kind: "first", run });
    expect(await unlock()).toMatchObject({ code: 0, value: { outcome: "NOT_RUNNING" } });
    expect((await fixture.jobRecords())[0]?.status).toBe("SUCCESS");
  });

  it("is CONFLICT with exit 5 when the same holder moved on meanwhile", async () => {
    hold();
    const id = await heldId();
    proxy.on(isPut, { kind: "first", run: () => fixture.updateJobRecord(id, { written_count: "5" }) });
    expect(await unlock()).toMatchObject({ code: 5, value: { outcome: "CONFLICT" } });
    expect((await fixture.jobRecords())[0]?.status).toBe("RUNNING");
  });

  it("is CONFLICT when another run took the key between the two reads", async () => {
    hold();
    const id = await heldId();
    const run = () => fixture.updateJobRecord(id, { batch_id: "batch-2" });
    proxy.on(({ query }) => query.startsWith("$id"), { kind: "first", run });
    expect(await unlock()).toMatchObject({ code: 5, value: { outcome: "CONFLICT" } });
  });

  it.each([
    ["the first read", ({ query }: { query: string }) => query.startsWith("job_key"), null],
    ["the second read", ({ query }: { query: string }) => query.startsWith("$id"), "batch-1"],
    ["the update", isPut, "batch-1"],
  ])("is UNCONFIRMED with exit 3 when %s is refused", async (_what, match, batchId) => {
    hold();
    proxy.on(match as Parameters<FaultProxy["on"]>[0], { kind: "answer", status: 403, body: refusal });
    const { code, value } = await unlock();
    expect(code).toBe(3);
    expect(value).toMatchObject({ outcome: "UNCONFIRMED", nextAction: expect.stringContaining(KEY) });
    expect(value.before?.batchId ?? null).toBe(batchId);
  });

  it.each([
    ["reason", " "],
    ["confirmed-by", ""],
    ["evidence-ref", "evidence.txt"],
    ["job-key", ""],
  ])("refuses --%s=%j before anything is read", async (flag, value) => {
    const ended = await fixture.commandHere([...unlockArguments({ [flag]: value }), ...where()]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain(`--${flag}`);
    expect(proxy.requests()).toEqual([]);
  });
});
