import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { explainFile, explanationText, jobExplanationSchema } from "../../../../main/job-runner/index.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flownet-explain-"));
  const apps = { 注文: { id: 5, tokens: ["env:NOT_SET"] }, 得意先: { id: 6, tokens: ["env:NOT_SET"] } };
  const profile = { baseUrl: "https://example.invalid", timezone: "Asia/Tokyo", apps };
  writeFileSync(
    join(folder, "ksql.config.json"),
    JSON.stringify({ defaultProfile: "prod", profiles: { prod: profile } }),
  );
  writeFileSync(
    join(folder, "forms.json"),
    JSON.stringify({
      注文: {
        番号: { type: "SINGLE_LINE_TEXT", unique: true },
        得意先: { type: "SINGLE_LINE_TEXT" },
        金額: { type: "NUMBER" },
        備考: { type: "MULTI_LINE_TEXT" },
        納期: { type: "DATE" },
      },
      6: { コード: { type: "SINGLE_LINE_TEXT", unique: true }, 名前: { type: "SINGLE_LINE_TEXT" } },
    }),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const explain = (sql: string, forms = true) => {
  writeFileSync(join(folder, "job.sql"), `-- @ksql dialect: 1\n${sql}`);
  return explainFile({
    sqlPath: join(folder, "job.sql"),
    configPath: join(folder, "ksql.config.json"),
    profile: null,
    formsPath: forms ? join(folder, "forms.json") : null,
    asOfMs: Date.parse("2026-04-01T01:00:00+09:00"),
    environment: {},
  });
};

const JOINED = `CREATE TEMP TABLE late AS
SELECT o.得意先 AS 得意先, SUM(o.金額) AS 合計 FROM LAPP_注文 o JOIN LAPP_得意先 k ON k.コード = o.得意先
WHERE o.納期 < @TODAY() AND o.備考 LIKE '%急%' GROUP BY o.得意先;
UPSERT INTO LAPP_得意先 (コード, 名前) SELECT 得意先, 合計 FROM late KEY (コード);
UPDATE LAPP_注文 SET 備考 = 'x' WHERE 金額 > 5;`;

describe("explaining a job (job-dialect §6)", () => {
  it("tells what each source is asked for, what is filtered here, joined, made and written", () => {
    const explanation = explain(JOINED);
    expect(jobExplanationSchema.parse(explanation)).toEqual(explanation);
    expect(explanation).toMatchObject({
      jobId: "job",
      profile: "prod",
      timezone: "Asia/Tokyo",
      formsMissing: [],
    });
    const [late, upsert, update] = explanation.statements;
    expect(late).toMatchObject({
      type: "CREATE_TEMP_TABLE",
      line: 2,
      makes: "#late",
      branches: [
        {
          reads: [
            { source: "LAPP_注文", appId: 5, query: '納期 < "2026-04-01"', formKnown: true },
            { source: "LAPP_得意先", appId: 6, fields: ["コード", "$id"], query: "" },
          ],
          joins: [{ kind: "inner", source: "LAPP_得意先", on: ["k.コード = o.得意先"] }],
          filteredHere: true,
          groupBy: ["o.得意先"],
        },
      ],
    });
    expect(late?.branches[0]?.reads[0]?.fields?.toSorted()).toEqual(
      ["$id", "備考", "得意先", "納期", "金額"].toSorted(),
    );
    expect(upsert).toMatchObject({
      branches: [{ reads: [{ source: "#late", appId: null }], filteredHere: false }],
      writes: {
        operation: "UPSERT",
        app: "LAPP_得意先",
        key: "コード",
        fields: ["コード", "名前"],
        chunk: 100,
      },
    });
    expect(update?.writes).toMatchObject({ operation: "UPDATE", fields: ["備考"], query: '金額 > "5"' });
  });

  it("says the same in words", () => {
    const text = explanationText(explain(JOINED));
    expect(text).toContain(
      'reads LAPP_注文 (app 5): fields 得意先, 金額, 備考, 納期, $id; where 納期 < "2026-04-01"',
    );
    expect(text).toContain("joins LAPP_得意先 (inner) on k.コード = o.得意先");
    expect(text).toContain("filters the rest here, row by row");
    expect(text).toContain(
      "writes UPSERT LAPP_得意先 (app 6): fields コード, 名前; by コード; 100 records a request",
    );
  });

  it("leaves open what only a form decides, and says which forms are missing", () => {
    const explanation = explain("SELECT * FROM LAPP_注文 WHERE 金額 > 5;", false);
    expect(explanation.formsMissing).toEqual(["LAPP_注文"]);
    expect(explanation.statements[0]?.branches[0]).toMatchObject({
      reads: [{ fields: null, query: null, formKnown: false }],
      filteredHere: null,
    });
    expect(explanationText(explanation)).toContain("forms not given: LAPP_注文");
  });

  it("tells what is wrong with a script in place of its statements", () => {
    const broken = explain("SELEKT 1;");
    expect(broken.statements).toEqual([]);
    expect(broken.diagnostics).toMatchObject([{ code: "KSQL1202", severity: "error", line: 2 }]);
    const unknown = explain("SELECT 1;\nSELECT 無い FROM LAPP_注文;");
    expect(unknown.formsMissing).toEqual([]);
    expect(unknown.diagnostics).toMatchObject([{ code: "ArgumentError", severity: "error", line: 3 }]);
  });

  it.each([
    ["a missing script", { sqlPath: "none.sql" }, "cannot be read"],
    ["a missing configuration", { configPath: "none.json" }, "cannot be read"],
    ["forms that are none", { formsPath: "job.sql" }, "forms"],
  ])("refuses %s", (_what, change, words) => {
    explain("SELECT 1;");
    const request = {
      sqlPath: join(folder, "job.sql"),
      configPath: join(folder, "ksql.config.json"),
      profile: null,
      formsPath: null,
      asOfMs: 0,
      environment: {},
    };
    const changed = Object.entries(change).map(([key, name]) => [key, join(folder, name)]);
    expect(() => explainFile({ ...request, ...Object.fromEntries(changed) })).toThrow(words);
  });
});
