import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalKintone } from "../../../main/local-kintone/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { type Rig, startRig, systemClock, systemIds } from "./support.ts";

let rig: Rig;
let other: string;
let otherToken: string;
let viewer: string;
let guestApp: string;
let guestToken: string;
beforeAll(async () => {
  rig = await startRig();
  const { provision } = rig.server;
  other = provision.createApp({ name: "other", code: "OTHER", fields: { t: { type: "SINGLE_LINE_TEXT" } } });
  otherToken = provision.createToken(other, ["view"], "other");
  viewer = provision.createToken(rig.app, ["view"], "viewer");
  guestApp = provision.createApp({
    name: "guest",
    guestSpaceId: 9,
    fields: { t: { type: "SINGLE_LINE_TEXT" } },
  });
  guestToken = provision.createToken(guestApp, ["view"], "guest");
  provision.createUser({ code: "sato", name: "佐藤" }, "pass:word");
});
afterAll(() => rig.close());

const basic = (user: string, password: string): Record<string, string> => ({
  "X-Cybozu-Authorization": Buffer.from(`${user}:${password}`).toString("base64"),
});
const token = (text: string): Record<string, string> => ({ "X-Cybozu-API-Token": text });

describe("credentials (kintone-rest §4)", () => {
  it.each([
    ["no credential", () => ({}), 401, "CB_AU01"],
    ["a wrong password", () => basic("sato", "x"), 401, "CB_WA01"],
    ["an undecodable password header", () => ({ "X-Cybozu-Authorization": "%%" }), 401, "CB_WA01"],
    ["an unknown token", () => token("x".repeat(40)), 400, "GAIA_IA02"],
    ["one bad token among several", () => token(`${rig.token},bad`), 400, "GAIA_IA02"],
    ["two tokens of one app", () => token(`${rig.token}, ${viewer}`), 400, "GAIA_DA03"],
    ["ten tokens", () => token(Array.from({ length: 10 }, () => rig.token).join(",")), 400, "CB_VA01"],
    ["a token of another app", () => token(otherToken), 403, "GAIA_AP15"],
    ["several good tokens", () => token(`${otherToken}, ${rig.token}`), 200, undefined],
    [
      "a good password beside a bad token",
      () => ({ ...basic("sato", "pass:word"), ...token("bad") }),
      200,
      undefined,
    ],
  ])("%s", async (_, headers, status, code) => {
    const answer = await rig.send("GET", `/k/v1/records.json?app=${rig.app}`, undefined, headers());
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it.each([
    ["POST", "/k/v1/record.json", {}],
    ["PUT", "/k/v1/record.json", { id: 1, record: {} }],
    ["PUT", "/k/v1/records.json", { records: [] }],
    ["DELETE", "/k/v1/records.json", { ids: [1] }],
  ])("a view token may not %s %s", async (method, path, body) => {
    const answer = await rig.send(method, path, { app: rig.app, ...body }, token(viewer));
    expect([answer.status, answer.json.code]).toEqual([403, "GAIA_NO01"]);
  });

  it("an upsert needs edit and add even when it would only update", async () => {
    const editor = rig.server.provision.createToken(rig.app, ["edit"], "editor");
    const answer = await rig.send(
      "PUT",
      "/k/v1/records.json",
      { app: rig.app, upsert: true, records: [] },
      token(editor),
    );
    expect(answer.json.code).toBe("GAIA_NO01");
  });

  it("apps.json is closed to tokens and open to a password", async () => {
    expect((await rig.send("GET", "/k/v1/apps.json")).json.code).toBe("GAIA_NO01");
    const apps = await rig.send(
      "GET",
      "/k/v1/apps.json?codes[0]=OTHER",
      undefined,
      basic("sato", "pass:word"),
    );
    expect(apps.json.apps).toMatchObject([{ appId: other, code: "OTHER", name: "other", spaceId: null }]);
  });

  it("guest apps answer on the guest path only", async () => {
    const at = (path: string): ReturnType<Rig["send"]> =>
      rig.send("GET", `${path}/records.json?app=${guestApp}`, undefined, token(guestToken));
    expect((await at("/k/v1")).json.code).toBe("GAIA_IL23");
    const elsewhere = await at("/k/guest/8/v1");
    expect([elsewhere.status, elsewhere.json.code]).toEqual([403, "CB_NO02"]);
    expect((await at("/k/guest/9/v1")).status).toBe(200);
  });
});

describe("parameters, paths and headers (kintone-rest §2, §5, §12)", () => {
  it.each([
    ["", "CB_VA01", 400, "必須です。"],
    ["app=", "CB_VA01", 400, "必須です。"],
    ["app=0", "CB_VA01", 400, "最小でも1以上です。"],
    ["app=x", "CB_VA01", 400, "整数で指定してください。"],
    ["app=777", "GAIA_AP01", 404, undefined],
  ])("records.json?%s", async (query, code, status, message) => {
    const answer = await rig.send("GET", `/k/v1/records.json?${query}`);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(answer.json.errors).toEqual(message === undefined ? undefined : { app: { messages: [message] } });
  });

  it("answers malformed JSON, unknown paths and wrong methods", async () => {
    const broken = await rig.send("POST", "/k/v1/record.json", '{"app":');
    expect([broken.status, broken.json.code]).toEqual([400, "CB_IJ01"]);
    const unknown = await rig.send("GET", "/k/v1/nothing.json");
    expect([unknown.status, unknown.headers.get("content-type")]).toEqual([404, "text/html;charset=utf-8"]);
    expect((await rig.send("DELETE", "/k/v1/record.json")).status).toBe(405);
  });

  it("carries the concurrency headers and refuses the one request too many (§14)", async () => {
    const idle = await rig.send("GET", `/k/v1/app.json?id=${rig.app}`);
    expect(idle.headers.get("x-concurrencylimit-limit")).toBe("100");
    expect(idle.headers.get("x-concurrencylimit-running")).toBe("1");
    const narrow = await startRig({ concurrencyLimit: 3, delayMs: 50 });
    try {
      const path = `/k/v1/records.json?app=${narrow.app}`;
      const answers = await Promise.all(Array.from({ length: 8 }, () => narrow.send("GET", path)));
      const refused = answers.filter((answer) => answer.status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]?.json.code).toBe("GAIA_TO04");
      expect(answers.some((answer) => answer.status === 200)).toBe(true);
    } finally {
      await narrow.close();
    }
  });

  it("shows the form with its system fields and reference tables", async () => {
    const { properties, revision } = await rig.client.app.getFormFields({ app: rig.app });
    expect(revision).toBe("2");
    expect(properties.record_key).toMatchObject({ type: "SINGLE_LINE_TEXT", required: true, unique: true });
    expect(properties.related).toMatchObject({ referenceTable: { relatedApp: { app: "2" } } });
    expect(properties.作成日時).toMatchObject({ type: "CREATED_TIME", code: "作成日時" });
    expect(properties.ステータス).toMatchObject({ enabled: false });
  });

  it("reports every arrival without query or token, with the size of a bulk request", async () => {
    const arrivals: unknown[] = [];
    const watched = await startRig({ onArrival: (arrival) => arrivals.push(arrival) });
    try {
      await watched.send("GET", `/k/v1/records.json?app=${watched.app}&query=limit+1`);
      await watched.send("POST", "/k/v1/bulkRequest.json", { requests: [{}, {}] });
    } finally {
      await watched.close();
    }
    expect(arrivals).toEqual([
      { method: "GET", path: "/k/v1/records.json", status: 200, subRequests: 0 },
      { method: "POST", path: "/k/v1/bulkRequest.json", status: 400, subRequests: 2 },
    ]);
  });
});

function statusWithHost(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${rig.baseUrl}/k/v1/records.json`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on("error", reject);
    call.end();
  });
}

describe("the in-process entry", () => {
  it("answers without a socket, with the clock and the random source it was given", async () => {
    const answers: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      let drawn = 0;
      const server = createLocalKintone({
        databasePath: ":memory:",
        clock: { now: () => Date.UTC(2026, 8, 1, 3, 4, 59) },
        ids: {
          random: (bytes) => {
            drawn += 1;
            return new Uint8Array(bytes).fill(drawn);
          },
        },
      });
      const app = server.provision.createApp({ name: "sim", fields: { t: { type: "SINGLE_LINE_TEXT" } } });
      const headers = { "x-cybozu-api-token": server.provision.createToken(app, ["view", "add"], "sim") };
      const body = JSON.stringify({ app, record: { t: { value: "v" } } });
      await server.handle({ method: "POST", target: "/k/v1/record.json", headers, body });
      const read = await server.handle({ method: "GET", target: `/k/v1/records.json?app=${app}`, headers });
      const refused = await server.handle({ method: "GET", target: "/k/v1/record.json", headers });
      answers.push(`${Buffer.from(read.body).toString()} ${Buffer.from(refused.body).toString()}`);
      await server.dispose();
    }
    expect(answers[0]).toContain('"作成日時":{"type":"CREATED_TIME","value":"2026-09-01T03:04:00Z"}');
    expect(answers[1]).toBe(answers[0]);
  });
});

describe("loopback only (kintone-rest §1.1)", () => {
  it("answers under the three loopback names and refuses every other Host with 421", async () => {
    const { port } = rig;
    expect(await statusWithHost(`localhost:${port}`)).toBe(401);
    expect(await statusWithHost(`127.0.0.1:${port}`)).toBe(401);
    expect(await statusWithHost(`[::1]:${port}`)).toBe(401);
    expect(await statusWithHost(`evil.example:${port}`)).toBe(421);
    expect(await statusWithHost("localhost")).toBe(421);
    expect(await statusWithHost(`localhost:${port + 1}`)).toBe(421);
  });

  it("names the owner of a busy port", async () => {
    const second = createLocalKintone({ databasePath: ":memory:", clock: systemClock, ids: systemIds });
    try {
      const failure = await second.listen({ port: rig.port }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(FlowError);
      expect(failure).toMatchObject({ code: "PORT_BUSY", problem: { place: `port ${rig.port}` } });
      if (process.platform === "linux")
        expect(failure).toMatchObject({ problem: { details: { pid: process.pid } } });
    } finally {
      await second.dispose();
    }
  });
});

describe("a full disk", () => {
  it("answers 500 with a JSON body, keeps every acknowledged record, and still reads", async () => {
    const full = await startRig({ maxPageCount: 120 });
    try {
      const acknowledged: string[] = [];
      let refused: Awaited<ReturnType<Rig["send"]>> | null = null;
      for (let n = 0; refused === null && n < 2000; n += 1) {
        const record = {
          record_key: { value: `full-${n}` },
          record_type: { value: "NODE_STATE" },
          note: { value: "x".repeat(1500) },
        };
        const answer = await full.send("POST", "/k/v1/record.json", { app: full.app, record });
        if (answer.status === 200) acknowledged.push(`full-${n}`);
        else refused = answer;
      }
      expect(refused?.status).toBe(500);
      expect(refused?.json).toMatchObject({ code: "LOCAL_DISK_FULL", id: expect.any(String) });
      const records = await full.client.record.getAllRecordsWithId({ app: full.app, fields: ["record_key"] });
      expect(records.map((record) => record.record_key?.value)).toEqual(acknowledged);
      await full.client.record.deleteRecords({
        app: full.app,
        ids: records.slice(0, 20).map((r) => Number(r.$id?.value)),
      });
      const record = { record_key: { value: "again" }, record_type: { value: "NODE_STATE" } };
      expect((await full.send("POST", "/k/v1/record.json", { app: full.app, record })).status).toBe(200);
    } finally {
      await full.close();
    }
  });
});
