import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorsOf, type Form, options, record, startForm } from "./forms.ts";
import type { RawAnswer } from "./support.ts";

let form: Form;
beforeAll(async () => {
  form = await startForm({
    text: { type: "SINGLE_LINE_TEXT" },
    key: { type: "SINGLE_LINE_TEXT", unique: true },
    number: { type: "NUMBER", unique: true },
    url: { type: "LINK", unique: true },
    drop: { type: "DROP_DOWN", options: options("a") },
  });
});
afterAll(() => form.close());

const records = (method: string, body: object): Promise<RawAnswer> =>
  form.send(method, "/k/v1/records.json", { app: form.app, ...body });
const single = (method: string, body: object): Promise<RawAnswer> =>
  form.send(method, "/k/v1/record.json", { app: form.app, ...body });
const english = (): Record<string, string> => ({ "X-Cybozu-API-Token": form.token, "Accept-Language": "en" });

describe("one record (kintone-rest §6)", () => {
  it("POST takes no record, an empty one and null, and answers id and revision as texts", async () => {
    for (const body of [{}, { record: {} }, { record: null }]) {
      expect((await single("POST", body)).json).toEqual({
        id: expect.stringMatching(/^\d+$/),
        revision: "1",
      });
    }
  });

  it("GET answers the whole record with $id and $revision, from a query or from a body", async () => {
    const id = await form.add({ text: "read" });
    const path = `/k/v1/record.json?app=${form.app}&id=${id}`;
    const { json } = await form.send("GET", path);
    expect(json.record).toMatchObject({
      $id: { value: id },
      $revision: { value: "1" },
      text: { value: "read" },
    });
    const override = { "X-Cybozu-API-Token": form.token, "X-HTTP-Method-Override": "GET" };
    const posted = await form.send("POST", "/k/v1/record.json", { app: form.app, id: Number(id) }, override);
    expect(posted.json).toEqual(json);
  });

  it.each([
    ["GET", {}, "id"],
    ["GET", { id: "" }, "id"],
    ["PUT", { record: {} }, "id"],
  ])("%s without id names it", async (method, body, key) => {
    const query = `app=${form.app}${"id" in body ? "&id=" : ""}`;
    const answer =
      method === "GET" ? await form.send("GET", `/k/v1/record.json?${query}`) : await single(method, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, { [key]: ["必須です。"] }]);
  });

  it.each([
    ["GET", "/k/v1/record.json?id=9999", undefined],
    ["PUT", "/k/v1/record.json", { id: 9999, record: {} }],
    ["PUT", "/k/v1/records.json", { records: [{ id: 9999, record: {} }] }],
    ["DELETE", "/k/v1/records.json", { ids: [9999] }],
  ])(
    "%s %s of a record that is not there is 404 GAIA_RE01 without a place (§5)",
    async (method, path, body) => {
      const target = body === undefined ? `${path}&app=${form.app}` : path;
      const payload = body === undefined ? undefined : { app: form.app, ...body };
      const answer = await form.send(method, target, payload);
      expect([answer.status, answer.json.code, answer.json.errors]).toEqual([404, "GAIA_RE01", undefined]);
      expect(answer.json.message).toBe("指定したレコード（id: 9999）が見つかりません。");
      expect((await form.send(method, target, payload, english())).json.message).toBe(
        "The specified record (ID: 9999) is not found.",
      );
    },
  );

  it("PUT refuses the record number and $id, and passes over $revision", async () => {
    const id = await form.add({});
    expect((await form.put(id, { レコード番号: "5" })).status).toBe(400);
    expect((await form.put(id, { $id: "5" })).status).toBe(400);
    expect((await form.put(id, { $revision: "9", text: "x" })).json).toEqual({ revision: "2" });
  });

  it("refuses a code the form does not have, and takes back what process management shows", async () => {
    const answer = await form.post({ nothing: 1 });
    expect([answer.status, answer.json.code, answer.json.message]).toEqual([
      400,
      "GAIA_FC01",
      "指定されたフィールド（code: nothing）が見つかりません。",
    ]);
    expect((await form.post({ ステータス: "x", 作業者: [] })).status).toBe(200);
  });

  it("sets creator and times only with app management", async () => {
    const given = {
      作成者: { code: "sato" },
      作成日時: "2020-01-02T03:04:05Z",
      更新日時: "2021-01-01T00:00:00Z",
    };
    expect((await form.post(given)).json.code).toBe("GAIA_NO01");
    const manager = form.server.provision.createToken(form.app, ["view", "add", "manage"], "manager");
    const headers = { "X-Cybozu-API-Token": manager };
    const post = (values: object): Promise<RawAnswer> =>
      form.send("POST", "/k/v1/record.json", { app: form.app, record: record({ ...values }) }, headers);
    const added = await post(given);
    expect(await form.read(String(added.json.id))).toMatchObject({
      作成者: { code: "sato", name: "佐藤" },
      作成日時: "2020-01-02T03:04:00Z",
      更新日時: "2021-01-01T00:00:00Z",
      更新者: { code: "Administrator" },
    });
    expect((await post({ 作成者: { code: "nobody" } })).json.code).toBe("GAIA_IL26");
    expect(errorsOf(await post({ 作成日時: "never" }))).toHaveProperty(["record.作成日時.value"]);
  });
});

describe("several records (kintone-rest §6)", () => {
  const many = (count: number, entry: object): object[] => Array.from({ length: count }, () => entry);

  it.each([
    ["POST", "追加", "added"],
    ["PUT", "更新", "updated"],
  ])("%s takes 100 at most", async (method, ja, en) => {
    const body = { records: many(101, {}) };
    expect(errorsOf(await records(method, body))).toEqual({
      records: [`一度に100件までのレコードを${ja}できます。`],
    });
    const answer = await form.send(method, "/k/v1/records.json", { app: form.app, ...body }, english());
    expect(errorsOf(answer)).toEqual({ records: [`A maximum of 100 records can be ${en} at one time.`] });
  });

  it("POST and PUT answer what became of each, in order; none for none", async () => {
    const added = await records("POST", { records: many(100, {}) });
    expect(added.json.ids).toHaveLength(100);
    expect((await records("POST", { records: [] })).json).toEqual({ ids: [], revisions: [] });
    const ids: string[] = JSON.parse(JSON.stringify(added.json.ids)).slice(0, 2);
    const put = await records("PUT", { records: ids.reverse().map((id) => ({ id, record: {} })) });
    expect(put.json).toEqual({ records: ids.map((id) => ({ id, revision: "2" })) });
    expect((await records("PUT", { records: [] })).json).toEqual({ records: [] });
  });

  it.each([null, 7, "text", []])(
    "a row that is %j is refused, and nothing is added (kintone-rest §6)",
    async (row) => {
      const before = await form.send("GET", `/k/v1/records.json?app=${form.app}&totalCount=true`);
      const answer = await form.send("POST", "/k/v1/records.json", { app: form.app, records: [row] });
      expect(answer).toMatchObject({ status: 400, json: { code: "CB_VA01", errors: { "records[0]": {} } } });
      const after = await form.send("GET", `/k/v1/records.json?app=${form.app}&totalCount=true`);
      expect(after.json.totalCount).toBe(before.json.totalCount);
    },
  );

  it.each([
    [
      "no ids",
      {},
      ["必須です。", "一度に1件から100件までのレコードを削除できます。"],
      ["Between 1 and 100 records can be deleted at one time.", "Required field."],
    ],
    [
      "an empty list",
      { ids: [] },
      ["一度に1件から100件までのレコードを削除できます。"],
      ["Between 1 and 100 records can be deleted at one time."],
    ],
    [
      "101 ids",
      { ids: Array.from({ length: 101 }, (_, n) => n + 1) },
      ["一度に1件から100件までのレコードを削除できます。"],
      ["Between 1 and 100 records can be deleted at one time."],
    ],
  ])("DELETE refuses %s in the order of each language", async (_, body, ja, en) => {
    expect(errorsOf(await records("DELETE", body))).toEqual({ ids: ja });
    const answer = await form.send("DELETE", "/k/v1/records.json", { app: form.app, ...body }, english());
    expect(errorsOf(answer)).toEqual({ ids: en });
  });

  it("DELETE takes ids from the query or the body, and deletes all or none", async () => {
    const ids = [await form.add({}), await form.add({})];
    expect((await records("DELETE", { ids: [...ids, "9999"] })).json.code).toBe("GAIA_RE01");
    expect((await form.send("DELETE", `/k/v1/records.json?app=${form.app}&ids[0]=${ids[0]}`)).json).toEqual(
      {},
    );
    expect((await records("DELETE", { ids: [Number(ids[1])] })).json).toEqual({});
  });

  it("GET answers the listed fields only, passes over unknown ones and table columns, counts when asked", async () => {
    const id = await form.add({ text: "listed" });
    const query = encodeURIComponent(`$id = ${id}`);
    const list = (more: string): Promise<RawAnswer> =>
      form.send("GET", `/k/v1/records.json?app=${form.app}&query=${query}${more}`);
    expect((await list("&fields[0]=text&fields[1]=nothing")).json).toEqual({
      records: [{ text: { type: "SINGLE_LINE_TEXT", value: "listed" } }],
      totalCount: null,
    });
    expect((await list("&fields[0]=$revision&totalCount=true")).json).toEqual({
      records: [{ $revision: { type: "__REVISION__", value: "1" } }],
      totalCount: "1",
    });
  });
});

describe("updateKey (kintone-rest §6)", () => {
  const byKey = (field: string, value: unknown, more: object = { record: {} }): object => ({
    updateKey: { field, value },
    ...more,
  });

  it("takes unique texts and numbers only", async () => {
    await form.add({ key: "only", number: "5", url: "http://a.test" });
    const status = async (body: object): Promise<unknown> => (await single("PUT", body)).status;
    expect(await status(byKey("key", "only"))).toBe(200);
    expect(await status(byKey("number", "5.0"))).toBe(200);
    for (const field of ["url", "text", "drop", "nothing", ""]) {
      expect(await status(byKey(field, "http://a.test")), field).toBe(400);
    }
  });

  it.each([
    [
      "the key field inside record",
      byKey("key", "k", { record: record({ key: "k" }) }),
      "record[key]",
      "「updateKey」に指定したフィールドの値は更新できません。",
    ],
    ["an empty key value", byKey("key", ""), "updateKey.value", "必須です。"],
    [
      "id and updateKey",
      { id: 1, ...byKey("key", "k") },
      "updateKey",
      "「id」と「updateKey」は同時に指定できません。",
    ],
  ])("refuses %s, alone and in a batch", async (_, body, key, message) => {
    const alone = await single("PUT", body);
    expect([alone.status, alone.json.code, errorsOf(alone)]).toEqual([400, "CB_VA01", { [key]: [message] }]);
    const batch = await records("PUT", { records: [body] });
    expect(errorsOf(batch)).toEqual({ [`records[0].${key}`]: [message] });
  });

  it("finds no record: GAIA_RE20 with its English text", async () => {
    const body = { app: form.app, ...byKey("key", "none") };
    const answer = await form.send("PUT", "/k/v1/record.json", body, english());
    expect([answer.status, answer.json.code, answer.json.message]).toEqual([
      404,
      "GAIA_RE20",
      'No records match the conditions specified in the "updateKey" field.',
    ]);
  });

  it("refuses the whole request for the same key twice, with or without upsert", async () => {
    await form.add({ key: "double" });
    const entries = [byKey("key", "double"), byKey("key", "double")];
    for (const upsert of [false, true]) {
      const answer = await records("PUT", { records: entries, upsert });
      expect([answer.json.code, answer.json.message]).toEqual([
        "GAIA_IQ28",
        "「updateKey」に指定した条件にあてはまるレコードが重複しています。",
      ]);
    }
    const fresh = [byKey("key", "fresh"), byKey("key", "fresh")];
    expect((await records("PUT", { records: fresh, upsert: true })).json.code).toBe("GAIA_IQ28");
    expect((await form.search('key = "fresh"')).json.records).toEqual([]);
  });

  it("upserts with the key as a value, numbers too, and refuses all when one row is bad", async () => {
    const entry = byKey("number", "7.50", { record: record({ text: "made" }) });
    const made = await records("PUT", { records: [entry], upsert: true });
    expect(made.json.records).toEqual([{ id: expect.any(String), revision: "1", operation: "INSERT" }]);
    const again = await records("PUT", { records: [byKey("number", 7.5)], upsert: true });
    expect(again.json.records).toEqual([{ id: expect.any(String), revision: "2", operation: "UPDATE" }]);
    const bad = await records("PUT", {
      upsert: true,
      records: [byKey("key", "bad-1"), byKey("key", "bad-2", { record: record({ drop: "?" }) })],
    });
    expect(errorsOf(bad)).toEqual({ "records[1].drop.value": ['"?"は選択肢にありません。'] });
    expect((await form.search('key in ("bad-1", "bad-2")')).json.records).toEqual([]);
  });

  it("upsertRecord of the official client updates and inserts", async () => {
    const { client, app } = form;
    const updateKey = { field: "key", value: "client" };
    const upsert = (): ReturnType<typeof client.record.upsertRecord> =>
      client.record.upsertRecord({ app, updateKey, record: { text: { value: "u" } } });
    const first = await upsert();
    expect(await upsert()).toEqual({ id: first.id, revision: "2" });
  });
});
