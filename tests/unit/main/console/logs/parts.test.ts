import { describe, expect, it } from "vitest";
import { createLineCount } from "../../../../../main/console/logs/line-count.ts";
import { lineOf, textOf, wholeCharacters } from "../../../../../main/console/logs/line-text.ts";
import { foldersToPrune } from "../../../../../main/console/logs/prune.ts";
import { attemptIn } from "../../../../../main/console/logs/runner-logs.ts";
import { bytePattern } from "../../../../../main/console/logs/search.ts";
import { FOLD_BYTES } from "../../../../../shared/api/index.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

describe("the sparse index of line starts (operator-ux §3.2)", () => {
  it.each([
    ["nothing", [], 0],
    ["one line without its end", ["a"], 1],
    ["one line", ["a\n"], 1],
    ["a last line without its end", ["a\nb"], 2],
    ["empty lines", ["\n\n\n"], 3],
    ["a line that comes in pieces", ["a", "b", "c\nd"], 2],
    ["a line end that comes alone", ["a", "\n", "b"], 2],
  ])("counts %s", (_, pieces, lines) => {
    const count = createLineCount();
    for (const piece of pieces) count.add(bytes(piece));
    expect(count.lines()).toBe(lines);
    expect(count.countedBytes()).toBe(pieces.join("").length);
  });

  it("knows a start at or before every line, at most 4,096 lines away", () => {
    const count = createLineCount();
    for (let at = 0; at < 100; at++) count.add(bytes("0123456789\n".repeat(1_000)));
    for (const line of [0, 1, 4_095, 4_096, 4_097, 50_000, 99_999]) {
      const mark = count.markBefore(line);
      expect(mark.offset).toBe(mark.line * 11);
      expect(line - mark.line).toBeGreaterThanOrEqual(0);
      expect(line - mark.line).toBeLessThan(4_096);
    }
  });

  it("knows a start a megabyte where lines are long, so that a seek reads little", () => {
    const count = createLineCount();
    for (let at = 0; at < 40; at++) count.add(bytes(`${"x".repeat(99_999)}\n`));
    const mark = count.markBefore(39);
    expect(mark.offset).toBe(mark.line * 100_000);
    expect(39 - mark.line).toBeLessThanOrEqual(11);
  });
});

describe("a line as text (electron-desktop R7)", () => {
  it.each([
    ["plain text", bytes("成功 ok"), "成功 ok"],
    ["a carriage return before the line end", bytes("a\r"), "a"],
    ["a byte that is no UTF-8", Buffer.from([0x61, 0xff, 0x62]), "a\udcffb"],
    ["a character that was cut", Buffer.from([0xe6, 0x88, 0x0a]), "\udce6\udc88\n"],
    ["an overlong encoding", Buffer.from([0xc0, 0xaf]), "\udcc0\udcaf"],
    ["Shift_JIS", Buffer.from([0x90, 0xac]), "\udc90\udcac"],
  ])("keeps %s", (_, line, text) => {
    expect(lineOf(line, line.length)).toEqual({ text, bytes: line.length, folded: false });
  });

  it("folds a line over 64 KiB to its beginning and its length, at a character", () => {
    const long = bytes("あ".repeat(40_000));
    const line = lineOf(long.subarray(0, FOLD_BYTES + 1), long.length);
    expect(line).toMatchObject({ bytes: 120_000, folded: true });
    expect(line.text).toBe("あ".repeat(Math.floor(FOLD_BYTES / 3)));
    expect(lineOf(bytes("x".repeat(FOLD_BYTES)), FOLD_BYTES).folded).toBe(false);
  });

  it.each([
    ["ab", "ab"],
    ["aé", "aé"],
    ["a😀", "a😀"],
  ])("leaves whole characters of %j whole, and cuts broken ones off", (text, whole) => {
    expect(textOf(wholeCharacters(bytes(text)))).toBe(whole);
    const broken = bytes(text).subarray(0, -1);
    expect(textOf(wholeCharacters(broken))).toBe("a");
  });
});

describe("a search without decoding (operator-ux §3.2)", () => {
  const finds = (text: string, matchCase: boolean, within: string): boolean =>
    bytePattern(text, matchCase).test(bytes(within).toString("latin1"));
  it.each([
    ["error", false, "An ERROR here", true],
    ["error", true, "An ERROR here", false],
    ["a.b", false, "aXb", false],
    ["a.b", false, "A.B", true],
    [".*", true, "anything", false],
    ["(", true, "f(x)", true],
    ["失敗", false, "処理は失敗しました", true],
    ["失敗", true, "成功", false],
    ["é", false, "É", true],
    ["ã", false, "成", false],
    ["ｅｒ", false, "ＥＲ", true],
    ["ß", false, "STRASSE SS", true],
  ])("%j, case %j, in %j: %j", (text, matchCase, within, found) => {
    expect(finds(text, matchCase, within)).toBe(found);
  });
});

describe("what is kept (operator-ux §1.1)", () => {
  const folder = (name: string, keptAtMs: number, size: number) => ({ name, keptAtMs, bytes: size });
  it.each([
    ["nothing", [], []],
    ["few", [folder("a", 1, 10), folder("b", 2, 10)], []],
    ["too many", [folder("a", 1, 1), folder("b", 4, 1), folder("c", 3, 1), folder("d", 2, 1)], ["a"]],
    ["too large together", [folder("a", 1, 60), folder("b", 2, 60)], ["a"]],
    ["the newest too large alone", [folder("a", 1, 1), folder("b", 2, 900)], ["a"]],
    [
      "a small one behind a large one",
      [folder("a", 1, 1), folder("b", 2, 99), folder("c", 3, 50)],
      ["b", "a"],
    ],
  ])("%s", (_, folders, going) => {
    expect(foldersToPrune(folders, { attempts: 3, bytes: 100 })).toEqual(going);
  });
});

describe("whose an event log is (execution-contract §10)", () => {
  it.each([
    ['{"v":1,"attemptId":"att:1","x":1}\n', "att:1"],
    ['{"v":1}\n{"attemptId":"att-2"}', null],
    ['{"attemptId":"../x"}', null],
    ["", null],
  ])("%j", (head, owner) => {
    expect(attemptIn(head)).toBe(owner);
  });
});
