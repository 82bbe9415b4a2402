import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Form, startForm } from "./forms.ts";

const FIELDS = {
  text: { type: "SINGLE_LINE_TEXT" },
  key: { type: "SINGLE_LINE_TEXT", unique: true },
  note: { type: "MULTI_LINE_TEXT" },
} as const;

let form: Form;
beforeAll(async () => {
  form = await startForm(FIELDS);
});
afterAll(() => form.close());

async function finds(note: string, pattern: string): Promise<boolean> {
  const id = await form.add({ note });
  const query = `note like ${JSON.stringify(pattern)} and $id = ${id}`;
  const { records } = await form.client.record.getRecords({ app: form.app, query });
  return records.length === 1;
}

describe("like is a word search (kintone-rest §13.5)", () => {
  it.each([
    ["ABC", "ABCDEF", false],
    ["ABC", "ABC DEF", true],
    ["test", "test0001", false],
    ["test", "test-0001", true],
    ["0001", "test-0001", true],
    ["ALPHA", "ALPHA_BETA", false],
    ["ALPHA_BETA", "x ALPHA_BETA y", true],
    ["C", "C# C++", false],
    ["C#", "C# C++", true],
    ["P-Q", "P-Q-R", true],
    ["P Q", "P-Q-R", true],
    ["P-R", "P-Q-R", false],
    ["KSQL-FLOW-TEST-C", "KSQL-FLOW-TEST-C200", false],
    ["KSQL-FLOW-TEST-C200", "see KSQL-FLOW-TEST-C200 there", true],
    ["受注", "受注データ", true],
    ["データ", "受注データ", true],
    ["注デ", "受注データ", true],
    ["受", "受注データ", false],
    ["受", "受", true],
    ["ﾃﾞｰﾀ", "受注データ", true],
    ["ＡＢＣ", "abc", true],
    ["nothing", "something", false],
    ["-", "a-b", false],
  ])("%s in %s: %s", async (pattern, note, expected) => {
    expect(await finds(note, pattern)).toBe(expected);
  });

  it.each([..." -&|/!(){}[]^\"'~*?:;\\$%@`=<>,.　－＆｜／！（）｛｝［］＾～＊？：；＼＄％＠＝＜＞，．"])(
    "%s separates words",
    async (separator) => {
      expect([
        await finds(`left${separator}right`, "left"),
        await finds(`left${separator}right`, "eft"),
      ]).toEqual([true, false]);
    },
  );
});

describe("equality of text (kintone-rest §13.5)", () => {
  const fill = async (into: Form): Promise<void> => {
    for (const text of ["prod", "prod-eu", "PROD", "ｐｒｏｄ", ""])
      await into.add({ text, key: `key ${text}` });
  };

  it("is exact by default: widths differ, reads right after a write are correct", async () => {
    const exact = await startForm(FIELDS);
    await fill(exact);
    expect(await exact.found('text = "prod"')).toBe("prod");
    expect(await exact.found('text in ("ｐｒｏｄ")')).toBe("ｐｒｏｄ");
    expect(await exact.found('text != "prod" order by $id asc')).toBe("prod-eu PROD ｐｒｏｄ ");
    await exact.close();
  });

  it("is a token match on text that is not unique, where the server is told so", async () => {
    const token = await startForm(FIELDS, { textEquality: "token" });
    await fill(token);
    expect(await token.found('text = "prod" order by $id asc')).toBe("prod prod-eu PROD ｐｒｏｄ");
    expect(await token.found('text in ("prod-eu")')).toBe("prod-eu");
    expect(await token.found('text != "prod"')).toBe("");
    expect(await token.found('text = ""')).toBe("");
    expect(await token.found('key = "key prod"')).toBe("prod");
    await token.close();
  });
});

describe("the lag of the word index (kintone-rest §13.5)", () => {
  it("misses what is new and finds what was, until the lag is over; equality and deletes do not lag", async () => {
    let now = Date.parse("2026-09-01T00:00:00Z");
    const lagging = await startForm(FIELDS, { likeIndexLagMs: 3000, clock: { now: () => now } });
    const id = await lagging.add({ text: "alpha", note: "first" });
    const search = async (): Promise<string[]> =>
      Promise.all(
        ['text like "alpha"', 'text like "beta"', 'text like "gamma"', 'text = "alpha"'].map(lagging.found),
      );
    expect(await search()).toEqual(["", "", "", "alpha"]);
    now += 3000;
    expect(await search()).toEqual(["alpha", "", "", "alpha"]);
    await lagging.put(id, { text: "beta" });
    expect(await search()).toEqual(["beta", "", "", ""]);
    now += 1000;
    await lagging.put(id, { text: "gamma" });
    now += 2000;
    expect(await search()).toEqual(["", "gamma", "", ""]);
    await lagging.put(id, { note: "second" });
    now += 1000;
    expect(await search()).toEqual(["", "", "gamma", ""]);
    expect(await lagging.found('note like "first"')).toBe("gamma");
    await lagging.send("DELETE", "/k/v1/records.json", { app: lagging.app, ids: [id] });
    expect(await search()).toEqual(["", "", "", ""]);
    await lagging.close();
  });
});
