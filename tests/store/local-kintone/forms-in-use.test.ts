import type { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorsOf, type Form, record, rows, startForm } from "./forms.ts";
import { basic, type HandClock, handClock, userClient } from "./preview-support.ts";

let clock: HandClock;
let form: Form;
let admin: KintoneRestAPIClient;
beforeAll(async () => {
  clock = handClock();
  form = await startForm(
    {
      text: { type: "SINGLE_LINE_TEXT" },
      num: { type: "NUMBER" },
      third: { type: "CALC", expression: "num / 3" },
      table: { type: "SUBTABLE", fields: { item: { type: "SINGLE_LINE_TEXT" }, price: { type: "NUMBER" } } },
    },
    { clock },
  );
  admin = userClient(form, "admin");
});
afterAll(() => form.close());

async function deploy(app: string = form.app): Promise<void> {
  await admin.app.deployApp({ apps: [{ app }] });
  clock.advance(1_000);
  const { apps } = await admin.app.getDeployStatus({ apps: [app] });
  expect(apps).toEqual([{ app, status: "SUCCESS" }]);
}

describe("numberPrecision of an app (kintone-rest §8.4)", () => {
  it.each([
    ["30", "0", "HALF_EVEN", "12345678901234567890", "4115226300411522630"],
    ["16", "4", "HALF_EVEN", "10", "3.3333"],
    ["16", "2", "UP", "10", "3.34"],
    ["16", "2", "DOWN", "20", "6.66"],
  ] as const)(
    "%s digits, %s places, %s: %s / 3 is %s",
    async (digits, decimalPlaces, roundingMode, num, third) => {
      const { provision } = form.server;
      const app = provision.createApp({
        name: "precise",
        fields: { num: { type: "NUMBER" }, third: { type: "CALC", expression: "num / 3" } },
      });
      await admin.app.updateAppSettings({ app, numberPrecision: { digits, decimalPlaces, roundingMode } });
      await deploy(app);
      const { id } = await admin.record.addRecord({ app, record: record({ num }) });
      const { record: stored } = await admin.record.getRecord({ app, id });
      expect(stored).toMatchObject({ num: { value: num }, third: { value: third } });
      const most = "9".repeat(Number(digits) - Number(decimalPlaces));
      await admin.record.addRecord({ app, record: record({ num: most }) });
      await expect(
        admin.record.addRecord({ app, record: record({ num: `${most}0` }) }),
      ).rejects.toMatchObject({
        errors: { "record.num.value": { messages: ["有効桁数を超えています。"] } },
      });
    },
  );
});

describe("a form that changes under its records (kintone-rest §8.3, §12)", () => {
  it("keeps the values and the index of renamed fields, columns and system fields", async () => {
    const { app } = form;
    const id = await form.add({ text: "kept", table: rows({ item: "in", price: 4 }) });
    await admin.app.updateFormFields({
      app,
      properties: {
        text: { type: "SINGLE_LINE_TEXT", code: "renamed" },
        table: {
          type: "SUBTABLE",
          code: "table",
          fields: { item: { type: "SINGLE_LINE_TEXT", code: "part" } },
        },
        作成者: { type: "CREATOR", code: "Created_by" },
        レコード番号: { type: "RECORD_NUMBER", code: "Record_number" },
      },
    });
    await deploy();
    const list = async (query: string): Promise<unknown[]> => {
      const { json } = await form.send(
        "GET",
        `/k/v1/records.json?app=${app}&query=${encodeURIComponent(query)}`,
      );
      return Array.isArray(json.records) ? json.records : [json.code];
    };
    for (const query of [
      'renamed = "kept"',
      'part in ("in") and price > 3',
      `Record_number = ${id}`,
      `Created_by in ("Administrator") and $id = ${id}`,
    ]) {
      expect(await list(query), query).toMatchObject([
        {
          renamed: { value: "kept" },
          Created_by: { type: "CREATOR", value: { code: "Administrator" } },
          Record_number: { value: id },
          table: { value: [{ value: { part: { value: "in" }, price: { value: "4" } } }] },
        },
      ]);
    }
    expect(await list('text = "kept"')).toEqual(["GAIA_IQ11"]);
    await form.put(id, { renamed: "again" });
    expect(await list('renamed = "again"')).toMatchObject([
      { Created_by: { value: { code: "Administrator" } } },
    ]);
  });

  it("cannot update a record that is empty in a field made required later, until it is filled", async () => {
    const { app } = form;
    const id = await form.add({ num: 1 });
    await admin.app.updateFormFields({
      app,
      properties: { renamed: { type: "SINGLE_LINE_TEXT", required: true } },
    });
    await deploy();
    expect(errorsOf(await form.put(id, { num: 2 }))).toEqual({ "record.renamed.value": ["必須です。"] });
    expect((await form.put(id, { num: 2, renamed: "filled" })).status).toBe(200);
    expect((await form.put(id, { num: 3 })).status).toBe(200);
  });

  it("refuses a formula it cannot follow when the field is added, with a code of its own", async () => {
    const body = {
      app: form.app,
      properties: { bad: { type: "CALC", code: "bad", label: "bad", expression: "YEN(num)" } },
    };
    const answer = await form.send(
      "POST",
      "/k/v1/preview/app/form/fields.json",
      body,
      basic("admin", "password"),
    );
    expect([answer.status, answer.json.code]).toEqual([400, "LOCAL_FORMULA_UNSUPPORTED"]);
    expect(answer.json.message).toContain("YEN");
  });
});

describe("the fields of process management (kintone-rest §8.4, §13.2)", () => {
  it("are listed but disabled, and show and answer queries once it is on", async () => {
    const { provision } = form.server;
    const app = provision.createApp({ name: "process", fields: { text: { type: "SINGLE_LINE_TEXT" } } });
    const [id] = provision.insertRecords(app, [record({ text: "old" })]);
    const { properties } = await admin.app.getFormFields({ app });
    expect(properties).toMatchObject({
      ステータス: { type: "STATUS", enabled: false },
      作業者: { type: "STATUS_ASSIGNEE", enabled: false },
      カテゴリー: { type: "CATEGORY", enabled: false },
    });
    const find = async (query: string): Promise<string> => {
      const { records } = await admin.record.getRecords({ app, query });
      return records.map((found) => String(found.text?.value)).join(" ");
    };
    await expect(find('ステータス = "未処理"')).rejects.toMatchObject({ code: "GAIA_IQ11" });
    const state = (name: string, index: string): object => ({
      name,
      index,
      assignee: { type: "ONE", entities: [{ entity: { type: "USER", code: "sato" }, includeSubs: false }] },
    });
    await form.send(
      "PUT",
      "/k/v1/preview/app/status.json",
      {
        app,
        enable: true,
        states: { 未処理: state("未処理", "0"), 完了: state("完了", "1") },
        actions: [{ name: "終える", from: "未処理", to: "完了", filterCond: "" }],
      },
      basic("admin", "password"),
    );
    await deploy(app);
    provision.insertRecords(app, [record({ text: "new" })]);
    const { record: shown } = await admin.record.getRecord({ app, id: id ?? "" });
    expect(shown).toMatchObject({
      ステータス: { type: "STATUS", value: "未処理" },
      作業者: { type: "STATUS_ASSIGNEE" },
    });
    await admin.record.updateRecordStatus({ app, id: id ?? "", action: "終える", assignee: "sato" });
    expect(await find('ステータス = "未処理"')).toBe("new");
    expect(await find('ステータス in ("完了")')).toBe("old");
    expect(await find('ステータス != "完了" order by ステータス asc')).toBe("new");
    expect(await find('ステータス not in ("未処理")')).toBe("old");
    expect(await find('作業者 in ("sato")')).toBe("old");
    expect(await find('作業者 not in ("sato")')).toBe("new");
    expect(await find('作業者 in ("")')).toBe("new");
    await expect(find('ステータス > "完了"')).rejects.toMatchObject({ code: "GAIA_IQ03" });
    await expect(find('作業者 = "sato"')).rejects.toMatchObject({ code: "GAIA_IQ03" });
  });
});
