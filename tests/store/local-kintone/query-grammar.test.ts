import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorsOf, type Form, startForm } from "./forms.ts";

let form: Form;
beforeAll(async () => {
  form = await startForm({
    text: { type: "SINGLE_LINE_TEXT" },
    num: { type: "NUMBER" },
    受注_No: { type: "SINGLE_LINE_TEXT" },
    ＡＢ１: { type: "SINGLE_LINE_TEXT" },
    order: { type: "NUMBER" },
    limit: { type: "NUMBER" },
    and_more: { type: "NUMBER" },
  });
  const values = ["a", 'q"q', "b\\s", "t\tt", "n\nn", "r\rr"];
  const { app, client } = form;
  await client.record.addRecords({
    app,
    records: values.map((value, num) => ({
      text: { value },
      num: { value: num },
      受注_No: { value: `no ${num}` },
      ＡＢ１: { value: `w${num}` },
      order: { value: num % 2 },
      limit: { value: 9 },
    })),
  });
});
afterAll(() => form.close());

async function numbers(query: string): Promise<string> {
  const answer = await form.search(query);
  if (answer.status !== 200) return `${answer.status} ${String(answer.json.code)}`;
  return [...answer.text.matchAll(/"num":\{"type":"NUMBER","value":"(\d+)"\}/g)]
    .map((match) => match[1])
    .join(" ");
}

describe("grammar (kintone-rest §13.1)", () => {
  it.each([
    ["", "5 4 3 2 1 0"],
    ['num = 1 OR num = 2 AnD text = "a"', "1"],
    ["(num = 1 or num = 2) and order = 0", "2"],
    ["((num = 1))", "1"],
    ['num\u3000=\t1\r\nor\rnum = "2"', "2 1"],
    ['text = "q\\"q"', "1"],
    ['text = "b\\\\s"', "2"],
    ['text = "t\\tt"', "3"],
    ['text in ("n\\nn", "r\\rr")', "5 4"],
    ['受注_No = "no 3"', "3"],
    ['ＡＢ１ in ("w4")', "4"],
    ["limit = 9 and order = 1 limit 2", "5 3"],
    ["order = 0 order by num asc", "0 2 4"],
    ["order by order desc, num asc limit 4", "1 3 5 0"],
    ["order by num", "0 1 2 3 4 5"],
    ["order by order by num asc", "400 CB_VA01"],
    ["order by num asc limit 2 offset 3", "3 4"],
    ["limit 1", "5"],
    ["offset 4", "1 0"],
    ["limit 0", ""],
    ["num Not In (1, 2, 3)", "5 4 0"],
    ['$id = "2"', "1"],
    ['$id in (1, "3") order by $id asc', "0 2"],
    ["num >= 4 and num <= 4", "4"],
    ["num > -1 and num < 0.5", "0"],
  ])("%s -> %s", async (query, expected) => {
    expect(await numbers(query)).toBe(expected);
  });

  it.each([
    "text = 'a'",
    'text = "a',
    'text = "a\tb"',
    'text = "a\nb"',
    'text = "a\\x"',
    "`text` = 1",
    "text",
    "text =",
    "text in ()",
    'text in "a"',
    "text like (1)",
    "text is full",
    "num = 1 and",
    "and num = 1",
    "num = 1 num = 2",
    "(num = 1",
    "num = 1)",
    "num == 1",
    "limit 1 order by num",
    "offset 1 limit 1",
    "limit x",
    "limit 1.5",
    "order num",
    "num = 1; drop",
    "limit -1",
    "offset -1",
    "num = x",
  ])("%j is a syntax error on query in both languages (§13.4)", async (query) => {
    const ja = await form.search(query);
    expect([ja.status, ja.json.code, ja.json.message]).toEqual([
      400,
      "CB_VA01",
      "入力内容が正しくありません。",
    ]);
    expect(errorsOf(ja)).toEqual({ query: ["クエリ記法が間違っています。"] });
  });

  it.each([
    ["limit 501", "GAIA_QU01", "limit には 500 以下の値を指定してください。", "limit must be 500 or less."],
    [
      "offset 10001",
      "GAIA_QU02",
      "offset には 10,000 以下の値を指定してください。",
      "offset must be 10,000 or less.",
    ],
    ["nothing = 1", "GAIA_IQ11", "指定されたフィールド（nothing）が見つかりません。", "(nothing) not found"],
    ["text > 1", "GAIA_IQ03", "textフィールドのフィールドタイプには演算子>を使用できません。", ">"],
  ])("%s is refused with %s (§13.4)", async (query, code, ja, en) => {
    const answer = await form.search(query);
    expect([answer.status, answer.json.code, answer.json.message]).toEqual([400, code, ja]);
    const path = `/k/v1/records.json?app=${form.app}&query=${encodeURIComponent(query)}`;
    const headers = { "X-Cybozu-API-Token": form.token, "Accept-Language": "en" };
    expect((await form.send("GET", path, undefined, headers)).json.message).toContain(en);
  });

  it("counts what matches, whatever the page holds (§6)", async () => {
    const { client, app } = form;
    const all = await client.record.getRecords({ app, query: "order = 0 limit 1", totalCount: true });
    expect([all.totalCount, all.records.length]).toEqual(["3", 1]);
    expect((await client.record.getRecords({ app, query: "order = 0" })).totalCount).toBeNull();
  });

  it("answers 100 records unless told otherwise (§13.1)", async () => {
    const many = form.server.provision.createApp({ name: "many", fields: { n: { type: "NUMBER" } } });
    form.server.provision.insertRecords(
      many,
      Array.from({ length: 120 }, () => ({})),
    );
    const auth = { "X-Cybozu-API-Token": form.server.provision.createToken(many, ["view"], "t") };
    const { json } = await form.send("GET", `/k/v1/records.json?app=${many}`, undefined, auth);
    expect(json.records).toHaveLength(100);
    const page = await form.send(
      "GET",
      `/k/v1/records.json?app=${many}&query=limit+500+offset+100`,
      undefined,
      auth,
    );
    expect(page.json.records).toHaveLength(20);
  });
});
