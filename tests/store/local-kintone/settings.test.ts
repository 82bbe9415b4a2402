import type { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic, type HandClock, handClock, userClient } from "./preview-support.ts";
import { type RawAnswer, type Rig, startRig } from "./support.ts";

let rig: Rig;
let clock: HandClock;
let admin: KintoneRestAPIClient;
let app: string;
beforeAll(async () => {
  clock = handClock();
  rig = await startRig({ clock });
  admin = userClient(rig, "admin");
});
afterAll(() => rig.close());

const put = (path: string, body: object): Promise<RawAnswer> =>
  rig.send("PUT", `/k/v1/preview/${path}`, { app, ...body }, basic("admin", "password"));
const keys = (answer: RawAnswer): readonly string[] =>
  Object.keys(JSON.parse(JSON.stringify(answer.json.errors)));

beforeAll(async () => {
  app = (await admin.app.addApp({ name: "settings" })).app;
  await admin.app.addFormFields({
    app,
    properties: {
      t: { type: "SINGLE_LINE_TEXT", code: "t", label: "t" },
      n: { type: "NUMBER", code: "n", label: "n" },
      rows: {
        type: "SUBTABLE",
        code: "rows",
        label: "rows",
        fields: { cell: { type: "SINGLE_LINE_TEXT", code: "cell", label: "cell" } },
      },
    },
  });
  await admin.app.deployApp({ apps: [{ app }] });
  clock.advance(1_000);
  expect((await admin.app.getDeployStatus({ apps: [app] })).apps[0]?.status).toBe("SUCCESS");
});

describe("app.json and apps.json (kintone-rest §12)", () => {
  it("shows an app with its makers and times, ids as texts, null outside a space", async () => {
    expect(await admin.app.getApp({ id: app })).toEqual({
      appId: app,
      code: "",
      name: "settings",
      description: "",
      spaceId: null,
      threadId: null,
      createdAt: "2026-09-01T03:04:05.000Z",
      creator: { code: "admin", name: "admin" },
      modifiedAt: "2026-09-01T03:04:06.000Z",
      modifier: { code: "admin", name: "admin" },
    });
  });

  it("lists apps by id, code and part of the name, in pages, without a total", async () => {
    const code = rig.server.provision.createApp({ name: "Sales 2026", code: "SALES", fields: {} });
    const found = async (params: object): Promise<readonly string[]> =>
      (await admin.app.getApps(params)).apps.map(({ appId }) => appId);
    expect(await found({ ids: [app] })).toEqual([app]);
    expect(await found({ codes: ["SALES"] })).toEqual([code]);
    expect(await found({ name: "sales" })).toEqual([code]);
    expect(await found({ limit: 1, offset: 1 })).toEqual([app]);
    expect(Object.keys(await admin.app.getApps({}))).toEqual(["apps"]);
  });
});

describe("form fields (kintone-rest §12)", () => {
  it("change by key, rename, refuse another type, and go by code", async () => {
    await admin.app.updateFormFields({
      app,
      properties: { t: { type: "SINGLE_LINE_TEXT", label: "件名", maxLength: "64" } },
    });
    const { properties, revision } = await admin.app.getFormFields({ app, preview: true });
    expect(properties.t).toMatchObject({ label: "件名", maxLength: "64", unique: false });
    expect((await admin.app.getFormFields({ app })).properties.t).toMatchObject({ label: "t" });
    const typed = await put("app/form/fields.json", { properties: { t: { type: "NUMBER" } } });
    expect(keys(typed)).toEqual(["properties[t].type"]);
    const unknown = await put("app/form/fields.json", { properties: { gone: { label: "x" } } });
    expect([unknown.status, unknown.json.code]).toEqual([400, "GAIA_FC01"]);
    await admin.app.addFormFields({
      app,
      properties: { x: { type: "LINK", protocol: "WEB", code: "x", label: "x" } },
    });
    await admin.app.deleteFormFields({ app, fields: ["x"] });
    const after = await admin.app.getFormFields({ app, preview: true });
    expect(after.revision).toBe(String(Number(revision) + 2));
    expect(Object.keys(after.properties)).not.toContain("x");
  });

  it("refuses a code twice, 101 codes at once, and a code that is not there", async () => {
    const twice = await rig.send(
      "POST",
      "/k/v1/preview/app/form/fields.json",
      { app, properties: { t: { type: "NUMBER", code: "t", label: "t" } } },
      basic("admin", "password"),
    );
    expect(keys(twice)).toEqual(["properties[t].code"]);
    const remove = (fields: readonly string[]): Promise<RawAnswer> =>
      rig.send("DELETE", "/k/v1/preview/app/form/fields.json", { app, fields }, basic("admin", "password"));
    expect(keys(await remove(Array.from({ length: 101 }, (_, index) => `f${index}`)))).toEqual(["fields"]);
    expect((await remove(["gone"])).json.code).toBe("GAIA_FC01");
  });
});

describe("form layout (kintone-rest §12)", () => {
  it("follows the form until it is set, and keeps order, sizes and decorations then", async () => {
    const fresh = await admin.app.getFormLayout({ app });
    expect(fresh.layout).toEqual([
      { type: "ROW", fields: [{ type: "SINGLE_LINE_TEXT", code: "t" }] },
      { type: "ROW", fields: [{ type: "NUMBER", code: "n" }] },
      { type: "SUBTABLE", code: "rows", fields: [{ type: "SINGLE_LINE_TEXT", code: "cell" }] },
    ]);
    const layout = [
      {
        type: "SUBTABLE",
        code: "rows",
        fields: [{ type: "SINGLE_LINE_TEXT", code: "cell", size: { width: "90" } }],
      },
      {
        type: "ROW",
        fields: [
          { type: "NUMBER", code: "n", size: { width: 80 } },
          { type: "SINGLE_LINE_TEXT", code: "t" },
          { type: "SPACER", elementId: "s", size: { width: 5, height: 5 } },
        ],
      },
    ];
    expect((await put("app/form/layout.json", { layout })).status).toBe(200);
    await admin.app.addFormFields({
      app,
      properties: { late: { type: "DATE", code: "late", label: "late" } },
    });
    const { layout: kept } = await admin.app.getFormLayout({ app, preview: true });
    expect(kept[1]).toMatchObject({ fields: [{ code: "n", size: { width: "80" } }, { code: "t" }, {}] });
    expect(kept[2]).toEqual({ type: "ROW", fields: [{ type: "DATE", code: "late" }] });
    await admin.app.deleteFormFields({ app, fields: ["late"] });
    expect((await admin.app.getFormLayout({ app, preview: true })).layout).toHaveLength(2);
  });

  it.each([
    ["a field that is not there", [{ type: "ROW", fields: [{ type: "NUMBER", code: "gone" }] }], "GAIA_FC01"],
    ["a wrong type", [{ type: "ROW", fields: [{ type: "NUMBER", code: "t" }] }], "CB_VA01"],
    [
      "a form field left out",
      [{ type: "ROW", fields: [{ type: "SINGLE_LINE_TEXT", code: "t" }] }],
      "CB_VA01",
    ],
    ["no layout", undefined, "CB_VA01"],
  ])("refuses %s", async (_, layout, code) => {
    expect((await put("app/form/layout.json", { layout })).json.code).toBe(code);
  });
});

describe("general settings (kintone-rest §12)", () => {
  it("have the values of a fresh app and change by key, numbers as texts", async () => {
    const { revision: _revision, ...fresh } = await admin.app.getAppSettings({ app });
    expect(fresh).toEqual({
      name: "settings",
      description: "",
      icon: { type: "PRESET", key: "APP72" },
      theme: "WHITE",
      titleField: { selectionMode: "AUTO", code: "" },
      enableThumbnails: true,
      enableBulkDeletion: false,
      enableComments: true,
      enableDuplicateRecord: true,
      enableInlineRecordEditing: true,
      numberPrecision: { digits: "16", decimalPlaces: "4", roundingMode: "HALF_EVEN" },
      firstMonthOfFiscalYear: "4",
    });
    await admin.app.updateAppSettings({
      app,
      name: "設定",
      numberPrecision: { digits: 30, roundingMode: "UP" },
    });
    const changed = await admin.app.getAppSettings({ app, preview: true });
    expect(changed).toMatchObject({
      name: "設定",
      theme: "WHITE",
      numberPrecision: { digits: "30", decimalPlaces: "4", roundingMode: "UP" },
    });
    expect((await admin.app.getAppSettings({ app })).name).toBe("settings");
  });

  it.each([
    [{ theme: "PURPLE" }, "theme"],
    [{ name: "x".repeat(65) }, "name"],
    [{ numberPrecision: { digits: 31 } }, "numberPrecision.digits"],
    [{ firstMonthOfFiscalYear: 13 }, "firstMonthOfFiscalYear"],
  ])("refuse %j", async (body, key) => {
    expect(keys(await put("app/settings.json", body))).toEqual([key]);
  });
});

describe("views (kintone-rest §12)", () => {
  it("keep their id under a new name, drop those left out, and know three kinds", async () => {
    const first = await admin.app.updateViews({
      app,
      views: {
        list: { type: "LIST", index: 0, fields: ["t", "n"] },
        month: { type: "CALENDAR", index: 1, date: "作成日時", title: "t" },
        page: { type: "CUSTOM", index: 2, html: "<p></p>", pager: true, device: "ANY" },
      },
    });
    expect(first.views).toEqual({ list: { id: "1" }, month: { id: "2" }, page: { id: "3" } });
    const second = await admin.app.updateViews({
      app,
      views: {
        list: { type: "LIST", index: 0, name: "一覧", filterCond: 'n > 5 and t = "x"', fields: ["t"] },
      },
    });
    expect(second.views).toEqual({ 一覧: { id: "1" } });
    const { views } = await admin.app.getViews({ app, preview: true });
    expect(views).toEqual({
      一覧: {
        type: "LIST",
        index: "0",
        id: "1",
        name: "一覧",
        fields: ["t"],
        filterCond: 'n > 5 and t = "x"',
        sort: "レコード番号 desc",
      },
    });
    expect((await admin.app.getViews({ app })).views).toEqual({});
  });

  it.each([
    [{ v: { type: "LIST", index: 0, fields: ["gone"] } }, "GAIA_FC01"],
    [{ v: { type: "LIST", index: 0, filterCond: "gone = 1" } }, "GAIA_IQ11"],
    [{ v: { type: "LIST", index: 0, filterCond: "t > 1" } }, "GAIA_IQ03"],
    [{ v: { type: "LIST", index: 0, sort: "t upwards" } }, "CB_VA01"],
    [{ v: { type: "GRID", index: 0 } }, "CB_VA01"],
    [undefined, "CB_VA01"],
  ])("refuse %j", async (views, code) => {
    expect((await put("app/views.json", { views })).json.code).toBe(code);
  });
});

describe("apis.json and acl.json (kintone-rest §12)", () => {
  it("lists the APIs there are", async () => {
    const { json } = await rig.send("GET", "/k/v1/apis.json");
    expect(json.apis).toMatchObject({
      "record/get": { link: "apis/record/get.json" },
      "preview/app/deploy/post": { link: "apis/preview/app/deploy/post.json" },
    });
  });

  it("shows the rights of a fresh app", async () => {
    const { rights } = await admin.app.getAppAcl({ app });
    expect(rights.map(({ entity }) => entity)).toEqual([
      { type: "CREATOR", code: null },
      { type: "GROUP", code: "everyone" },
    ]);
    expect(rights[1]).toMatchObject({ appEditable: false, recordAddable: true, includeSubs: false });
    expect((await admin.app.getRecordAcl({ app })).rights).toEqual([]);
    expect((await admin.app.getFieldAcl({ app })).rights).toEqual([]);
  });
});
