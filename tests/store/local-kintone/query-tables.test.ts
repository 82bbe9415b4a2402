import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FieldInputs } from "../../../main/local-kintone/index.ts";
import { EVERY_TYPE, type Form, record, rows, startForm } from "./forms.ts";

let form: Form;
beforeAll(async () => {
  form = await startForm({
    ...EVERY_TYPE,
    other: { type: "SUBTABLE", fields: { note: { type: "SINGLE_LINE_TEXT" }, amount: { type: "NUMBER" } } },
  });
  await form.add({
    text: "both",
    table: rows(
      {
        item: "a",
        price: 1,
        kind: "x",
        tags: ["p"],
        who: [{ code: "sato" }],
        due: "2026-09-01",
        memo: "red box",
      },
      { item: "b", price: 20, kind: "y", tags: ["p", "q"], due: "2026-10-01" },
    ),
    other: rows({ note: "n", amount: 5 }),
  });
  await form.add({ text: "one", table: rows({ item: "b", price: 1, kind: "x" }) });
  await form.add({ text: "none", table: [] });
  await form.add({ text: "blank", table: rows({ kind: "" }) });
});
afterAll(() => form.close());

describe("fields inside tables (kintone-rest §13.2)", () => {
  it.each([
    ['item in ("a")', "both"],
    ['item in ("b")', "one both"],
    ['item in ("a", "b")', "one both"],
    ['item in ("")', "blank"],
    ['item not in ("a")', "blank one"],
    ['item not in ("b")', "blank"],
    ['item like "a"', "both"],
    ['item not like "a"', "blank one"],
    ["price > 10", "both"],
    ["price < 10", "one both"],
    ["price in (1.0)", "one both"],
    ["price not in (1)", "blank"],
    ['kind in ("y")', "both"],
    ['kind not in ("x")', "blank"],
    ['tags in ("q")', "both"],
    ['tags not in ("q")', "blank one"],
    ['who in ("sato")', "both"],
    ['who not in ("sato")', "blank one"],
    ['due >= "2026-09-15"', "both"],
    ['memo like "red"', "both"],
    ["memo is empty", "blank one both"],
    ["memo is not empty", ""],
  ])("%s -> %s", async (query, expected) => {
    expect(await form.found(query)).toBe(expected);
  });

  it.each([
    ['item in ("a") and price > 10', ""],
    ['item in ("b") and price > 10', "both"],
    ['price > 10 and text = "both" and item in ("b")', "both"],
    ['(item in ("b") and kind in ("x")) and price < 5', "one"],
    ['item in ("a") or price > 10', "both"],
    ['item in ("a") and note in ("n")', "both"],
    ['item in ("a") and amount > 5', ""],
    ['price < 10 and item not in ("a")', "one"],
  ])("conditions joined by and hold in the same row: %s -> %s", async (query, expected) => {
    expect(await form.found(query)).toBe(expected);
  });

  it("follows the rows when they change", async () => {
    const id = await form.add({ text: "moving", table: rows({ item: "old" }) });
    expect(await form.found('item in ("old")')).toBe("moving");
    await form.put(id, { table: rows({ item: "new" }, { item: "new" }) });
    expect([await form.found('item in ("old")'), await form.found('item in ("new")')]).toEqual([
      "",
      "moving",
    ]);
    await form.send("DELETE", "/k/v1/records.json", { app: form.app, ids: [id] });
    expect(await form.found('item in ("new")')).toBe("");
  });
});

describe("related records (kintone-rest §13.1, §13.4)", () => {
  let app: string;
  let auth: Record<string, string>;
  let alone: Record<string, string>;
  const related = (target: string, relatedField: string, filterCond = ""): FieldInputs[string] => ({
    type: "REFERENCE_TABLE",
    referenceTable: {
      relatedApp: { app: target, code: "" },
      condition: { field: "name", relatedField },
      filterCond,
    },
  });
  beforeAll(() => {
    const { provision } = form.server;
    const orders = provision.createApp({
      name: "orders",
      fields: {
        customer: { type: "SINGLE_LINE_TEXT" },
        sum: { type: "NUMBER" },
        state: {
          type: "DROP_DOWN",
          options: { open: { label: "open", index: "0" }, shut: { label: "shut", index: "1" } },
        },
      },
    });
    provision.insertRecords(orders, [
      record({ customer: "A", sum: 5, state: "open" }),
      record({ customer: "A", sum: 50, state: "shut" }),
      record({ customer: "B", sum: 500, state: "shut" }),
    ]);
    app = provision.createApp({
      name: "customers",
      fields: {
        name: { type: "SINGLE_LINE_TEXT" },
        orders: related(orders, "customer"),
        opened: related(orders, "customer", 'state in ("open")'),
        numbered: related(orders, "レコード番号"),
      },
    });
    provision.insertRecords(app, [
      record({ name: "A" }),
      record({ name: "B" }),
      record({ name: "" }),
      record({ name: "2" }),
    ]);
    const token = (of: string): string => provision.createToken(of, ["view"], "t");
    alone = { "X-Cybozu-API-Token": token(app) };
    auth = { "X-Cybozu-API-Token": `${token(app)},${token(orders)}` };
  });

  it("tell a token nothing of an app it cannot read, not even by guessing (§4)", async () => {
    const path = `/k/v1/records.json?app=${app}&query=${encodeURIComponent("orders.sum > 10")}`;
    const { status, json } = await form.send("GET", path, undefined, alone);
    expect([status, json.code]).toEqual([403, "GAIA_AP15"]);
  });

  it.each([
    ["orders.sum > 10", "200 2 1"],
    ["orders.sum = 5", "200 1"],
    ["opened.sum > 10", "200"],
    ['orders.state in ("open")', "200 1"],
    ["orders.sum > 10 and orders.sum < 100", "200 1"],
    ["numbered.sum = 50", "200 4"],
    ['orders.state in ("gone")', "400 GAIA_IQ10"],
    ["orders.nothing = 1", "400 GAIA_IQ11"],
    ['name.sum = "1"', "400 GAIA_IR02"],
    ['orders = "1"', "400 GAIA_IQ03"],
  ])("%s -> %s", async (query, expected) => {
    const path = `/k/v1/records.json?app=${app}&fields=$id&query=${encodeURIComponent(query)}`;
    const { status, json } = await form.send("GET", path, undefined, auth);
    const list: unknown[] = Array.isArray(json.records) ? json.records : [json.code];
    const ids = list.map((item) => /"value":"(\d+)"/.exec(JSON.stringify(item))?.[1] ?? String(item));
    expect([status, ...ids].join(" ")).toBe(expected);
  });
});
