import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyed, type Rig, startRig } from "./support.ts";

let rig: Rig;
let serial = 0;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const nextKey = (): string => {
  serial += 1;
  return `key-${serial}`;
};

async function stored(code: string, value: unknown): Promise<unknown> {
  const { app, client } = rig;
  const { id } = await client.record.addRecord({ app, record: keyed(nextKey(), { [code]: { value } }) });
  const { record } = await client.record.getRecord({ app, id });
  return record[code]?.value;
}

describe("values as stored and returned (kintone-rest §8.4)", () => {
  it.each([
    ["amount", 12, "12"],
    ["amount", " 1.5e1 ", "15"],
    ["amount", "-0.50", "-0.50"],
    ["amount", "", ""],
    ["revision", "123456789012.1234", "123456789012.1234"],
    ["as_of", "2026-09-01T12:59:59Z", "2026-09-01T12:59:00Z"],
    ["as_of", "2026-09-01T00:00:00.123Z", "2026-09-01T00:00:00Z"],
    ["as_of", "2026-09-01T00:30:30+09:00", "2026-08-31T15:30:00Z"],
    ["as_of", "2026-09-01", "2026-09-01T00:00:00Z"],
    ["as_of", "", ""],
    ["day", "2015-7-5", "2015-07-05"],
    ["day", "2015", "2015-01-01"],
    ["day", "", null],
    ["at", "8:05:59", "08:05"],
    ["status", "", null],
    ["pick", undefined, "x"],
    ["pick", "", null],
    ["flags", ["取消"], ["取消"]],
    ["flags", [], []],
    ["note", "line 1\nline 2", "line 1\nline 2"],
    ["short", null, ""],
  ])("%s: %j -> %j", async (code, sent, expected) => {
    const record = sent === undefined ? keyed(nextKey()) : keyed(nextKey(), { [code]: { value: sent } });
    const { app, client } = rig;
    const { id } = await client.record.addRecord({ app, record });
    const read = await client.record.getRecord({ app, id });
    expect(read.record[code]?.value).toEqual(expected);
  });

  it("cuts the system times to the minute", async () => {
    const { app, client } = rig;
    const { id } = await client.record.addRecord({ app, record: keyed(nextKey()) });
    const { record } = await client.record.getRecord({ app, id });
    expect(record.作成日時?.value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
  });
});

describe("values that are refused (kintone-rest §8.1, §8.2)", () => {
  it.each([
    ["amount", "1,000", "record[amount].value", "数字でなければなりません。"],
    ["amount", "1000001", "record.amount.value", "1000000以下である必要があります。"],
    ["amount", -6, "record.amount.value", "-5以上である必要があります。"],
    ["revision", "1234567890123", "record.revision.value", "有効桁数を超えています。"],
    ["short", "123456", "record.short.value", "6文字より短くなければなりません。"],
    ["status", "GONE", "record.status.value", '"GONE"は選択肢にありません。'],
    ["flags", ["取消", "?"], "record.flags.values[1].value", '"?"は選択肢にありません。'],
    ["lock_key", "x".repeat(65), "record.lock_key.value", "65文字より短くなければなりません。"],
    ["lock_key", "😀".repeat(33), "record.lock_key.value", "65文字より短くなければなりません。"],
    ["as_of", "2026-02-30T00:00:00Z", "record.as_of.value", "日付または時刻の形式が正しくありません。"],
    ["site", "not a url", "record.site.value", "URLの形式が正しくありません。"],
  ])("%s: %j under %s", async (code, value, key, message) => {
    const record = keyed(nextKey(), { [code]: { value } });
    const answer = await rig.send("POST", "/k/v1/record.json", { app: rig.app, record });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "CB_VA01", message: "入力内容が正しくありません。" });
    expect(answer.json.id).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(answer.json.errors).toEqual({ [key]: { messages: [message] } });
  });

  it("accepts a unique text of exactly 64 UTF-16 units (§8.3)", async () => {
    expect(await stored("lock_key", "😀".repeat(32))).toBe("😀".repeat(32));
  });

  it("tells all failures of all rows at once, and missing required fields among them (§3, §8.3)", async () => {
    const records = [{ record_type: { value: "NODE_STATE" } }, keyed("", { status: { value: "GONE" } })];
    const answer = await rig.send(
      "POST",
      "/k/v1/records.json",
      { app: rig.app, records },
      {
        "X-Cybozu-API-Token": rig.token,
        "Accept-Language": "en-US",
      },
    );
    expect(answer.json.errors).toEqual({
      "records[0].record_key.value": { messages: ["Required."] },
      "records[1].record_key.value": { messages: ["Required."] },
      "records[1].status.value": { messages: ['The value, "GONE", is not in options.'] },
    });
  });

  it("checks required on the merged record of an update (§8.3)", async () => {
    const { app, client } = rig;
    const { id } = await client.record.addRecord({ app, record: keyed(nextKey()) });
    await expect(
      client.record.updateRecord({ app, id, record: { record_key: { value: "" } } }),
    ).rejects.toMatchObject({
      code: "CB_VA01",
      errors: { "record.record_key.value": { messages: ["必須です。"] } },
    });
    await client.record.updateRecord({ app, id, record: { note: { value: "kept" } } });
  });

  it.each([
    ["POST", { nothing: { value: 1 } }, "GAIA_FC01"],
    ["PUT", { $id: { value: 1 } }, "GAIA_RC01"],
    ["PUT", { 作成者: { value: { code: "x" } } }, "GAIA_NO01"],
  ])("%s of %j is refused with %s (§6)", async (method, more, code) => {
    const { id } = await rig.client.record.addRecord({ app: rig.app, record: keyed(nextKey()) });
    const record = method === "POST" ? { ...keyed(nextKey()), ...more } : more;
    const body = { app: rig.app, record, ...(method === "PUT" ? { id } : {}) };
    const answer = await rig.send(method, "/k/v1/record.json", body);
    expect(answer.json.code).toBe(code);
  });
});

describe("unique fields (kintone-rest §8.3)", () => {
  it("lets the empty value repeat, excludes the record itself, and frees a value given up", async () => {
    const { app, client } = rig;
    const first = await client.record.addRecord({
      app,
      record: keyed(nextKey(), { lock_key: { value: "N1:free" } }),
    });
    await client.record.addRecord({ app, record: keyed(nextKey(), { lock_key: { value: "" } }) });
    await client.record.addRecord({ app, record: keyed(nextKey()) });
    await client.record.updateRecord({ app, id: first.id, record: { lock_key: { value: "N1:free" } } });
    await client.record.updateRecord({ app, id: first.id, record: { lock_key: { value: "" } } });
    const next = await client.record.addRecord({
      app,
      record: keyed(nextKey(), { lock_key: { value: "N1:free" } }),
    });
    expect(Number(next.id)).toBeGreaterThan(Number(first.id));
  });

  it("compares numbers by value", async () => {
    await stored("serial", "5.0");
    const record = keyed(nextKey(), { serial: { value: 5 } });
    const answer = await rig.send("POST", "/k/v1/record.json", { app: rig.app, record });
    expect(answer.json.errors).toEqual({
      "record.serial.value": { messages: ["値がほかのレコードと重複しています。"] },
    });
  });

  it("lets exactly one of fifty parallel inserts of one key win; the others get 400 CB_VA01", async () => {
    const { app, client } = rig;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => client.record.addRecord({ app, record: keyed("LOCK:race") })),
    );
    const lost = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(lost).toHaveLength(49);
    for (const outcome of lost) {
      expect(outcome.reason).toMatchObject({
        status: 400,
        code: "CB_VA01",
        errors: { "record.record_key.value": { messages: ["値がほかのレコードと重複しています。"] } },
      });
    }
    const { records } = await client.record.getRecords({ app, query: 'record_key in ("LOCK:race")' });
    expect(records).toHaveLength(1);
  });
});
