import { describe, expect, it } from "vitest";
import { subjectFaults } from "../../../tools/check/text-files.ts";
import { compareTexts } from "../../../tools/check/text-keys.ts";

describe("the texts of both languages", () => {
  it("agree when keys and placeholders do", () => {
    expect(compareTexts({ a: { b: "{{n}}件" } }, { a: { b: "{{n}} items" } })).toEqual([]);
  });

  it("take plural forms of one text for one key", () => {
    expect(
      compareTexts({ n_other: "{{count}}件" }, { n_one: "{{count}} item", n_other: "{{count}} items" }),
    ).toEqual([]);
  });

  it.each([
    ["a key English lacks", { a: "x", b: "y" }, { a: "x" }, "b: missing in en"],
    ["a key Japanese lacks", { a: "x" }, { a: "x", b: { c: "y" } }, "b.c: missing in ja"],
    ["an empty text", { a: " " }, { a: "x" }, "a: empty in ja"],
    ["another placeholder", { a: "{{n}}" }, { a: "{{m}}" }, "a: ja uses n, en m"],
  ])("do not agree with %s", (_, ja, en, problem) => {
    expect(compareTexts(ja, en)).toEqual([problem]);
  });
});

describe("the texts of several subjects", () => {
  it("have no first key twice, and are named where their languages differ", () => {
    const subjects = [
      { name: "", ja: { a: "x" }, en: { a: "x" } },
      { name: "logs", ja: { a: "x", b: "y" }, en: { a: "x" } },
    ];
    expect(subjectFaults(subjects)).toEqual(["logs: b: missing in en", 'a: stands in "" and in "logs"']);
  });
});
