import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Form, startForm } from "./forms.ts";

let form: Form;
beforeAll(async () => {
  form = await startForm();
});
afterAll(() => form.close());

const SATO = { code: "sato", name: "佐藤" };

describe("people in records (kintone-rest §8.4)", () => {
  it("takes codes and answers codes with names", async () => {
    const id = await form.add({
      users: [{ code: "sato" }, { code: "suzuki", name: "ignored" }],
      orgs: [{ code: "dev" }],
      groups: [{ code: "everyone" }],
    });
    expect(await form.read(id)).toMatchObject({
      users: [SATO, { code: "suzuki", name: "鈴木" }],
      orgs: [{ code: "dev", name: "開発部" }],
      groups: [{ code: "everyone", name: "Everyone" }],
    });
    await form.put(id, { users: [], orgs: null });
    expect(await form.read(id)).toMatchObject({ users: [], orgs: [], groups: [{ code: "everyone" }] });
  });

  it.each([
    ["users", "nobody", "GAIA_IL26", "指定したユーザー（code：nobody）が見つかりません。"],
    ["orgs", "sato", "GAIA_IL28", "指定した組織（code：sato）が見つかりません。"],
    ["groups", "none", "GAIA_IL29", "指定したグループ（code：none）が見つかりません。"],
  ])("refuses in %s the unknown code %s with %s", async (field, code, error, message) => {
    const answer = await form.post({ [field]: [{ code }] });
    expect([answer.status, answer.json.code, answer.json.message]).toEqual([400, error, message]);
  });

  it("answers creator and modifier as {code, name}", async () => {
    const id = await form.add({});
    const administrator = { code: "Administrator", name: "Administrator" };
    expect(await form.read(id)).toMatchObject({ 作成者: administrator, 更新者: administrator });
  });

  it("fills the default with whoever makes the record (§8.3)", async () => {
    const me = [{ type: "FUNCTION" as const, code: "LOGINUSER()" }];
    const mine = [{ type: "FUNCTION" as const, code: "PRIMARY_ORGANIZATION()" }];
    const app = form.server.provision.createApp({
      name: "defaults",
      fields: {
        owner: { type: "USER_SELECT", required: true, defaultValue: me },
        unit: { type: "ORGANIZATION_SELECT", defaultValue: mine },
        watch: { type: "GROUP_SELECT", defaultValue: [{ type: "GROUP", code: "everyone" }] },
      },
    });
    const auth = { "X-Cybozu-Authorization": Buffer.from("sato:pass").toString("base64") };
    const added = await form.send("POST", "/k/v1/record.json", { app }, auth);
    const read = await form.send("GET", `/k/v1/record.json?app=${app}&id=${added.json.id}`, undefined, auth);
    expect(read.json.record).toMatchObject({
      owner: { type: "USER_SELECT", value: [SATO] },
      unit: { type: "ORGANIZATION_SELECT", value: [{ code: "dev", name: "開発部" }] },
      watch: { type: "GROUP_SELECT", value: [{ code: "everyone", name: "Everyone" }] },
    });
  });
});

describe("formatted and other values (kintone-rest §8.4)", () => {
  it.each([
    ["rich", "<b>a</b>&amp;b", "<b>a</b>&amp;b"],
    ["rich", null, ""],
    ["at", "23:59:59", "23:59"],
    ["day", "2015-7", "2015-07-01"],
    ["moment", "2026-09-01T12:59:59+09:00", "2026-09-01T03:59:00Z"],
    ["many", ["b", "a"], ["b", "a"]],
    ["num", "-1.5E-3", "-0.0015"],
    ["num", " 007 ", "7"],
    ["num", "1e3", "1000"],
    ["radio", "", null],
  ])("%s: %j is stored as %j", async (field, sent, stored) => {
    expect((await form.read(await form.add({ [field]: sent })))[field]).toEqual(stored);
  });

  it("answers every field as type and value, ids and the record number as texts", async () => {
    const id = await form.add({ text: "t" });
    const answer = await form.send("GET", `/k/v1/record.json?app=${form.app}&id=${id}`);
    expect(answer.json.record).toMatchObject({
      $id: { type: "__ID__", value: id },
      $revision: { type: "__REVISION__", value: "1" },
      レコード番号: { type: "RECORD_NUMBER", value: id },
      rich: { type: "RICH_TEXT", value: "" },
      table: { type: "SUBTABLE", value: [] },
      total: { type: "CALC", value: "0" },
      users: { type: "USER_SELECT", value: [] },
      drop: { type: "DROP_DOWN", value: null },
    });
    expect(answer.json.record).not.toHaveProperty("ステータス");
  });

  it("puts the app's code before the record number", async () => {
    const { provision } = form.server;
    const app = provision.createApp({ name: "coded", code: "CODED", fields: {} });
    provision.insertRecords(app, [{}]);
    const auth = { "X-Cybozu-API-Token": provision.createToken(app, ["view"], "t") };
    const read = await form.send("GET", `/k/v1/record.json?app=${app}&id=1`, undefined, auth);
    expect(read.json.record).toMatchObject({ レコード番号: { type: "RECORD_NUMBER", value: "CODED-1" } });
    const path = `/k/v1/records.json?app=${app}&query=${encodeURIComponent('レコード番号 = "CODED-1"')}`;
    expect((await form.send("GET", path, undefined, auth)).json.records).toHaveLength(1);
  });
});
