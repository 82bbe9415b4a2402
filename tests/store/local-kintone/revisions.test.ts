import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyed, type Rig, startRig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const put = (body: object): ReturnType<Rig["send"]> =>
  rig.send("PUT", "/k/v1/record.json", { app: rig.app, ...body });
const putMany = (body: object): ReturnType<Rig["send"]> =>
  rig.send("PUT", "/k/v1/records.json", { app: rig.app, ...body });
const add = async (key: string, more: Parameters<typeof keyed>[1] = {}): Promise<string> =>
  (await rig.client.record.addRecord({ app: rig.app, record: keyed(key, more) })).id;

describe("revisions (kintone-rest §7)", () => {
  it("steps by one even for identical values, and refuses a stale one with 409 and no errors", async () => {
    const id = await add("rev-1");
    expect((await put({ id, record: { note: { value: "" } } })).json).toEqual({ revision: "2" });
    const stale = await put({ id, revision: 1, record: { note: { value: "late" } } });
    expect(stale.status).toBe(409);
    expect(stale.json).toMatchObject({
      code: "GAIA_CO02",
      message: "指定したrevisionは最新ではありません。ほかのユーザーがレコードを更新した可能性があります。",
    });
    expect(stale.json.errors).toBeUndefined();
    const { record } = await rig.client.record.getRecord({ app: rig.app, id });
    expect(record.note?.value).toBe("");
  });

  it.each([[-1], ["-1"], [null], [undefined], ["1"], [1]])(
    "revision %j passes on a fresh record",
    async (revision) => {
      const id = await add(`rev-pass-${String(revision)}-${typeof revision}`);
      expect((await put({ id, revision, record: {} })).json).toEqual({ revision: "2" });
    },
  );

  it("changes nothing when record is omitted", async () => {
    const id = await add("rev-omitted");
    expect((await put({ id, revision: 1 })).json).toEqual({ revision: "1" });
  });

  it("lets one of twenty parallel updates with the same revision win", async () => {
    const id = await add("rev-race");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => put({ id, revision: 1, record: { note: { value: `${n}` } } })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.json.code === "GAIA_CO02")).toHaveLength(19);
  });

  it("checks the revision before the values", async () => {
    const id = await add("rev-order");
    const answer = await put({ id, revision: 9, record: { status: { value: "GONE" } } });
    expect(answer.status).toBe(409);
  });

  it("refuses a whole batch for one stale entry, on PUT and on DELETE", async () => {
    const [one, two] = [await add("rev-b1"), await add("rev-b2")];
    const answer = await putMany({
      records: [
        { id: one, revision: 1, record: { note: { value: "x" } } },
        { id: two, revision: 7, record: { note: { value: "x" } } },
      ],
    });
    expect(answer.json.code).toBe("GAIA_CO02");
    const removed = await rig.send("DELETE", "/k/v1/records.json", {
      app: rig.app,
      ids: [one, two],
      revisions: [null, 7],
    });
    expect(removed.json.code).toBe("GAIA_CO02");
    const { record } = await rig.client.record.getRecord({ app: rig.app, id: one });
    expect(record.$revision?.value).toBe("1");
  });
});

describe("updateKey and upsert (kintone-rest §6)", () => {
  it("finds text exactly and numbers by value", async () => {
    await add("001", { serial: { value: "700" } });
    const text = await put({ updateKey: { field: "record_key", value: "1" }, record: {} });
    expect([text.status, text.json.code]).toEqual([404, "GAIA_RE20"]);
    const number = await put({ updateKey: { field: "serial", value: "700.0" }, record: {} });
    expect(number.json).toEqual({ revision: "2" });
  });

  it("inserts and updates in request order with the operation named", async () => {
    const id = await add("up-1");
    const answer = await putMany({
      upsert: true,
      records: [
        {
          updateKey: { field: "record_key", value: "up-2" },
          record: { record_type: { value: "NODE_STATE" } },
        },
        { updateKey: { field: "record_key", value: "up-1" }, record: { note: { value: "n" } } },
      ],
    });
    expect(answer.json.records).toEqual([
      { id: expect.stringMatching(/^\d+$/), revision: "1", operation: "INSERT" },
      { id, revision: "2", operation: "UPDATE" },
    ]);
    const { records } = await rig.client.record.getRecords({ app: rig.app, query: 'record_key in ("up-2")' });
    expect(records).toHaveLength(1);
  });

  it("upserts by id: a known one is updated, an unknown one inserted under a new id", async () => {
    const id = await add("up-id");
    const record = { record_key: { value: "up-new" }, record_type: { value: "NODE_STATE" } };
    const records = [
      { id, record: { note: { value: "n" } } },
      { id: 88_888, record },
    ];
    const answer = await putMany({ upsert: true, records });
    expect(answer.json.records).toEqual([
      { id, revision: "2", operation: "UPDATE" },
      { id: String(Number(id) + 1), revision: "1", operation: "INSERT" },
    ]);
  });

  it.each([
    [
      "the key field inside record",
      { updateKey: { field: "record_key", value: "k" }, record: { record_key: { value: "z" } } },
      { "records[0].record[record_key]": ["「updateKey」に指定したフィールドの値は更新できません。"] },
    ],
    [
      "an empty key value",
      { updateKey: { field: "record_key", value: "" }, record: {} },
      { "records[0].updateKey.value": ["必須です。"] },
    ],
  ])("refuses %s", async (_, entry, errors) => {
    const answer = await putMany({ records: [entry] });
    expect(answer.json.code).toBe("CB_VA01");
    expect(answer.json.errors).toEqual(
      Object.fromEntries(Object.entries(errors).map(([key, messages]) => [key, { messages }])),
    );
  });

  it("refuses the same key twice in one request, and id together with updateKey", async () => {
    await add("twice");
    const entry = { updateKey: { field: "record_key", value: "twice" }, record: {} };
    expect((await putMany({ records: [entry, entry] })).json.code).toBe("GAIA_IQ28");
    expect((await put({ id: 1, ...entry })).json.code).toBe("CB_VA01");
  });
});
