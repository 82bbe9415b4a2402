import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSwitches } from "../../../main/local-kintone/switches.ts";
import { basic, type HandClock, handClock } from "./preview-support.ts";
import { keyed, type RawAnswer, type Rig, startRig } from "./support.ts";

let rig: Rig;
let clock: HandClock;
const switches = createSwitches();
let viewer: string;
let other: string;
let otherToken: string;
beforeAll(async () => {
  clock = handClock();
  rig = await startRig({ switches, clock });
  const { provision } = rig.server;
  viewer = provision.createToken(rig.app, ["view"], "viewer");
  other = provision.createApp({ name: "other", fields: { t: { type: "SINGLE_LINE_TEXT" } } });
  otherToken = provision.createToken(other, ["view", "add"], "other");
  provision.createUser({ code: "sato", name: "佐藤" }, "pass:word");
  provision.createUser({ code: "careful", name: "careful" }, "pw", { twoFactor: true });
});
afterAll(() => rig.close());

const token = (...texts: readonly string[]): Record<string, string> => ({
  "X-Cybozu-API-Token": texts.join(","),
});
const records = (headers: Record<string, string>): Promise<RawAnswer> =>
  rig.send("GET", `/k/v1/records.json?app=${rig.app}`, undefined, headers);

describe("credentials (kintone-rest §4)", () => {
  it.each([
    ["no credential", {}, 401, "CB_AU01", "ログインしてください。"],
    ["a wrong password", basic("sato", "x"), 401, "CB_WA01", /^ユーザーのパスワード認証に失敗しました。/],
    ["an unknown user", basic("nobody", "x"), 401, "CB_WA01", /^ユーザーのパスワード認証に失敗しました。/],
    [
      "an undecodable value",
      { "X-Cybozu-Authorization": "%%" },
      401,
      "CB_WA01",
      /「X-Cybozu-Authorization」/,
    ],
    [
      "an unknown token",
      token("x".repeat(40)),
      400,
      "GAIA_IA02",
      /^指定したAPIトークンは、アプリで生成されたトークンと異なります。/,
    ],
    ["a two-factor user", basic("careful", "pw"), 403, "CB_TW02", /2要素認証/],
  ])("%s", async (_, headers, status, code, message) => {
    const answer = await records(headers);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(answer.json.message).toMatch(message);
  });

  it("refuses all tokens for one bad among several, and two of one app with GAIA_DA03", async () => {
    expect((await records(token(rig.token, "bad"))).json.code).toBe("GAIA_IA02");
    const twice = await records({ ...token(rig.token, viewer), "Accept-Language": "en" });
    expect([twice.status, twice.json.code, twice.json.message]).toEqual([
      400,
      "GAIA_DA03",
      "You cannot specify a duplicate API token for the same app.",
    ]);
    const missing = await rig.send(
      "POST",
      "/k/v1/record.json",
      { app: rig.app },
      {
        ...token(viewer),
        "Accept-Language": "en",
      },
    );
    expect(missing.json.message).toBe("Using this API token, you cannot run the specified API.");
  });

  it("refuses a token of another app with AP15, IA02 or NO01, as switched (§18)", async () => {
    expect((await records(token(otherToken))).json).toMatchObject({
      code: "GAIA_AP15",
      message: `APIトークンとアプリ（id: ${rig.app}）の組み合わせが正しくありません。`,
    });
    const seen: unknown[] = [];
    for (const code of ["GAIA_IA02", "GAIA_NO01"] as const) {
      switches.foreignTokenCode = code;
      const answer = await records(token(otherToken));
      seen.push([answer.status, answer.json.code]);
    }
    switches.foreignTokenCode = "GAIA_AP15";
    expect(seen).toEqual([
      [400, "GAIA_IA02"],
      [403, "GAIA_NO01"],
    ]);
  });

  it("answers 520 for token refusals in the legacy mode, inside a bulk request too", async () => {
    switches.legacyTokenStatus = true;
    try {
      expect((await records(token("unknown"))).status).toBe(520);
      const body = { app: rig.app, record: {} };
      const denied = await rig.send("POST", "/k/v1/record.json", body, token(viewer));
      expect([denied.status, denied.json.code]).toEqual([520, "GAIA_NO01"]);
      const requests = [{ method: "POST", api: "/k/v1/record.json", payload: body }];
      const bulk = await rig.send("POST", "/k/v1/bulkRequest.json", { requests }, token(viewer));
      expect(bulk.status).toBe(520);
    } finally {
      switches.legacyTokenStatus = false;
    }
  });

  it("takes up to nine tokens, spaces trimmed, and the header repeated", async () => {
    const { provision } = rig.server;
    const more = Array.from({ length: 8 }, (_, index) => {
      const app = provision.createApp({ name: `n${index}`, fields: { t: { type: "SINGLE_LINE_TEXT" } } });
      return provision.createToken(app, ["view"], "t");
    });
    expect((await records({ "X-Cybozu-API-Token": [...more, rig.token].join(" , ") })).status).toBe(200);
    const ten = await records(token(...more, rig.token, otherToken));
    expect([ten.status, ten.json.code]).toEqual([400, "CB_VA01"]);
    const headers = new Headers();
    headers.append("X-Cybozu-API-Token", otherToken);
    headers.append("X-Cybozu-API-Token", rig.token);
    const repeated = await fetch(`${rig.baseUrl}/k/v1/records.json?app=${rig.app}`, { headers });
    expect(repeated.status).toBe(200);
  });

  it("puts a password before a token: a good one wins, a bad one is not saved by a token", async () => {
    expect((await records({ ...basic("sato", "pass:word"), ...token("bad") })).status).toBe(200);
    expect((await records({ ...basic("sato", "no"), ...token(rig.token) })).json.code).toBe("CB_WA01");
    expect((await records({ Authorization: "Bearer x" })).json.code).toBe("CB_AU01");
  });

  it("knows a token from the first deploy of its app on", async () => {
    const admin = basic("sato", "pass:word");
    const { json } = await rig.send("POST", "/k/v1/preview/app.json", { name: "young" }, admin);
    const app = String(json.app);
    await rig.send(
      "POST",
      "/k/v1/preview/app/form/fields.json",
      { app, properties: { t: { type: "SINGLE_LINE_TEXT", code: "t", label: "t" } } },
      admin,
    );
    await rig.send("POST", "/k/v1/preview/app/deploy.json", { apps: [{ app }] }, admin);
    const status = (): Promise<RawAnswer> =>
      rig.send("GET", `/k/v1/preview/app/deploy.json?apps[0]=${app}`, undefined, admin);
    expect((await status()).json).toEqual({ apps: [{ app, status: "PROCESSING" }] });
    clock.advance(1_000);
    expect((await status()).json).toEqual({ apps: [{ app, status: "SUCCESS" }] });
    const made = rig.server.provision.createToken(app, ["view"], "t");
    const path = `/k/v1/records.json?app=${app}`;
    expect((await rig.send("GET", path, undefined, token(made))).status).toBe(200);
  });
});

describe("token rights per API (kintone-rest §4)", () => {
  const RIGHTS = ["view", "add", "edit", "delete", "manage"] as const;
  const calls: readonly (readonly [string, string, object, readonly string[]])[] = [
    ["GET", "record.json", { id: 1 }, ["view"]],
    ["GET", "records.json", {}, ["view"]],
    ["POST", "records/cursor.json", {}, ["view"]],
    ["POST", "record.json", { record: keyed("right-1") }, ["add"]],
    ["POST", "records.json", { records: [] }, ["add"]],
    ["PUT", "record.json", { id: 1, record: {} }, ["edit"]],
    ["PUT", "records.json", { records: [] }, ["edit"]],
    ["DELETE", "records.json", { ids: [999] }, ["delete"]],
    ["GET", "app/form/fields.json", {}, ["view", "add"]],
    ["GET", "app/settings.json", {}, ["view", "add"]],
    ["GET", "preview/app/form/fields.json", {}, ["manage"]],
    ["PUT", "preview/app/settings.json", { description: "d" }, ["manage"]],
    ["GET", "app/acl.json", {}, ["manage"]],
  ];

  it.each(calls)("%s %s needs one of its rights and no other", async (method, path, body, needed) => {
    const allowed: string[] = [];
    for (const right of RIGHTS) {
      const only = rig.server.provision.createToken(rig.app, [right], "only");
      const headers = { ...token(only), "X-HTTP-Method-Override": method };
      const answer = await rig.send("POST", `/k/v1/${path}`, { app: rig.app, ...body }, headers);
      if (answer.json.code !== "GAIA_NO01") allowed.push(right);
    }
    expect(allowed).toEqual(needed);
  });

  it("an upsert needs edit and add together, even when it would only update", async () => {
    const body = { app: rig.app, upsert: true, records: [] };
    const put = async (rights: readonly ("edit" | "add")[]): Promise<number> => {
      const only = rig.server.provision.createToken(rig.app, rights, "only");
      return (await rig.send("PUT", "/k/v1/records.json", body, token(only))).status;
    };
    expect([await put(["edit"]), await put(["add"]), await put(["edit", "add"])]).toEqual([403, 403, 200]);
  });

  it("uploads a file with any valid credential", async () => {
    const form = new FormData();
    form.append("file", new Blob(["x"]), "x.txt");
    const only = rig.server.provision.createToken(rig.app, ["delete"], "only");
    const answer = await fetch(`${rig.baseUrl}/k/v1/file.json`, {
      method: "POST",
      body: form,
      headers: token(only),
    });
    expect(answer.status).toBe(200);
  });

  it("keeps app creation, apps.json and custom views from tokens", async () => {
    const full = rig.server.provision.createToken(rig.app, [...RIGHTS], "full");
    const custom = { type: "CUSTOM", index: 0, html: "<p></p>" };
    const list = { type: "LIST", index: 0, fields: ["record_key"] };
    const views = (view: object): Promise<RawAnswer> =>
      rig.send("PUT", "/k/v1/preview/app/views.json", { app: rig.app, views: { v: view } }, token(full));
    expect((await rig.send("POST", "/k/v1/preview/app.json", { name: "n" }, token(full))).json.code).toBe(
      "GAIA_NO01",
    );
    expect((await rig.send("GET", "/k/v1/apps.json", undefined, token(full))).json.code).toBe("GAIA_NO01");
    expect((await views(list)).status).toBe(200);
    expect((await views(custom)).json.code).toBe("GAIA_NO01");
  });

  it("attributes writes by token to Administrator", async () => {
    const { app, client } = rig;
    const { id } = await client.record.addRecord({ app, record: keyed("by-token") });
    const { record } = await client.record.getRecord({ app, id });
    expect(record.作成者).toEqual({
      type: "CREATOR",
      value: { code: "Administrator", name: "Administrator" },
    });
  });

  it("wants a token of every app a bulk request touches", async () => {
    const requests = [
      { method: "POST", api: "/k/v1/record.json", payload: { app: rig.app, record: keyed("bulk-both") } },
      { method: "POST", api: "/k/v1/record.json", payload: { app: other, record: {} } },
    ];
    const send = (headers: Record<string, string>): Promise<RawAnswer> =>
      rig.send("POST", "/k/v1/bulkRequest.json", { requests }, headers);
    const half = await send(token(rig.token));
    expect([half.status, JSON.parse(JSON.stringify(half.json.results))[1].code]).toEqual([403, "GAIA_AP15"]);
    expect((await send(token(rig.token, otherToken))).status).toBe(200);
  });

  it("looks at the credential, then the app, then the permission", async () => {
    const missing = "/k/v1/records.json?app=777";
    expect((await rig.send("GET", missing, undefined, token("bad"))).json.code).toBe("GAIA_IA02");
    expect((await rig.send("GET", missing, undefined, token(viewer))).json.code).toBe("GAIA_AP01");
  });
});
