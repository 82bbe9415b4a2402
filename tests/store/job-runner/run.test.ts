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

describe("how a job can end (execution-contract §5.3, §6.3)", () => {
  beforeEach(() => {
    fixture.addOrders([
      { 注文番号: { value: "A-1" }, 得意先: { value: "青空" }, 金額: { value: "0.1" } },
      { 注文番号: { value: "A-2" }, 得意先: { value: "海" }, 金額: { value: "0.2" } },
    ]);
  });

  it("a violated ASSERT ends ABORTED with exit 2 and skips the rest", async () => {
    const ended = await fixture.run(
      fixture.writeJob(
        "ASSERT (SELECT COUNT(*) FROM LAPP_注文) = 3, '三件のはず';\nSELECT COUNT(*) FROM LAPP_注文;",
      ),
    );
    expect(ended.code).toBe(2);
    expect(ended.result).toMatchObject({
      resultCode: "ASSERT_FAILED",
      readCount: 2,
      error: {
        category: "ASSERT",
        code: "ASSERT_VIOLATION",
        message: "assertion failed: (SELECT COUNT(*) FROM LAPP_注文) = 3 (actual: 2). 三件のはず",
      },
    });
    const [record] = await fixture.jobRecords();
    expect(record).toMatchObject({ status: "ABORTED", job_key: "", read_count: "2" });
    expect(record?.log_detail?.split("\n")[1]).toBe(
      "#2 SELECT skipped (assertion) | SELECT COUNT(*) FROM LAPP_注文",
    );
  });

  it.each([
    ["(SELECT 得意先 FROM LAPP_注文) = 1", "scalar subquery returned 2 rows (expected 1 row)."],
    [
      "(SELECT 得意先 FROM LAPP_注文 WHERE 得意先 = '月') = 1",
      "scalar subquery returned no rows (expected 1 row).",
    ],
    ["(SELECT 1, 2) = 1", "scalar subquery returned 2 columns (expected 1 column)."],
  ])("ASSERT %s is a violation (job-dialect §5.3)", async (condition, message) => {
    const ended = await fixture.runHere(fixture.writeJob(`ASSERT ${condition}, 'x';`));
    expect(ended.code).toBe(2);
    expect(ended.result?.error?.message).toBe(message);
  });

  it("ASSERT WARN goes on and leaves its text in log_detail; EXIT ends NO_DATA with exit 0", async () => {
    const ended = await fixture.runHere(
      fixture.writeJob(
        "ASSERT WARN 1 = 2, '注意';\nCREATE TEMP TABLE late AS SELECT 得意先 FROM LAPP_注文 WHERE 金額 > 5;\nEXIT SUCCESS IF (SELECT COUNT(*) FROM #late) = 0, '遅延なし';\nASSERT 1 = 0, 'x';",
      ),
    );
    expect(ended.code).toBe(0);
    expect(ended.result).toMatchObject({ resultCode: "NO_DATA", status: "SUCCESS", readCount: 0 });
    const [record] = await fixture.jobRecords();
    expect(record?.status).toBe("NO_DATA");
    expect(record?.log_detail?.split("\n").map((line) => line.split(" | ")[0])).toEqual([
      "#1 ASSERT ASSERT_WARNING: assertion failed: 1 = 2 (actual: 1). 注意",
      "#2 CREATE_TEMP_TABLE rows=0",
      "#3 EXIT EXIT_NO_DATA",
      "#4 ASSERT skipped (exit)",
    ]);
  });

  it("uses variables, unions and temp tables, and reads every branch again", async () => {
    const ended = await fixture.runHere(
      fixture.writeJob(
        "SET @n = (SELECT COUNT(*) FROM LAPP_注文);\nCREATE TEMP TABLE #a AS SELECT 得意先, 金額 AS k FROM LAPP_注文 UNION ALL SELECT 得意先, 金額 FROM LAPP_注文;\nASSERT (SELECT SUM(K) FROM a) = 0.6, 'sum';\nASSERT @n + 2 = 4, 'n';",
      ),
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", readCount: 6 });
  });

  it("FetchAllLimitError only when one record more than maxReadRows exists, naming app and key", async () => {
    const job = fixture.writeJob("ASSERT (SELECT COUNT(*) FROM LAPP_注文) = 2, 'x';");
    fixture.writeConfig((profile) => Object.assign(profile, { limits: { maxReadRows: 2 } }));
    expect((await fixture.runHere(job)).result?.resultCode).toBe("OK");
    fixture.writeConfig((profile) => Object.assign(profile, { limits: { maxReadRows: 1 } }));
    const ended = await fixture.runHere(job);
    expect(ended.code).toBe(1);
    expect(ended.result).toMatchObject({
      resultCode: "SQL_ERROR",
      error: { category: "SQL", code: "FetchAllLimitError" },
    });
    expect(ended.result?.error?.message).toContain("LAPP_注文");
    expect(ended.result?.error?.message).toContain("limits.maxReadRows");
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "FAILED", job_key: "" });
  });

  it("maxTempRows is an error, never a cut table", async () => {
    fixture.writeConfig((profile) => Object.assign(profile, { limits: { maxTempRows: 1 } }));
    const ended = await fixture.runHere(
      fixture.writeJob("CREATE TEMP TABLE a AS SELECT 得意先 FROM LAPP_注文; SELECT * FROM a;"),
    );
    expect(ended.result).toMatchObject({ resultCode: "SQL_ERROR", error: { code: "TempTableLimitError" } });
  });

  it("maxApiCalls stops the job's requests but not the release of its lock", async () => {
    fixture.writeConfig((profile) => Object.assign(profile, { limits: { maxApiCalls: 5 } }));
    const ended = await fixture.runHere(fixture.writeJob("SELECT COUNT(*) FROM LAPP_注文;"));
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({ resultCode: "API_ERROR", error: { code: "API_LIMIT_EXCEEDED" } });
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "FAILED", job_key: "" });
  });
});

describe("before SQL starts (execution-contract §4.2)", () => {
  it.each([
    ["MERGE INTO LAPP_注文 AS t USING s AS s ON t.k = s.k;", "KSQL1202", "MERGE"],
    ["SELECT COUNT(*) FROM LAPP_無い;", "KSQL1101", "LAPP_無い"],
    ["SELECT COUNT(*) FROM LAPP_注文 WHERE 無い項目 = 1;", "ArgumentError", "無い項目"],
    ["CREATE TEMP TABLE a AS SELECT 得意先 FROM LAPP_注文; SELECT 金額 FROM a;", "ArgumentError", "金額"],
    ["SELECT * FROM nowhere;", "KSQL1202", "nowhere"],
    ["CREATE TEMP TABLE a AS SELECT 得意先 FROM LAPP_注文;", "KSQL1202", "no effect"],
    ["SET @x = 1;", "KSQL1202", "no effect"],
    ["-- nothing", "ArgumentError", "no statement"],
    ["SELECT COUNT(*) FROM LAPP_注文 WHERE 納期 = TODAY() OR 備考 LIKE 'x';", "KSQL1202", "TODAY()"],
  ])("%s is VALIDATION_ERROR %s without a lock record", async (sql, code, words) => {
    const ended = await fixture.runHere(fixture.writeJob(sql));
    expect(ended.code).toBe(1);
    expect(ended.result).toMatchObject({
      resultCode: "VALIDATION_ERROR",
      executionStarted: false,
      startedAt: null,
      apiCalls: 0,
      error: { category: "CONFIG", code },
    });
    expect(ended.result?.error?.message).toContain(words);
    expect(await fixture.jobRecords()).toEqual([]);
  });

  it.each([
    ["--import-csv", "a=x.csv"],
    ["--export-csv", "#a=/tmp/x.csv"],
    ["--lock", "local-only"],
    ["--as-of", "2026-04-01"],
    ["--as-of", "2026-04-01T00:00:00"],
  ])("%s %s is VALIDATION_ERROR with a result", async (flag, value) => {
    const ended = await fixture.runHere(fixture.writeJob("SELECT 1;"), { extra: [flag, value] });
    expect(ended.code).toBe(1);
    expect(ended.result).toMatchObject({ resultCode: "VALIDATION_ERROR", jobId: "job" });
    expect(ended.result?.error?.message).toContain(flag);
    expect(fixture.arrivals).toEqual([]);
  });

  it("another job than the expected one is VALIDATION_ERROR", async () => {
    const ended = await fixture.runHere(fixture.writeJob("SELECT 1;"), { expectedJobId: "other" });
    expect(ended.result).toMatchObject({ resultCode: "VALIDATION_ERROR", jobId: "other" });
  });

  it("a broken configuration still leaves a result; three of the four flags leave none", async () => {
    fixture.writeConfig((profile) => Object.assign(profile, { colour: "red" }));
    const job = fixture.writeJob("SELECT 1;");
    const ended = await fixture.runHere(job);
    expect(ended.result).toMatchObject({ resultCode: "VALIDATION_ERROR", error: { code: "CONFIG_ERROR" } });
    expect(ended.result?.error?.message).toContain("colour");
    const bare = await fixture.commandHere([
      "run",
      "-f",
      job,
      "--result-json",
      "r.json",
      "--attempt-id",
      "a",
    ]);
    expect(bare.code).toBe(1);
    expect(bare.stderr).toContain("--correlation-id is missing");
  });

  it("an app's refused token is AUTH_ERROR and never shows the token", async () => {
    const token = "wrongtoken-0123456789";
    const ended = await fixture.run(fixture.writeJob("SELECT COUNT(*) FROM LAPP_注文;"), {
      env: { ORDERS_TOKEN: token },
    });
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "AUTH_ERROR",
      executionStarted: false,
      error: { category: "AUTH", code: expect.stringMatching(/^KINTONE_HTTP_4/) },
    });
    expect(JSON.stringify([ended.result, ended.stderr, fixture.events()])).not.toContain(token);
    expect(await fixture.jobRecords()).toEqual([]);
  });

  it("an existing result file is left alone and nothing is started (§4.1)", async () => {
    const { writeFileSync, readFileSync } = await import("node:fs");
    const path = `${fixture.folder}/old.txt`;
    writeFileSync(path, "old");
    const ended = await fixture.commandHere([
      ...["run", "-f", fixture.writeJob("SELECT 1;"), "--result-json", path],
      ...["--correlation-id", "c", "--attempt-id", "a", "--expected-job-id", "job"],
    ]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("exists already");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(fixture.arrivals).toEqual([]);
  });

  it("prints the result on stdout for --result-json -", async () => {
    const job = fixture.writeJob("SELECT 1;");
    const ended = await fixture.commandHere([
      ...["run", "-f", job, "--result-json", "-", "--correlation-id", "c", "--attempt-id", "a"],
      ...["--expected-job-id", "job"],
    ]);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ resultCode: "OK", attemptId: "a", profile: "prod" });
  });

  it("a standalone run prints text, writes no correlation and no marker", async () => {
    const ended = await fixture.commandHere(["run", "-f", fixture.writeJob("SELECT 1;")]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^job: OK/);
    const [record] = await fixture.jobRecords();
    expect(record).toMatchObject({ status: "SUCCESS", attempt_id: "", runner_execution_started_at: "" });
  });
});

describe("a summary over many records (job-dialect §6)", () => {
  it("reads 5,000 records by $id in pages of 500 and sums them exactly", async () => {
    const customers = ["青空", "海", "山"];
    fixture.addOrders(
      Array.from({ length: 5000 }, (_, index) => ({
        注文番号: { value: `N-${index}` },
        得意先: { value: customers[index % 3] },
        金額: { value: `${index}.1` },
        状態: { value: index % 2 === 0 ? "新規" : "完了" },
      })),
    );
    const ended = await fixture.run(
      fixture.writeJob(
        [
          "CREATE TEMP TABLE s AS SELECT 得意先, COUNT(*) AS n, SUM(金額) AS total FROM LAPP_注文 GROUP BY 得意先;",
          "ASSERT (SELECT SUM(n) FROM s) = 5000, 'n';",
          "ASSERT (SELECT SUM(total) FROM s) = 12498000, 'total';",
          "ASSERT (SELECT total FROM s WHERE 得意先 = '海') = 4167666.7, 'one';",
          "ASSERT (SELECT COUNT(*) FROM LAPP_注文 WHERE 状態 = '新規' AND 金額 < 10) = 5, 'pushed';",
        ].join("\n"),
      ),
    );
    expect(ended.stderr).toContain("job: OK");
    expect(ended.result).toMatchObject({ resultCode: "OK", readCount: 5005 });
    const reads = fixture.arrivals.filter(
      ({ method, path }) => method === "GET" && path.endsWith("records.json"),
    );
    expect(reads.length).toBe(1 + 11 + 1);
  });
});
