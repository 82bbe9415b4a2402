import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyed, type Rig, startRig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const keyedQuery = (key: string): string => `record_key in ("${key}")`;

describe("records over the official client (kintone-rest §6)", () => {
  it("inserts, reads, updates by key and deletes one record, ids and revisions as strings", async () => {
    const { app, client } = rig;
    const added = await client.record.addRecord({ app, record: keyed("R1:one", { amount: { value: 7 } }) });
    expect(added.revision).toBe("1");
    expect(added.id).toMatch(/^\d+$/);

    const { record } = await client.record.getRecord({ app, id: added.id });
    expect(record.$id).toEqual({ type: "__ID__", value: added.id });
    expect(record.amount).toEqual({ type: "NUMBER", value: "7" });
    expect(record.作成者).toEqual({
      type: "CREATOR",
      value: { code: "Administrator", name: "Administrator" },
    });
    expect(record.related).toBeUndefined();

    const updated = await client.record.updateRecord({
      app,
      updateKey: { field: "record_key", value: "R1:one" },
      revision: 1,
      record: { status: { value: "RUNNING" } },
    });
    expect(updated).toEqual({ revision: "2" });

    await client.record.deleteRecords({ app, ids: [added.id], revisions: ["2"] });
    const gone = await client.record.getRecords({ app, query: keyedQuery("R1:one") });
    expect(gone.records).toEqual([]);
  });

  it("never uses a record id twice", async () => {
    const { app, client } = rig;
    const first = await client.record.addRecord({ app, record: keyed("never-1") });
    await client.record.deleteRecords({ app, ids: [first.id] });
    const second = await client.record.addRecord({ app, record: keyed("never-2") });
    expect(Number(second.id)).toBeGreaterThan(Number(first.id));
  });

  it("answers parallel arrays for a batch and stores nothing when one row is refused", async () => {
    const { app, client } = rig;
    const answer = await client.record.addRecords({ app, records: [keyed("b-1"), keyed("b-2")] });
    expect(answer.ids).toHaveLength(2);
    expect(answer.revisions).toEqual(["1", "1"]);
    await expect(
      client.record.addRecords({ app, records: [keyed("b-3"), keyed("b-1")] }),
    ).rejects.toMatchObject({
      status: 400,
      code: "CB_VA01",
      errors: {
        "records[1].record_key.value": { messages: ["値がほかのレコードと重複しています。"] },
      },
    });
    expect((await client.record.getRecords({ app, query: keyedQuery("b-3") })).records).toEqual([]);
  });
});
