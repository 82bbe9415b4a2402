import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { createLocalKintone } from "../../../main/local-kintone/index.ts";
import { basic, handClock } from "./preview-support.ts";
import { type Rig, startRig, systemIds } from "./support.ts";

let rig: Rig;
afterEach(() => rig.close());

const admin = basic("admin", "password");
async function startAdmin(...args: Parameters<typeof startRig>): Promise<void> {
  rig = await startRig(...args);
  rig.server.provision.createUser({ code: "admin", name: "admin" }, "password");
}

describe("codes that would end up in places of their own (kintone-rest §8.3)", () => {
  it.each(["__proto__", "$id", "a'b", 'a"b', "1st", "a b"])(
    "are refused for a new field, a renamed one and a renamed built-in one: %s",
    async (code) => {
      await startAdmin();
      const { app, send } = rig;
      const path = "/k/v1/preview/app/form/fields.json";
      const field = { type: "NUMBER", code, label: "x" };
      for (const [method, properties] of [
        ["POST", { x: field }],
        ["PUT", { amount: { code } }],
        ["PUT", { 作成者: { code } }],
      ] as const) {
        const answer = await send(method, path, { app, properties }, admin);
        expect([answer.status, Object.keys(Object(answer.json.errors))]).toEqual([
          400,
          [`properties[${code}].code`],
        ]);
      }
    },
  );

  it("are refused when two built-in fields shall have the same", async () => {
    await startAdmin();
    const properties = { 作成者: { code: "who" }, 更新者: { code: "who" } };
    const path = "/k/v1/preview/app/form/fields.json";
    expect((await rig.send("PUT", path, { app: rig.app, properties }, admin)).status).toBe(400);
  });

  it("are refused as options where JavaScript has a meaning for them", async () => {
    await startAdmin();
    const options = { x: { label: "__proto__", index: "0" } };
    const properties = { d: { type: "DROP_DOWN", code: "d", label: "d", options } };
    const path = "/k/v1/preview/app/form/fields.json";
    expect((await rig.send("POST", path, { app: rig.app, properties }, admin)).status).toBe(400);
  });
});

describe("requests made to break the server (kintone-rest §2, §13.4)", () => {
  it.each(["__proto__", "constructor", "hasOwnProperty", "valueOf"])(
    "answers the method %s like any other it does not know (§2)",
    async (method) => {
      await startAdmin();
      const answer = await rig.server.handle({ method, target: "/k/v1/record.json", headers: {} });
      expect(answer.status).toBe(405);
    },
  );

  it("refuses a body by its announced length, before any of it came (§2)", async () => {
    await startAdmin();
    const socket = connect(rig.port, "127.0.0.1");
    const head = `POST /k/v1/record.json HTTP/1.1\r\nHost: localhost:${rig.port}\r\nContent-Length: 1000000000000\r\n\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      socket.once("data", (data) => resolve(data.toString("utf8")));
      socket.once("error", reject);
      socket.write(head);
    });
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("answers more fields than one SQL object holds (§6)", async () => {
    const codes = Array.from({ length: 600 }, (_, index) => `f${index}`);
    await startAdmin({}, Object.fromEntries(codes.map((code) => [code, { type: "NUMBER" as const }])));
    const { app, send, token } = rig;
    await send("POST", "/k/v1/record.json", { app, record: { f599: { value: 7 } } });
    const headers = { "X-Cybozu-API-Token": token, "X-HTTP-Method-Override": "GET" };
    const answer = await send("POST", "/k/v1/records.json", { app, fields: codes }, headers);
    const [record] = Array.isArray(answer.json.records) ? answer.json.records : [];
    expect([answer.status, Object.keys(record).length, record.f599.value]).toEqual([200, 600, "7"]);
  });

  it.each(["$id", "run_id"])("refuses a list of values without end on %s (§13.4)", async (field) => {
    await startAdmin();
    const { app, send, token } = rig;
    const query = `${field} in (${Array.from({ length: 200_000 }, (_, index) => `"${index}"`).join(",")})`;
    const headers = { "X-Cybozu-API-Token": token, "X-HTTP-Method-Override": "GET" };
    const answer = await send("POST", "/k/v1/records.json", { app, query }, headers);
    expect([answer.status, answer.json.code]).toEqual([400, "CB_VA01"]);
  });

  it("gives up a formula whose result would fill the memory (§8.4 CALC)", async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `t${index}`);
    const doubled = texts.map((code, index) => [
      code,
      {
        type: "SINGLE_LINE_TEXT" as const,
        expression: index === 0 ? '"ab"' : `t${index - 1} & t${index - 1}`,
      },
    ]);
    const power = { type: "CALC" as const, expression: "(((n ^ 100) ^ 100) ^ 100) ^ 100" };
    await startAdmin({}, { n: { type: "NUMBER" }, power, ...Object.fromEntries(doubled) });
    const { app, client } = rig;
    const { id } = await client.record.addRecord({ app, record: { n: { value: 77 } } });
    const { record } = await client.record.getRecord({ app, id });
    expect([record.power?.value, record.t3?.value, record.t39?.value]).toEqual(["", "ab".repeat(8), ""]);
  });
});

describe("a deploy that cannot be carried out (kintone-rest §12)", () => {
  /** Two thousand texts in `app`, a deploy that makes them unique and needs more pages, and another app. */
  async function deployOnFullDisk(clock: ReturnType<typeof handClock>): Promise<string> {
    await startAdmin({ clock }, { text: { type: "SINGLE_LINE_TEXT" } });
    const { app, send, server } = rig;
    const other = server.provision.createApp({ name: "other", fields: { n: { type: "NUMBER" } } });
    server.provision.insertRecords(
      app,
      Array.from({ length: 2_000 }, (_, index) => ({ text: { value: `${"x".repeat(50)}${index}` } })),
    );
    const properties = { text: { unique: true } };
    await send("PUT", "/k/v1/preview/app/form/fields.json", { app, properties }, admin);
    await send("POST", "/k/v1/preview/app/deploy.json", { apps: [{ app }] }, admin);
    return other;
  }

  it("for want of space ends in FAIL and keeps nobody else from being answered", async () => {
    const clock = handClock();
    const other = await deployOnFullDisk(clock);
    const databasePath = join(rig.folder, "kintone.sqlite");
    const handle = new DatabaseSync(databasePath, { readOnly: true });
    const pages = Number(handle.prepare("PRAGMA page_count").get()?.page_count);
    handle.close();
    const server = createLocalKintone({ databasePath, clock, ids: systemIds, maxPageCount: pages });
    clock.advance(60_000);
    const get = async (target: string): Promise<string> => {
      const headers = { "x-cybozu-authorization": String(admin["X-Cybozu-Authorization"]) };
      const { body } = await server.handle({ method: "GET", target, headers });
      return typeof body === "string" ? body : Buffer.from(body).toString("utf8");
    };
    expect(await get(`/k/v1/records.json?app=${other}`)).toBe('{"records":[],"totalCount":null}');
    const status = `{"apps":[{"app":"${rig.app}","status":"FAIL"}]}`;
    expect(await get(`/k/v1/preview/app/deploy.json?apps[0]=${rig.app}`)).toBe(status);
    await server.dispose();
  });

  it("because the clock went back a month is carried out at once", async () => {
    const clock = handClock();
    await startAdmin({ clock });
    const { app, send } = rig;
    await send("PUT", "/k/v1/preview/app/settings.json", { app, description: "new" }, admin);
    await send("POST", "/k/v1/preview/app/deploy.json", { apps: [{ app }] }, admin);
    clock.advance(-30 * 86_400_000);
    const answer = await send("GET", `/k/v1/app/settings.json?app=${app}`, undefined, admin);
    expect(answer.json.description).toBe("new");
  });
});
