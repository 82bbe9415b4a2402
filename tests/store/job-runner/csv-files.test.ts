import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
beforeEach(async () => {
  fixture = await startRunnerFixture({ rights: ["view", "add", "edit", "delete"] });
});
afterEach(() => fixture.dispose());

function supply(name: string, content: string | Uint8Array): readonly string[] {
  const path = join(fixture.folder, `${name}.csv`);
  writeFileSync(path, content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  return ["--import-csv", `${name}=${path}`, "--expected-import-sha256", `${name}=${sha256}`];
}
const run = (sql: string, extra: readonly string[]) => fixture.runHere(fixture.writeJob(sql), { extra });
const written = () =>
  fixture.arrivals.filter(({ method, path }) => method !== "GET" && path.endsWith("records.json")).length;
const IMPORT = "IMPORT INTO LAPP_注文 (注文番号, 得意先, 金額) FROM CSV orders";

describe("IMPORT (job-dialect §5.9)", () => {
  it("writes a Shift_JIS file by position, converges when repeated, and leaves its receipt", async () => {
    const csv = iconv.encode("番号,客,円\r\nA-1,髙橋～①,10\r\nA-2,海,20.5\r\n", "cp932");
    const sql = `${IMPORT} ENCODING SJIS ON DUPLICATE (注文番号);`;
    for (const readCount of [0, 2]) {
      const ended = await run(sql, supply("orders", csv));
      expect(ended.stderr).toContain("job: OK");
      expect(ended.result).toMatchObject({ readCount, writtenCount: 2, lastWrittenKey: "A-2" });
      expect(ended.result?.input_files).toEqual([
        {
          name: "orders",
          sha256: createHash("sha256").update(csv).digest("hex"),
          bytes: csv.length,
          rows: 2,
          encoding: "SJIS",
        },
      ]);
    }
    expect(await fixture.orders()).toMatchObject([
      { 注文番号: "A-1", 得意先: "髙橋～①", 金額: "10", $revision: "2" },
      { 注文番号: "A-2", 得意先: "海", 金額: "20.5", $revision: "2" },
    ]);
  });

  it("ON ERROR SKIP parts the rows; the others are written and the table can be asserted and exported", async () => {
    const target = join(fixture.folder, "ng.csv");
    const csv = "\ufeffk,c,n\nA-1,海,1\n,山,2\nA-1,空,3\nA-4,川,four\n";
    const ended = await run(
      `${IMPORT} ON DUPLICATE (注文番号) ON ERROR SKIP INTO #ng;\n` +
        "ASSERT (SELECT COUNT(*) FROM #ng) = 3, 'three';\n" +
        "CREATE TEMP TABLE bad AS SELECT $err_row AS r, $err_code AS c, $err_value AS v FROM ng ORDER BY r;",
      [...supply("orders", csv), "--export-csv", `bad=${target}`],
    );
    expect(ended.stderr).toContain("job: OK");
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 1 });
    expect(readFileSync(target, "utf8")).toBe(
      "r,c,v\r\n2,ERR_KEY_EMPTY,\r\n3,ERR_KEY_REPEATED,A-1\r\n4,ERR_NUMBER,four\r\n",
    );
    expect((await fixture.orders()).map(({ 注文番号 }) => 注文番号)).toEqual(["A-1"]);
  });

  it("without a key it inserts, warns that repeating doubles (KSQL1305), and an empty #table exists", async () => {
    const ended = await run(
      `${IMPORT} ON ERROR SKIP INTO #ng;\nASSERT (SELECT COUNT(*) FROM #ng) = 0, 'none';`,
      supply("orders", "k,c,n\nA-1,海,1\n"),
    );
    expect(ended.stderr).toContain("warning KSQL1305");
    expect(ended.result).toMatchObject({ resultCode: "OK", writtenCount: 1 });
  });

  it.each([
    [
      "bytes of another encoding",
      iconv.encode("k,c,n\nA-1,海,1\n", "cp932"),
      "",
      "ImportSourceError",
      "L2:C5 is not UTF8",
    ],
    ["a short row", "k,c,n\nA-1,海\n", "", "ImportSourceError", "L2:C1"],
    ["another number of columns", "k,c\nA-1,海\n", "", "ImportSourceError", "columns"],
    ["a refused row", "k,c,n\nA-1,海,1\nA-2,山,x\n", "", "ERR_NUMBER", "row R2"],
    [
      "too many refused rows",
      "k,c,n\nA,海,x\nB,海,y\n",
      " ON ERROR SKIP INTO #ng REJECT LIMIT 1",
      "RejectLimitError",
      "row R1",
    ],
  ])("%s: SQL_ERROR and nothing written", async (_, csv, rest, code, words) => {
    const ended = await run(`${IMPORT}${rest};`, supply("orders", csv));
    expect(ended.code).toBe(1);
    expect(ended.result).toMatchObject({
      resultCode: "SQL_ERROR",
      writtenCount: 0,
      error: { category: "SQL", code },
    });
    expect(ended.result?.error?.message).toContain(words);
    expect(written()).toBe(0);
  });

  it("a file that changed since it was hashed: INPUT_FILE_MUTATED before the lock", async () => {
    const flags = supply("orders", "k,c,n\nA-1,海,1\n");
    writeFileSync(join(fixture.folder, "orders.csv"), "k,c,n\nA-1,海,2\n");
    const ended = await run(`${IMPORT};`, flags);
    expect(ended.code).toBe(1);
    expect(ended.result).toMatchObject({ resultCode: "INPUT_FILE_MUTATED", executionStarted: false });
    expect(await fixture.jobRecords()).toEqual([]);
  });

  it("a source nobody supplied: VALIDATION_ERROR", async () => {
    const ended = await run(`${IMPORT};`, supply("other", "k\n1\n"));
    expect(ended.result).toMatchObject({
      resultCode: "VALIDATION_ERROR",
      error: { code: "ImportSourceNotSuppliedError" },
    });
  });
});

describe("CSV export (job-dialect §5.10, execution-contract §4.4)", () => {
  beforeEach(() =>
    fixture.addOrders([
      { 注文番号: { value: "A-1" }, 得意先: { value: "海" }, 受付: { value: "2026-04-01T00:00:00Z" } },
      { 注文番号: { value: "A-2" }, 得意先: { value: "山\u301c" }, 印: { value: ["急", "大"] } },
    ]),
  );

  it("writes temp tables and reports each file", async () => {
    const target = join(fixture.folder, "out.csv");
    const ended = await run(
      "CREATE TEMP TABLE report AS SELECT 注文番号 AS no, 受付, 印 FROM LAPP_注文; SELECT * FROM #report;",
      ["--export-csv", `report=${target}`, "--export-timezone", "Asia/Tokyo"],
    );
    const text = 'no,受付,印\r\nA-1,2026-04-01T09:00:00.000+09:00,\r\nA-2,,"急\n大"\r\n';
    expect(readFileSync(target, "utf8")).toBe(text);
    expect(ended.result?.output_files).toEqual([
      {
        name: "report",
        sha256: createHash("sha256").update(text).digest("hex"),
        bytes: Buffer.byteLength(text),
        rows: 2,
        encoding: "utf8",
      },
    ]);
  });

  it("writes the only SELECT of a script under no name", async () => {
    const target = join(fixture.folder, "out.csv");
    const ended = await run("SELECT 注文番号 FROM LAPP_注文 ORDER BY 注文番号 DESC;", [
      "--export-csv",
      target,
    ]);
    expect(ended.result?.output_files).toMatchObject([{ name: "select", rows: 2 }]);
    expect(readFileSync(target, "utf8")).toBe("注文番号\r\nA-2\r\nA-1\r\n");
  });

  it("a character without place in Shift_JIS: SQL_ERROR, no file touched", async () => {
    const [first, second] = ["a.csv", "b.csv"].map((name) => join(fixture.folder, name));
    const ended = await run(
      "CREATE TEMP TABLE a AS SELECT 注文番号 FROM LAPP_注文; CREATE TEMP TABLE b AS SELECT 得意先 FROM LAPP_注文;",
      ["--export-csv", `a=${first}`, "--export-csv", `b=${second}`, "--export-encoding", "sjis"],
    );
    expect(ended.code).toBe(1);
    expect(ended.result).toMatchObject({ resultCode: "SQL_ERROR", output_files: [] });
    expect(ended.result?.error).toMatchObject({ code: "ExportSinkEncodingError" });
    expect(ended.result?.error?.message).toContain("U+301C at L3:C2");
    expect(readdirSync(fixture.folder).filter((name) => name.includes(".csv"))).toEqual([]);
  });

  it("after EXIT a table that was never made is left out; after a failure nothing is written", async () => {
    const [made, never] = ["made.csv", "never.csv"].map((name) => join(fixture.folder, name));
    const sql =
      "CREATE TEMP TABLE made AS SELECT 1 AS one; EXIT SUCCESS IF 1 = 1, 'x'; CREATE TEMP TABLE never AS SELECT 2 AS two;";
    const flags = ["--export-csv", `made=${made}`, "--export-csv", `never=${never}`];
    const ended = await run(sql, flags);
    expect(ended.result).toMatchObject({ resultCode: "NO_DATA", output_files: [{ name: "made", rows: 1 }] });
    expect([made, never].map((path) => existsSync(path ?? ""))).toEqual([true, false]);
    const failed = await run(`${sql.replace("EXIT SUCCESS IF 1 = 1", "ASSERT 1 = 2")}`, [
      "--export-csv",
      `never=${never}`,
    ]);
    expect(failed.result).toMatchObject({ resultCode: "ASSERT_FAILED", output_files: [] });
    expect(existsSync(never ?? "")).toBe(false);
  });

  it.each([
    ["SELECT 1;", "report", "ExportSinkNotFoundError"],
    ["SELECT 1; SELECT 2;", null, "ExportSinkNotFoundError"],
  ])("%s exported as %s is VALIDATION_ERROR %s before anything starts (W5)", async (sql, name, code) => {
    const target = join(fixture.folder, "out.csv");
    const ended = await run(sql, ["--export-csv", name === null ? target : `${name}=${target}`]);
    expect(ended.result).toMatchObject({ resultCode: "VALIDATION_ERROR", error: { code } });
    expect(await fixture.jobRecords()).toEqual([]);
  });
});
