import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HandClock, handClock } from "./preview-support.ts";
import { keyed, type RawAnswer, type Rig, startRig } from "./support.ts";

const MINUTE = 60_000;
let rig: Rig;
let clock: HandClock;
let ids: readonly string[];
beforeAll(async () => {
  clock = handClock();
  rig = await startRig({ clock });
  const records = Array.from({ length: 8 }, (_, index) => keyed(`cursor-${index}`));
  ids = (await rig.client.record.addRecords({ app: rig.app, records })).ids;
});
afterAll(() => rig.close());

const PATH = "/k/v1/records/cursor.json";
const query = 'record_key like "cursor" order by $id asc';
const open = (more: object = {}): Promise<RawAnswer> =>
  rig.send("POST", PATH, { app: rig.app, query, ...more });
const next = (id: unknown): Promise<RawAnswer> => rig.send("GET", `${PATH}?id=${String(id)}`);
const close = (id: unknown): Promise<RawAnswer> => rig.send("DELETE", PATH, { id });
const keysOf = (answer: RawAnswer): readonly string[] => {
  const rows: { record_key: { value: string } }[] = JSON.parse(JSON.stringify(answer.json.records));
  return rows.map((row) => row.record_key.value);
};

describe("cursors (kintone-rest §10)", () => {
  it("are made with a UUID and a total, read in pages, and gone after next is false", async () => {
    const made = await open({ size: 5, fields: ["record_key"] });
    expect(made.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      totalCount: "8",
    });
    const first = await next(made.json.id);
    expect([keysOf(first).length, first.json.next]).toEqual([5, true]);
    expect(Object.keys(JSON.parse(JSON.stringify(first.json.records))[0])).toEqual(["record_key"]);
    const last = await next(made.json.id);
    expect([keysOf(last), last.json.next]).toEqual([["cursor-5", "cursor-6", "cursor-7"], false]);
    const gone = await next(made.json.id);
    expect([gone.status, gone.json.code]).toEqual([404, "GAIA_CN01"]);
  });

  it("carry the official client through getAllRecordsWithCursor", async () => {
    const records = await rig.client.record.getAllRecordsWithCursor({ app: rig.app, query });
    expect(records).toHaveLength(8);
    const ordered = await rig.client.record.getAllRecords({ app: rig.app, orderBy: "record_key desc" });
    expect(ordered[0]?.record_key?.value).toBe("cursor-7");
  });

  it("delete with {} once, then with 404 GAIA_CN01, also with a JSON body or after exhaustion", async () => {
    const made = await open();
    expect((await close(made.json.id)).json).toEqual({});
    const again = await close(made.json.id);
    expect([again.status, again.json.code, again.json.message]).toEqual([
      404,
      "GAIA_CN01",
      "指定したカーソルは存在しないか、既に有効期限が切れています。",
    ]);
    const read = await open();
    await next(read.json.id);
    expect((await close(read.json.id)).json.code).toBe("GAIA_CN01");
  });

  it.each([
    [{ size: 0 }, "size"],
    [{ size: 501 }, "size"],
    [{ query: "limit 5" }, "query"],
    [{ query: "order by $id asc offset 5" }, "query"],
    [{ query: "nonsense" }, "query"],
    [{ app: undefined }, "app"],
  ])("refuse %j", async (more, key) => {
    const answer = await open(more);
    expect([answer.status, answer.json.code]).toEqual([400, "CB_VA01"]);
    expect(Object.keys(JSON.parse(JSON.stringify(answer.json.errors)))).toEqual([key]);
  });

  it("page by 100 unless told, up to 500", async () => {
    const { app } = rig;
    const fill = Array.from({ length: 93 }, (_, index) => keyed(`fill-${index}`));
    const filled = await rig.client.record.addRecords({ app, records: fill });
    const usual = await open({ query: "" });
    expect(keysOf(await next(usual.json.id))).toHaveLength(100);
    await close(usual.json.id);
    const wide = await open({ query: "", size: 500 });
    expect(keysOf(await next(wide.json.id))).toHaveLength(101);
    await rig.client.record.deleteRecords({ app, ids: filled.ids });
  });

  it("freeze the list of records and read the values as they are", async () => {
    const { app, client } = rig;
    const made = await open({ size: 500 });
    await client.record.updateRecord({ app, id: ids[0] ?? "", record: { note: { value: "later" } } });
    const { id: extra } = await client.record.addRecord({ app, record: keyed("cursor-extra") });
    await client.record.deleteRecords({ app, ids: [ids[7] ?? ""] });
    const answer = await next(made.json.id);
    expect(keysOf(answer)).toEqual(Array.from({ length: 7 }, (_, index) => `cursor-${index}`));
    expect(JSON.parse(JSON.stringify(answer.json.records))[0].note.value).toBe("later");
    await client.record.deleteRecords({ app, ids: [extra] });
  });

  it("are ten per domain; the eleventh gets 429 GAIA_TM12 until one goes", async () => {
    const made: unknown[] = [];
    for (let index = 0; index < 10; index += 1) made.push((await open({ size: 1 })).json.id);
    const refused = await open();
    expect([refused.status, refused.json.code, refused.headers.get("x-cybozu-error")]).toEqual([
      429,
      "GAIA_TM12",
      "GAIA_TM12",
    ]);
    expect(refused.json.message).toMatch(/^作成できるカーソルの上限に達しているため、/);
    await close(made.pop());
    const fresh = await open({ size: 1 });
    expect(fresh.status).toBe(200);
    for (const id of [...made, fresh.json.id]) await close(id);
  });

  it("live ten minutes from their making, longer with each read that leaves records", async () => {
    const idle = await open({ size: 1 });
    const busy = await open({ size: 1 });
    clock.advance(6 * MINUTE);
    expect((await next(busy.json.id)).status).toBe(200);
    clock.advance(6 * MINUTE);
    expect((await next(idle.json.id)).json.code).toBe("GAIA_CN01");
    expect((await next(busy.json.id)).status).toBe(200);
    clock.advance(10 * MINUTE);
    expect((await next(busy.json.id)).json.code).toBe("GAIA_CN01");
  });

  it("need a view right and tell nothing to a token of another app", async () => {
    const made = await open({ size: 1 });
    const other = rig.server.provision.createApp({ name: "o", fields: { t: { type: "SINGLE_LINE_TEXT" } } });
    const token = rig.server.provision.createToken(other, ["view"], "o");
    const answer = await rig.send("GET", `${PATH}?id=${String(made.json.id)}`, undefined, {
      "X-Cybozu-API-Token": token,
    });
    expect([answer.status, answer.json.code]).toEqual([403, "GAIA_AP15"]);
  });
});
