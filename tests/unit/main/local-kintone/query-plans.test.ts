import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SET_UP_ACTOR } from "../../../../main/local-kintone/api/auth.ts";
import { insertRows } from "../../../../main/local-kintone/api/write-records.ts";
import { createServices, type OwnedServices } from "../../../../main/local-kintone/assemble.ts";
import type { AppState } from "../../../../main/local-kintone/model.ts";
import { recordKey } from "../../../../main/local-kintone/storage/render.ts";

let services: OwnedServices;
let app: AppState;

beforeAll(() => {
  services = createServices({
    databasePath: ":memory:",
    clock: { now: () => Date.parse("2026-09-01T00:00:00Z") },
    ids: { random: (bytes) => randomBytes(bytes) },
  });
  app = services.apps.create({
    name: "plans",
    fields: {
      key: { type: "SINGLE_LINE_TEXT", unique: true },
      text: { type: "SINGLE_LINE_TEXT" },
      num: { type: "NUMBER" },
      day: { type: "DATE" },
      moment: { type: "DATETIME" },
      state: { type: "DROP_DOWN", options: { a: { label: "a", index: "0" }, b: { label: "b", index: "1" } } },
      users: { type: "USER_SELECT" },
      table: { type: "SUBTABLE", fields: { item: { type: "SINGLE_LINE_TEXT" }, price: { type: "NUMBER" } } },
    },
  });
  const call = { actor: SET_UP_ACTOR, guestSpaceId: null, params: {} };
  const rows = Array.from({ length: 40 }, (_, n) => ({
    prefix: "record",
    record: {
      key: { value: `k${n}` },
      text: { value: `t${n % 4}` },
      num: { value: n },
      day: { value: `2026-09-${String((n % 28) + 1).padStart(2, "0")}` },
      table: { value: [{ value: { item: { value: `i${n % 5}` } } }] },
    },
  }));
  services.database.write(() => insertRows(services, call, app, rows));
});
afterAll(() => services.dispose());

function plan(query: string): string {
  const { select, params, limit, offset } = services.compile(app, query, SET_UP_ACTOR);
  const rows = services.database.sql(`EXPLAIN QUERY PLAN ${select}`).all(...params, limit, offset);
  return rows.map((row) => String(row.detail)).join("; ");
}

const BY_RECORD = "SEARCH r USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)";
const BY_VALUE = "SEARCH i USING PRIMARY KEY (field=? AND value=?)";
const BY_KEYSET = "SEARCH i USING PRIMARY KEY (field=? AND value=? AND record>?)";
const THEN_RECORD = "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)";

describe("plans of compiled queries (kintone-rest §13)", () => {
  it.each([
    ["", BY_RECORD],
    ["$id > 20 order by $id asc limit 500", BY_RECORD],
    ["$id > 20 and $id < 30 order by $id asc", BY_RECORD],
    ['text like "x" and $id > 20 order by $id asc limit 500', BY_RECORD],
    ["$id = 7", THEN_RECORD],
    ["$id in (7, 9)", THEN_RECORD],
    ['key = "k1"', `${BY_VALUE}; ${THEN_RECORD}`],
    ['text = "t1"', `${BY_VALUE}; ${THEN_RECORD}`],
    ['text in ("t1") and $id > 20 order by $id asc limit 500', `${BY_KEYSET}; ${THEN_RECORD}`],
    ["num = 5", `${BY_VALUE}; ${THEN_RECORD}`],
    ['state in ("a")', `${BY_VALUE}; ${THEN_RECORD}`],
    ['users in ("Administrator")', `${BY_VALUE}; ${THEN_RECORD}`],
    ["users in (LOGINUSER())", `${BY_VALUE}; ${THEN_RECORD}`],
    ["num > 30", "SEARCH i USING PRIMARY KEY (field=? AND value>?)"],
    ["num <= 3", "SEARCH i USING PRIMARY KEY (field=? AND value<?)"],
    ['day >= "2026-09-20"', "SEARCH i USING PRIMARY KEY (field=? AND value>?)"],
    ['day = "2026-09-20"', "SEARCH i USING PRIMARY KEY (field=? AND value>? AND value<?)"],
    ["moment < NOW()", "SEARCH i USING PRIMARY KEY (field=? AND value<?)"],
    ["moment = THIS_MONTH()", "SEARCH i USING PRIMARY KEY (field=? AND value>? AND value<?)"],
    ['item in ("i1") and price < 5', `${BY_VALUE}; ${THEN_RECORD}`],
  ])("%s is answered by %s", (query, expected) => {
    const shown = plan(query);
    expect(shown).toContain(expected);
    expect(shown).not.toContain("SCAN r");
    expect(shown).not.toContain("SCAN i");
  });

  it.each([
    "",
    "$id > 20 order by $id asc limit 500",
    'text = "t1" and $id > 5 order by $id asc',
    'item in ("i1")',
  ])("%s needs no sorting", (query) => {
    expect(plan(query)).not.toContain("B-TREE FOR ORDER BY");
  });

  it("takes the most selective condition, wherever it stands", () => {
    const { select, params } = services.compile(
      app,
      'num > 3 and state in ("a") and text = "t1" and key in ("k1", "k5")',
      SET_UP_ACTOR,
    );
    expect(select).toContain("FROM unique_index i");
    expect(params.slice(1, 3)).toEqual(["k1", "k5"]);
  });

  it("reads a range that holds much in the order of the records, and does not keep that choice", () => {
    const wide = services.apps.create({ name: "wide", fields: { n: { type: "NUMBER" } } });
    const insert = services.database.sql("INSERT INTO field_index (field, value, record) VALUES (?, ?, ?)");
    const { no } = wide.fields.get("n") ?? { no: 0 };
    const before = services.compile(wide, "n > 0", SET_UP_ACTOR);
    for (let id = 1; id <= 5_000; id += 1) insert.run(no, "25", recordKey(wide.id, id));
    const after = services.compile(wide, "n > 0", SET_UP_ACTOR);
    expect(before.select).toContain("FROM field_index i");
    expect(after.select).toContain("FROM records r");
  });

  it.each(["$id", "レコード番号"])(
    "starts a keyset page over %s where the last one ended, whatever stands before it",
    (code) => {
      const query = `${code} > 999999 order by ${code} asc limit 500`;
      expect(services.compile(app, query, SET_UP_ACTOR).params[0]).toBe(recordKey(app.id, 1_000_000));
    },
  );
});
