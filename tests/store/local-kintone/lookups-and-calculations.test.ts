import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FieldInputs } from "../../../main/local-kintone/index.ts";
import { type Form, record, rows, startForm } from "./forms.ts";

let form: Form;
beforeAll(async () => {
  form = await startForm();
});
afterAll(() => form.close());

type Rows = readonly Readonly<Record<string, { value: unknown }>>[];
function makeApp(fields: FieldInputs, records: Rows = []): string {
  const { provision } = form.server;
  const app = provision.createApp({ name: "made", fields });
  provision.insertRecords(app, records);
  return app;
}
const tokenFor = (app: string): string =>
  form.server.provision.createToken(app, ["view", "add", "edit"], "t");

describe("lookups (kintone-rest §8.4, §12)", () => {
  let source: string;
  let auth: Record<string, string>;
  let app: string;
  beforeAll(() => {
    source = makeApp(
      {
        sku: { type: "SINGLE_LINE_TEXT", unique: true },
        name: { type: "SINGLE_LINE_TEXT" },
        price: { type: "NUMBER" },
      },
      [
        record({ sku: "S-1", name: "ねじ", price: 12.5 }),
        record({ sku: "S-2", name: "twice", price: 1 }),
        record({ sku: "S-3", name: "twice", price: 2 }),
      ],
    );
    const lookup = (relatedKeyField: string, ...pairs: readonly (readonly [string, string])[]) => ({
      relatedApp: { app: source, code: "" },
      relatedKeyField,
      fieldMappings: pairs.map(([field, relatedField]) => ({ field, relatedField })),
    });
    app = makeApp({
      part: { type: "SINGLE_LINE_TEXT", lookup: lookup("sku", ["label", "name"], ["cost", "price"]) },
      label: { type: "SINGLE_LINE_TEXT" },
      cost: { type: "NUMBER" },
      doubled: { type: "CALC", expression: "cost * 2" },
      byName: { type: "SINGLE_LINE_TEXT", lookup: lookup("name") },
      byId: { type: "NUMBER", lookup: lookup("レコード番号", ["idName", "name"]) },
      idName: { type: "SINGLE_LINE_TEXT" },
      lines: {
        type: "SUBTABLE",
        fields: {
          linePart: { type: "SINGLE_LINE_TEXT", lookup: lookup("sku", ["lineName", "name"]) },
          lineName: { type: "SINGLE_LINE_TEXT" },
        },
      },
    });
    auth = { "X-Cybozu-API-Token": `${tokenFor(app)},${tokenFor(source)}` };
  });

  const post = (values: Record<string, unknown>, headers = auth): ReturnType<Form["send"]> =>
    form.send("POST", "/k/v1/record.json", { app, record: record(values) }, headers);
  async function read(id: unknown): Promise<unknown> {
    return (await form.send("GET", `/k/v1/record.json?app=${app}&id=${id}`, undefined, auth)).json.record;
  }

  it("copies what the key's record has, before calculating", async () => {
    const { id } = (await post({ part: "S-1" })).json;
    expect(await read(id)).toMatchObject({
      part: { type: "SINGLE_LINE_TEXT", value: "S-1" },
      label: { value: "ねじ" },
      cost: { value: "12.5" },
      doubled: { value: "25" },
    });
  });

  it("clears the copies with the key, and leaves them alone when the key is not sent", async () => {
    const { id } = (await post({ part: "S-1" })).json;
    const put = (values: object): ReturnType<Form["send"]> =>
      form.send("PUT", "/k/v1/record.json", { app, id, record: values }, auth);
    await put({ label: { value: "passed over" } });
    expect(await read(id)).toMatchObject({ label: { value: "ねじ" } });
    await put({ part: { value: "" } });
    expect(await read(id)).toMatchObject({ part: { value: "" }, label: { value: "" }, cost: { value: "" } });
  });

  it("looks up by record number, and inside a table row by row", async () => {
    const lines = rows({ linePart: "S-2" }, { linePart: "" }, { linePart: "S-1" });
    const { id } = (await post({ byId: 1, lines })).json;
    expect(await read(id)).toMatchObject({
      idName: { value: "ねじ" },
      lines: {
        value: [
          { value: { lineName: { value: "twice" } } },
          { value: { lineName: { value: "" } } },
          { value: { lineName: { value: "ねじ" } } },
        ],
      },
    });
  });

  it.each([
    ["a key the source does not have", { part: "S-9" }],
    ["a key that two records have", { byName: "twice" }],
    ["a record number of none", { byId: 77 }],
  ])("refuses %s with GAIA_LO04", async (_, values) => {
    const answer = await post(values);
    expect([answer.status, answer.json.code]).toEqual([400, "GAIA_LO04"]);
    const [code, key] = Object.entries(values)[0] ?? [];
    const english = await post(values, { ...auth, "Accept-Language": "en" });
    expect(english.json.message).toContain(`A value ${key} in the field ${code} does not exist`);
  });

  it("refuses when no credential reads the source", async () => {
    const own = { "X-Cybozu-API-Token": tokenFor(app) };
    expect((await post({ part: "S-1" }, own)).json.code).toBe("GAIA_LO04");
    expect((await post({ part: "" }, own)).status).toBe(200);
  });
});

describe("calculations (kintone-rest §8.4)", () => {
  const calc = (expression: string, format = "NUMBER" as const): FieldInputs[string] => ({
    type: "CALC",
    expression,
    format,
  });

  it("follows other calculations, tables and the app's precision", async () => {
    const app = makeApp(
      {
        grand: calc("SUM(line) + shipping"),
        shipping: { type: "NUMBER" },
        third: calc("shipping / 3"),
        kind: { type: "SINGLE_LINE_TEXT", expression: 'IF(grand >= 100, "large", "small") & "-" & shipping' },
        span: { type: "CALC", expression: "until - since", format: "HOUR_MINUTE" },
        since: { type: "DATETIME" },
        until: { type: "DATETIME" },
        broken: calc("shipping / 0"),
        lines: {
          type: "SUBTABLE",
          fields: {
            price: { type: "NUMBER" },
            count: { type: "NUMBER" },
            line: calc("price * count * rate"),
          },
        },
        rate: { type: "NUMBER", defaultValue: "1" },
      },
      [
        record({
          shipping: 10,
          grand: "ignored",
          since: "2026-09-01T00:00:00Z",
          until: "2026-09-03T01:30:00Z",
          lines: rows({ price: "0.1", count: 3 }, { price: 100, count: 1 }),
        }),
      ],
    );
    const auth = { "X-Cybozu-API-Token": tokenFor(app) };
    const get = async (): Promise<unknown> =>
      (await form.send("GET", `/k/v1/record.json?app=${app}&id=1`, undefined, auth)).json.record;
    expect(await get()).toMatchObject({
      grand: { type: "CALC", value: "110.3" },
      third: { value: "3.3333" },
      kind: { value: "large-10" },
      span: { value: "49:30" },
      broken: { value: "" },
      lines: { value: [{ value: { line: { value: "0.3" } } }, { value: { line: { value: "100" } } }] },
    });
    await form.send("PUT", "/k/v1/record.json", { app, id: 1, record: record({ rate: 2 }) }, auth);
    expect(await get()).toMatchObject({ grand: { value: "210.6" } });
    const search = `/k/v1/records.json?app=${app}&query=${encodeURIComponent("grand > 210 and grand in (210.6)")}`;
    expect((await form.send("GET", search, undefined, auth)).json.records).toHaveLength(1);
  });

  it.each([
    ["an unknown function", calc("YEN(1)"), "not supported"],
    ["a field that is not there", calc("nothing + 1"), "nothing"],
    ["no formula", { type: "CALC" as const }, "Required"],
    ["a formula that reads itself", calc("self + 1"), "itself"],
    ["half a formula", calc("1 +"), "unexpected end"],
  ])("is refused at definition for %s", (_, self, message) => {
    const make = (): string => form.server.provision.createApp({ name: "refused", fields: { self } });
    expect(make).toThrow(message);
  });
});
