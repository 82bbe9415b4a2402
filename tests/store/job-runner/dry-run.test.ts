import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
beforeEach(async () => {
  fixture = await startRunnerFixture();
  fixture.addOrders([
    { 注文番号: { value: "A-1" }, 金額: { value: "10" } },
    { 注文番号: { value: "A-2" }, 金額: { value: "20" } },
  ]);
});
afterEach(() => fixture.dispose());

const standalone = (job: string, ...extra: readonly string[]) =>
  fixture.commandHere(["run", "-f", job, "--config", join(fixture.folder, "ksql.config.json"), ...extra]);
const dry = async (sql: string, ...extra: readonly string[]) => {
  const ended = await standalone(fixture.writeJob(sql), "--dry-run", "--json", ...extra);
  return { ...ended, report: JSON.parse(ended.stdout) };
};
const sent = () => fixture.arrivals.filter(({ method }) => method !== "GET");

describe("run --dry-run (execution-contract §4.5)", () => {
  it("counts and shows what would be written and sends no write, no lock and no log", async () => {
    const { code, report } = await dry(
      "UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ('A-1', 11), ('A-9', 90) KEY (注文番号);\nDELETE FROM LAPP_注文 WHERE 金額 = 20;",
    );
    expect(code).toBe(0);
    expect(Object.keys(report)).toEqual([
      ...["formatVersion", "kind", "job", "profile", "asOf", "status", "exitCode", "sampleLimit", "reads"],
      ...["writes", "actualApiCalls", "samples", "incomplete"],
    ]);
    expect(report).toMatchObject({
      kind: "DRY_RUN",
      job: "job.sql",
      profile: "prod",
      status: "SUCCESS",
      sampleLimit: 5,
      writes: [{ app: "LAPP_注文", counts: { insert: 1, update: 1, delete: 1 }, estimatedWrites: 2 }],
      incomplete: false,
    });
    expect(report.actualApiCalls.total).toBe(report.actualApiCalls.read + report.actualApiCalls.preview);
    expect(report.actualApiCalls.total).toBe(fixture.arrivals.length);
    expect(report.samples).toMatchObject([
      {
        operation: "UPSERT",
        kind: "update",
        keyField: "注文番号",
        key: "A-1",
        before: { 金額: "10" },
        after: { 金額: "11" },
      },
      { operation: "UPSERT", kind: "insert", key: "A-9", after: { 金額: "90" } },
      { operation: "DELETE", kind: "delete", keyField: "$id" },
    ]);
    expect(sent()).toEqual([]);
    expect(await fixture.jobRecords()).toEqual([]);
    expect(existsSync(join(fixture.folder, ".ksql"))).toBe(false);
  });

  it.each([
    ["ASSERT 1 = 2, 'never';", 2, "ABORTED", "ASSERT", "never"],
    ["EXIT SUCCESS IF 1 = 1, 'nothing';\nASSERT 1 = 2, 'x';", 0, "NO_DATA", "EXIT", "nothing"],
  ])("tells the gate a job ends at: %s", async (sql, exitCode, status, kind, words) => {
    const { code, report } = await dry(sql);
    expect(code).toBe(exitCode);
    expect(report).toMatchObject({ status, exitCode, gate: { kind }, incomplete: false });
    expect(report.gate.message).toContain(words);
  });

  it("fails with exit 1 for a script and with exit 3 for a refused read", async () => {
    expect(await dry("SELEKT 1;")).toMatchObject({
      code: 1,
      report: { status: "FAILED", incomplete: false },
    });
    fixture.writeConfig((profile) => {
      const apps = { 注文: { id: Number(fixture.ordersApp), tokens: ["x"] } };
      Object.assign(profile, { apps, logApp: undefined });
    });
    expect(await dry("SELECT COUNT(*) FROM LAPP_注文;")).toMatchObject({
      code: 3,
      report: { status: "FAILED", error: expect.stringContaining("kintone") },
    });
  });

  it("hides fields of logging.maskFields, keeps to --sample, and tells people the same in words", async () => {
    fixture.writeConfig((profile) =>
      Object.assign(profile, { logging: { localDir: "logs", maskFields: ["注文番号"] } }),
    );
    const sql = "INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ('S-1', 1), ('S-2', 2);";
    const { report, stdout } = await dry(sql, "--sample", "1");
    expect(report.samples).toMatchObject([{ after: { 注文番号: "***", 金額: "1" } }]);
    expect(stdout).not.toContain("S-1");
    const ended = await standalone(fixture.writeJob(sql), "--dry-run");
    expect(ended.stdout).toContain("would insert 2, update 0, delete 0 in LAPP_注文 (1 requests)");
    expect(ended.stdout).toContain("kintone was not written to");
    expect(sent()).toEqual([]);
  });

  it.each([
    [["--json"], "--json"],
    [["--sample", "3"], "--sample"],
    [["--dry-run", "--sample", "51"], "--sample"],
    [["--dry-run", "--sample", "0"], "--sample"],
    [["--lock", "none"], "--lock"],
  ])("refuses %j", async (flags, words) => {
    const ended = await standalone(fixture.writeJob("SELECT 1;"), ...flags);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain(words);
  });
});

describe("run without an orchestrator (execution-contract §4.5)", () => {
  const hold = (job: string, profile = "prod") => {
    const record = {
      record_type: "JOB",
      status: "RUNNING",
      batch_id: `b-${job}`,
      job_key: `${profile}:${job}`,
      profile,
      started_at: new Date().toISOString(),
    };
    const cells = Object.entries(record).map(([code, value]) => [code, { value }]);
    fixture.insertJobRecord(Object.fromEntries(cells));
  };

  it("needs a log app, unless the lock file is to do alone", async () => {
    fixture.writeConfig((profile) => Object.assign(profile, { logApp: undefined }));
    const job = fixture.writeJob("ASSERT 1 = 1, 'x';");
    expect((await standalone(job)).code).toBe(1);
    const ended = await standalone(job, "--lock", "local-only");
    expect(ended.code).toBe(0);
    expect(fixture.arrivals).toEqual([]);
  });

  it("--lock local-only takes the job lock where it can and goes on without where it cannot", async () => {
    const job = fixture.writeJob("ASSERT 1 = 1, 'x';");
    expect((await standalone(job, "--lock=local-only")).code).toBe(0);
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "SUCCESS", job_key: "" });
    fixture.writeConfig((profile) => {
      const apps = { log: { id: Number(fixture.jobLogApp), tokens: ["x"] } };
      Object.assign(profile, { apps });
    });
    expect((await standalone(job)).code).toBe(3);
    const alone = await standalone(job, "--lock=local-only");
    expect(alone.code).toBe(0);
    expect(alone.stderr).toContain("local lock alone");
    hold("job");
    fixture.writeConfig();
    expect((await standalone(job, "--lock=local-only")).code).toBe(5);
  });

  it("--force-unlock releases every RUNNING record of its own profile first", async () => {
    hold("job");
    hold("other");
    hold("job", "test");
    const ended = await standalone(fixture.writeJob("ASSERT 1 = 1, 'x';"), "--force-unlock");
    expect(ended.code).toBe(0);
    const records = await fixture.jobRecords();
    const states = records.map(({ status, job_key_done, job_key }) => [status, job_key_done, job_key]);
    expect(states).toEqual([
      ["SUCCESS", "prod:job", ""],
      ["RUNNING", "", "test:job"],
      ["TIMEOUT", "prod:other", ""],
      ["TIMEOUT", "prod:job", ""],
    ]);
  });

  it("writes an unnamed export of its one SELECT", async () => {
    const target = join(fixture.folder, "out.csv");
    writeFileSync(target, "old");
    const job = fixture.writeJob("SELECT 注文番号, 金額 FROM LAPP_注文 ORDER BY 注文番号;");
    const ended = await standalone(job, "--export-csv", target);
    expect(ended.code).toBe(0);
    expect(readFileSync(target, "utf8")).toBe("注文番号,金額\r\nA-1,10\r\nA-2,20\r\n");
  });
});
