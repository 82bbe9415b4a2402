import { describe, expect, it } from "vitest";
import { fieldsOfForm, type SourceField } from "../../../../main/job-runner/sources/form.ts";
import { instantOfText, offsetInstant } from "../../../../main/job-runner/values/zone.ts";
import { checkedValue, kintoneValue } from "../../../../main/job-runner/writing/cell.ts";
import { checkRows, refuseBadRows } from "../../../../main/job-runner/writing/import.ts";
import { holdsSent } from "../../../../main/job-runner/writing/same-cell.ts";
import { ZONE } from "./helpers.ts";

const option = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name, index) => [name, { label: name, index: String(index) }]));
const FORM = fieldsOfForm({
  text: { type: "SINGLE_LINE_TEXT", minLength: "2", maxLength: "4" },
  key: { type: "SINGLE_LINE_TEXT", unique: true },
  must: { type: "SINGLE_LINE_TEXT", required: true },
  number: { type: "NUMBER", minValue: "-1.5", maxValue: "10" },
  free: { type: "NUMBER", unique: true },
  date: { type: "DATE" },
  time: { type: "TIME" },
  instant: { type: "DATETIME" },
  drop: { type: "DROP_DOWN", options: option("a", "b") },
  radio: { type: "RADIO_BUTTON", required: true, options: option("a", "b") },
  check: { type: "CHECK_BOX", required: true, options: option("a", "b") },
  users: { type: "USER_SELECT" },
  lookup: { type: "SINGLE_LINE_TEXT", lookup: { fieldMappings: [{ field: "copied", relatedField: "x" }] } },
  copied: { type: "SINGLE_LINE_TEXT" },
  number2: { type: "RECORD_NUMBER" },
  calc: { type: "CALC", format: "NUMBER" },
  made: { type: "CREATED_TIME" },
  status: { type: "STATUS", options: option("a") },
});
function field(name: string): SourceField {
  const found = FORM.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

describe("values on their way to kintone (job-dialect §6, “Value conversion on write”)", () => {
  it.each([
    ["text", "abc", "abc"],
    ["number", "1e1", "1e1"],
    ["number", "", ""],
    ["date", "2026/4/5", "2026-04-05"],
    ["date", "2024-02-29", "2024-02-29"],
    ["time", "9:05", "9:05"],
    ["instant", "2026-04-05 09:30", "2026-04-05T00:30:00Z"],
    ["instant", "2026-04-05T09:30:59", "2026-04-05T00:30:59Z"],
    ["instant", "2026-04-05T09:30:00+00:00", "2026-04-05T09:30:00Z"],
    ["instant", "2026/4/5", "2026-04-04T15:00:00Z"],
    ["drop", "", ""],
    ["check", "a, b", ["a", "b"]],
    ["check", '["a","b"]', ["a", "b"]],
    ["check", "", []],
    ["check", "[]", []],
    ["users", "taro,hanako", [{ code: "taro" }, { code: "hanako" }]],
    ["users", "", []],
  ])("%s %j is sent as %j", (name, text, value) => {
    expect(kintoneValue(text, field(name), ZONE)).toEqual({ ok: true, value });
  });

  it.each([
    ["number", "1,000", "ERR_NUMBER"],
    ["date", "2026-02-29", "ERR_DATE"],
    ["date", "tomorrow", "ERR_DATE"],
    ["time", "24:00", "ERR_TIME"],
    ["instant", "2026-04-05 24:00", "ERR_DATETIME"],
    ["instant", "2026-04-31 10:00", "ERR_DATETIME"],
  ])("%s %j is %s", (name, text, code) => {
    expect(kintoneValue(text, field(name), ZONE)).toMatchObject({ ok: false, code });
  });

  it.each(["copied", "number2", "calc", "made", "status", "$id"])("%s cannot be written", (name) => {
    expect(field(name).write).toBeNull();
  });

  it.each(["2026-02-30T00:00:00Z", "2026-02-30 10:00", "2026-02-30", "0050-01-01 10:00"])(
    "%s is no instant: it would become another day without a word",
    (text) => expect(instantOfText(text, "Asia/Tokyo")).toBeNull(),
  );

  it("a wall clock in a zone with summer time: what is skipped moves on, of two the first counts", () => {
    expect(instantOfText("2026-03-29 02:30", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
    expect(instantOfText("2026-10-25 02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
    expect(offsetInstant("2026-07-01T00:00:00Z", "Europe/Berlin")).toBe("2026-07-01T02:00:00.000+02:00");
    expect(offsetInstant("2026-01-01T00:00:00.250Z", "America/St_Johns")).toBe(
      "2025-12-31T20:30:00.250-03:30",
    );
  });
});

describe("row checks of an import (job-dialect §5.9)", () => {
  it.each([
    ["must", "", "ERR_REQUIRED"],
    ["check", "", "ERR_REQUIRED"],
    ["radio", "", null],
    ["text", "a", "ERR_LENGTH"],
    ["text", "abcde", "ERR_LENGTH"],
    ["text", "abcd", null],
    ["text", "𠮷𠮷", null],
    ["number", "-1.51", "ERR_NUMBER_RANGE"],
    ["number", "10.001", "ERR_NUMBER_RANGE"],
    ["number", "10.0", null],
    ["free", "1".repeat(31), "ERR_NUMBER_INTEGER_DIGITS"],
    ["drop", "c", "ERR_CHOICE"],
    ["drop", "", null],
    ["check", "a,c", "ERR_CHOICE"],
  ])("%s %j: %s", (name, text, code) => {
    const result = checkedValue(text, field(name), ZONE);
    expect(result.ok ? null : result.code).toBe(code);
  });

  it("the key must be filled and come once; numbers count by value, texts exactly", () => {
    const codes = (name: string, cells: readonly string[]) =>
      checkRows(
        cells.map((cell) => [cell]),
        [field(name)],
        field(name),
        ZONE,
      ).bad.map(({ error }) => [error.row, error.code]);
    expect(codes("key", ["a", "A", "", "a"])).toEqual([
      [3, "ERR_KEY_EMPTY"],
      [4, "ERR_KEY_REPEATED"],
    ]);
    expect(codes("free", ["5", "5.0", "05", "6"])).toEqual([
      [2, "ERR_KEY_REPEATED"],
      [3, "ERR_KEY_REPEATED"],
    ]);
  });

  it("refused rows end the statement without ON ERROR SKIP, and beyond REJECT LIMIT with it", () => {
    const checked = checkRows([["x"], ["1"], ["y"]], [field("free")], null, ZONE);
    expect(checked.good).toEqual([{ free: { value: "1" } }]);
    expect(() => refuseBadRows(checked, false, null)).toThrow(
      expect.objectContaining({ code: "ERR_NUMBER" }),
    );
    expect(() => refuseBadRows(checked, true, 1)).toThrow(
      expect.objectContaining({ code: "RejectLimitError" }),
    );
    expect(() => refuseBadRows(checked, true, 2)).not.toThrow();
    expect(() => refuseBadRows(checked, true, null)).not.toThrow();
  });
});

describe("a cell read back (kintone-rest §8.4)", () => {
  it.each([
    ["number", "7", "7.0", true],
    ["number", "7", "7.1", false],
    ["instant", "2026-04-05T00:30:00Z", "2026-04-05T00:30:20Z", true],
    ["instant", "2026-04-05T00:31:00Z", "2026-04-05T00:30:20Z", false],
    ["time", "09:05", "9:05", true],
    ["text", "a", "A", false],
    ["check", '["b","a"]', ["a", "b"], true],
    ["check", '["a"]', ["a", "b"], false],
    ["users", '["taro"]', [{ code: "taro" }], true],
    ["drop", "", "", true],
  ])("%s %j against %j: %s", (name, stored, sent, expected) => {
    expect(holdsSent(stored, sent, field(name))).toBe(expected);
  });
});
