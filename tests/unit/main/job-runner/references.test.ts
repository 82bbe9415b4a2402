import { describe, expect, it } from "vitest";
import { parseScript } from "../../../../main/job-runner/dialect/parse-script.ts";
import { checkReferences } from "../../../../main/job-runner/plan/check-references.ts";
import { planScript } from "../../../../main/job-runner/plan/plan-script.ts";
import { fieldsOfForm } from "../../../../main/job-runner/sources/form.ts";
import { ENVIRONMENT, HEADER, ZONE } from "./helpers.ts";

const APPS = [
  { name: "注文", appId: 7 },
  { name: "Orders", appId: 8 },
];
const FORM = fieldsOfForm({
  番号: { type: "SINGLE_LINE_TEXT", unique: true },
  状態: { type: "DROP_DOWN", options: { 新規: { label: "新規", index: "0" } } },
  作成: { type: "CREATED_TIME" },
  得意先: { type: "SINGLE_LINE_TEXT" },
  金額: { type: "NUMBER" },
  納期: { type: "DATE" },
  明細: { type: "SUBTABLE" },
});

const references = (sql: string) =>
  checkReferences(parseScript(HEADER + sql), APPS).map(
    ({ code, line, column }) => `${code} ${line}:${column}`,
  );

const plan = (sql: string) =>
  planScript(parseScript(HEADER + sql), {
    apps: APPS,
    forms: new Map([
      [7, FORM],
      [8, FORM],
    ]),
    asOf: ENVIRONMENT.asOf,
    timeZone: ZONE,
  }).map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`);

describe("references (job-dialect §2, §2.3, §7)", () => {
  it.each([
    ["SELECT * FROM LAPP_注文", []],
    ["SELECT * FROM lapp_ORDERS", []],
    ["SELECT * FROM APP7", []],
    ["SELECT * FROM APP9", ["KSQL1101 3:15"]],
    ["SELECT * FROM LAPP_x", ["KSQL1101 3:15"]],
    ["SELECT 'LAPP_x' AS `LAPP_y` /* LAPP_z */", []],
    ["CREATE TEMP TABLE a AS SELECT 1 AS x; SELECT * FROM #A", []],
    ["SELECT * FROM #a; CREATE TEMP TABLE a AS SELECT 1 AS x", ["KSQL1202 3:15"]],
    ["CREATE TEMP TABLE a AS SELECT 1 AS x; CREATE TEMP TABLE #a AS SELECT 2 AS x", ["KSQL1202 3:57"]],
    ["SET @x = 1; SELECT @X AS v", []],
    ["SELECT @x AS v; SET @x = 1", ["KSQL1202 3:8"]],
    ["SET @x = 1; SET @X = 2; SELECT 1", ["KSQL1202 3:17"]],
    ["ASSERT @nope = 1, 'x'", ["KSQL1202 3:8"]],
    ["SELECT 納期 FROM LAPP_注文 WHERE 納期 < TODAY()", ["KSQL1306 3:35"]],
    ["SELECT TODAY() AS t", ["KSQL1202 3:8"]],
    ["CREATE TEMP TABLE a AS SELECT 1 AS x", ["KSQL1202 3:1"]],
    ["", ["ArgumentError 1:1"]],
    ["DROP TEMP TABLE #a", ["KSQL1202 3:1", "KSQL1202 3:17"]],
    ["CREATE TEMP TABLE a AS SELECT 1 AS x; DROP TEMP TABLE a; SELECT * FROM a", ["KSQL1202 3:72"]],
    ["CREATE TEMP TABLE a AS SELECT 1 AS x; DROP TEMP TABLE a; CREATE TEMP TABLE a AS SELECT 2 AS y", []],
    ["SELECT a.x FROM LAPP_注文 a JOIN LAPP_注文 b ON a.x = b.x", []],
    ["SELECT 1 FROM LAPP_注文 JOIN LAPP_注文 ON x = y", ["KSQL1202 3:23"]],
    ["SELECT 1 FROM LAPP_注文 a JOIN LAPP_x b ON a.x = b.x", ["KSQL1101 3:30"]],
    ["INSERT INTO LAPP_x (a) VALUES (1)", ["KSQL1101 3:13", "KSQL1305 3:1"]],
    ["INSERT INTO LAPP_注文 (a) VALUES (@v)", ["KSQL1202 3:33", "KSQL1305 3:1"]],
    ["INSERT INTO LAPP_注文 (a) SELECT x FROM #t", ["KSQL1305 3:1", "KSQL1202 3:39"]],
    ["UPSERT INTO LAPP_注文 (a, b) VALUES (1, 2) KEY (a, b)", ["KSQL1301 3:50"]],
    ["UPSERT INTO LAPP_注文 (a) VALUES (1) KEY (b)", ["KSQL1202 3:41"]],
    ["UPSERT INTO LAPP_注文 (a) VALUES (1) KEY (a)", []],
    ["UPDATE LAPP_注文 SET a = @v WHERE b = @w", ["KSQL1202 3:24", "KSQL1202 3:37"]],
    ["DELETE FROM LAPP_注文 WHERE 納期 < TODAY()", ["KSQL1306 3:32"]],
    ["IMPORT INTO LAPP_注文 (a) FROM CSV p", ["KSQL1305 3:1"]],
    ["IMPORT INTO LAPP_注文 (a, b) FROM CSV p ON DUPLICATE (a, b)", ["KSQL1301 3:56"]],
    ["IMPORT INTO LAPP_注文 (a) FROM CSV p ON DUPLICATE (a) ON ERROR SKIP INTO #e; SELECT * FROM e", []],
    [
      "CREATE TEMP TABLE e AS SELECT 1 AS x; IMPORT INTO LAPP_注文 (a) FROM CSV p ON DUPLICATE (a) ON ERROR SKIP INTO #e",
      ["KSQL1202 3:110"],
    ],
  ] as const)("%s gives %j", (sql, expected) => {
    expect(references(sql)).toEqual(expected);
  });

  it("allows 16 temp tables and refuses the 17th", () => {
    const tables = Array.from({ length: 17 }, (_, n) => `CREATE TEMP TABLE t${n} AS SELECT ${n} AS x`);
    expect(references(tables.slice(0, 16).join(";"))).toEqual([]);
    expect(references(tables.join(";"))).toHaveLength(1);
  });
});

describe("field names and types before the lock (job-dialect §13)", () => {
  it.each([
    ["SELECT 得意先, SUM(金額) FROM LAPP_注文 GROUP BY 得意先 ORDER BY 得意先", null],
    ["SELECT COUNT(*) FROM LAPP_注文 WHERE 無い = 1", "unknown field code(s): 無い"],
    ["SELECT 明細 FROM LAPP_注文", "unknown field code(s): 明細"],
    ["SELECT a FROM LAPP_注文 ORDER BY a", "unknown field code(s): a"],
    ["CREATE TEMP TABLE t AS SELECT 得意先 AS Name FROM LAPP_注文; SELECT name FROM t", null],
    [
      "CREATE TEMP TABLE t AS SELECT 得意先 FROM LAPP_注文; SELECT 金額 FROM t",
      "unknown field code(s): 金額",
    ],
    ["CREATE TEMP TABLE t AS SELECT 金額 AS a, 納期 AS A FROM LAPP_注文; SELECT 1", "two columns"],
    ["SELECT 1, 2 UNION ALL SELECT 3", "Branch 2 of the UNION has 1 columns, the first has 2."],
    ["SELECT 得意先 FROM LAPP_注文 UNION ALL SELECT 'x' ORDER BY 金額", "unknown field code(s): 金額"],
    ["SELECT 得意先, COUNT(*) FROM LAPP_注文", "neither grouped"],
    ["SELECT 金額 FROM LAPP_注文 WHERE SUM(金額) > 1", "cannot stand in WHERE"],
    ["SELECT 金額 FROM LAPP_注文 WHERE 得意先 LIKE 金額", "pattern of LIKE"],
    ["SELECT 金額 FROM LAPP_注文 WHERE 得意先 IN (金額)", "list of IN"],
    ["SELECT 金額 FROM LAPP_注文 WHERE 納期 = TODAY()", null],
    ["SELECT 金額 FROM LAPP_注文 WHERE 得意先 = TODAY()", "TODAY()"],
    ["CREATE TEMP TABLE t AS SELECT 納期 FROM LAPP_注文; SELECT 納期 FROM t WHERE 納期 = TODAY()", "TODAY()"],
    ["SELECT *", "SELECT * needs a FROM"],
    ["SELECT a.金額, b.納期 FROM LAPP_注文 a JOIN LAPP_Orders b ON a.番号 = b.番号", null],
    ["SELECT 金額 FROM LAPP_注文 a JOIN LAPP_Orders b ON a.番号 = b.番号", "ambiguous name: 金額"],
    ["SELECT a.無い FROM LAPP_注文 a JOIN LAPP_Orders b ON a.番号 = b.番号", "unknown field code(s): a.無い"],
    [
      "SELECT a.金額 FROM LAPP_注文 a LEFT JOIN LAPP_Orders b ON a.番号 = b.番号 WHERE b.納期 = TODAY()",
      "TODAY()",
    ],
    [
      "SELECT a.金額 FROM LAPP_注文 a LEFT JOIN LAPP_Orders b ON a.番号 = b.番号 WHERE a.納期 = TODAY()",
      null,
    ],
    ["INSERT INTO LAPP_注文 (番号, 金額) VALUES ('A', 1)", null],
    ["INSERT INTO LAPP_注文 (番号, 無い) VALUES ('A', 1)", "ArgumentError 3:26 unknown field code(s): 無い"],
    ["INSERT INTO LAPP_注文 (明細) VALUES ('A')", "unknown field code(s): 明細"],
    ["INSERT INTO LAPP_注文 (作成) VALUES (@NOW())", "(CREATED_TIME) cannot be written"],
    ["INSERT INTO LAPP_注文 ($id) VALUES (1)", "cannot be written"],
    ["INSERT INTO LAPP_注文 (番号, 金額) SELECT 番号 FROM LAPP_Orders", "1 columns for 2 fields"],
    ["UPSERT INTO LAPP_注文 (番号, 金額) VALUES ('A', 1) KEY (番号)", null],
    ["UPSERT INTO LAPP_注文 (状態, 金額) VALUES ('A', 1) KEY (状態)", "KSQL1302 3:51"],
    ["UPSERT INTO LAPP_注文 (得意先, 金額) VALUES ('A', 1) KEY (得意先)", "KSQL1303 3:52"],
    ["IMPORT INTO LAPP_注文 (得意先) FROM CSV p ON DUPLICATE (得意先)", "KSQL1303 3:52"],
    ["IMPORT INTO LAPP_注文 (番号) FROM CSV p ON ERROR SKIP INTO #e; SELECT 番号, $err_code FROM e", null],
    [
      "IMPORT INTO LAPP_注文 (番号) FROM CSV p ON ERROR SKIP INTO #e; SELECT 金額 FROM e",
      "unknown field code(s): 金額",
    ],
    ["UPDATE LAPP_注文 SET 金額 = 0 WHERE 納期 < @TODAY() AND NOT (金額 = 0 OR 番号 IN ('A', 'B'))", null],
    ["UPDATE LAPP_注文 SET 作成 = @NOW() WHERE 金額 = 0", "cannot be written"],
    [
      "UPDATE LAPP_注文 SET 金額 = 0 WHERE 得意先 LIKE 'a%'",
      "ArgumentError 3:33 WHERE predicate is unsupported",
    ],
    ["UPDATE LAPP_注文 SET 金額 = 0 WHERE 金額 + 1 = 2", "WHERE_NOT_PUSHABLE"],
    ["DELETE FROM LAPP_注文 WHERE 得意先 > 'a'", "WHERE_NOT_PUSHABLE"],
    ["SET @v = 1; DELETE FROM LAPP_注文 WHERE 金額 > @v AND 状態 = @v AND 納期 < @v AND 番号 IN (@v)", null],
    ["SET @v = 1; DELETE FROM LAPP_注文 WHERE 得意先 > @v", "WHERE_NOT_PUSHABLE"],
    ["DELETE FROM LAPP_注文 WHERE 無い = 1", "無い: WHERE_FIELD_UNRESOLVED"],
    ["DELETE FROM LAPP_注文 WHERE 金額 = SUM(金額)", "cannot stand in WHERE"],
  ])("%s: %j", (sql, words) => {
    const findings = plan(sql);
    if (words === null) expect(findings).toEqual([]);
    else expect(findings.join("\n")).toContain(words);
  });
});
