import type { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic, type HandClock, handClock, userClient } from "./preview-support.ts";
import { type Rig, startRig } from "./support.ts";

let rig: Rig;
let clock: HandClock;
let admin: KintoneRestAPIClient;
beforeAll(async () => {
  clock = handClock();
  rig = await startRig({ clock });
  admin = userClient(rig, "admin");
});
afterAll(() => rig.close());

const deploy = async (app: string): Promise<string> => {
  await admin.app.deployApp({ apps: [{ app }] });
  clock.advance(1_000);
  const { apps } = await admin.app.getDeployStatus({ apps: [app] });
  return apps[0]?.status ?? "";
};

describe("an app from nothing to its first record (kintone-rest §12)", () => {
  it("is made in the preview, gets form, layout, views, rights, and lives after the deploy", async () => {
    const { app, revision } = await admin.app.addApp({ name: "請求管理" });
    expect(revision).toBe("2");
    const before = await rig.send("GET", `/k/v1/app.json?id=${app}`, undefined, basic("admin", "password"));
    expect([before.status, before.json.code]).toEqual([404, "GAIA_AP01"]);

    const added = await admin.app.addFormFields({
      app,
      properties: {
        title: { type: "SINGLE_LINE_TEXT", code: "title", label: "件名", required: true, unique: true },
        amount: { type: "NUMBER", code: "amount", label: "金額" },
        state: {
          type: "DROP_DOWN",
          code: "state",
          label: "状態",
          options: { open: { label: "open", index: "0" }, done: { label: "done", index: "1" } },
        },
      },
    });
    expect(added.revision).toBe("3");
    await admin.app.updateFormLayout({
      app,
      layout: [
        { type: "ROW", fields: [{ type: "LABEL", label: "請求", size: { width: 200 } }] },
        {
          type: "ROW",
          fields: [
            { type: "SINGLE_LINE_TEXT", code: "title", size: { width: 300 } },
            { type: "NUMBER", code: "amount", size: { width: 120 } },
          ],
        },
        { type: "ROW", fields: [{ type: "DROP_DOWN", code: "state", size: { width: 120 } }] },
      ],
    });
    const views = await admin.app.updateViews({
      app,
      views: {
        open: {
          type: "LIST",
          index: 0,
          fields: ["title", "amount"],
          filterCond: 'state in ("open")',
          sort: "amount desc",
        },
      },
    });
    expect(views.views).toEqual({ open: { id: "1" } });
    await admin.app.updateAppAcl({
      app,
      rights: [
        { entity: { type: "CREATOR" }, appEditable: true, recordViewable: true, recordAddable: true },
        { entity: { type: "GROUP", code: "everyone" }, recordViewable: true },
      ],
    });
    await admin.app.updateFieldAcl({
      app,
      rights: [
        {
          code: "amount",
          entities: [{ accessibility: "READ", entity: { type: "GROUP", code: "everyone" } }],
        },
      ],
    });
    expect(await deploy(app)).toBe("SUCCESS");

    const live = await admin.app.getFormFields({ app });
    expect(live.properties.title).toMatchObject({ type: "SINGLE_LINE_TEXT", label: "件名", unique: true });
    expect(live.revision).toBe("7");
    const layout = await admin.app.getFormLayout({ app });
    expect(layout.layout[1]).toEqual({
      type: "ROW",
      fields: [
        { type: "SINGLE_LINE_TEXT", code: "title", size: { width: "300" } },
        { type: "NUMBER", code: "amount", size: { width: "120" } },
      ],
    });
    const shown = await admin.app.getViews({ app });
    expect(shown.views.open).toMatchObject({ id: "1", index: "0", name: "open", sort: "amount desc" });
    const acl = await admin.app.getAppAcl({ app });
    expect(acl.rights[1]).toMatchObject({
      recordViewable: true,
      recordAddable: false,
      recordDeletable: false,
    });
    const { id } = await admin.record.addRecord({ app, record: { title: { value: "一" } } });
    expect((await admin.record.getRecord({ app, id })).record.title).toEqual({
      type: "SINGLE_LINE_TEXT",
      value: "一",
    });
  });
});
