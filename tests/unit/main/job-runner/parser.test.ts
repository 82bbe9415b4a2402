import { describe, expect, it } from "vitest";
import { parseHeader } from "../../../../main/job-runner/dialect/header.ts";
import { tokenize } from "../../../../main/job-runner/dialect/lexer.ts";
import { parseScript } from "../../../../main/job-runner/dialect/parse-script.ts";
import { findings, firstMessage, HEADER } from "./helpers.ts";

describe("header (job-dialect §2.1)", () => {
  it("reads name, depends_on, timeout and dialect, drops text from # on and ignores key case", () => {
    const { header, diagnostics } = parseHeader(
      "-- @ksql NAME: stock_daily   # logical name\n-- @ksql depends_on: a, b\n-- @ksql timeout: 300\n-- @ksql dialect: 1\nSELECT 1",
    );
    expect(diagnostics).toEqual([]);
    expect(header).toEqual({ name: "stock_daily", dependsOn: ["a", "b"], timeoutSec: 300, dialect: 1 });
  });

  it("ends at a blank line and at code", () => {
    expect(parseHeader("-- @ksql name: a\n\n-- @ksql timeout: 5").header.timeoutSec).toBeNull();
    expect(parseHeader("SELECT 1;\n-- @ksql name: a").header.name).toBeNull();
  });

  it.each([
    ["-- @ksql owner: x\nSELECT 1", "KSQL1001 1:4"],
    ["-- @ksql name: a\n-- @ksql name: b\nSELECT 1", "KSQL1002 2:4"],
    ["-- @ksql name:   # nothing\nSELECT 1", "KSQL1003 1:4"],
    ["-- @ksql depends_on: a,,b\nSELECT 1", "KSQL1004 1:4"],
    ["-- @ksql timeout: 0\nSELECT 1", "KSQL1005 1:4"],
    ["-- @ksql timeout: 1.5\nSELECT 1", "KSQL1005 1:4"],
    ["-- @ksql dialect: 2\nSELECT 1", "KSQL1006 1:4"],
  ])("reports %j", (sql, expected) => {
    expect(findings(sql)).toEqual([expected]);
  });
});

describe("lexer (job-dialect §2.2)", () => {
  it("keeps Japanese names, $id, temp names and variables, and doubles quotes inside strings", () => {
    const tokens = tokenize("LAPP_問合せ $id #err @x '' 'a''b' `order no` 1e3 0.5 <>");
    expect(tokens.map(({ kind, text }) => `${kind}:${text}`)).toEqual([
      "word:LAPP_問合せ",
      "word:$id",
      "temp:err",
      "variable:x",
      "string:",
      "string:a'b",
      "quoted:order no",
      "number:1e3",
      "number:0.5",
      "symbol:<>",
      "end:",
    ]);
  });

  it("skips a byte order mark and both kinds of comments", () => {
    expect(tokenize("\ufeff-- a ' b\n/* ; */ SELECT").map(({ text }) => text)).toEqual(["SELECT", ""]);
  });

  it.each([
    [`${HEADER}SELECT "a"`, "KSQL1201 3:8"],
    [`${HEADER}SELECT 'a`, "KSQL1201 3:8"],
    [`${HEADER}SELECT 1 /* open`, "KSQL1201 3:10"],
    [`${HEADER}SELECT ['a']`, "KSQL1201 3:8"],
    [`${HEADER}SELECT 2024年`, "KSQL1201 3:8"],
    [`${HEADER}SELECT 1 & 2`, "KSQL1201 3:10"],
  ])("reports %j where it stands", (sql, expected) => {
    expect(findings(sql)).toEqual([expected]);
  });
});

describe("statements (job-dialect §5)", () => {
  it.each([
    "SELECT COUNT(*) AS open_count FROM LAPP_問合せ WHERE 状態 IN ('新規', '対応中');",
    "CREATE TEMP TABLE late_orders AS SELECT 得意先, COUNT(注文番号) AS 件数 FROM LAPP_注文 WHERE 納期 < @TODAY() GROUP BY 得意先;",
    "CREATE TEMP TABLE #r AS SELECT $id FROM APP12 UNION ALL SELECT $id FROM APP12 ORDER BY $id DESC;",
    "ASSERT (SELECT COUNT(*) FROM #err) = 0, '取込でエラー行がありました';",
    "ASSERT 1 = 0, 'x'",
    "ASSERT WARN (SELECT SUM(f) FROM LAPP_a) BETWEEN 1 + 2 AND 10, 'x'",
    "EXIT SUCCESS IF (SELECT COUNT(*) FROM late_orders) = 0, '遅延なし';",
    "SET @x = 1",
    "DECLARE @y = (SELECT MAX(n) FROM LAPP_a)",
    "SELECT a FROM LAPP_a WHERE NOT (a = 'x' OR b LIKE 'p%') AND c BETWEEN 1 AND 2 AND d IS NOT EMPTY",
    "SELECT (a + 1) * 2 AS n, CONCAT(a, '-', @NOW()) AS t FROM LAPP_a WHERE (a + 1) * 2 > 4",
    "SELECT a FROM LAPP_a WHERE d >= FROM_TODAY(-3, DAYS)",
    "SELECT x.a, COUNT(*) FROM LAPP_a AS x JOIN late y ON x.a = y.b AND x.c = y.`d e` WHERE y.n > 1 GROUP BY x.a ORDER BY x.a",
    "SELECT a FROM LAPP_a LEFT OUTER JOIN LAPP_b ON a = b INNER JOIN #t ON b = c",
    "CREATE TEMP TABLE #t AS SELECT 1 AS x; DROP TEMP TABLE t",
    "INSERT INTO LAPP_在庫移動 (品番, 数量) VALUES ('A-1', -3), ('A-2', +5);",
    "INSERT INTO APP7 (a, b) SELECT a, COUNT(*) FROM LAPP_b GROUP BY a",
    "UPDATE LAPP_得意先 SET 遅延件数 = 0, 更新 = @NOW() WHERE 遅延件数 > 0;",
    "UPSERT INTO LAPP_得意先 (得意先, 遅延件数, 更新時刻) SELECT 得意先, 件数, @NOW() FROM late_orders KEY (得意先);",
    "UPSERT INTO LAPP_a (k, v) VALUES ('x', CONCAT('a', @TODAY())) ON DUPLICATE (k)",
    "UPSERT INTO LAPP_a (key, v) SELECT key, v FROM LAPP_b WHERE v = 1 KEY (key)",
    "DELETE FROM LAPP_一時取込 WHERE 取込番号 = 'T-0001';",
    "IMPORT INTO LAPP_価格表 (品番, 単価) FROM CSV prices ENCODING SJIS ON DUPLICATE (品番) ON ERROR SKIP INTO #ng REJECT LIMIT 10;",
    "IMPORT INTO LAPP_a (x) FROM CSV `a b`",
  ])("accepts %s", (sql) => {
    expect(findings(HEADER + sql)).toEqual([]);
  });

  it("goes on behind a broken statement and numbers the findings", () => {
    const script = parseScript(`${HEADER}SELECT FROM a;\nSELECT 1;\nASSERT 1, 'x';`);
    expect(
      script.diagnostics.map(({ line, column, statementIndex }) => [line, column, statementIndex]),
    ).toEqual([
      [3, 8, 0],
      [5, 9, 2],
    ]);
    expect(script.statements.map(({ index }) => index)).toEqual([1]);
  });

  it("keeps the text and place of a statement", () => {
    const [, second] = parseScript(`${HEADER}SELECT 1;\n  SELECT 2 AS two;`).statements;
    expect(second?.text).toBe("SELECT 2 AS two");
  });

  it("counts columns in UTF-16 units", () => {
    expect(findings(`${HEADER}SELECT '𠮷' FROM LAPP_a CROSS`)).toEqual(["KSQL1202 3:25"]);
  });

  it("refuses parentheses nested beyond reason instead of failing on them", () => {
    const nested = (depth: number) => `${HEADER}SELECT ${"(".repeat(depth)}1${")".repeat(depth)}`;
    expect(findings(nested(100))).toEqual([]);
    expect(findings(nested(50_000))).toEqual(["KSQL1202 3:108"]);
  });

  it("refuses the 21st statement with KSQL1201 (job-dialect §7)", () => {
    expect(findings(HEADER + "SELECT 1;".repeat(20))).toEqual([]);
    expect(findings(HEADER + "SELECT 1;".repeat(22))).toEqual(["KSQL1201 3:181"]);
  });
});

describe("refused constructs (KSQL1202, job-dialect §10)", () => {
  it.each([
    ["MERGE INTO LAPP_a AS t USING s AS s ON t.k = s.k", "MERGE"],
    ["IMPORT JSON x", "IMPORT JSON"],
    ["APPLY x", "APPLY"],
    ["VALIDATE x", "VALIDATE"],
    ["REORDER x", "REORDER"],
    ["EXPLAIN SELECT 1", "EXPLAIN"],
    ["CREATE TABLE a AS SELECT 1", "CREATE other than CREATE TEMP TABLE"],
    ["WITH a AS (SELECT 1) SELECT * FROM a", "WITH"],
    ["SELECT a FROM LAPP_a RIGHT JOIN LAPP_b ON a = b", "RIGHT JOIN"],
    ["SELECT a FROM LAPP_a FULL JOIN LAPP_b ON a = b", "FULL JOIN"],
    ["SELECT a FROM LAPP_a CROSS JOIN LAPP_b", "CROSS JOIN"],
    ["SELECT a FROM LAPP_a JOIN LAPP_b", "A JOIN without ON"],
    ["DROP TABLE a", "DROP other than DROP TEMP TABLE"],
    ["INSERT INTO LAPP_a@other (x) VALUES (1)", "another profile"],
    ["INSERT INTO LAPP_a (x) VALUES (y)", 'A field ("y") directly in VALUES'],
    ["INSERT INTO LAPP_a (x) VALUES (COUNT(*))", "An aggregate directly in VALUES"],
    ["INSERT INTO LAPP_a (x) VALUES (TODAY())", "A function directly in VALUES"],
    ["UPDATE LAPP_a SET x = x + 1 WHERE y = 2", 'A field ("x") directly in SET'],
    ["UPDATE LAPP_a SET x = (SELECT 1) WHERE y = 2", "subquery inside a value"],
    ["UPDATE LAPP_a SET x = CASE WHEN 1 = 1 THEN 2 END WHERE y = 2", "CASE"],
    ["UPDATE LAPP_a SET x = 1 FROM LAPP_b WHERE y = 2", "UPDATE … FROM"],
    ["UPSERT INTO LAPP_a (x) VALUES (1) CHECK (x > 1) KEY (x)", "CHECK"],
    ["IMPORT UPDATE LAPP_a (x) FROM CSV p", "IMPORT UPDATE"],
    ["IMPORT INTO LAPP_a (x) FROM JSON p", "IMPORT … FROM JSON"],
    ["IMPORT INTO LAPP_a (x) FROM CSV p BY NAME", "BY NAME"],
    ["IMPORT INTO LAPP_a (x) FROM CSV p NO HEADER", "NO HEADER"],
    ["IMPORT INTO LAPP_a (x) FROM CSV p CHECK (x > 1)", "CHECK"],
    ["IMPORT INTO LAPP_a (x) FROM CSV p VALIDATE ONLY", "VALIDATE ONLY"],
    ["SELECT a FROM LAPP_a, LAPP_b", "comma join"],
    ["SELECT CASE WHEN a = 1 THEN 2 END FROM LAPP_a", "CASE"],
    ["SELECT DISTINCT a FROM LAPP_a", "DISTINCT"],
    ["SELECT COUNT(DISTINCT a) FROM LAPP_a", "COUNT(DISTINCT …)"],
    ["SELECT a FROM LAPP_a GROUP BY a HAVING COUNT(*) > 1", "HAVING"],
    ["SELECT a FROM LAPP_a LIMIT 5", "LIMIT"],
    ["SELECT a FROM LAPP_a ORDER BY a OFFSET 5", "OFFSET"],
    ["SELECT 1 UNION SELECT 2", "UNION without ALL"],
    ["SELECT 1 EXCEPT SELECT 2", "EXCEPT"],
    ["SELECT a FROM LAPP_a WHERE a IN (SELECT b FROM LAPP_b)", "subquery in WHERE"],
    ["SELECT a FROM LAPP_a WHERE EXISTS (SELECT 1)", "EXISTS"],
    ["SELECT a FROM LAPP_a WHERE a KLIKE 'x'", "KLIKE"],
    ["SELECT a FROM (SELECT 1)", "subquery in FROM"],
    ["SELECT (SELECT 1) AS a", "subquery inside a value"],
    ["SELECT SUM(a) OVER (ORDER BY b) FROM LAPP_a", "window function"],
    ["SELECT UPPER(a) FROM LAPP_a", "The function UPPER()"],
    ["SELECT @YESTERDAY()", "The function @YESTERDAY()"],
    ["SELECT a FROM LAPP_x$code", "subtable"],
    ["SELECT a FROM LAPP_x@other", "another profile"],
    ["ASSERT 1 = 1 AND 2 = 2, 'x'", "AND in an ASSERT"],
    ["ASSERT NOT 1 = 1, 'x'", "NOT in an ASSERT"],
    ["ASSERT f = 1, 'x'", 'A field ("f")'],
    ["ASSERT COUNT(*) = 1, 'x'", "An aggregate directly"],
    ["ASSERT TODAY() = 1, 'x'", "A function directly"],
  ])("names the construct in %s", (sql, construct) => {
    const [finding] = findings(HEADER + sql);
    expect(finding).toMatch(/^KSQL1202 3:\d+$/);
    expect(firstMessage(HEADER + sql)).toContain(construct);
  });

  it.each([
    ["ASSERT (SELECT 1), 'x'", "comparison"],
    ["SELECT a FROM LAPP_a WHERE a IN ()", "at least one"],
    ["SELECT a FROM LAPP_a WHERE a = NULL", "IS NULL"],
    ["SELECT a b FROM LAPP_a", "An alias needs AS"],
    ["SELECT SUM(*) FROM LAPP_a", "COUNT(*)"],
    ["SELECT SUM(COUNT(a)) FROM LAPP_a", "another aggregate"],
    ["SELECT 1 SELECT 2", '";" expected'],
    ["INSERT INTO LAPP_a (x, y) VALUES (1)", "1 values for 2 fields"],
    ["INSERT INTO LAPP_a (x, x) VALUES (1, 2)", '"x" is named twice'],
    ["INSERT INTO LAPP_a (x)", "VALUES or SELECT"],
    ["INSERT INTO #t (x) VALUES (1)", "temp table cannot be written"],
    ["INSERT INTO late (x) VALUES (1)", '"late" is none'],
    ["UPSERT INTO LAPP_a (x) VALUES (1)", "KEY (field)"],
    ["UPDATE LAPP_a SET x = 1", "UPDATE needs a WHERE"],
    ["UPDATE LAPP_a SET x = 1, x = 2 WHERE y = 1", '"x" is set twice'],
    ["DELETE FROM LAPP_a", "DELETE needs a WHERE"],
    ["IMPORT INTO LAPP_a (x) FROM CSV p ENCODING EUC", "UTF8 or SJIS"],
    ["IMPORT INTO LAPP_a (x) FROM CSV p ON ERROR SKIP INTO ng", "(#name)"],
    ["IMPORT INTO LAPP_a (x) FROM CSV p ON ERROR SKIP INTO #ng REJECT LIMIT -1", "whole number"],
    ["FROB 1", "SELECT, CREATE TEMP TABLE"],
  ])("explains the mistake in %s", (sql, words) => {
    expect(firstMessage(HEADER + sql)).toContain(words);
  });
});

describe("writes to a subtable (KSQL1304, job-dialect §7)", () => {
  it.each([
    ["INSERT INTO LAPP_a$rows (x) VALUES (1)", "KSQL1304 3:13"],
    ["UPSERT INTO LAPP_a$rows (x) VALUES (1) KEY (x)", "KSQL1304 3:13"],
    ["UPDATE LAPP_a$rows SET x = 1 WHERE y = 2", "KSQL1304 3:8"],
    ["DELETE FROM APP7$rows WHERE y = 2", "KSQL1304 3:13"],
    ["IMPORT INTO LAPP_a$rows (x) FROM CSV p", "KSQL1304 3:13"],
  ])("%s is %s", (sql, expected) => {
    expect(findings(HEADER + sql)).toEqual([expected]);
  });
});

describe("dialect 1 forms (KSQL1203)", () => {
  it.each([
    ["EXIT SUCCESS IF 1 = 1, 'x'", "KSQL1203 1:1"],
    ["ASSERT WARN 1 = 1, 'x'", "KSQL1203 1:8"],
  ])("need the header: %s", (sql, expected) => {
    expect(findings(sql)).toEqual([expected]);
    expect(findings(HEADER + sql)).toEqual([]);
  });

  it("ASSERT with or without a message is valid in both dialects (job-dialect §5.3)", () => {
    expect(findings("ASSERT 1 = 1")).toEqual([]);
    expect(findings("ASSERT 1 = 1, 'x'")).toEqual([]);
    expect(findings(`${HEADER}ASSERT 1 = 1`)).toEqual([]);
  });
});
