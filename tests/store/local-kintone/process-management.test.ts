import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic, type HandClock, handClock, userClient } from "./preview-support.ts";
import { type RawAnswer, type Rig, startRig } from "./support.ts";

let rig: Rig;
let clock: HandClock;
let admin: KintoneRestAPIClient;
let app: string;
let plain: string;

beforeAll(async () => {
  clock = handClock();
  rig = await startRig({ clock });
  const { provision } = rig.server;
  admin = userClient(rig, "admin");
  for (const code of ["ito", "mori"]) provision.createUser({ code, name: code }, "password");
  const fields = { t: { type: "SINGLE_LINE_TEXT" } } as const;
  app = provision.createApp({ name: "process", fields });
  plain = provision.createApp({ name: "plain", fields });
  await admin.app.updateProcessManagement({
    app,
    enable: true,
    states: {
      未処理: { index: 0, name: "未処理", assignee: { type: "ONE", entities: [] } },
      確認中: {
        index: 1,
        name: "確認中",
        assignee: {
          type: "ONE",
          entities: [
            { entity: { type: "USER", code: "ito" }, includeSubs: false },
            { entity: { type: "USER", code: "mori" }, includeSubs: false },
          ],
        },
      },
      承認: {
        index: 2,
        name: "承認",
        assignee: {
          type: "ALL",
          entities: [
            { entity: { type: "USER", code: "ito" }, includeSubs: false },
            { entity: { type: "USER", code: "mori" }, includeSubs: false },
          ],
        },
      },
      完了: { index: 3, name: "完了", assignee: { type: "ONE", entities: [] } },
    },
    actions: [
      { name: "依頼する", from: "未処理", to: "確認中", filterCond: "" },
      { name: "確認する", from: "確認中", to: "承認", filterCond: 't != "保留"' },
      { name: "承認する", from: "承認", to: "完了", filterCond: "" },
    ],
  });
  await admin.app.deployApp({ apps: [{ app }] });
  clock.advance(1_000);
});
afterAll(() => rig.close());

const add = (on = app): string => rig.server.provision.insertRecords(on, [{}])[0] ?? "";
const as = (user: string): KintoneRestAPIClient =>
  new KintoneRestAPIClient({
    baseUrl: rig.baseUrl,
    auth: { username: user, password: "password" },
    proxy: false,
  });
const raw = (path: string, body: object, user = "admin"): Promise<RawAnswer> =>
  rig.send("PUT", `/k/v1/${path}`, body, basic(user, "password"));
const stateOf = async (id: string): Promise<unknown> => {
  const { record } = await admin.record.getRecord({ app, id });
  return [record.ステータス?.value, record.作業者?.value, record.$revision?.value];
};
const people = (...codes: readonly string[]): object[] => codes.map((code) => ({ code, name: code }));

describe("process management (kintone-rest §16)", () => {
  it("adds PRIMARY to actions, and null to what was never set up", async () => {
    const { actions, enable, states } = await admin.app.getProcessManagement({ app });
    expect(actions?.[0]).toEqual({
      name: "依頼する",
      from: "未処理",
      to: "確認中",
      filterCond: "",
      type: "PRIMARY",
    });
    expect([enable, states?.未処理?.index]).toEqual([true, "0"]);
    const { json } = await rig.send(
      "GET",
      `/k/v1/app/status.json?app=${plain}`,
      undefined,
      basic("admin", "password"),
    );
    expect(json).toEqual({ enable: false, states: null, actions: null, revision: "2" });
    expect((await admin.app.getFormFields({ app })).properties.ステータス).toMatchObject({ enabled: true });
  });

  it("moves a record along with +2 revisions an action (§7), and names its assignee", async () => {
    const id = add();
    expect(await stateOf(id)).toEqual(["未処理", [], "1"]);
    const moved = await admin.record.updateRecordStatus({ app, id, action: "依頼する", assignee: "ito" });
    expect(moved).toEqual({ revision: "3" });
    expect(await stateOf(id)).toEqual(["確認中", people("ito"), "3"]);
  });

  it("refuses an action from the wrong state, or whose condition is not met, with GAIA_IL03", async () => {
    const id = add();
    const wrong = await raw("record/status.json", { app, id, action: "承認する" });
    expect([wrong.json.code, wrong.json.message]).toEqual([
      "GAIA_IL03",
      "ステータスの変更に失敗しました。ほかのユーザーがステータス、またはステータスの設定を変更した可能性があります。",
    ]);
    await admin.record.updateRecord({ app, id, record: { t: { value: "保留" } } });
    await admin.record.updateRecordStatus({ app, id, action: "依頼する", assignee: "ito" });
    expect((await raw("record/status.json", { app, id, action: "確認する" }, "ito")).json.code).toBe(
      "GAIA_IL03",
    );
  });

  it("refuses with GAIA_ST02 while the feature is off", async () => {
    for (const path of ["record/status.json", "record/assignees.json"]) {
      const answer = await raw(path, { app: plain, id: add(plain), action: "x", assignees: [] });
      expect([answer.json.code, answer.json.message]).toEqual([
        "GAIA_ST02",
        "操作に失敗しました。プロセス管理機能が無効化されています。",
      ]);
    }
  });

  it("refuses who is not the assignee with GAIA_NT01", async () => {
    const id = add();
    await admin.record.updateRecordStatus({ app, id, action: "依頼する", assignee: "ito" });
    expect((await raw("record/status.json", { app, id, action: "確認する" }, "mori")).json.code).toBe(
      "GAIA_NT01",
    );
    expect((await raw("record/assignees.json", { app, id, assignees: ["mori"] }, "mori")).json.code).toBe(
      "GAIA_NT01",
    );
  });

  it("wants a choice of several assignees, and one that exists", async () => {
    const id = add();
    const none = await raw("record/status.json", { app, id, action: "依頼する" });
    expect(none.json.errors).toEqual({ assignee: { messages: ["必須です。"] } });
    const nobody = await raw("record/status.json", { app, id, action: "依頼する", assignee: "nobody" });
    expect(nobody.json.code).toBe("GAIA_IL26");
  });

  it("waits for every assignee of an ALL state", async () => {
    const id = add();
    await admin.record.updateRecordStatus({ app, id, action: "依頼する", assignee: "ito" });
    await as("ito").record.updateRecordStatus({ app, id, action: "確認する" });
    await as("ito").record.updateRecordStatus({ app, id, action: "承認する" });
    expect(await stateOf(id)).toEqual(["承認", people("mori"), "7"]);
    await as("mori").record.updateRecordStatus({ app, id, action: "承認する" });
    expect(await stateOf(id)).toEqual(["完了", [], "9"]);
  });

  it("names assignees with one revision, and checks the revision given", async () => {
    const id = add();
    const named = await admin.record.updateRecordAssignees({
      app,
      id,
      assignees: ["ito", "mori"],
      revision: 1,
    });
    expect(named).toEqual({ revision: "2" });
    expect(await stateOf(id)).toEqual(["未処理", people("ito", "mori"), "2"]);
    const stale = await raw(
      "record/status.json",
      { app, id, action: "依頼する", assignee: "ito", revision: 1 },
      "ito",
    );
    expect([stale.status, stale.json.code]).toEqual([409, "GAIA_CO02"]);
  });

  it("moves a batch all or none", async () => {
    const [one, two] = [add(), add()];
    const records = [
      { id: one, action: "依頼する", assignee: "ito" },
      { id: two, action: "承認する" },
    ];
    expect((await raw("records/status.json", { app, records })).json.code).toBe("GAIA_IL03");
    expect(await stateOf(one)).toEqual(["未処理", [], "1"]);
    const done = await admin.record.updateRecordsStatus({
      app,
      records: [one, two].map((id) => ({ id, action: "依頼する", assignee: "mori" })),
    });
    expect(done).toEqual({ records: [one, two].map((id) => ({ id, revision: "3" })) });
  });

  it("takes status and assignee changes in a bulk request (§9)", async () => {
    const id = add();
    const { results } = await admin.bulkRequest({
      requests: [
        { method: "PUT", api: "/k/v1/record/assignees.json", payload: { app, id, assignees: ["admin"] } },
        {
          method: "PUT",
          api: "/k/v1/record/status.json",
          payload: { app, id, action: "依頼する", assignee: "ito" },
        },
        {
          method: "PUT",
          api: "/k/v1/records/status.json",
          payload: { app, records: [{ id: add(), action: "依頼する", assignee: "ito" }] },
        },
      ],
    });
    expect(results).toMatchObject([{ revision: "2" }, { revision: "4" }, { records: [{ revision: "3" }] }]);
  });

  it.each([
    [{ actions: [{ name: "a", from: "未処理", to: "どこか" }] }, "actions[0].to"],
    [{ states: {} }, "states"],
    [{ enable: "yes" }, "enable"],
  ])("refuses the definition %j", async (body, key) => {
    const answer = await raw("preview/app/status.json", { app, ...body });
    expect(Object.keys(JSON.parse(JSON.stringify(answer.json.errors)))).toEqual([key]);
  });
});
