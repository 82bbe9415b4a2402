import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStopControl } from "../../../main/job-runner/run/stop.ts";
import { type FaultProxy, type ProxiedRequest, startFaultProxy } from "../../support/fault-proxy.ts";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
let proxy: FaultProxy;

async function open(rights: readonly ("view" | "add" | "edit" | "delete")[]): Promise<void> {
  fixture = await startRunnerFixture({ rights });
  proxy = await startFaultProxy(fixture.port);
  fixture.writeConfig((profile) => Object.assign(profile, { limits: { maxReadRows: 1000 } }), proxy.port);
}
beforeEach(() => open(["view", "add", "edit", "delete"]));
afterEach(async () => {
  await proxy.dispose();
  await fixture.dispose();
});

const run = (sql: string) => fixture.runHere(fixture.writeJob(sql));
const number = (place: number) => `A-${String(place).padStart(3, "0")}`;
const values = (count: number, more = "") =>
  Array.from({ length: count }, (_, place) => `('${number(place + 1)}', ${place + 1}${more})`).join(", ");
const isWrite = (method: string) => (request: ProxiedRequest) =>
  request.method === method && request.path.endsWith("/records.json");
const writes = () =>
  proxy
    .requests()
    .filter(({ method, path }) => method !== "GET" && path.endsWith("/records.json"))
    .map(({ method }) => method);

describe("INSERT (job-dialect §5.5, §6)", () => {
  it("260 records go in three chunks, counted and journalled with the last key of none", async () => {
    const ended = await run(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(260)};`);
    expect(ended.stderr).toContain("job: OK");
    expect(ended.result).toMatchObject({
      writtenCount: 260,
      deletedCount: 0,
      lastSuccessfulChunkNo: 3,
      lastWrittenKey: "chunk:3",
    });
    expect(writes()).toEqual(["POST", "POST", "POST"]);
    const orders = await fixture.orders();
    expect(orders).toHaveLength(260);
    expect(orders.at(-1)).toMatchObject({ 注文番号: "A-260", 金額: "260" });
    const [record] = await fixture.jobRecords();
    expect(record).toMatchObject({ status: "SUCCESS", written_count: "260", last_written_key: "chunk:3" });
    expect(record?.log_detail).toMatch(/^#1 INSERT rows=260 \| INSERT INTO/);
  });

  it("maxApiCalls holds for its look-up of the newest record, too", async () => {
    const sql = fixture.writeJob(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(1)};`);
    const { stderr } = await fixture.runHere(sql);
    expect(stderr).toContain("job: OK");
    const before = proxy.requests().length;
    // Everything before the statement: two forms, the look-up of the key, the lock and the marker.
    const ended = await fixture.runHere(sql, { extra: ["--max-api-calls", "5"] });
    expect(ended.result).toMatchObject({ writtenCount: 0, error: { code: "API_LIMIT_EXCEEDED" } });
    expect(proxy.requests().length - before).toBe(5 + 1);
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "FAILED", job_key: "" });
  });

  it("writes signs, dates with slashes, local times, lists and as-of values as kintone takes them", async () => {
    const ended = await run(
      "SET @who = 'A-1';\nINSERT INTO LAPP_注文 (注文番号, 金額, 納期, 受付, 状態, 印) VALUES " +
        "(@who, -3.50, '2026/4/5', '2026-04-05 09:30', '新規', '急,大'), ('A-2', '', @TODAY(), @NOW(), '', '');",
    );
    expect(ended.stderr).toContain("job: OK");
    expect(await fixture.orders()).toMatchObject([
      {
        注文番号: "A-1",
        金額: "-3.50",
        納期: "2026-04-05",
        受付: "2026-04-05T00:30:00Z",
        状態: "新規",
        印: '["急","大"]',
      },
      { 注文番号: "A-2", 金額: "", 納期: "2026-04-01", 受付: "2026-03-31T16:00:00Z", 印: "[]" },
    ]);
  });

  it("INSERT … SELECT takes what the query makes", async () => {
    fixture.addOrders([{ 注文番号: { value: "B-1" }, 得意先: { value: "海" }, 金額: { value: "1.5" } }]);
    const ended = await run(
      "INSERT INTO LAPP_注文 (注文番号, 得意先, 金額) SELECT CONCAT(注文番号, '-2'), 得意先, 金額 FROM LAPP_注文;",
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", readCount: 1, writtenCount: 1 });
    expect((await fixture.orders())[1]).toMatchObject({ 注文番号: "B-1-2", 得意先: "海", 金額: "1.5" });
  });

  it.each([
    ["(注文番号, 金額) VALUES ('A', 'twelve')", "row R1, 金額: ? is not a number"],
    ["(注文番号, 納期) VALUES ('A', ''), ('B', '2026-02-30')", "row R2, 納期: ? is not a date"],
    ["(注文番号, 受付) VALUES ('A', '2026-04-05 25:00')", "row R1, 受付: ? is not a date with time"],
  ])("a value its field cannot hold is found before anything is sent: %s", async (rest, words) => {
    const ended = await run(`INSERT INTO LAPP_注文 ${rest};`);
    expect(ended.code).toBe(1);
    expect(ended.result).toMatchObject({ resultCode: "SQL_ERROR", writtenCount: 0, lastWrittenKey: null });
    expect(ended.result?.error).toMatchObject({ category: "SQL", code: "ArgumentError" });
    expect(ended.result?.error?.message).toContain(words);
    expect(await fixture.orders()).toEqual([]);
  });
});

describe("UPDATE and DELETE (job-dialect §5.6, §5.8)", () => {
  beforeEach(() =>
    fixture.addOrders(
      Array.from({ length: 150 }, (_, place) => ({
        注文番号: { value: number(place + 1) },
        得意先: { value: place % 2 === 0 ? "青空商事" : "青空" },
        金額: { value: String(place) },
      })),
    ),
  );

  it("updates what kintone finds and the local check of a text confirms", async () => {
    const ended = await run(
      "UPDATE LAPP_注文 SET 金額 = 0, 状態 = '完了' WHERE 得意先 = '青空' AND 金額 > 10;",
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 70, deletedCount: 0 });
    const orders = await fixture.orders();
    expect(orders.filter(({ 状態 }) => 状態 === "完了")).toHaveLength(70);
    expect(orders.filter(({ 得意先, 金額 }) => 得意先 === "青空商事" && 金額 === "0")).toHaveLength(1);
  });

  it("deletes 100 ids a request; written and deleted both rise", async () => {
    const ended = await run("DELETE FROM LAPP_注文 WHERE 金額 >= 20;");
    expect(ended.result).toMatchObject({
      resultCode: "OK",
      readCount: 130,
      writtenCount: 130,
      deletedCount: 130,
      lastSuccessfulChunkNo: 2,
    });
    expect(await fixture.orders()).toHaveLength(20);
    expect((await fixture.jobRecords())[0]).toMatchObject({ written_count: "130", deleted_count: "130" });
  });

  it("changes nothing when nothing matches", async () => {
    const ended = await run("DELETE FROM LAPP_注文 WHERE 金額 > 1000;");
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 0, lastSuccessfulChunkNo: null });
    expect(writes()).toEqual([]);
  });

  it("a record that vanished between read and write fails the chunk, not the count of those before", async () => {
    const victim = (await fixture.orders())[120]?.$id ?? "";
    proxy.on((request) => isWrite("PUT")(request), {
      kind: "first",
      run: () => fixture.deleteOrder(victim),
    });
    const ended = await run("UPDATE LAPP_注文 SET 状態 = '完了' WHERE 金額 >= 0;");
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "API_ERROR",
      writtenCount: 100,
      lastSuccessfulChunkNo: 1,
      error: { code: "KINTONE_HTTP_404" },
    });
  });

  it.each([
    ["UPDATE LAPP_注文 SET 金額 = 1 WHERE 得意先 LIKE '青%'", "WHERE_NOT_PUSHABLE"],
    ["DELETE FROM LAPP_注文 WHERE 得意先 < '海'", "WHERE_NOT_PUSHABLE"],
    ["DELETE FROM LAPP_注文 WHERE 金額 = 1 AND CONCAT(得意先, '') = '海'", "WHERE_NOT_PUSHABLE"],
    ["DELETE FROM LAPP_注文 WHERE 無い = 1", "WHERE_FIELD_UNRESOLVED"],
  ])("%s is refused before any read", async (sql, words) => {
    const ended = await run(sql);
    expect(ended.result).toMatchObject({ resultCode: "VALIDATION_ERROR", error: { code: "ArgumentError" } });
    expect(ended.result?.error?.message).toContain(words);
    expect(await fixture.jobRecords()).toEqual([]);
  });
});

describe("UPSERT (job-dialect §5.7)", () => {
  beforeEach(() =>
    fixture.addOrders([
      { 注文番号: { value: "A-001" }, 金額: { value: "900" } },
      { 注文番号: { value: "A-002" }, 金額: { value: "900" }, 備考: { value: "keep" } },
    ]),
  );

  it("takes the native path: one PUT with upsert for 100 records, no look-up", async () => {
    const ended = await run(`UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(120)} KEY (注文番号);`);
    expect(ended.result).toMatchObject({
      resultCode: "OK",
      readCount: 0,
      writtenCount: 120,
      lastSuccessfulChunkNo: 2,
      lastWrittenKey: "A-120",
    });
    expect(writes()).toEqual(["PUT", "PUT"]);
    const orders = await fixture.orders();
    expect(orders).toHaveLength(120);
    expect(orders[1]).toMatchObject({ 注文番号: "A-002", 金額: "2", 備考: "keep" });
  });

  it("from a temp table, twice, converges", async () => {
    const sql =
      "CREATE TEMP TABLE late AS SELECT 注文番号 AS k, COUNT(*) AS n FROM LAPP_注文 GROUP BY 注文番号;\n" +
      "UPSERT INTO LAPP_注文 (注文番号, 金額, 受付) SELECT k, n, @NOW() FROM late ON DUPLICATE (注文番号);";
    expect((await run(sql)).result).toMatchObject({ resultCode: "OK", writtenCount: 2 });
    expect((await run(sql)).result).toMatchObject({ resultCode: "OK", writtenCount: 2 });
    expect((await fixture.orders()).map(({ 金額 }) => 金額)).toEqual(["1", "1"]);
  });

  it("an empty or repeated key takes the other path: look up, POST the new, PUT the old, last row wins", async () => {
    const ended = await run(
      "UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ('A-001', 1), ('A-003', 3), ('', 4), ('A-003', 5) KEY (注文番号);",
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", readCount: 2, writtenCount: 4 });
    expect(writes()).toEqual(["POST", "PUT", "PUT"]);
    expect((await fixture.orders()).map(({ 注文番号, 金額 }) => [注文番号, 金額])).toEqual([
      ["A-001", "1"],
      ["A-002", "900"],
      ["A-003", "5"],
      ["", "4"],
    ]);
  });
});

describe("a write whose answer was lost (kintone-rest W6)", () => {
  it("an insert that arrived is found by reading and counted once", async () => {
    proxy.on(isWrite("POST"), { kind: "lose-answer" }, 2);
    const ended = await run(`INSERT INTO LAPP_注文 (得意先, 金額) VALUES ${values(150)};`);
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 150, lastSuccessfulChunkNo: 2 });
    expect(writes()).toEqual(["POST", "POST"]);
    expect(await fixture.orders()).toHaveLength(150);
  });

  it("an insert that was not found is never repeated where a copy could double it", async () => {
    proxy.on(isWrite("POST"), { kind: "delay" });
    const ended = await run("INSERT INTO LAPP_注文 (得意先) VALUES ('海');");
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "API_ERROR",
      writtenCount: 0,
      lastSuccessfulChunkNo: null,
      error: { code: "NETWORK_ERROR" },
    });
    expect(ended.result?.error?.message).toContain("unknown");
    expect(writes()).toEqual(["POST"]);
    expect(await proxy.deliver()).toEqual([200]);
    expect(await fixture.orders()).toHaveLength(1);
  });

  it("a lost copy that arrives before the repeated one makes that one refused, and is found as ours", async () => {
    proxy.on(isWrite("POST"), { kind: "delay" });
    proxy.on(isWrite("POST"), { kind: "first", run: () => proxy.deliver() });
    const ended = await run(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(3)};`);
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 3, lastSuccessfulChunkNo: 1 });
    expect(writes()).toEqual(["POST", "POST"]);
    expect(await fixture.orders()).toHaveLength(3);
  });

  it("an insert under a unique field that never arrived is sent again", async () => {
    proxy.on(isWrite("POST"), { kind: "lose-request" });
    const ended = await run(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(3)};`);
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 3 });
    expect(writes()).toEqual(["POST", "POST"]);
    expect(await fixture.orders()).toHaveLength(3);
  });

  it.each([
    ["UPDATE LAPP_注文 SET 金額 = 7.0, 受付 = '2026-04-05 09:30:20' WHERE 金額 = 1;", "PUT"],
    ["UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ('A-001', 7), ('A-009', 7) KEY (注文番号);", "PUT"],
    ["DELETE FROM LAPP_注文 WHERE 金額 = 1;", "DELETE"],
  ])("%s that arrived is not sent again", async (sql, method) => {
    fixture.addOrders([{ 注文番号: { value: "A-001" }, 金額: { value: "1" } }]);
    proxy.on(isWrite(method), { kind: "lose-answer" });
    const ended = await run(sql);
    expect(ended.result).toMatchObject({ resultCode: "OK", lastSuccessfulChunkNo: 1 });
    expect(writes()).toEqual([method]);
  });

  it.each([
    ["UPDATE LAPP_注文 SET 金額 = 7 WHERE 金額 = 1;", "PUT"],
    ["UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ('A-001', 7) KEY (注文番号);", "PUT"],
    ["DELETE FROM LAPP_注文 WHERE 金額 = 1;", "DELETE"],
  ])("%s that did not arrive is read first and then sent again", async (sql, method) => {
    fixture.addOrders([{ 注文番号: { value: "A-001" }, 金額: { value: "1" } }]);
    proxy.on(isWrite(method), { kind: "lose-request" });
    const ended = await run(sql);
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 1 });
    expect(writes()).toEqual([method, method]);
  });

  it("kintone busy (429) is waited out; the refused copy did not run", async () => {
    const body = JSON.stringify({ code: "GAIA_TM12", id: "x", message: "busy" });
    proxy.on(isWrite("POST"), { kind: "answer", status: 429, body });
    const ended = await run("INSERT INTO LAPP_注文 (得意先) VALUES ('海');");
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 1 });
  });
});

describe("a write that kintone refuses (execution-contract §5.3)", () => {
  it("a token without the right: AUTH_ERROR, nothing written, no token shown", async () => {
    await proxy.dispose();
    await fixture.dispose();
    await open(["view"]);
    const ended = await run("INSERT INTO LAPP_注文 (得意先) VALUES ('海');");
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "AUTH_ERROR",
      executionStarted: true,
      writtenCount: 0,
      error: { category: "AUTH", code: "KINTONE_HTTP_403" },
    });
    expect(JSON.stringify([ended, fixture.events()])).not.toContain(fixture.token);
  });

  it("a second chunk that is refused leaves the first in the counts and in the JOB record", async () => {
    const ended = await run(
      `INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(100)}, ('B', 1), ('A-001', 2);`,
    );
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "API_ERROR",
      writtenCount: 100,
      lastSuccessfulChunkNo: 1,
      error: { code: "KINTONE_HTTP_400" },
    });
    expect(await fixture.orders()).toHaveLength(100);
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "FAILED", written_count: "100" });
  });

  it("a field that left the form after the check: API_ERROR with kintone's words", async () => {
    const body = JSON.stringify({
      code: "GAIA_FC01",
      id: "x",
      message: "指定されたフィールド（code: 得意先）が見つかりません。",
    });
    proxy.on(isWrite("POST"), { kind: "answer", status: 400, body });
    const ended = await run("INSERT INTO LAPP_注文 (得意先) VALUES ('海');");
    expect(ended.result).toMatchObject({ resultCode: "API_ERROR", error: { code: "KINTONE_HTTP_400" } });
    expect(ended.result?.error?.message).toContain("GAIA_FC01");
  });
});

describe("writes among other statements", () => {
  it("EXIT and a violated ASSERT leave earlier writes as they are, and count them (job-dialect §5.3, §5.4)", async () => {
    const exited = await run(
      "INSERT INTO LAPP_注文 (注文番号) VALUES ('A-1');\nEXIT SUCCESS IF 1 = 1, 'done';\nDELETE FROM LAPP_注文 WHERE 注文番号 = 'A-1';",
    );
    expect(exited.result).toMatchObject({
      resultCode: "NO_DATA",
      exitCode: 0,
      writtenCount: 1,
      deletedCount: 0,
    });
    const violated = await run(
      "UPDATE LAPP_注文 SET 金額 = 1 WHERE 注文番号 = 'A-1';\nASSERT 1 = 2, 'no';\nDELETE FROM LAPP_注文 WHERE 金額 = 1;",
    );
    expect(violated.result).toMatchObject({ resultCode: "ASSERT_FAILED", exitCode: 2, writtenCount: 1 });
    expect(await fixture.orders()).toMatchObject([{ 注文番号: "A-1", 金額: "1" }]);
  });

  it("variables serve as value and as right side; every statement has its line in the log (job-dialect §5.11)", async () => {
    fixture.addOrders([
      { 注文番号: { value: "A-1" }, 金額: { value: "3" } },
      { 注文番号: { value: "A-2" }, 金額: { value: "5" } },
    ]);
    const ended = await run(
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
    expect(await fixture.orders()).toMatchObject([{ 注文番号: "A-1", 金額: "5", 備考: "n5" }]);
    const [record] = await fixture.jobRecords();
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
    fixture.addOrders([
      { 注文番号: { value: "A-1" }, 得意先: { value: "A-2" }, 金額: { value: "3" } },
      { 注文番号: { value: "A-2" }, 得意先: { value: "none" }, 金額: { value: "5" } },
    ]);
    const ended = await run(
      "CREATE TEMP TABLE t AS SELECT a.注文番号 AS no, b.金額 AS n FROM LAPP_注文 AS a JOIN LAPP_注文 AS b ON a.得意先 = b.注文番号 WHERE b.金額 > 4 AND a.金額 < 4;\n" +
        "ASSERT (SELECT COUNT(*) FROM t) = 1, 'one';\nASSERT (SELECT n FROM t WHERE no = 'A-1') = 5, 'five';",
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", readCount: 2 });
    expect(
      proxy
        .requests()
        .map(({ query }) => query)
        .filter((query) => query.includes("金額")),
    ).toEqual([expect.stringMatching(/^\(?\(?金額 < "4"/), expect.stringMatching(/^\(?\(?金額 > "4"/)]);
  });
});

describe("cancel (execution-contract §9, job-dialect §8)", () => {
  it("between chunks: the chunk in flight is counted, the next is not sent", async () => {
    const stop = createStopControl();
    proxy.on(isWrite("POST"), { kind: "first", run: async () => stop.requestCancel() });
    const job = fixture.writeJob(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(500)};`);
    const ended = await fixture.runHere(job, { stop });
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "CANCELLED",
      writtenCount: 100,
      lastSuccessfulChunkNo: 1,
    });
    expect(await fixture.orders()).toHaveLength(100);
  });
});
