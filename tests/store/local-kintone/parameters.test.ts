import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic } from "./preview-support.ts";
import { type Rig, startRig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  rig.server.provision.createUser({ code: "admin", name: "admin" }, "pw");
});
afterAll(() => rig.close());

const IN = { ja: { "Accept-Language": "ja" }, en: { "Accept-Language": "en" } } as const;
const REQUIRED = { ja: "必須です。", en: "Required field." } as const;

describe("parameter errors (kintone-rest §5)", () => {
  it.each([
    ["GET", "record.json", { app: 1 }, "id"],
    ["GET", "record.json", { id: 1 }, "app"],
    ["GET", "records.json", { app: "" }, "app"],
    ["GET", "app.json", {}, "id"],
    ["GET", "file.json", {}, "fileKey"],
    ["PUT", "record.json", { app: 1, record: {} }, "id"],
    ["POST", "records.json", { app: 1 }, "records"],
    ["GET", "records/cursor.json", {}, "id"],
    ["POST", "bulkRequest.json", {}, "requests"],
  ])("%s %s with %j lacks %s", async (method, path, body, key) => {
    for (const language of ["ja", "en"] as const) {
      const headers = { "X-Cybozu-API-Token": rig.token, "X-HTTP-Method-Override": method, ...IN[language] };
      const answer = await rig.send("POST", `/k/v1/${path}`, body, headers);
      expect([answer.status, answer.json.code]).toEqual([400, "CB_VA01"]);
      expect(answer.json.errors).toEqual({ [key]: { messages: [REQUIRED[language]] } });
    }
  });

  it.each([
    ["0", "最小でも1以上です。", "must be greater than or equal to 1"],
    ["-3", "最小でも1以上です。", "must be greater than or equal to 1"],
    ["x", "整数で指定してください。", undefined],
    ["1.5", "整数で指定してください。", undefined],
  ])("app=%s", async (value, ja, en) => {
    const read = async (language: "ja" | "en"): Promise<unknown> => {
      const headers = { "X-Cybozu-API-Token": rig.token, ...IN[language] };
      return (await rig.send("GET", `/k/v1/records.json?app=${value}`, undefined, headers)).json.errors;
    };
    expect(await read("ja")).toEqual({ app: { messages: [ja] } });
    if (en !== undefined) expect(await read("en")).toEqual({ app: { messages: [en] } });
  });

  it.each([
    ["ja", "Enum値のいずれかでなければなりません。"],
    ["en", "must be one of the enum value"],
  ] as const)("an enum violation in %s", async (language, text) => {
    const headers = { "X-Cybozu-API-Token": rig.token, ...IN[language] };
    const path = `/k/v1/app/form/fields.json?app=${rig.app}&lang=xx`;
    const answer = await rig.send("GET", path, undefined, headers);
    expect([answer.status, answer.json.errors]).toEqual([400, { lang: { messages: [text] } }]);
  });

  it.each([
    ["limit=101", 400],
    ["limit=0", 400],
    ["limit=1", 200],
    ["limit=100", 200],
    ["offset=-1", 400],
  ])("apps.json?%s answers %i", async (query, status) => {
    const answer = await rig.send("GET", `/k/v1/apps.json?${query}`, undefined, basic("admin", "pw"));
    expect(answer.status).toBe(status);
  });

  it.each([
    ["ja", "指定したアプリ（id: 777）が見つかりません。削除されている可能性があります。"],
    ["en", "The app (ID: 777) not found. The app may have been deleted."],
  ] as const)("a missing app in %s", async (language, message) => {
    const headers = { "X-Cybozu-API-Token": rig.token, ...IN[language] };
    const answer = await rig.send("GET", "/k/v1/app.json?id=777", undefined, headers);
    expect([answer.status, answer.json]).toEqual([
      404,
      { code: "GAIA_AP01", id: expect.any(String), message },
    ]);
  });

  it.each([
    ["GET", "record.json", { id: 999 }],
    ["PUT", "record.json", { id: 999, record: {} }],
    ["PUT", "records.json", { records: [{ id: 999, record: {} }] }],
    ["DELETE", "records.json", { ids: [999] }],
  ])("a missing record for %s %s, without an index", async (method, path, body) => {
    for (const [language, message] of [
      ["ja", "指定したレコード（id: 999）が見つかりません。"],
      ["en", "The specified record (ID: 999) is not found."],
    ] as const) {
      const headers = { "X-Cybozu-API-Token": rig.token, "X-HTTP-Method-Override": method, ...IN[language] };
      const answer = await rig.send("POST", `/k/v1/${path}`, { app: rig.app, ...body }, headers);
      expect([answer.status, answer.json]).toEqual([
        404,
        { code: "GAIA_RE01", id: expect.any(String), message },
      ]);
    }
  });

  it("a missing file in English", async () => {
    const headers = { "X-Cybozu-API-Token": rig.token, ...IN.en };
    const answer = await rig.send("GET", "/k/v1/file.json?fileKey=K", undefined, headers);
    expect(answer.json.message).toBe("The specified file (id: K) not found.");
  });
});
