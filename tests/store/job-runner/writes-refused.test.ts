import { describe, expect, it } from "vitest";
import { createStopControl } from "../../../main/job-runner/run/stop.ts";
import { isWrite, values, writeRigForTests } from "./write-rig.ts";

const rig = writeRigForTests();

describe("a write whose answer was lost (kintone-rest W6)", () => {
  it("an insert that arrived is found by reading and counted once", async () => {
    rig.proxy.on(isWrite("POST"), { kind: "lose-answer" }, 2);
    const ended = await rig.run(`INSERT INTO LAPP_注文 (得意先, 金額) VALUES ${values(150)};`);
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 150, lastSuccessfulChunkNo: 2 });
    expect(rig.writes()).toEqual(["POST", "POST"]);
    expect(await rig.fixture.orders()).toHaveLength(150);
  });

  it("an insert that was not found is never repeated where a copy could double it", async () => {
    rig.proxy.on(isWrite("POST"), { kind: "delay" });
    const ended = await rig.run("INSERT INTO LAPP_注文 (得意先) VALUES ('海');");
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "API_ERROR",
      writtenCount: 0,
      lastSuccessfulChunkNo: null,
      error: { code: "NETWORK_ERROR" },
    });
    expect(ended.result?.error?.message).toContain("unknown");
    expect(rig.writes()).toEqual(["POST"]);
    expect(await rig.proxy.deliver()).toEqual([200]);
    expect(await rig.fixture.orders()).toHaveLength(1);
  });

  it("a lost copy that arrives before the repeated one makes that one refused, and is found as ours", async () => {
    rig.proxy.on(isWrite("POST"), { kind: "delay" });
    rig.proxy.on(isWrite("POST"), { kind: "first", run: () => rig.proxy.deliver() });
    const ended = await rig.run(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(3)};`);
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 3, lastSuccessfulChunkNo: 1 });
    expect(rig.writes()).toEqual(["POST", "POST"]);
    expect(await rig.fixture.orders()).toHaveLength(3);
  });

  it("an insert under a unique field that never arrived is sent again", async () => {
    rig.proxy.on(isWrite("POST"), { kind: "lose-request" });
    const ended = await rig.run(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(3)};`);
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 3 });
    expect(rig.writes()).toEqual(["POST", "POST"]);
    expect(await rig.fixture.orders()).toHaveLength(3);
  });

  it.each([
    ["UPDATE LAPP_注文 SET 金額 = 7.0, 受付 = '2026-04-05 09:30:20' WHERE 金額 = 1;", "PUT"],
    ["UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ('A-001', 7), ('A-009', 7) KEY (注文番号);", "PUT"],
    ["DELETE FROM LAPP_注文 WHERE 金額 = 1;", "DELETE"],
  ])("%s that arrived is not sent again", async (sql, method) => {
    rig.fixture.addOrders([{ 注文番号: { value: "A-001" }, 金額: { value: "1" } }]);
    rig.proxy.on(isWrite(method), { kind: "lose-answer" });
    const ended = await rig.run(sql);
    expect(ended.result).toMatchObject({ resultCode: "OK", lastSuccessfulChunkNo: 1 });
    expect(rig.writes()).toEqual([method]);
  });

  it.each([
    ["UPDATE LAPP_注文 SET 金額 = 7 WHERE 金額 = 1;", "PUT"],
    ["UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ('A-001', 7) KEY (注文番号);", "PUT"],
    ["DELETE FROM LAPP_注文 WHERE 金額 = 1;", "DELETE"],
  ])("%s that did not arrive is read first and then sent again", async (sql, method) => {
    rig.fixture.addOrders([{ 注文番号: { value: "A-001" }, 金額: { value: "1" } }]);
    rig.proxy.on(isWrite(method), { kind: "lose-request" });
    const ended = await rig.run(sql);
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 1 });
    expect(rig.writes()).toEqual([method, method]);
  });

  it("kintone busy (429) is waited out; the refused copy did not run", async () => {
    const body = JSON.stringify({ code: "GAIA_TM12", id: "x", message: "busy" });
    rig.proxy.on(isWrite("POST"), { kind: "answer", status: 429, body });
    const ended = await rig.run("INSERT INTO LAPP_注文 (得意先) VALUES ('海');");
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 1 });
  });
});

describe("a write that kintone refuses (execution-contract §5.3)", () => {
  it("a token without the right: AUTH_ERROR, nothing written, no token shown", async () => {
    await rig.open(["view"]);
    const ended = await rig.run("INSERT INTO LAPP_注文 (得意先) VALUES ('海');");
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "AUTH_ERROR",
      executionStarted: true,
      writtenCount: 0,
      error: { category: "AUTH", code: "KINTONE_HTTP_403" },
    });
    expect(JSON.stringify([ended, rig.fixture.events()])).not.toContain(rig.fixture.token);
  });

  it("a second chunk that is refused leaves the first in the counts and in the JOB record", async () => {
    const ended = await rig.run(
      `INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(100)}, ('B', 1), ('A-001', 2);`,
    );
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "API_ERROR",
      writtenCount: 100,
      lastSuccessfulChunkNo: 1,
      error: { code: "KINTONE_HTTP_400" },
    });
    expect(await rig.fixture.orders()).toHaveLength(100);
    expect((await rig.fixture.jobRecords())[0]).toMatchObject({ status: "FAILED", written_count: "100" });
  });

  it("a field that left the form after the check: API_ERROR with kintone's words", async () => {
    const body = JSON.stringify({
      code: "GAIA_FC01",
      id: "x",
      message: "指定されたフィールド（code: 得意先）が見つかりません。",
    });
    rig.proxy.on(isWrite("POST"), { kind: "answer", status: 400, body });
    const ended = await rig.run("INSERT INTO LAPP_注文 (得意先) VALUES ('海');");
    expect(ended.result).toMatchObject({ resultCode: "API_ERROR", error: { code: "KINTONE_HTTP_400" } });
    expect(ended.result?.error?.message).toContain("GAIA_FC01");
  });
});

describe("writes among other statements", () => {
  it("EXIT and a violated ASSERT leave earlier writes as they are, and count them (job-dialect §5.3, §5.4)", async () => {
    const exited = await rig.run(
      "INSERT INTO LAPP_注文 (注文番号) VALUES ('A-1');\nEXIT SUCCESS IF 1 = 1, 'done';\nDELETE FROM LAPP_注文 WHERE 注文番号 = 'A-1';",
    );
    expect(exited.result).toMatchObject({
      resultCode: "NO_DATA",
      exitCode: 0,
      writtenCount: 1,
      deletedCount: 0,
    });
    const violated = await rig.run(
      "UPDATE LAPP_注文 SET 金額 = 1 WHERE 注文番号 = 'A-1';\nASSERT 1 = 2, 'no';\nDELETE FROM LAPP_注文 WHERE 金額 = 1;",
    );
    expect(violated.result).toMatchObject({ resultCode: "ASSERT_FAILED", exitCode: 2, writtenCount: 1 });
    expect(await rig.fixture.orders()).toMatchObject([{ 注文番号: "A-1", 金額: "1" }]);
  });

  it("variables serve as value and as right side; every statement has its line in the log (job-dialect §5.11)", async () => {
    rig.fixture.addOrders([
      { 注文番号: { value: "A-1" }, 金額: { value: "3" } },
      { 注文番号: { value: "A-2" }, 金額: { value: "5" } },
    ]);
    const ended = await rig.run(
      [
        "SET @top = (SELECT MAX(金額) FROM LAPP_注文);",
        "UPDATE LAPP_注文 SET 金額 = @top, 備考 = 'as ' WHERE 金額 < @top;",
        "UPSERT INTO LAPP_注文 (注文番号, 備考) SELECT 注文番号, CONCAT('n', 金額) FROM LAPP_注文 KEY (注文番号);",
        "CREATE TEMP TABLE t AS SELECT @top AS top;",
        "DROP TEMP TABLE #t;",
        "DELETE FROM LAPP_注文 WHERE 注文番号 IN ('A-2');",
      ].join("\n"),
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 4, deletedCount: 1 });
    expect(await rig.fixture.orders()).toMatchObject([{ 注文番号: "A-1", 金額: "5", 備考: "n5" }]);
    const [record] = await rig.fixture.jobRecords();
    expect(record?.log_detail?.split("\n").map((line) => line.split(" | ")[0])).toEqual([
      "#1 SET",
      "#2 UPDATE rows=1",
      "#3 UPSERT_SELECT rows=2",
      "#4 CREATE_TEMP_TABLE rows=1",
      "#5 DROP_TEMP_TABLE",
      "#6 DELETE rows=1",
    ]);
  });

  it("joins two apps, asking each only for its own fields and its own conditions", async () => {
    rig.fixture.addOrders([
      { 注文番号: { value: "A-1" }, 得意先: { value: "A-2" }, 金額: { value: "3" } },
      { 注文番号: { value: "A-2" }, 得意先: { value: "none" }, 金額: { value: "5" } },
    ]);
    const ended = await rig.run(
      "CREATE TEMP TABLE t AS SELECT a.注文番号 AS no, b.金額 AS n FROM LAPP_注文 AS a JOIN LAPP_注文 AS b ON a.得意先 = b.注文番号 WHERE b.金額 > 4 AND a.金額 < 4;\n" +
        "ASSERT (SELECT COUNT(*) FROM t) = 1, 'one';\nASSERT (SELECT n FROM t WHERE no = 'A-1') = 5, 'five';",
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", readCount: 2 });
    expect(
      rig.proxy
        .requests()
        .map(({ query }) => query)
        .filter((query) => query.includes("金額")),
    ).toEqual([expect.stringMatching(/^\(?\(?金額 < "4"/), expect.stringMatching(/^\(?\(?金額 > "4"/)]);
  });
});

describe("cancel (execution-contract §9, job-dialect §8)", () => {
  it("between chunks: the chunk in flight is counted, the next is not sent", async () => {
    const stop = createStopControl();
    rig.proxy.on(isWrite("POST"), { kind: "first", run: async () => stop.requestCancel() });
    const job = rig.fixture.writeJob(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(500)};`);
    const ended = await rig.fixture.runHere(job, { stop });
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "CANCELLED",
      writtenCount: 100,
      lastSuccessfulChunkNo: 1,
    });
    expect(await rig.fixture.orders()).toHaveLength(100);
  });
});
