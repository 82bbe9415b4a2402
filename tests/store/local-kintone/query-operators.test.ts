import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Form, rows, startForm } from "./forms.ts";

let form: Form;
beforeAll(async () => {
  form = await startForm();
  const file = (await form.client.file.uploadFile({ file: { name: "Plan A.txt", data: Buffer.from("x") } }))
    .fileKey;
  await form.add({
    text: "one",
    code: "C1",
    long: "first line\nsecond",
    rich: "<b>bold</b>&nbsp;word",
    num: "10",
    moment: "2026-09-01T10:00:00Z",
    day: "2026-09-01",
    at: "08:00",
    drop: "a",
    radio: "a",
    checks: ["a", "b"],
    many: ["a"],
    users: [{ code: "sato" }],
    orgs: [{ code: "dev" }],
    groups: [{ code: "everyone" }],
    link: "https://a.test/one",
    file: [{ fileKey: file }],
    table: rows({ item: "in" }),
  });
  await form.add({ text: "two", num: "-2.5", day: "2026-09-02", at: "09:00", drop: "b", many: ["b"] });
  await form.add({ text: "three", long: " \n\t", rich: "<p> </p>" });
});
afterAll(() => form.close());

const COMPARE = ["=", "!=", ">", "<", ">=", "<="];
const MEMBER = ["in", "not in"];
const SEARCH = ["like", "not like"];
const EMPTY = ["is empty", "is not empty"];
const OPERATORS = [...COMPARE, ...MEMBER, ...SEARCH, ...EMPTY];

/** Each field with a value of its type and the operators the table allows. */
const ALLOWED: readonly (readonly [string, string, readonly string[]])[] = [
  ["$id", "1", [...COMPARE, ...MEMBER]],
  ["レコード番号", '"1"', [...COMPARE, ...MEMBER]],
  ["num", "1", [...COMPARE, ...MEMBER]],
  ["total", "1", [...COMPARE, ...MEMBER]],
  ["text", '"x"', ["=", "!=", ...MEMBER, ...SEARCH]],
  ["link", '"x"', ["=", "!=", ...MEMBER, ...SEARCH]],
  ["long", '"x"', [...SEARCH, ...EMPTY]],
  ["rich", '"x"', [...SEARCH, ...EMPTY]],
  ["file", '"x"', [...SEARCH, ...EMPTY]],
  ["checks", '"a"', MEMBER],
  ["many", '"a"', MEMBER],
  ["radio", '"a"', MEMBER],
  ["drop", '"a"', MEMBER],
  ["作成者", '"sato"', MEMBER],
  ["更新者", '"sato"', MEMBER],
  ["users", '"sato"', MEMBER],
  ["orgs", '"dev"', MEMBER],
  ["groups", '"everyone"', MEMBER],
  ["day", '"2026-09-01"', COMPARE],
  ["at", '"08:00"', COMPARE],
  ["moment", '"2026-09-01T00:00:00Z"', COMPARE],
  ["作成日時", '"2026-09-01T00:00:00Z"', COMPARE],
  ["更新日時", '"2026-09-01T00:00:00Z"', COMPARE],
  ["table", '"x"', []],
];

function condition(field: string, operator: string, value: string): string {
  if (EMPTY.includes(operator)) return `${field} ${operator}`;
  return `${field} ${operator} ${MEMBER.includes(operator) ? `(${value})` : value}`;
}

describe("operators per field type (kintone-rest §13.2)", () => {
  it.each(ALLOWED)(
    "%s allows what its type allows and refuses the rest with GAIA_IQ03",
    async (field, value, allowed) => {
      const answers: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const operator of OPERATORS) {
        const answer = await form.search(condition(field, operator, value));
        answers[operator] = answer.status === 200 ? 200 : answer.json.code;
        expected[operator] = allowed.includes(operator) ? 200 : "GAIA_IQ03";
      }
      expect(answers).toEqual(expected);
    },
  );

  it.each(["item", "price", "due", "kind", "tags", "who", "memo"])(
    "%s inside a table refuses = and != with GAIA_IQ07",
    async (field) => {
      const value = { due: '"2026-09-01"', kind: '"x"', tags: '"p"', who: '"sato"' }[field] ?? "1";
      for (const operator of ["=", "!="]) {
        const answer = await form.search(`${field} ${operator} ${value}`);
        expect([answer.status, answer.json.code]).toEqual([400, "GAIA_IQ07"]);
        expect(answer.json.message).toBe(
          `テーブルに設定している場合、${field}フィールドのフィールドタイプには、演算子${operator}を使用できません。`,
        );
      }
    },
  );
});

describe("what the operators find (kintone-rest §13.2)", () => {
  it.each([
    ["num > 0", "one"],
    ["num < 0", "two"],
    ["num != 10", "three two"],
    ['num in ("10.0", -2.50)', "two one"],
    ['num not in ("10")', "three two"],
    ['num = ""', "three"],
    ["total = 20", "one"],
    ["total > -10 order by total asc", "two three one"],
    ['text in ("one", "two")', "two one"],
    ['link in ("https://a.test/one")', "one"],
    ['link like "a.test"', "one"],
    ['long like "second"', "one"],
    ["long is empty", "three two"],
    ["long is not empty", "one"],
    ['rich like "bold word"', "one"],
    ["rich is empty", "three two"],
    ['file like "Plan"', "one"],
    ["file is empty", "three two"],
    ['checks in ("b")', "one"],
    ['checks not in ("b")', "three two"],
    ['checks in ("")', "three two"],
    ['many in ("a", "b")', "two one"],
    ['drop in ("")', "three"],
    ['drop in ("", "b")', "three two"],
    ['radio not in ("a")', "three two"],
    ['users in ("sato")', "one"],
    ['users in ("sato", "suzuki")', "one"],
    ['users not in ("sato")', "three two"],
    ['users in ("")', "three two"],
    ['orgs in ("dev")', "one"],
    ['groups in ("everyone", "")', "three two one"],
    ['day >= "2026-09-02"', "two"],
    ['day != "2026-09-01"', "three two"],
    ['at > "08:30"', "two"],
    ['moment = "2026-09-01T19:00:30+09:00"', "one"],
    ['更新者 in ("Administrator")', "three two one"],
    ['更新者 not in ("Administrator")', ""],
    ["order by drop asc, num desc", "three one two"],
    ['code = "C1" and num > 5 and drop in ("a")', "one"],
    ['(num > 0 or num < 0) and not_there = ""', "400 GAIA_IQ11"],
  ])("%s -> %s", async (query, expected) => {
    expect(await form.found(query)).toBe(expected);
  });

  it.each(["checks", "users", "long", "file", "table", "item"])("cannot sort by %s", async (field) => {
    expect(await form.found(`order by ${field} asc`)).toBe("400 GAIA_IQ03");
  });

  it("tells the unknown option before the operator that is not allowed, also inside a table (§13.4)", async () => {
    const answer = await form.search('kind = "z"');
    expect([answer.json.code, answer.json.message]).toEqual([
      "GAIA_IQ10",
      "フィールド「kind」の項目に「z」は存在しません。",
    ]);
    expect((await form.search('drop > "z"')).json.code).toBe("GAIA_IQ10");
    expect((await form.search('drop > "a"')).json.message).toBe(
      "dropフィールドのフィールドタイプには演算子>を使用できません。",
    );
  });

  it.each([
    ['users in ("nobody")', "GAIA_IL42"],
    ['orgs in ("sato")', "GAIA_IL42"],
    ['groups in ("dev")', "GAIA_IL42"],
    ['who in ("nobody")', "GAIA_IL42"],
    ["text.x = 1", "GAIA_IR02"],
    ["nothing.x = 1", "GAIA_IQ11"],
    ['ステータス in ("x")', "GAIA_IQ11"],
  ])("%s is refused with %s (§13.4)", async (query, code) => {
    expect(await form.found(query)).toBe(`400 ${code}`);
  });
});
