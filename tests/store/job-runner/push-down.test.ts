import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseScript } from "../../../main/job-runner/dialect/parse-script.ts";
import type { Environment } from "../../../main/job-runner/evaluation/scope.ts";
import { createWorkspace } from "../../../main/job-runner/evaluation/workspace.ts";
import { createCalls } from "../../../main/job-runner/run/calls.ts";
import { materialize, type QueryDeps } from "../../../main/job-runner/run/queries.ts";
import { createStopControl } from "../../../main/job-runner/run/stop.ts";
import { fieldsOfForm } from "../../../main/job-runner/sources/form.ts";
import { asOfValues } from "../../../main/job-runner/values/as-of.ts";
import { createComparison } from "../../../main/job-runner/values/compare.ts";
import {
  createKintoneTransport,
  getFormFields,
  type KintoneRequest,
} from "../../../main/kintone-client/index.ts";
import { ONE_TRY, type RunnerFixture, startRunnerFixture } from "./fixture.ts";

const ZONE = "Asia/Tokyo";
const environment: Environment = {
  asOf: asOfValues(Date.parse("2026-03-31T16:00:30Z"), ZONE),
  variables: new Map(),
};

let fixture: RunnerFixture;
let transport: ReturnType<typeof createKintoneTransport>;
const stop = createStopControl();
let read = 0;
const workspace = createWorkspace(createComparison(ZONE));
const asked: KintoneRequest[] = [];
let deps: QueryDeps;

const row = (id: string, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries({ 注文番号: id, ...values }).map(([code, value]) => [code, { value }]));

beforeAll(async () => {
  fixture = await startRunnerFixture();
  fixture.addOrders([
    row("A-1", { 得意先: "青空", 金額: "5", 納期: "2026-04-01", 状態: "新規", 印: ["急"] }),
    row("A-2", { 得意先: "青空 商店", 金額: "20", 納期: "2026-03-31", 状態: "完了", 印: ["急", "大"] }),
    row("A-3", { 得意先: "", 金額: "", 納期: "", 状態: "", 印: [] }),
    row("A-4", { 得意先: 'say "x" \\ y', 金額: "-1.5", 受付: "2026-03-31T16:00:00Z", 状態: "対応中" }),
    row("A-5", { 得意先: "海", 金額: "5.0", 受付: "2026-03-31T15:00:00Z", 備考: "覚え\n書き" }),
    row("A-6", { 得意先: "海", 金額: "100", 受付: "2026-04-01T00:00:00Z", 納期: "2026-05-01" }),
  ]);
  transport = createKintoneTransport({
    baseUrl: `http://localhost:${fixture.port}`,
    tokens: new Map([[Number(fixture.ordersApp), [fixture.token]]]),
  });
  const calls = createCalls({
    transport: {
      send(operation, options) {
        asked.push(operation.request);
        return transport.send(operation, options);
      },
    },
    stop,
    ...ONE_TRY,
    maxApiCalls: null,
    sleep: (ms) => delay(ms),
  });
  const appId = Number(fixture.ordersApp);
  const form = fieldsOfForm(await calls.read(getFormFields(appId), "read the form"));
  deps = {
    calls,
    check: stop.check,
    onRows: (rows) => {
      read += rows;
    },
    apps: [{ name: "注文", appId }],
    forms: new Map([[appId, form]]),
    timeZone: ZONE,
    workspace,
    maxReadRows: 1000,
    tables: new Map(),
  };
});
afterAll(async () => {
  workspace.dispose();
  await transport.dispose();
  stop.dispose();
  await fixture.dispose();
});

/** Numbers of the orders a WHERE finds, and how many rows kintone sent for it. */
async function find(where: string): Promise<{ readonly found: readonly number[]; readonly read: number }> {
  const script = parseScript(`SELECT $id FROM LAPP_注文 WHERE ${where}`);
  const body = script.statements[0]?.body;
  if (body?.kind !== "select") throw new Error(JSON.stringify(script.diagnostics));
  read = 0;
  const table = await materialize(body.query, environment, deps);
  return { found: [...workspace.rows(table)].map(([id]) => Number(id)), read };
}

describe("WHERE handed to kintone (job-dialect §6)", () => {
  it.each([
    ["金額 = 5.00", [1, 5], 2],
    ["金額 >= 5 AND 金額 < 100", [1, 2, 5], 3],
    ["金額 BETWEEN -2 AND 5", [1, 4, 5], 3],
    ["金額 IN (5, 100)", [1, 5, 6], 3],
    ["金額 = ''", [3], 1],
    ["金額 IS NOT EMPTY", [1, 2, 4, 5, 6], 5],
    ["$id > 4", [5, 6], 2],
    ["得意先 = '青空'", [1], 1],
    [`得意先 = 'say "x" \\ y'`, [4], 1],
    ["得意先 IN ('海', '青空')", [1, 5, 6], 3],
    ["注文番号 != 'A-1'", [2, 3, 4, 5, 6], 5],
    ["状態 = '新規'", [1], 1],
    ["状態 != '新規'", [2, 3, 4, 5, 6], 5],
    ["状態 IN ('完了', '')", [2, 3, 5, 6], 4],
    ["状態 IS NULL", [3, 5, 6], 3],
    ["印 IN ('大')", [2], 1],
    ["印 NOT IN ('急')", [3, 4, 5, 6], 4],
    ["納期 >= @MONTH_START() AND 納期 < @NEXT_MONTH_START()", [1], 1],
    ["納期 = '2026/4/1'", [1], 1],
    ["受付 >= @TODAY()", [4, 5, 6], 3],
    ["受付 <= @NOW() AND 受付 > '2026-03-31T15:00:00Z'", [4], 1],
    ["受付 > @NOW()", [6], 1],
    ["受付 = '2026-03-31T16:00:00+00:00'", [4], 1],
    ["NOT (金額 = 5 OR 状態 = '完了')", [3, 4, 6], 3],
    ["(金額 = 5 OR 得意先 = '海') AND 状態 != '完了'", [1, 5, 6], 3],
    ["納期 < FROM_TODAY(-9999, DAYS) OR 金額 = 100", [6], 1],
  ] as const)("%s finds %j and reads %i rows", async (where, found, rows) => {
    expect(await find(where)).toEqual({ found, read: rows });
  });
});

describe("WHERE decided here (job-dialect §6)", () => {
  it.each([
    ["得意先 != '青空'", [2, 3, 4, 5, 6], 6],
    ["得意先 LIKE '青空%' AND 金額 > 5", [2], 2],
    ["得意先 LIKE '空'", [1, 2], 6],
    ["備考 = '覚え\n書き'", [5], 6],
    ["状態 = '無い選択肢'", [], 6],
    ["状態 < '完了'", [1, 4], 6],
    ["受付 = '2026-03-31T16:00:30Z'", [], 6],
    ["得意先 LIKE '海' OR 金額 = 5", [1, 5, 6], 6],
    ["金額 + 1 = 6", [1, 5], 6],
    ["印 IN ('')", [3, 4, 5, 6], 6],
    ["得意先 > '青空'", [2], 6],
  ] as const)("%s finds %j and reads %i rows", async (where, found, rows) => {
    expect(await find(where)).toEqual({ found, read: rows });
  });

  it("asks kintone for the fields the statement speaks of and no others", async () => {
    const body = parseScript("SELECT 得意先 FROM LAPP_注文 WHERE 金額 = 5 ORDER BY 納期").statements[0]?.body;
    if (body?.kind !== "select") throw new Error("not a select");
    asked.length = 0;
    await materialize(body.query, environment, deps);
    expect(asked).toEqual([
      {
        kind: "getRecords",
        app: Number(fixture.ordersApp),
        query: '(金額 = "5") and $id > 0 order by $id asc limit 500',
        fields: ["得意先", "金額", "納期", "$id"],
      },
    ]);
  });

  it("leaves empty cells to kintone where it decides, and counts them as lowest where it does not (§3, §6)", async () => {
    expect((await find("金額 < 10")).found).toEqual([1, 4, 5]);
    expect((await find("金額 + 0 < 10")).found).toEqual([1, 3, 4, 5]);
  });
});
