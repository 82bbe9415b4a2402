import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorsOf, type Form, options, record, rows, startForm } from "./forms.ts";

let form: Form;
beforeAll(async () => {
  form = await startForm();
});
afterAll(() => form.close());

interface Row {
  readonly id: string;
  readonly value: Record<string, { readonly type: string; readonly value: unknown }>;
}
async function table(id: string): Promise<readonly Row[]> {
  const { table: value } = await form.read(id);
  return JSON.parse(JSON.stringify(value));
}
const items = (list: readonly Row[]): unknown[] => list.map((row) => row.value.item?.value);

describe("table rows (kintone-rest §8.4)", () => {
  it("numbers new rows, gives them defaults and answers type and value inside", async () => {
    const id = await form.add({ table: rows({ item: "a", price: 5 }, {}) });
    const [first, second] = await table(id);
    expect(first?.id).toMatch(/^\d+$/);
    expect(second?.id).not.toBe(first?.id);
    expect(first?.value).toMatchObject({
      item: { type: "SINGLE_LINE_TEXT", value: "a" },
      price: { type: "NUMBER", value: "5" },
      kind: { type: "DROP_DOWN", value: "x" },
      tags: { type: "CHECK_BOX", value: [] },
      due: { type: "DATE", value: null },
    });
  });

  it("keeps the table when its key is not sent", async () => {
    const id = await form.add({ table: rows({ item: "a" }) });
    const before = await table(id);
    await form.put(id, { text: "other" });
    expect(await table(id)).toEqual(before);
  });

  it("deletes every row for an empty list", async () => {
    const id = await form.add({ table: rows({ item: "a" }, { item: "b" }) });
    await form.put(id, { table: [] });
    expect(await table(id)).toEqual([]);
  });

  it("merges a row of a known id, adds the others, and drops what was not sent", async () => {
    const id = await form.add({ table: rows({ item: "a", price: 1 }, { item: "b" }, { item: "c" }) });
    const [a, b] = await table(id);
    const sent = [
      { id: "999999", value: record({ item: "new", kind: "y" }) },
      { id: Number(a?.id), value: record({ price: 2 }) },
      { value: record({ item: "late" }) },
    ];
    expect((await form.put(id, { table: sent })).status).toBe(200);
    const after = await table(id);
    expect(items(after)).toEqual(["new", "a", "late"]);
    expect(after[1]).toMatchObject({ id: a?.id, value: { price: { value: "2" } } });
    expect(new Set(after.map((row) => row.id)).size).toBe(3);
    expect(after.map((row) => row.id)).not.toContain(b?.id);
  });

  it("takes a second row of the same id for a new one", async () => {
    const id = await form.add({ table: rows({ item: "a" }) });
    const [row] = await table(id);
    await form.put(id, {
      table: [
        { id: row?.id, value: {} },
        { id: row?.id, value: record({ item: "b" }) },
      ],
    });
    const after = await table(id);
    expect(items(after)).toEqual(["a", "b"]);
    expect(after[1]?.id).not.toBe(row?.id);
  });

  it.each(["12abc", "1,000", "x"])("stores the bad number %s inside a table as nothing", async (price) => {
    const id = await form.add({ table: rows({ price }) });
    expect((await table(id))[0]?.value.price?.value).toBe("");
  });

  it("attaches files per row, keeps one by its key and forgets the others", async () => {
    const upload = async (data: string): Promise<string> =>
      (await form.client.file.uploadFile({ file: { name: "s.txt", data: Buffer.from(data) } })).fileKey;
    const scan = [{ fileKey: await upload("one") }, { fileKey: await upload("two") }];
    const id = await form.add({ table: rows({ scan }) });
    const [row] = await table(id);
    const stored: { fileKey: string }[] = JSON.parse(JSON.stringify(row?.value.scan?.value));
    const [kept, dropped] = stored.map((file) => file.fileKey);
    await form.put(id, { table: [{ id: row?.id, value: record({ scan: [{ fileKey: kept }] }) }] });
    const status = async (key: string | undefined): Promise<number> =>
      (await form.send("GET", `/k/v1/file.json?fileKey=${key}`)).status;
    expect([await status(kept), await status(dropped)]).toEqual([200, 404]);
    await form.send("DELETE", "/k/v1/records.json", { app: form.app, ids: [id] });
    expect(await status(kept)).toBe(404);
  });

  it("changes nothing of a table when the write is refused", async () => {
    const id = await form.add({ table: rows({ item: "a" }) });
    const before = await table(id);
    expect((await form.put(id, { table: rows({ item: "too long" }) })).status).toBe(400);
    expect(await table(id)).toEqual(before);
  });
});

describe("errors inside tables (kintone-rest §8.1)", () => {
  it("names table, row and field, in batches behind the record's place", async () => {
    const bad = rows({}, { item: "123456", kind: "z", tags: ["p", "?"] });
    const single = await form.post({ table: bad });
    const expected = {
      "table.value[1].value.item.value": ["6文字より短くなければなりません。"],
      "table.value[1].value.kind.value": ['"z"は選択肢にありません。'],
      "table.value[1].value.tags.values[1].value": ['"?"は選択肢にありません。'],
    };
    const under = (prefix: string): object =>
      Object.fromEntries(Object.entries(expected).map(([key, texts]) => [`${prefix}.${key}`, texts]));
    expect(errorsOf(single)).toEqual(under("record"));
    const batch = await form.send("POST", "/k/v1/records.json", {
      app: form.app,
      records: [{}, record({ table: bad })],
    });
    expect(errorsOf(batch)).toEqual(under("records[1]"));
  });

  it("refuses an unknown field inside a row", async () => {
    const answer = await form.post({ table: rows({ nothing: 1 }) });
    expect([answer.status, answer.json.code]).toEqual([400, "GAIA_FC01"]);
  });

  it("requires fields in every row, and never the table itself (§8.3)", async () => {
    const app = form.server.provision.createApp({
      name: "required rows",
      fields: {
        lines: {
          type: "SUBTABLE",
          required: true,
          fields: {
            name: { type: "SINGLE_LINE_TEXT", required: true, unique: true },
            files: { type: "FILE", required: true },
            owner: { type: "USER_SELECT", required: true },
            flags: { type: "CHECK_BOX", required: true, options: options("a") },
          },
        },
      },
    });
    const token = form.server.provision.createToken(app, ["add"], "t");
    const auth = { "X-Cybozu-API-Token": token };
    const post = (lines: unknown): ReturnType<Form["send"]> =>
      form.send("POST", "/k/v1/record.json", { app, record: { lines: { value: lines } } }, auth);
    expect((await form.send("POST", "/k/v1/record.json", { app }, auth)).status).toBe(200);
    expect(errorsOf(await post([{ value: {} }]))).toEqual({
      "record.lines.value[0].value.name.value": ["必須です。"],
      "record.lines.value[0].value.files.values": ["必須です。"],
      "record.lines.value[0].value.owner.values.value": ["必須です。"],
      "record.lines.value[0].value.flags.values": ["必須です。"],
    });
  });
});
