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
  ])("%s: %j", (sql, words) => {
    const findings = plan(sql);
    if (words === null) expect(findings).toEqual([]);
    else expect(findings.join("\n")).toContain(words);
  });
});
