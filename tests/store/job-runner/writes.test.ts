import { beforeEach, describe, expect, it } from "vitest";
import { isWrite, number, values, writeRigForTests } from "./write-rig.ts";

const rig = writeRigForTests();

describe("INSERT (job-dialect §5.5, §6)", () => {
  it("260 records go in three chunks, counted and journalled with the last key of none", async () => {
    const ended = await rig.run(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(260)};`);
    expect(ended.stderr).toContain("job: OK");
    expect(ended.result).toMatchObject({
      writtenCount: 260,
      deletedCount: 0,
      lastSuccessfulChunkNo: 3,
      lastWrittenKey: "chunk:3",
    });
    expect(rig.writes()).toEqual(["POST", "POST", "POST"]);
    const orders = await rig.fixture.orders();
    expect(orders).toHaveLength(260);
    expect(orders.at(-1)).toMatchObject({ 注文番号: "A-260", 金額: "260" });
    const [record] = await rig.fixture.jobRecords();
    expect(record).toMatchObject({ status: "SUCCESS", written_count: "260", last_written_key: "chunk:3" });
    expect(record?.log_detail).toMatch(/^#1 INSERT rows=260 \| INSERT INTO/);
  });

  it("maxApiCalls holds for its look-up of the newest record, too", async () => {
    const sql = rig.fixture.writeJob(`INSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(1)};`);
    const { stderr } = await rig.fixture.runHere(sql);
    expect(stderr).toContain("job: OK");
    const before = rig.proxy.requests().length;
    // Everything before the statement: two forms, the look-up of the key, the lock and the marker.
    const ended = await rig.fixture.runHere(sql, { extra: ["--max-api-calls", "5"] });
    expect(ended.result).toMatchObject({ writtenCount: 0, error: { code: "API_LIMIT_EXCEEDED" } });
    expect(rig.proxy.requests().length - before).toBe(5 + 1);
    expect((await rig.fixture.jobRecords())[0]).toMatchObject({ status: "FAILED", job_key: "" });
  });

  it("writes signs, dates with slashes, local times, lists and as-of values as kintone takes them", async () => {
    const ended = await rig.run(
      "SET @who = 'A-1';\nINSERT INTO LAPP_注文 (注文番号, 金額, 納期, 受付, 状態, 印) VALUES " +
        "(@who, -3.50, '2026/4/5', '2026-04-05 09:30', '新規', '急,大'), ('A-2', '', @TODAY(), @NOW(), '', '');",
    );
    expect(ended.stderr).toContain("job: OK");
    expect(await rig.fixture.orders()).toMatchObject([
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
    rig.fixture.addOrders([{ 注文番号: { value: "B-1" }, 得意先: { value: "海" }, 金額: { value: "1.5" } }]);
    const ended = await rig.run(
      "INSERT INTO LAPP_注文 (注文番号, 得意先, 金額) SELECT CONCAT(注文番号, '-2'), 得意先, 金額 FROM LAPP_注文;",
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", readCount: 1, writtenCount: 1 });
    expect((await rig.fixture.orders())[1]).toMatchObject({ 注文番号: "B-1-2", 得意先: "海", 金額: "1.5" });
  });

  it.each([
    ["(注文番号, 金額) VALUES ('A', 'twelve')", "row R1, 金額: ? is not a number"],
    ["(注文番号, 納期) VALUES ('A', ''), ('B', '2026-02-30')", "row R2, 納期: ? is not a date"],
    ["(注文番号, 受付) VALUES ('A', '2026-04-05 25:00')", "row R1, 受付: ? is not a date with time"],
  ])("a value its field cannot hold is found before anything is sent: %s", async (rest, words) => {
    const ended = await rig.run(`INSERT INTO LAPP_注文 ${rest};`);
    expect(ended.code).toBe(1);
    expect(ended.result).toMatchObject({ resultCode: "SQL_ERROR", writtenCount: 0, lastWrittenKey: null });
    expect(ended.result?.error).toMatchObject({ category: "SQL", code: "ArgumentError" });
    expect(ended.result?.error?.message).toContain(words);
    expect(await rig.fixture.orders()).toEqual([]);
  });
});

describe("UPDATE and DELETE (job-dialect §5.6, §5.8)", () => {
  beforeEach(() =>
    rig.fixture.addOrders(
      Array.from({ length: 150 }, (_, place) => ({
        注文番号: { value: number(place + 1) },
        得意先: { value: place % 2 === 0 ? "青空商事" : "青空" },
        金額: { value: String(place) },
      })),
    ),
  );

  it("updates what kintone finds and the local check of a text confirms", async () => {
    const ended = await rig.run(
      "UPDATE LAPP_注文 SET 金額 = 0, 状態 = '完了' WHERE 得意先 = '青空' AND 金額 > 10;",
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 70, deletedCount: 0 });
    const orders = await rig.fixture.orders();
    expect(orders.filter(({ 状態 }) => 状態 === "完了")).toHaveLength(70);
    expect(orders.filter(({ 得意先, 金額 }) => 得意先 === "青空商事" && 金額 === "0")).toHaveLength(1);
  });

  it("deletes 100 ids a request; written and deleted both rise", async () => {
    const ended = await rig.run("DELETE FROM LAPP_注文 WHERE 金額 >= 20;");
    expect(ended.result).toMatchObject({
      resultCode: "OK",
      readCount: 130,
      writtenCount: 130,
      deletedCount: 130,
      lastSuccessfulChunkNo: 2,
    });
    expect(await rig.fixture.orders()).toHaveLength(20);
    expect((await rig.fixture.jobRecords())[0]).toMatchObject({ written_count: "130", deleted_count: "130" });
  });

  it("changes nothing when nothing matches", async () => {
    const ended = await rig.run("DELETE FROM LAPP_注文 WHERE 金額 > 1000;");
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 0, lastSuccessfulChunkNo: null });
    expect(rig.writes()).toEqual([]);
  });

  it("a record that vanished between read and write fails the chunk, not the count of those before", async () => {
    const victim = (await rig.fixture.orders())[120]?.$id ?? "";
    rig.proxy.on((request) => isWrite("PUT")(request), {
      kind: "first",
      run: () => rig.fixture.deleteOrder(victim),
    });
    const ended = await rig.run("UPDATE LAPP_注文 SET 状態 = '完了' WHERE 金額 >= 0;");
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
    const ended = await rig.run(sql);
    expect(ended.result).toMatchObject({ resultCode: "VALIDATION_ERROR", error: { code: "ArgumentError" } });
    expect(ended.result?.error?.message).toContain(words);
    expect(await rig.fixture.jobRecords()).toEqual([]);
  });
});

describe("UPSERT (job-dialect §5.7)", () => {
  beforeEach(() =>
    rig.fixture.addOrders([
      { 注文番号: { value: "A-001" }, 金額: { value: "900" } },
      { 注文番号: { value: "A-002" }, 金額: { value: "900" }, 備考: { value: "keep" } },
    ]),
  );

  it("takes the native path: one PUT with upsert for 100 records, no look-up", async () => {
    const ended = await rig.run(
      `UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${values(120)} KEY (注文番号);`,
    );
    expect(ended.result).toMatchObject({
      resultCode: "OK",
      readCount: 0,
      writtenCount: 120,
      lastSuccessfulChunkNo: 2,
      lastWrittenKey: "A-120",
    });
    expect(rig.writes()).toEqual(["PUT", "PUT"]);
    const orders = await rig.fixture.orders();
    expect(orders).toHaveLength(120);
    expect(orders[1]).toMatchObject({ 注文番号: "A-002", 金額: "2", 備考: "keep" });
  });

  it("from a temp table, twice, converges", async () => {
    const sql =
      "CREATE TEMP TABLE late AS SELECT 注文番号 AS k, COUNT(*) AS n FROM LAPP_注文 GROUP BY 注文番号;\n" +
      "UPSERT INTO LAPP_注文 (注文番号, 金額, 受付) SELECT k, n, @NOW() FROM late ON DUPLICATE (注文番号);";
    expect((await rig.run(sql)).result).toMatchObject({ resultCode: "OK", writtenCount: 2 });
    expect((await rig.run(sql)).result).toMatchObject({ resultCode: "OK", writtenCount: 2 });
    expect((await rig.fixture.orders()).map(({ 金額 }) => 金額)).toEqual(["1", "1"]);
  });

  it("an empty or repeated key takes the other path: look up, POST the new, PUT the old, last row wins", async () => {
    const ended = await rig.run(
      "UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ('A-001', 1), ('A-003', 3), ('', 4), ('A-003', 5) KEY (注文番号);",
    );
    expect(ended.result).toMatchObject({ resultCode: "OK", readCount: 2, writtenCount: 4 });
    expect(rig.writes()).toEqual(["POST", "PUT", "PUT"]);
    expect((await rig.fixture.orders()).map(({ 注文番号, 金額 }) => [注文番号, 金額])).toEqual([
      ["A-001", "1"],
      ["A-002", "900"],
      ["A-003", "5"],
      ["", "4"],
    ]);
  });
});
