import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic, type HandClock, handClock, userClient } from "./preview-support.ts";
import { type RawAnswer, type Rig, startRig } from "./support.ts";

let rig: Rig;
let clock: HandClock;
let admin: KintoneRestAPIClient;
let app: string;
const ids: string[] = [];

const client = (user: string): KintoneRestAPIClient =>
  new KintoneRestAPIClient({
    baseUrl: rig.baseUrl,
    auth: { username: user, password: "password" },
    proxy: false,
  });
const everyone = { type: "GROUP", code: "everyone" } as const;
const sales = { type: "GROUP", code: "sales" } as const;

beforeAll(async () => {
  clock = handClock();
  rig = await startRig({ clock });
  const { provision } = rig.server;
  admin = userClient(rig, "admin");
  provision.createGroup({ code: "sales", name: "営業" });
  provision.createOrganization({ code: "top", name: "本社" });
  provision.createOrganization({ code: "tokyo", name: "東京" }, "top");
  const person = { administrator: false } as const;
  provision.createUser({ code: "ito", name: "伊藤" }, "password", { ...person, groups: ["sales"] });
  provision.createUser({ code: "mori", name: "森" }, "password", { ...person, organizations: ["tokyo"] });
  app = provision.createApp({
    name: "rights",
    fields: {
      t: { type: "SINGLE_LINE_TEXT" },
      machine: { type: "SINGLE_LINE_TEXT" },
      secret: { type: "SINGLE_LINE_TEXT" },
      file: { type: "FILE" },
      owner: { type: "USER_SELECT" },
    },
  });
  ids.push(
    ...provision.insertRecords(app, [
      { t: { value: "open 1" }, secret: { value: "s" } },
      { t: { value: "closed" }, owner: { value: [{ code: "mori" }] } },
      { t: { value: "open 2" } },
    ]),
  );
});
afterAll(() => rig.close());

async function live(change: () => Promise<unknown>): Promise<void> {
  await change();
  await admin.app.deployApp({ apps: [{ app }] });
  clock.advance(1_000);
  const { apps } = await admin.app.getDeployStatus({ apps: [app] });
  expect(apps).toEqual([{ app, status: "SUCCESS" }]);
}
const code = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) =>
      error instanceof Error && "code" in error && "status" in error ? [error.status, error.code] : error,
  );
const all = (rights: Record<string, boolean>): object => ({ includeSubs: false, ...rights });

describe("rights on the app (kintone-rest §4, §12)", () => {
  it("binds people to what the first entry that names them grants", async () => {
    await live(() =>
      admin.app.updateAppAcl({
        app,
        rights: [
          { entity: { type: "CREATOR" }, appEditable: true, recordViewable: true, recordEditable: true },
          { entity: sales, recordViewable: true, recordAddable: true, ...all({}) },
          { entity: everyone, recordViewable: true, recordEditable: true, recordDeletable: true },
        ],
      }),
    );
    const [ito, mori] = [client("ito"), client("mori")];
    const id = ids[0] ?? "";
    expect(await code(ito.record.getRecord({ app, id }))).toBe("done");
    expect(await code(ito.record.addRecord({ app, record: {} }))).toBe("done");
    expect(await code(ito.record.updateRecord({ app, id, record: {} }))).toEqual([403, "CB_NO02"]);
    expect(await code(ito.record.deleteRecords({ app, ids: [id] }))).toEqual([403, "CB_NO02"]);
    expect(await code(mori.record.addRecord({ app, record: {} }))).toEqual([403, "CB_NO02"]);
    expect(await code(mori.record.updateRecord({ app, id, record: { t: { value: "open 1" } } }))).toBe(
      "done",
    );
    expect(await code(ito.app.getAppSettings({ app, preview: true }))).toEqual([403, "CB_NO02"]);
    expect(await code(admin.app.getAppSettings({ app, preview: true }))).toBe("done");
  });

  it("shows people in apps.json only the apps they may see, and leaves tokens alone", async () => {
    await live(() =>
      admin.app.updateAppAcl({
        app,
        rights: [{ entity: { type: "USER", code: "ito" }, recordViewable: true }],
      }),
    );
    const seen = async (user: string): Promise<boolean> =>
      (await client(user).app.getApps({})).apps.some(({ appId }) => appId === app);
    expect([await seen("ito"), await seen("mori")]).toEqual([true, false]);
    const token = rig.server.provision.createToken(app, ["view", "add", "edit", "delete"], "machine");
    const machine = new KintoneRestAPIClient({
      baseUrl: rig.baseUrl,
      auth: { apiToken: token },
      proxy: false,
    });
    expect(await code(machine.record.addRecord({ app, record: {} }))).toBe("done");
  });

  it("reaches the organisations below only with includeSubs", async () => {
    const grant = (includeSubs: boolean): Promise<void> =>
      live(() =>
        admin.app.updateAppAcl({
          app,
          rights: [{ entity: { type: "ORGANIZATION", code: "top" }, includeSubs, recordViewable: true }],
        }),
      );
    const look = (): Promise<unknown> => code(client("mori").record.getRecords({ app }));
    await grant(false);
    expect(await look()).toEqual([403, "CB_NO02"]);
    await grant(true);
    expect(await look()).toBe("done");
  });
});

describe("rights on fields (kintone-rest §4, §12)", () => {
  it("refuses people a machine field with GAIA_FU01, hides NONE, and lets tokens write", async () => {
    await live(async () => {
      await admin.app.updateAppAcl({
        app,
        rights: [
          {
            entity: everyone,
            recordViewable: true,
            recordAddable: true,
            recordEditable: true,
            recordDeletable: true,
          },
        ],
      });
      await admin.app.updateFieldAcl({
        app,
        rights: [
          { code: "machine", entities: [{ accessibility: "READ", entity: everyone }] },
          { code: "secret", entities: [{ accessibility: "WRITE", entity: sales }] },
        ],
      });
    });
    const [ito, mori] = [client("ito"), client("mori")];
    const id = ids[0] ?? "";
    const machine = { machine: { value: "by hand" } };
    expect(await code(mori.record.addRecord({ app, record: machine }))).toEqual([403, "GAIA_FU01"]);
    expect(await code(mori.record.updateRecord({ app, id, record: machine }))).toEqual([403, "GAIA_FU01"]);
    expect(await code(mori.record.addRecord({ app, record: { t: { value: "by hand" } } }))).toBe("done");
    const raw = await rig.send(
      "PUT",
      "/k/v1/record.json",
      { app, id, record: machine },
      basic("mori", "password"),
    );
    expect(raw.json.message).toBe("フィールド「machine」の編集権限がありません。");
    const token = rig.server.provision.createToken(app, ["view", "add", "edit", "delete"], "machine");
    const byToken = new KintoneRestAPIClient({
      baseUrl: rig.baseUrl,
      auth: { apiToken: token },
      proxy: false,
    });
    expect(await code(byToken.record.updateRecord({ app, id, record: machine }))).toBe("done");
    const readBy = async (on: KintoneRestAPIClient): Promise<readonly string[]> => [
      ...Object.keys((await on.record.getRecord({ app, id })).record),
      ...Object.keys((await on.record.getRecords({ app, query: `$id = ${id}` })).records[0] ?? {}),
    ];
    expect((await readBy(mori)).filter((name) => name === "secret")).toEqual([]);
    expect((await readBy(ito)).filter((name) => name === "secret")).toEqual(["secret", "secret"]);
    expect((await readBy(mori)).filter((name) => name === "machine")).toHaveLength(2);
  });
});

describe("rights on records (kintone-rest §4, §12)", () => {
  beforeAll(() =>
    live(() =>
      admin.app.updateRecordAcl({
        app,
        rights: [
          {
            filterCond: 't in ("closed")',
            entities: [
              {
                entity: { type: "FIELD_ENTITY", code: "owner" },
                viewable: true,
                editable: true,
                deletable: false,
              },
              { entity: sales, viewable: true, editable: false, deletable: false },
            ],
          },
        ],
      }),
    ),
  );

  it("takes rows from pages, totals and cursors, and keeps limit and offset right", async () => {
    const [ito, mori] = [client("ito"), client("mori")];
    const query = `$id <= ${ids[2]} order by $id asc`;
    const page = async (on: KintoneRestAPIClient, more = ""): Promise<unknown> => {
      const found = await on.record.getRecords({ app, query: `${query}${more}`, totalCount: true });
      return [found.records.map((record) => record.$id?.value), found.totalCount];
    };
    expect(await page(ito)).toEqual([ids, "3"]);
    expect(await page(mori)).toEqual([ids, "3"]);
    expect(await page(admin)).toEqual([[ids[0], ids[2]], "2"]);
    expect(await page(admin, " limit 1 offset 1")).toEqual([[ids[2]], "2"]);
    const { id, totalCount } = await admin.record.createCursor({ app, query });
    expect(totalCount).toBe("2");
    await admin.record.deleteCursor({ id });
  });

  it("refuses single records with CB_NO02", async () => {
    const closed = ids[1] ?? "";
    const [ito, mori] = [client("ito"), client("mori")];
    expect(await code(admin.record.getRecord({ app, id: closed }))).toEqual([403, "CB_NO02"]);
    expect(await code(ito.record.getRecord({ app, id: closed }))).toBe("done");
    expect(await code(ito.record.updateRecord({ app, id: closed, record: {} }))).toEqual([403, "CB_NO02"]);
    expect(await code(mori.record.updateRecord({ app, id: closed, record: {} }))).toBe("done");
    expect(await code(mori.record.deleteRecords({ app, ids: [closed] }))).toEqual([403, "CB_NO02"]);
  });

  it("evaluates rights per record and field", async () => {
    const { rights } = await client("mori").app.evaluateRecordsAcl({
      app,
      ids: [ids[0] ?? "", ids[1] ?? ""],
    });
    expect(rights[0]?.record).toEqual({ viewable: true, editable: true, deletable: true });
    expect(rights[1]?.record).toEqual({ viewable: true, editable: true, deletable: false });
    expect(rights[0]?.fields).toMatchObject({
      t: { viewable: true, editable: true },
      machine: { viewable: true, editable: false },
      secret: { viewable: false, editable: false },
      作成者: { viewable: true, editable: false },
    });
  });
});

describe("rights that are told (kintone-rest §12)", () => {
  const put = (path: string, rights: unknown): Promise<RawAnswer> =>
    rig.send("PUT", `/k/v1/${path}`, { app, rights }, basic("admin", "password"));

  it("puts live rights into force at once, and waits for a preview that is open", async () => {
    const before = await admin.app.getFieldAcl({ app });
    const answer = await put("field/acl.json", []);
    expect(answer.json).toEqual({ revision: String(Number(before.revision) + 1) });
    expect((await admin.app.getFieldAcl({ app })).rights).toEqual([]);
    await admin.app.updateAppSettings({ app, description: "open" });
    expect((await put("field/acl.json", [])).status).toBe(409);
  });

  it.each([
    ["preview/app/acl.json", [{ entity: { type: "USER", code: "nobody" } }], "GAIA_IL26"],
    ["preview/app/acl.json", [{ entity: { type: "ROBOT", code: "x" } }], "CB_VA01"],
    ["preview/field/acl.json", [{ code: "gone", entities: [] }], "GAIA_FC01"],
    [
      "preview/field/acl.json",
      [{ code: "t", entities: [{ accessibility: "SOME", entity: everyone }] }],
      "CB_VA01",
    ],
    ["preview/record/acl.json", [{ filterCond: "gone = 1", entities: [{ entity: everyone }] }], "GAIA_IQ11"],
    ["preview/record/acl.json", undefined, "CB_VA01"],
  ])("refuses %s with %j", async (path, rights, expected) => {
    const answer = await put(path, rights);
    expect([answer.status, answer.json.code]).toEqual([400, expected]);
  });
});
