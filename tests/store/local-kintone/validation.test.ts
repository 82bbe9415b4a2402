import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FieldInputs } from "../../../main/local-kintone/index.ts";
import { errorsOf, type Form, options, startForm } from "./forms.ts";

const FIELDS: FieldInputs = {
  text: { type: "SINGLE_LINE_TEXT", minLength: 2, maxLength: "4", defaultValue: "ab" },
  link: { type: "LINK", protocol: "WEB", maxLength: "12" },
  num: { type: "NUMBER", minValue: "-1", maxValue: "10.5", defaultValue: "3" },
  long: { type: "MULTI_LINE_TEXT" },
  key: { type: "SINGLE_LINE_TEXT", unique: true },
  number: { type: "NUMBER", unique: true },
  url: { type: "LINK", protocol: "WEB", unique: true },
  day: { type: "DATE", unique: true },
  moment: { type: "DATETIME", unique: true },
  dropped: { type: "DROP_DOWN", unique: true, options: options("a") },
  now: { type: "DATETIME", defaultNowValue: true, defaultValue: "2000-01-01T00:00:00Z" },
  today: { type: "DATE", defaultNowValue: true },
  time: { type: "TIME", defaultNowValue: true },
  drop: { type: "DROP_DOWN", options: options("a"), defaultValue: "a" },
  checks: { type: "CHECK_BOX", options: options("a", "b"), defaultValue: ["b"] },
};

let form: Form;
beforeAll(async () => {
  // 00:30 in Japan on the 2nd: the day of a default is that of the users' zone.
  form = await startForm(FIELDS, { clock: { now: () => Date.parse("2026-09-01T15:30:45Z") } });
});
afterAll(() => form.close());

describe("messages in both languages (kintone-rest §8.2)", () => {
  it.each([
    ["text", "abcde", "5文字より短くなければなりません。", "Enter less than 5 characters."],
    ["text", "a", "1文字より長くなければなりません。", "Enter more than 1 characters."],
    ["text", "😀a1b", "5文字より短くなければなりません。", "Enter less than 5 characters."],
    ["num", "10.6", "10.5以下である必要があります。", "The value must be 10.5 or less."],
    ["num", "-1.01", "-1以上である必要があります。", "The value must be -1 or more."],
    ["drop", "z", '"z"は選択肢にありません。', 'The value, "z", is not in options.'],
    [
      "long",
      "x".repeat(65_536),
      "65536文字より短くなければなりません。",
      "Enter less than 65536 characters.",
    ],
  ])("%s: %.8j", async (code, value, ja, en) => {
    const body = { app: form.app, record: { text: { value: "ok" }, [code]: { value } } };
    const answer = async (language: string): Promise<unknown> => {
      const headers = { "X-Cybozu-API-Token": form.token, "Accept-Language": language };
      return errorsOf(await form.send("POST", "/k/v1/record.json", body, headers));
    };
    expect(await answer("ja")).toEqual({ [`record.${code}.value`]: [ja] });
    expect(await answer("en-US")).toEqual({ [`record.${code}.value`]: [en] });
  });

  it("tells a bad address and its length together", async () => {
    expect(errorsOf(await form.post({ link: "no address at all" }))).toEqual({
      "record.link.value": ["URLの形式が正しくありません。", "13文字より短くなければなりません。"],
    });
  });

  it("tells digits in excess, and not-a-number under its own key", async () => {
    expect(errorsOf(await form.post({ number: "1234567890123" }))).toEqual({
      "record.number.value": ["有効桁数を超えています。"],
    });
    expect(errorsOf(await form.post({ number: "12abc" }))).toEqual({
      "record[number].value": ["数字でなければなりません。"],
    });
    const batch = await form.send("POST", "/k/v1/records.json", {
      app: form.app,
      records: [{}, { number: { value: "1,000" } }],
    });
    expect(errorsOf(batch)).toEqual({ "records[1][number].value": ["数字でなければなりません。"] });
  });
});

describe("defaults (kintone-rest §8.3)", () => {
  it("fills absent keys only, on inserts only; the present moment beats a fixed default", async () => {
    const id = await form.add({ checks: [], drop: "" });
    expect(await form.read(id)).toMatchObject({
      text: "ab",
      num: "3",
      checks: [],
      drop: null,
      now: "2026-09-01T15:30:00Z",
      today: "2026-09-02",
      time: "00:30",
    });
    await form.put(id, { num: "" });
    await form.put(id, { long: "x" });
    expect(await form.read(id)).toMatchObject({ num: "" });
    expect(await form.read(await form.add({}))).toMatchObject({ drop: "a", checks: ["b"] });
  });

  it("lets a missing and an empty text violate minLength", async () => {
    const expected = { "record.text.value": ["1文字より長くなければなりません。"] };
    expect(errorsOf(await form.post({ text: "" }))).toEqual(expected);
    const app = form.server.provision.createApp({
      name: "short",
      fields: { text: { type: "SINGLE_LINE_TEXT", minLength: "2" } },
    });
    const auth = { "X-Cybozu-API-Token": form.server.provision.createToken(app, ["add"], "t") };
    expect(errorsOf(await form.send("POST", "/k/v1/record.json", { app }, auth))).toEqual(expected);
  });
});

describe("unique fields (kintone-rest §8.3)", () => {
  it.each([
    ["key", "K", "K"],
    ["number", "5", "5.00"],
    ["url", "http://a.test", "http://a.test"],
    ["day", "2026-9-1", "2026-09-01"],
    ["moment", "2026-09-01T00:00:10Z", "2026-09-01T09:00:50+09:00"],
  ])("%s refuses %s and then %s", async (code, first, second) => {
    const id = await form.add({ [code]: first });
    expect(errorsOf(await form.post({ [code]: second }))).toEqual({
      [`record.${code}.value`]: ["値がほかのレコードと重複しています。"],
    });
    expect((await form.put(id, { [code]: second })).status).toBe(200);
    await form.add({ [code]: "" });
    await form.add({ [code]: "" });
  });

  it("drops the setting on other types without a word", async () => {
    const properties = (await form.send("GET", `/k/v1/app/form/fields.json?app=${form.app}`)).json.properties;
    expect(properties).toMatchObject({ key: { unique: true } });
    expect(properties).not.toHaveProperty("dropped.unique");
    await form.add({ dropped: "a" });
    await form.add({ dropped: "a" });
  });

  it("names both rows' places when two rows of one batch collide with the store and each other", async () => {
    await form.add({ key: "taken" });
    const answer = await form.send("POST", "/k/v1/records.json", {
      app: form.app,
      records: [{ key: { value: "taken" } }, { key: { value: "fresh" } }, { key: { value: "fresh" } }],
    });
    expect(Object.keys(errorsOf(answer))).toEqual(["records[0].key.value", "records[2].key.value"]);
    const found = await form.search('key in ("fresh")');
    expect(found.json.records).toEqual([]);
  });
});

describe("required fields (kintone-rest §8.1, §8.3)", () => {
  const REQUIRED: FieldInputs = {
    text: { type: "SINGLE_LINE_TEXT", required: true },
    num: { type: "NUMBER", required: true },
    checks: { type: "CHECK_BOX", required: true, options: options("a") },
    many: { type: "MULTI_SELECT", required: true, options: options("a") },
    file: { type: "FILE", required: true },
    users: { type: "USER_SELECT", required: true },
    orgs: { type: "ORGANIZATION_SELECT", required: true },
    groups: { type: "GROUP_SELECT", required: true },
    drop: { type: "DROP_DOWN", required: true, options: options("a"), defaultValue: "a" },
    radio: { type: "RADIO_BUTTON", required: true, options: options("a") },
    calc: { type: "CALC", required: true, expression: "num / 0" },
  };
  it.each([
    ["nothing is sent", {}],
    ["null is sent", { text: null, num: null, checks: null, many: null, file: null, users: null }],
    ["empty values are sent", { text: "", num: "", checks: [], many: [], file: [], users: [], orgs: [] }],
  ])("each under the key of its type when %s", async (_, values) => {
    const app = form.server.provision.createApp({ name: "required", fields: REQUIRED });
    const auth = { "X-Cybozu-API-Token": form.server.provision.createToken(app, ["add"], "t") };
    const record = Object.fromEntries(Object.entries(values).map(([code, value]) => [code, { value }]));
    const answer = await form.send("POST", "/k/v1/record.json", { app, record }, auth);
    const required = ["必須です。"];
    expect(errorsOf(answer)).toEqual({
      "record.text.value": required,
      "record.num.value": required,
      "record.checks.values": required,
      "record.many.values": required,
      "record.file.values": required,
      "record.users.values.value": required,
      "record.orgs.values.value": required,
      "record.groups.values.value": required,
    });
  });

  it("tells two causes for what is no number in a required number", async () => {
    const app = form.server.provision.createApp({
      name: "two",
      fields: { num: { type: "NUMBER", required: true } },
    });
    const auth = { "X-Cybozu-API-Token": form.server.provision.createToken(app, ["add"], "t") };
    const body = { app, record: { num: { value: "x" } } };
    expect(errorsOf(await form.send("POST", "/k/v1/record.json", body, auth))).toEqual({
      "record.num.value": ["必須です。"],
      "record[num].value": ["数字でなければなりません。"],
    });
  });
});
