import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createLocalKintone,
  type FieldInputs,
  type LocalKintone,
} from "../../../main/local-kintone/index.ts";
import { createSwitches } from "../../../main/local-kintone/switches.ts";
import { basic, type HandClock, handClock, userClient } from "./preview-support.ts";
import { type RawAnswer, type Rig, startRig, systemIds } from "./support.ts";

let rig: Rig;
let clock: HandClock;
let admin: KintoneRestAPIClient;
const switches = createSwitches();
beforeAll(async () => {
  clock = handClock();
  rig = await startRig({ clock, switches });
  admin = userClient(rig, "admin");
});
afterAll(() => rig.close());
afterEach(() => {
  switches.deployOutcome = null;
});

const fresh = (fields: FieldInputs = { t: { type: "SINGLE_LINE_TEXT" } }): string =>
  rig.server.provision.createApp({ name: "deploy", fields });
const describeApp = (app: string, description: string): Promise<{ revision: string }> =>
  admin.app.updateAppSettings({ app, description });
const statuses = async (...apps: readonly string[]): Promise<readonly string[]> =>
  (await admin.app.getDeployStatus({ apps: [...apps] })).apps.map(({ status }) => status);
async function deploy(...apps: readonly string[]): Promise<readonly string[]> {
  await admin.app.deployApp({ apps: apps.map((app) => ({ app })) });
  clock.advance(1_000);
  return statuses(...apps);
}
const raw = (method: string, path: string, body: object): Promise<RawAnswer> =>
  rig.send(method, `/k/v1/${path}`, body, basic("admin", "password"));
const liveText = async (app: string): Promise<string> =>
  (await admin.app.getAppSettings({ app })).description;

describe("preview and live (kintone-rest §12)", () => {
  it("keeps preview changes from live reads and from records until they are deployed", async () => {
    const app = fresh();
    await admin.app.addFormFields({ app, properties: { n: { type: "NUMBER", code: "n", label: "n" } } });
    expect(Object.keys((await admin.app.getFormFields({ app })).properties)).not.toContain("n");
    const early = await raw("POST", "record.json", { app, record: { n: { value: 1 } } });
    expect(early.json.code).toBe("GAIA_FC01");
    expect(await deploy(app)).toEqual(["SUCCESS"]);
    expect((await raw("POST", "record.json", { app, record: { n: { value: 1 } } })).status).toBe(200);
  });

  it("counts one revision over all settings; the deploy copies it without a step", async () => {
    const app = fresh();
    expect((await describeApp(app, "a")).revision).toBe("3");
    const { revision } = await admin.app.updateViews({ app, views: {} });
    expect(revision).toBe("4");
    expect((await admin.app.getAppSettings({ app })).revision).toBe("2");
    await deploy(app);
    expect((await admin.app.getAppSettings({ app })).revision).toBe("4");
    expect((await admin.app.getAppSettings({ app, preview: true })).revision).toBe("4");
  });

  it("refuses a stale settings revision with 409 GAIA_CO03, on writes and on the deploy (§7)", async () => {
    const app = fresh();
    await describeApp(app, "a");
    const stale = await raw("PUT", "preview/app/settings.json", { app, description: "b", revision: 2 });
    expect([stale.status, stale.json.code]).toEqual([409, "GAIA_CO03"]);
    expect(stale.json.message).toContain(`id: ${app}`);
    expect((await raw("PUT", "preview/app/settings.json", { app, revision: -1 })).status).toBe(200);
    const late = await raw("POST", "preview/app/deploy.json", { apps: [{ app, revision: 3 }] });
    expect([late.status, late.json.code]).toEqual([409, "GAIA_CO03"]);
    expect((await raw("POST", "preview/app/deploy.json", { apps: [{ app, revision: 4 }] })).json).toEqual({});
  });
});

describe("the course of a deploy (kintone-rest §12)", () => {
  it("says SUCCESS without one, PROCESSING while it runs, SUCCESS after; settings wait meanwhile", async () => {
    const app = fresh();
    expect(await statuses(app)).toEqual(["SUCCESS"]);
    await describeApp(app, "new");
    await admin.app.deployApp({ apps: [{ app }] });
    expect(await statuses(app)).toEqual(["PROCESSING"]);
    expect(await liveText(app)).toBe("");
    const meanwhile = await raw("PUT", "preview/app/settings.json", { app, description: "later" });
    expect([meanwhile.status, meanwhile.json.code]).toEqual([409, "GAIA_DP01"]);
    expect((await raw("POST", "preview/app/deploy.json", { apps: [{ app }] })).status).toBe(409);
    clock.advance(199);
    expect(await statuses(app)).toEqual(["PROCESSING"]);
    clock.advance(1);
    expect(await statuses(app)).toEqual(["SUCCESS"]);
    expect(await liveText(app)).toBe("new");
  });

  it("brings several apps into force all or none: one FAIL, the others CANCEL", async () => {
    const apps = [fresh(), fresh(), fresh()] as const;
    for (const app of apps) await describeApp(app, "together");
    switches.deployOutcome = (id) => (String(id) === apps[1] ? "FAIL" : null);
    expect(await deploy(...apps)).toEqual(["CANCEL", "FAIL", "CANCEL"]);
    expect(await Promise.all(apps.map(liveText))).toEqual(["", "", ""]);
    switches.deployOutcome = null;
    expect(await deploy(...apps)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"]);
    expect(await Promise.all(apps.map(liveText))).toEqual(["together", "together", "together"]);
  });

  it("drops preview changes with revert, never the live app, harmless before the first deploy", async () => {
    const app = fresh();
    await describeApp(app, "dropped");
    await admin.app.deployApp({ apps: [{ app }], revert: true });
    clock.advance(1_000);
    expect(await statuses(app)).toEqual(["SUCCESS"]);
    const preview = await admin.app.getAppSettings({ app, preview: true });
    expect(preview.description).toBe("");
    expect(Number(preview.revision)).toBeGreaterThan(3);
    const young = (await admin.app.addApp({ name: "young" })).app;
    await describeApp(young, "kept");
    await admin.app.deployApp({ apps: [{ app: young }], revert: true });
    clock.advance(1_000);
    expect(await statuses(young)).toEqual(["SUCCESS"]);
    expect(await deploy(young)).toEqual(["SUCCESS"]);
    expect(await liveText(young)).toBe("kept");
  });

  it.each([
    ["no apps", { apps: [] }, 400],
    ["301 apps", { apps: Array.from({ length: 301 }, (_, index) => ({ app: index + 1 })) }, 400],
    ["no list", {}, 400],
    ["an app that is not there", { apps: [{ app: 9_999 }] }, 404],
  ])("refuses %s", async (_, body, status) => {
    expect((await raw("POST", "preview/app/deploy.json", body)).status).toBe(status);
  });

  it("carries a deploy out after a restart of the server, too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "local-kintone-deploy-"));
    const databasePath = join(folder, "kintone.sqlite");
    const options = { databasePath, clock, ids: systemIds, synchronous: "NORMAL" } as const;
    const authorization = Buffer.from("admin:password").toString("base64");
    const headers = { "x-cybozu-authorization": authorization };
    const call = async (
      server: LocalKintone,
      method: string,
      target: string,
      body?: object,
    ): Promise<unknown> => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return JSON.parse(String((await server.handle({ method, target, headers, ...sent })).body));
    };
    try {
      const first = createLocalKintone(options);
      const app = first.provision.createApp({ name: "kept", fields: {} });
      first.provision.createUser({ code: "admin", name: "admin" }, "password");
      await call(first, "PUT", "/k/v1/preview/app/settings.json", { app, description: "kept" });
      await call(first, "POST", "/k/v1/preview/app/deploy.json", { apps: [{ app }] });
      await first.dispose();
      clock.advance(1_000);
      const second = createLocalKintone(options);
      const shown = await call(second, "GET", `/k/v1/app/settings.json?app=${app}`);
      await second.dispose();
      expect(shown).toMatchObject({ description: "kept", revision: "3" });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("what a deploy does to records (kintone-rest §12)", () => {
  it("makes a field required: succeeds, old records stay empty until they are written", async () => {
    const app = fresh();
    const [id = ""] = rig.server.provision.insertRecords(app, [{}]);
    await admin.app.updateFormFields({
      app,
      properties: { t: { type: "SINGLE_LINE_TEXT", required: true } },
    });
    expect(await deploy(app)).toEqual(["SUCCESS"]);
    expect((await admin.record.getRecord({ app, id })).record.t?.value).toBe("");
    expect((await raw("PUT", "record.json", { app, id, record: {} })).json.code).toBe("CB_VA01");
  });

  it("fails when unique or a limit is added over violating data, and changes nothing", async () => {
    const app = fresh();
    rig.server.provision.insertRecords(app, [{ t: { value: "twice" } }, { t: { value: "twice" } }]);
    const change = (more: object): Promise<RawAnswer> =>
      raw("PUT", "preview/app/form/fields.json", {
        app,
        properties: { t: { type: "SINGLE_LINE_TEXT", ...more } },
      });
    await change({ unique: true });
    expect(await deploy(app)).toEqual(["FAIL"]);
    expect((await admin.app.getFormFields({ app })).properties.t).toMatchObject({ unique: false });
    await change({ unique: false, maxLength: "3" });
    expect(await deploy(app)).toEqual(["FAIL"]);
    await change({ maxLength: "5" });
    expect(await deploy(app)).toEqual(["SUCCESS"]);
    const { records } = await admin.record.getRecords({ app, query: 't = "twice"' });
    expect(records).toHaveLength(2);
  });

  it("sets unique over good data and takes it off again: doubles are refused, then taken", async () => {
    const app = fresh();
    rig.server.provision.insertRecords(app, [{ t: { value: "one" } }, { t: { value: "two" } }]);
    await admin.app.updateFormFields({ app, properties: { t: { type: "SINGLE_LINE_TEXT", unique: true } } });
    expect(await deploy(app)).toEqual(["SUCCESS"]);
    const updateKey = { field: "t", value: "two" };
    expect((await raw("PUT", "record.json", { app, updateKey, record: {} })).json).toEqual({ revision: "2" });
    expect((await raw("POST", "record.json", { app, record: { t: { value: "one" } } })).json.code).toBe(
      "CB_VA01",
    );
    await admin.app.updateFormFields({ app, properties: { t: { type: "SINGLE_LINE_TEXT", unique: false } } });
    expect(await deploy(app)).toEqual(["SUCCESS"]);
    expect((await raw("POST", "record.json", { app, record: { t: { value: "one" } } })).status).toBe(200);
    expect((await admin.record.getRecords({ app, query: 't = "one"' })).records).toHaveLength(2);
  });

  it("moves values with a changed code, columns and swapped codes too, and forgets those of dropped fields", async () => {
    const app = fresh({
      a: { type: "SINGLE_LINE_TEXT" },
      b: { type: "SINGLE_LINE_TEXT" },
      c: { type: "NUMBER" },
      rows: { type: "SUBTABLE", fields: { cell: { type: "SINGLE_LINE_TEXT" } } },
    });
    const [id = ""] = rig.server.provision.insertRecords(app, [
      {
        a: { value: "from a" },
        b: { value: "from b" },
        c: { value: "7" },
        rows: { value: [{ value: { cell: { value: "in" } } }] },
      },
    ]);
    await admin.app.updateFormFields({
      app,
      properties: {
        a: { type: "SINGLE_LINE_TEXT", code: "b" },
        b: { type: "SINGLE_LINE_TEXT", code: "a" },
        rows: {
          type: "SUBTABLE",
          code: "table",
          fields: { cell: { type: "SINGLE_LINE_TEXT", code: "column" } },
        },
      },
    });
    await admin.app.deleteFormFields({ app, fields: ["c"] });
    await admin.app.addFormFields({ app, properties: { c: { type: "NUMBER", code: "c", label: "c" } } });
    expect(await deploy(app)).toEqual(["SUCCESS"]);
    const { record } = await admin.record.getRecord({ app, id });
    expect([record.a?.value, record.b?.value, record.c?.value]).toEqual(["from b", "from a", ""]);
    expect(record.table?.value).toMatchObject([{ value: { column: { value: "in" } } }]);
    expect(record.$revision?.value).toBe("1");
    const found = async (query: string): Promise<number> =>
      (await admin.record.getRecords({ app, query })).records.length;
    expect(await found('a = "from b"')).toBe(1);
    expect(await found("c = 7")).toBe(0);
    expect(await found('column in ("in")')).toBe(1);
  });
});
