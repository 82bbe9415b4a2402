import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FaultRig, startFaultRig } from "./fault-support.ts";
import { keyed } from "./support.ts";

let rig: FaultRig;
beforeAll(async () => {
  rig = await startFaultRig();
});
afterEach(async () => {
  await rig.control.clear();
  await rig.control.clock({ set: "run" });
});
afterAll(() => rig.close());

const PUT = { methods: ["PUT" as const] };

async function actions(): Promise<readonly (readonly [string, string | null])[]> {
  const entries = await rig.control.journal();
  return entries.flatMap((entry) => (entry.kind === "action" ? [[entry.action, entry.rule] as const] : []));
}

const search = (query: string): ReturnType<FaultRig["send"]> =>
  rig.send("GET", `/k/v1/records.json?app=${rig.app}&query=${encodeURIComponent(query)}`);

describe("what others do in between (kintone-rest §19)", () => {
  it("F15 lets a named user write the same record just before and just after a request", async () => {
    const id = rig.insert("f15");
    const user = { code: "sato", name: "佐藤" };
    const write = (status: string) =>
      ({ kind: "write-record", user, fields: { status: { value: status } } }) as const;
    await rig.control.add({ id: "edit", match: PUT, effect: { kind: "act", action: write("SUCCESS") } });
    expect(await rig.putStatus(id, 1)).toMatchObject({ status: 409, json: { code: "GAIA_CO02" } });
    expect(await rig.lastRequest()).toMatchObject({
      rules: ["edit"],
      parts: [{ revisionBefore: 1, revisionAfter: 2 }],
    });
    const after = { kind: "act", phase: "after", action: write("CREATED") } as const;
    await rig.control.add({ id: "undo", match: PUT, effect: after });
    expect((await rig.putStatus(id, 2)).json).toEqual({ revision: "3" });
    expect(await rig.stored(id)).toEqual({ revision: "4", status: "CREATED" });
    const { record } = await rig.client.record.getRecord({ app: rig.app, id });
    expect(record.更新者?.value).toEqual(user);
    expect(await actions()).toEqual(
      expect.arrayContaining([
        ["write-record", "edit"],
        ["write-record", "undo"],
      ]),
    );
  });

  it("F15 writes at once when asked, and refuses a record that is not there", async () => {
    const id = rig.insert("f15-now");
    await rig.control.writeRecord({ app: rig.app, record: id, fields: { status: { value: "RUNNING" } } });
    expect(await rig.stored(id)).toEqual({ revision: "2", status: "RUNNING" });
    const missing = rig.control.writeRecord({ app: rig.app, record: "999999" });
    await expect(missing).rejects.toMatchObject({ code: "FAULT_ACTION_REFUSED" });
  });

  it("F16 freezes, steps and shifts the clock of records and of NOW()", async () => {
    await rig.control.clock({ set: "freeze", at: "2031-05-06T07:08:09Z" });
    const id = rig.insert("f16");
    const { record } = await rig.client.record.getRecord({ app: rig.app, id });
    expect(record.作成日時?.value).toBe("2031-05-06T07:08:00Z");
    expect((await search("作成日時 = NOW()")).json.records).toHaveLength(1);
    await rig.control.clock({ set: "step", ms: 3_600_000 });
    await rig.putStatus(id);
    const { record: later } = await rig.client.record.getRecord({ app: rig.app, id });
    expect(later.更新日時?.value).toBe("2031-05-06T08:08:00Z");
    const entry = await rig.lastRequest();
    expect(entry.serverTime).toBe("2031-05-06T08:08:09.000Z");
    expect(entry.at.slice(0, 4)).not.toBe("2031");
    await rig.control.clock({ set: "offset", ms: -86_400_000 });
    await rig.putStatus(id);
    expect(Date.parse((await rig.lastRequest()).serverTime)).toBeLessThan(Date.now() - 86_000_000);
    expect(await actions()).toContainEqual(["clock", null]);
  });

  it("F17 moves a matched request to a minute boundary, and a rule may act at some seconds only", async () => {
    await rig.control.clock({ set: "freeze", at: "2031-05-06T07:08:09Z" });
    const id = rig.insert("f17");
    const boundary = { kind: "act", action: { kind: "clock", set: "second", second: 59 } } as const;
    await rig.control.add([
      { id: "boundary", match: PUT, effect: boundary },
      { id: "at-zero", match: PUT, when: { seconds: [0] }, effect: { kind: "lose-response" } },
    ]);
    expect((await rig.putStatus(id)).status).toBe(200);
    expect(await rig.lastRequest()).toMatchObject({ rules: ["boundary"] });
    await rig.control.clock({ set: "step", ms: 1000 });
    await expect(rig.putStatus(id)).rejects.toThrow();
    expect(await rig.lastRequest()).toMatchObject({
      serverTime: "2031-05-06T07:09:00.000Z",
      rules: ["at-zero"],
    });
  });

  it("F18 lets like miss what is new and find what is old until the lag is over", async () => {
    await rig.control.clock({ set: "freeze", at: "2032-01-01T00:00:00Z" });
    await rig.control.switches({ likeIndexLagMs: 3000 });
    const id = rig.insert("f18");
    await rig.control.clock({ set: "step", ms: 10_000 });
    await rig.control.writeRecord({ app: rig.app, record: id, fields: { note: { value: "old words" } } });
    const found = async (word: string): Promise<number> => {
      const { records } = await rig.client.record.getRecords({ app: rig.app, query: `note like "${word}"` });
      return records.length;
    };
    expect(await found("old")).toBe(0);
    await rig.control.clock({ set: "step", ms: 3001 });
    expect(await found("old")).toBe(1);
    await rig.control.switches({ likeIndexLagMs: 0 });
    expect(await actions()).toContainEqual(["switches", null]);
  });

  it("F19 answers equality on a text that is not unique with a superset", async () => {
    const rows = ["prod", "prod-eu"].map((run_id) => keyed(`f19-${run_id}`, { run_id: { value: run_id } }));
    rig.server.provision.insertRecords(rig.app, rows);
    const equal = async (): Promise<unknown> => (await search('run_id = "prod"')).json.records;
    expect(await equal()).toHaveLength(1);
    await rig.control.switches({ textEquality: "token" });
    expect(await equal()).toHaveLength(2);
    await rig.control.switches({ textEquality: "exact" });
    expect(await equal()).toHaveLength(1);
  });

  it("F20 narrows and revokes a token between two calls of a run", async () => {
    const { provision } = rig.server;
    const label = "run";
    const headers = {
      "X-Cybozu-API-Token": provision.createToken(rig.app, ["view", "edit"], label),
    };
    const id = rig.insert("f20");
    const put = () =>
      rig.send(
        "PUT",
        "/k/v1/record.json",
        { app: rig.app, id, record: { status: { value: "RUNNING" } } },
        headers,
      );
    const revoke = { kind: "token" as const, app: rig.app, label, rights: [] };
    await rig.control.add({
      id: "revoked",
      match: { ...PUT, tokenLabel: label },
      when: { skip: 1 },
      effect: { kind: "act", phase: "after", action: revoke },
    });
    await rig.control.setTokenRights(rig.app, label, ["view"]);
    expect(await put()).toMatchObject({ status: 403, json: { code: "GAIA_NO01" } });
    await rig.control.setTokenRights(rig.app, label, ["view", "edit"]);
    expect((await put()).status).toBe(200);
    expect((await rig.lastRequest()).rules).toEqual(["revoked"]);
    expect(await put()).toMatchObject({ status: 400, json: { code: "GAIA_IA02" } });
    expect(await actions()).toContainEqual(["token", "revoked"]);
  });

  it("F20 rotates a password", async () => {
    rig.server.provision.createUser({ code: "kato", name: "加藤" }, "old");
    const read = (password: string): ReturnType<FaultRig["send"]> =>
      rig.send("GET", "/k/v1/apps.json", undefined, {
        "X-Cybozu-Authorization": Buffer.from(`kato:${password}`).toString("base64"),
      });
    expect((await read("old")).status).toBe(200);
    await rig.control.setPassword("kato", "new");
    expect(await read("old")).toMatchObject({ status: 401, json: { code: "CB_WA01" } });
    expect((await read("new")).status).toBe(200);
    expect(await actions()).toContainEqual(["password", null]);
  });

  it("F22 keeps a deploy under way, then lets it fail", async () => {
    rig.server.provision.createUser({ code: "admin", name: "admin" }, "secret");
    const client = new KintoneRestAPIClient({
      baseUrl: rig.baseUrl,
      auth: { username: "admin", password: "secret" },
      proxy: false,
    });
    await rig.control.clock({ set: "freeze", at: "2033-01-01T00:00:00Z" });
    await rig.control.switches({ deployMs: 30_000, deployOutcome: "FAIL" });
    const { app } = await client.app.addApp({ name: "新しいアプリ" });
    await client.app.deployApp({ apps: [{ app }] });
    const status = async (): Promise<string | undefined> =>
      (await client.app.getDeployStatus({ apps: [app] })).apps[0]?.status;
    expect(await status()).toBe("PROCESSING");
    await expect(client.app.updateAppSettings({ app, name: "später" })).rejects.toMatchObject({
      status: 409,
    });
    await rig.control.clock({ set: "step", ms: 30_001 });
    expect(await status()).toBe("FAIL");
    await rig.control.switches({ deployMs: 0, deployOutcome: null });
    await client.app.deployApp({ apps: [{ app }] });
    expect(await status()).toBe("SUCCESS");
    expect((await rig.lastRequest("GET")).path).toBe("/k/v1/preview/app/deploy.json");
  });

  it("F28 counts requests and refuses after the day's number", async () => {
    const { provision } = rig.server;
    const app = provision.createApp({ name: "quota", fields: { note: { type: "SINGLE_LINE_TEXT" } } });
    const headers = { "X-Cybozu-API-Token": provision.createToken(app, ["view"], "quota") };
    const read = (): ReturnType<FaultRig["send"]> =>
      rig.send("GET", `/k/v1/records.json?app=${app}`, undefined, headers);
    await rig.control.switches({ dailyLimit: 2 });
    const statuses = [(await read()).status, (await read()).status, (await read()).status];
    await rig.control.switches({ dailyLimit: null });
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    expect(statuses[2]).toBeGreaterThanOrEqual(400);
    expect(await rig.lastRequest("GET")).toMatchObject({ status: statuses[2] });
    expect((await read()).status).toBe(200);
  });
});

describe("schema drift (kintone-rest §19, F21)", () => {
  const status = { id: "drift", match: PUT } as const;

  it("lets a poller meet a drop-down without the option it asks for", async () => {
    const query = 'status in ("SUCCESS")';
    expect((await search(query)).status).toBe(200);
    const change = { change: "drop-option", field: "status", option: "SUCCESS" } as const;
    await rig.control.changeSchema({ app: rig.app, ...change });
    expect(await search(query)).toMatchObject({ status: 400, json: { code: "GAIA_IQ10" } });
    const back = { change: "rename-option", field: "status", option: "CREATED", to: "SUCCESS" } as const;
    await rig.control.changeSchema({ app: rig.app, ...back });
    expect((await search(query)).status).toBe(200);
    expect(await actions()).toContainEqual(["schema", null]);
  });

  it("makes a field required between two calls: the next update fails closed", async () => {
    const id = rig.insert("f21-required");
    const action = { kind: "schema", app: rig.app, change: "make-required", field: "note" } as const;
    await rig.control.add({ ...status, effect: { kind: "act", phase: "after", action } });
    expect((await rig.putStatus(id)).status).toBe(200);
    expect(await rig.putStatus(id)).toMatchObject({ status: 400, json: { code: "CB_VA01" } });
    await rig.control.changeSchema({ app: rig.app, change: "make-optional", field: "note" });
    expect((await rig.putStatus(id)).status).toBe(200);
    expect(await actions()).toContainEqual(["schema", "drift"]);
  });

  it("drops and renames fields, and takes unique away", async () => {
    await rig.control.changeSchema({ app: rig.app, change: "rename-field", field: "site", to: "page" });
    expect(await search('site = "x"')).toMatchObject({ status: 400, json: { code: "GAIA_IQ11" } });
    expect((await search('page = "x"')).status).toBe(200);
    await rig.control.changeSchema({ app: rig.app, change: "drop-field", field: "page" });
    expect(await search('page = "x"')).toMatchObject({ status: 400, json: { code: "GAIA_IQ11" } });
    rig.insert("f21-twin");
    await rig.control.changeSchema({ app: rig.app, change: "remove-unique", field: "record_key" });
    rig.insert("f21-twin");
    expect((await search('record_key = "f21-twin"')).json.records).toHaveLength(2);
    const unknown = rig.control.changeSchema({ app: rig.app, change: "drop-field", field: "nothing" });
    await expect(unknown).rejects.toMatchObject({ code: "FAULT_ACTION_REFUSED" });
  });
});

describe("snapshots (kintone-rest §19, F30)", () => {
  it("puts the whole store back: records, revisions, files and the next id", async () => {
    const id = rig.insert("f30");
    await rig.putStatus(id);
    await rig.control.snapshot("before");
    await rig.putStatus(id);
    const later = rig.insert("f30-later");
    expect((await rig.stored(id)).revision).toBe("3");
    await rig.control.restore("before");
    expect((await rig.stored(id)).revision).toBe("2");
    expect((await search(`$id = ${later}`)).json.records).toEqual([]);
    expect(rig.insert("f30-later")).toBe(later);
    await expect(rig.control.restore("never")).rejects.toMatchObject({ code: "SNAPSHOT_UNKNOWN" });
    expect(await actions()).toEqual(
      expect.arrayContaining([
        ["snapshot", null],
        ["restore", null],
      ]),
    );
  });

  it("restores while a request stands at a barrier, which then meets the older store", async () => {
    const id = rig.insert("f30-held");
    await rig.control.snapshot("held");
    expect((await rig.putStatus(id, 1)).status).toBe(200);
    await rig.control.add({ id: "held", match: PUT, effect: { kind: "barrier", phase: "before" } });
    const answer = rig.putStatus(id, 2);
    await rig.control.waitFor("held");
    await rig.control.restore("held");
    await rig.control.release("held");
    expect(await answer).toMatchObject({ status: 409, json: { code: "GAIA_CO02" } });
  });
});
