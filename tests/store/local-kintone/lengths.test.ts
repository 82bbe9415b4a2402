import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorsOf, options } from "./forms.ts";
import { basic } from "./preview-support.ts";
import { keyed, type RawAnswer, type Rig, startRig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  rig.server.provision.createUser({ code: "admin", name: "admin" }, "password");
  await rig.client.record.addRecord({ app: rig.app, record: keyed("long") });
});
afterAll(() => rig.close());

/** Adds a field to the preview; a code of its own each time, because it stays there. */
const addField = (code: string, more: object): Promise<RawAnswer> =>
  rig.send(
    "POST",
    "/k/v1/preview/app/form/fields.json",
    { app: rig.app, properties: { [code]: { type: "SINGLE_LINE_TEXT", code, label: code, ...more } } },
    basic("admin", "password"),
  );

describe("lengths (kintone-rest §8.3)", () => {
  it.each([
    [65_535, 200],
    [65_536, 400],
  ])("a comment of %d characters is answered with %d (§8.3)", async (length, status) => {
    const comment = { text: "あ".repeat(length) };
    const answer = await rig.send("POST", "/k/v1/record/comment.json", { app: rig.app, record: 1, comment });
    expect(answer.status).toBe(status);
  });

  it.each([
    ["l128", 128, 200],
    ["l129", 129, 400],
  ])("a label: field %s with %d characters is answered with %d (§8.3)", async (code, length, status) => {
    expect((await addField(code, { label: "名".repeat(length) })).status).toBe(status);
  });

  it.each([
    [128, 200],
    [129, 400],
  ])("a field code of %d characters is answered with %d (§8.3)", async (length, status) => {
    expect((await addField("c".repeat(length), { label: "c" })).status).toBe(status);
  });

  it.each([
    ["o128", 128, 200],
    ["o129", 129, 400],
  ])("an option: field %s with %d characters is answered with %d (§8.3)", async (code, length, status) => {
    const field = { type: "DROP_DOWN", options: options("選".repeat(length)) };
    expect((await addField(code, field)).status).toBe(status);
  });

  it.each(["1a", "a-b", "a b", "a.b", "", "a/b"])("the field code %j is refused (§8.3)", async (code) => {
    expect((await addField(code, { label: "x" })).status).toBe(400);
  });

  it.each(["_a", "ａ１", "日本語", "a1_"])("the field code %j is taken (§8.3)", async (code) => {
    expect((await addField(code, { label: "x" })).status).toBe(200);
  });

  it("a unique text counts UTF-16 units: 32 surrogate pairs fit, one more does not (§8.3)", async () => {
    const post = (lock: string): Promise<RawAnswer> =>
      rig.send("POST", "/k/v1/record.json", {
        app: rig.app,
        record: keyed(`lock ${lock.length}`, { lock_key: { value: lock } }),
      });
    expect((await post("𠮷".repeat(32))).status).toBe(200);
    const refused = await post(`${"𠮷".repeat(32)}a`);
    expect([refused.status, Object.keys(errorsOf(refused))]).toEqual([400, ["record.lock_key.value"]]);
  });
});

describe("long addresses (kintone-rest §2)", () => {
  it("a GET of 8 KB is served, and the same as an overridden POST (§2)", async () => {
    const query = `record_key in (${Array.from({ length: 900 }, (_, index) => `"k${index}"`).join(",")},"long")`;
    const target = `/k/v1/records.json?app=${rig.app}&query=${encodeURIComponent(query).replaceAll("%2C", ",")}`;
    expect(target.length).toBeGreaterThan(8_192);
    const get = await rig.send("GET", target);
    const headers = { "X-Cybozu-API-Token": rig.token, "X-HTTP-Method-Override": "GET" };
    const post = await rig.send("POST", "/k/v1/records.json", { app: rig.app, query }, headers);
    expect(get.json.records).toHaveLength(1);
    expect(post.json).toEqual(get.json);
  });
});
