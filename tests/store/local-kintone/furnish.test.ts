import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkStore } from "../../../main/local-kintone/admin/check.ts";
import type { Furnishing } from "../../../main/local-kintone/storage/furnish-app.ts";
import { keyed, type Rig, startRig } from "./support.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.close());

const OLDER = { record_key: { type: "SINGLE_LINE_TEXT", unique: true, required: true } } as const;
const NEWER = {
  ...OLDER,
  status: { type: "SINGLE_LINE_TEXT" },
  lock_key: { type: "SINGLE_LINE_TEXT", unique: true },
} as const;
const right = {
  entity: { type: "GROUP", code: "everyone" },
  includeSubs: false,
  appEditable: false,
  recordViewable: true,
  recordAddable: false,
  recordEditable: false,
  recordDeletable: false,
  recordImportable: false,
  recordExportable: true,
};
const furnishing: Furnishing = {
  layout: [],
  views: {
    すべて: {
      type: "LIST",
      index: "0",
      name: "すべて",
      fields: ["status"],
      filterCond: "",
      sort: "$id desc",
    },
  },
  appRights: [right],
  fieldRights: [],
};

describe("an app of an older program (wire-format §1)", () => {
  it("gets the fields it lacks, and its records keep what they hold", async () => {
    const { provision } = rig.server;
    const app = provision.createApp({ name: "状態", code: "OLD", fields: OLDER });
    const apiToken = provision.createToken(app, ["view", "add", "edit"], "test");
    const headers = { "X-Cybozu-API-Token": apiToken };
    provision.insertRecords(app, [{ record_key: { value: "R1:一" } }]);
    expect(provision.createApp({ name: "状態", code: "OLD", fields: NEWER, furnishing })).toBe(app);
    const { json } = await rig.send("GET", `/k/v1/records.json?app=${app}`, undefined, headers);
    expect(json).toMatchObject({
      records: [
        {
          record_key: { value: "R1:一" },
          status: { type: "SINGLE_LINE_TEXT", value: "" },
          $revision: { value: "1" },
        },
      ],
    });
    const query = encodeURIComponent('lock_key = "L"');
    const write = { app, id: 1, record: { lock_key: { value: "L" } } };
    expect((await rig.send("PUT", "/k/v1/record.json", write, headers)).status).toBe(200);
    const found = await rig.send("GET", `/k/v1/records.json?app=${app}&query=${query}`, undefined, headers);
    expect(found.json.records).toHaveLength(1);
    expect(checkStore(`${rig.folder}/kintone.sqlite`).findings).toEqual([]);
  });

  it("is changed once only, and never in what somebody has chosen", async () => {
    const { provision } = rig.server;
    const app = provision.createApp({ name: "状態", code: "OLD", fields: OLDER, furnishing });
    provision.createUser({ code: "admin", name: "管理者" }, "password");
    const user = Buffer.from("admin:password").toString("base64");
    const headers = { "X-Cybozu-Authorization": user };
    const revision = async (): Promise<unknown> =>
      (await rig.send("GET", `/k/v1/app/views.json?app=${app}`, undefined, headers)).json;
    const before = await revision();
    expect(before).toMatchObject({ views: { すべて: { id: "1", fields: ["status"] } } });
    const others = { ...furnishing, views: {}, appRights: [{ ...right, recordAddable: true }] };
    provision.createApp({ name: "状態", code: "OLD", fields: OLDER, furnishing: others });
    provision.createApp({ name: "別名", code: "OLD", fields: OLDER, furnishing });
    expect(await revision()).toEqual(before);
    const acl = await rig.send("GET", `/k/v1/app/acl.json?app=${app}`, undefined, headers);
    expect(acl.json.rights).toEqual([right]);
  });

  it("stays as it is without a furnishing", async () => {
    const { provision } = rig.server;
    const app = provision.createApp({ name: "状態", code: "OLD", fields: OLDER });
    provision.createApp({ name: "状態", code: "OLD", fields: NEWER });
    const token = provision.createToken(app, ["add"], "test");
    const write = { app, record: keyed("x") };
    const answer = await rig.send("POST", "/k/v1/record.json", write, { "X-Cybozu-API-Token": token });
    expect(answer.status).toBe(400);
  });
});
