import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic } from "./preview-support.ts";
import { keyed, type Rig, startRig } from "./support.ts";

let rig: Rig;
let english: Rig;
beforeAll(async () => {
  rig = await startRig();
  english = await startRig({ defaultLocale: "en" });
  const { provision } = rig.server;
  provision.createUser({ code: "browser", name: "browser" }, "pw");
  provision.createUser({ code: "anglo", name: "anglo" }, "pw", { language: "en" });
  provision.createUser({ code: "sinophone", name: "sinophone" }, "pw", { language: "zh" });
});
afterAll(() => Promise.all([rig.close(), english.close()]));

const TEXT = {
  ja: "入力内容が正しくありません。",
  en: "Missing or invalid input.",
  zh: "输入有误。",
} as const;

async function message(on: Rig, headers: Record<string, string>): Promise<unknown> {
  return (await on.send("GET", "/k/v1/records.json", undefined, headers)).json.message;
}
const asked = (language: string): Record<string, string> => ({ "Accept-Language": language });

describe("the language of errors (kintone-rest §3)", () => {
  it.each([
    ["ja", "ja"],
    ["en", "en"],
    ["en-US", "en"],
    ["en,ja;q=0.9", "en"],
    ["ja;q=0.5, en;q=0.8", "en"],
    ["en;q=0.1,ja", "ja"],
    ["zh", "zh"],
    ["zh-CN,en;q=0.5", "zh"],
    ["fr, en;q=0.2", "en"],
    ["en;q=0, ja;q=0.1", "ja"],
    ["*", "ja"],
    ["", "ja"],
    ["fr", "ja"],
  ] as const)("Accept-Language %j gives %s", async (header, locale) => {
    const headers = { ...basic("browser", "pw"), ...asked(header) };
    expect(await message(rig, headers)).toBe(TEXT[locale]);
  });

  it("takes the configured default where nothing is asked", async () => {
    const token = (on: Rig): Record<string, string> => ({ "X-Cybozu-API-Token": on.token, ...asked("*") });
    expect(await message(rig, token(rig))).toBe(TEXT.ja);
    expect(await message(english, token(english))).toBe(TEXT.en);
  });

  it("lets a user's own setting outrank the header", async () => {
    expect(await message(rig, { ...basic("anglo", "pw"), ...asked("ja") })).toBe(TEXT.en);
    expect(await message(rig, { ...basic("sinophone", "pw"), ...asked("ja") })).toBe(TEXT.zh);
  });

  it("reads token calls in the language of Administrator", async () => {
    const headers = { "X-Cybozu-API-Token": rig.token, ...asked("ja") };
    expect(await message(rig, headers)).toBe(TEXT.ja);
    rig.server.provision.createUser({ code: "Administrator", name: "Administrator" }, "pw", {
      language: "en",
    });
    expect(await message(rig, headers)).toBe(TEXT.en);
    rig.server.provision.createUser({ code: "Administrator", name: "Administrator" }, "pw", {
      language: "auto",
    });
  });
});

describe("the error body (kintone-rest §3)", () => {
  it("has a new id of 20 letters and digits each time, and errors for validation only", async () => {
    const one = await rig.send("GET", "/k/v1/app.json?id=777");
    const two = await rig.send("GET", "/k/v1/app.json?id=777");
    expect(one.json.id).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(two.json.id).not.toBe(one.json.id);
    expect(Object.keys(one.json).sort()).toEqual(["code", "id", "message"]);
  });

  it.each([
    ["ja", "入力内容が正しくありません。", "値がほかのレコードと重複しています。"],
    ["en", "Missing or invalid input.", "This value already exists in another record."],
  ])("says a unique violation as it was captured in %s", async (language, top, text) => {
    const { app } = rig;
    const key = `unique-${language}`;
    const headers = { "X-Cybozu-API-Token": rig.token, ...asked(language) };
    const post = (path: string, body: object): ReturnType<Rig["send"]> =>
      rig.send("POST", `/k/v1/${path}`, { app, ...body }, headers);
    await post("record.json", { record: keyed(key) });
    const single = await post("record.json", { record: keyed(key) });
    expect([single.status, single.json]).toEqual([
      400,
      {
        code: "CB_VA01",
        id: expect.any(String),
        message: top,
        errors: { "record.record_key.value": { messages: [text] } },
      },
    ]);
    const batch = await post("records.json", { records: [keyed(`${key}-fresh`), keyed(key)] });
    expect(batch.json.errors).toEqual({ "records[1].record_key.value": { messages: [text] } });
  });

  it("tells several failures in one map", async () => {
    const { app } = rig;
    const records = [{ amount: { value: "x" } }, { record_key: { value: "k" }, status: { value: "gone" } }];
    const { json } = await rig.send("POST", "/k/v1/records.json", { app, records });
    expect(Object.keys(JSON.parse(JSON.stringify(json.errors))).sort()).toEqual([
      "records[0].record_key.value",
      "records[0].record_type.value",
      "records[0][amount].value",
      "records[1].record_type.value",
      "records[1].status.value",
    ]);
  });
});
