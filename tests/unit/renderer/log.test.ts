import { describe, expect, it } from "vitest";
import { ansiParts } from "../../../renderer/log/ansi.ts";
import { logKeyOf } from "../../../renderer/log/keys.ts";
import { levelsIn } from "../../../renderer/log/levels.ts";
import { lineParts, plainLine } from "../../../renderer/log/line-parts.ts";
import { percentOf, sizeParts } from "../../../renderer/log/size.ts";
import { between, STRETCH_LINES, stretchOf } from "../../../renderer/log/stretch.ts";
import { linesWith, PAGE_LINES, pagesToRead } from "../../../renderer/state/log-pages.ts";
import { applySearchEvent, hitAfter, initialSearch } from "../../../renderer/state/log-search.ts";
import { type LogsState, withWord } from "../../../renderer/state/logs.ts";
import type { LogLine, LogState } from "../../../shared/api/index.ts";

const ESC = "\u001b";
const line = (text: string): LogLine => ({ text, bytes: text.length, folded: false });

describe("the colours of a log (operator-ux §1.3)", () => {
  const short = (text: string) =>
    ansiParts(text).map((part) =>
      [part.text, part.colour, part.bold && "bold", part.dim && "dim", part.underline && "line"]
        .filter((each) => each !== false && each !== null)
        .join("|"),
    );
  it.each([
    ["plain", ["plain"]],
    [`${ESC}[31mred${ESC}[0m on`, ["red|1", " on"]],
    [`${ESC}[1;4;92mok`, ["ok|10|bold|line"]],
    [`${ESC}[mreset`, ["reset"]],
    [`${ESC}[2mdim${ESC}[22m not`, ["dim|dim", " not"]],
    [`${ESC}[38;5;3myellow${ESC}[39mown`, ["yellow|3", "own"]],
    [`${ESC}[38;2;1;31;1mtrue colour`, ["true colour"]],
    [`${ESC}[48;5;1;32mno background`, ["no background|2"]],
    [`${ESC}[38;5mcut`, ["cut|0"]],
    [`${ESC}[999mwhat`, ["what"]],
    [`${ESC}[31mred at the end${ESC}[0m`, ["red at the end|1"]],
  ])("%j", (text, parts) => {
    expect(short(text)).toEqual(parts);
  });

  it("leaves every sequence that would move or erase in the text", () => {
    const text = `a${ESC}[2Jb${ESC}]0;title\u0007c${ESC}[1A`;
    expect(ansiParts(text).map((part) => part.text)).toEqual([text]);
  });
});

describe("a line on the page (electron-desktop R7)", () => {
  const shown = (text: string, sought = "", matchCase = false) =>
    lineParts(text, sought, matchCase).map(({ kind, text: part }) => `${kind}:${part}`);
  it.each([
    ["bidi controls", "a\u202eb", ["text:a", "mark:U+202E", "text:b"]],
    ["a cursor movement", `x${ESC}[1A`, ["text:x", "mark:U+001B", "text:[1A"]],
    ["a byte that is no UTF-8", "a\udcffb", ["text:a", "mark:0xFF", "text:b"]],
    ["a pair beside a lone byte", "😀\udc81", ["text:😀", "mark:0x81"]],
    ["markup", "<b>x</b>", ["text:<b>x</b>"]],
  ])("shows %s as what it is", (_, text, parts) => {
    expect(shown(text)).toEqual(parts);
  });

  it.each([
    ["An ERROR: error", "error", false, ["text:An ", "hit:ERROR", "text:: ", "hit:error"]],
    ["An ERROR: error", "error", true, ["text:An ERROR: ", "hit:error"]],
    ["a.b axb", "a.b", false, ["hit:a.b", "text: axb"]],
    [`${ESC}[31m失敗${ESC}[0m 失敗`, "失敗", false, ["hit:失敗", "text: ", "hit:失敗"]],
  ])("marks in %j what %j finds, case %j", (text, sought, matchCase, parts) => {
    expect(shown(text, sought, matchCase)).toEqual(parts);
  });

  it("gives every part a key of its own", () => {
    const keys = lineParts("aa\u202e\u202ea\udcff", "a", true).map(({ at }) => at);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("copies bytes that are no UTF-8 as escapes", () => {
    expect(plainLine("a\udcff 成功 😀")).toBe("a\\xFF 成功 😀");
  });
});

describe("the levels of a structured log", () => {
  it("are those its lines carry, as they stand in them", () => {
    const lines = [
      '{"level": "error","m":1}',
      '{"level":30}',
      '{"level": "error"}',
      'text "level":"x"',
      '{"event":"job_start"}',
    ];
    expect(levelsIn(lines.map(line))).toEqual([
      { name: "error", text: '"level": "error"' },
      { name: "30", text: '"level":30' },
    ]);
  });
});

describe("what is fetched (operator-ux U8)", () => {
  it("is the pages with a gap in sight, none beyond the end", () => {
    expect(pagesToRead(new Map(), 190, 410, 1_000)).toEqual([0, 1, 2]);
    expect(pagesToRead(new Map(), -20, 5_000, 250)).toEqual([0, 1]);
    expect(pagesToRead(new Map([[0, line("")]]), 0, 0, 1)).toEqual([]);
    expect(pagesToRead(new Map(), 0, 10, 0)).toEqual([]);
  });

  it("is forgotten far away once there is much of it", () => {
    let lines: ReadonlyMap<number, LogLine> = new Map();
    const came = Array.from({ length: PAGE_LINES }, () => line("x"));
    for (let at = 0; at < 100; at++) lines = linesWith(lines, at * PAGE_LINES, came);
    expect(lines.size).toBeLessThanOrEqual(6_200);
    expect(lines.has(99 * PAGE_LINES)).toBe(true);
    expect(lines.has(0)).toBe(false);
  });
});

describe("the page after word of the file (operator-ux §1.3)", () => {
  const file = (change: Partial<LogState>): LogState => ({
    generation: 0,
    sizeBytes: 10,
    lines: 5,
    countedBytes: 10,
    complete: true,
    growing: true,
    gone: false,
    ...change,
  });
  const page = (change: Partial<LogsState>): LogsState => ({
    attemptId: "a",
    files: { phase: "idle", value: null, problem: null },
    name: "stdout.log",
    file: null,
    tail: { lines: [line("d"), line("e")], sizeBytes: 10 },
    counted: false,
    lines: new Map(),
    shown: 0,
    following: true,
    problem: null,
    search: initialSearch,
    ...change,
  });

  it("has no numbers before every line is counted", () => {
    expect(withWord(page({}), file({ complete: false, lines: 3 }))).toMatchObject({
      counted: false,
      shown: 0,
    });
  });

  it("gives the end that was read first its numbers", () => {
    const { lines, shown, counted } = withWord(page({}), file({}));
    expect({ shown, counted, found: [...lines] }).toEqual({
      shown: 5,
      counted: true,
      found: [
        [3, line("d")],
        [4, line("e")],
      ],
    });
  });

  it("does not give them to an end that is the end no more", () => {
    expect(withWord(page({}), file({ sizeBytes: 12, lines: 6 })).lines.size).toBe(0);
  });

  it("goes with the end while it is followed, and stands still while paused", () => {
    const known = { counted: true, file: file({}), shown: 5 };
    expect(withWord(page(known), file({ lines: 9, sizeBytes: 20 })).shown).toBe(9);
    expect(withWord(page({ ...known, following: false }), file({ lines: 9, sizeBytes: 20 })).shown).toBe(5);
  });

  it("reads a last line again that may have had no end yet", () => {
    const lines = new Map([
      [3, line("d")],
      [4, line("e")],
    ]);
    const grown = withWord(page({ counted: true, file: file({}), shown: 5, lines }), file({ sizeBytes: 20 }));
    expect([...grown.lines.keys()]).toEqual([3]);
  });
});

describe("a search on the page", () => {
  const hits = [0, 1, 2].map((at) => ({ line: at * 10, excerpt: "x" }));
  it("gathers hits, has the first in sight, and keeps where it would go on", () => {
    const found = applySearchEvent(
      { ...initialSearch, phase: "running" },
      { kind: "found", hits, searchedBytes: 5, sizeBytes: 10 },
    );
    expect(found).toMatchObject({ current: 0, searchedBytes: 5, hits });
    const on = applySearchEvent(
      { ...found, current: 2 },
      { kind: "found", hits, searchedBytes: 9, sizeBytes: 10 },
    );
    expect(on).toMatchObject({ current: 2 });
    expect(on.hits).toHaveLength(6);
    expect(applySearchEvent(on, { kind: "ended", limited: true, nextLine: 21 })).toMatchObject({
      nextLine: 21,
    });
    expect(applySearchEvent(on, { kind: "ended", limited: false, nextLine: 21 })).toMatchObject({
      nextLine: null,
    });
  });

  it.each([
    [-1, 1, 0],
    [-1, -1, 2],
    [0, 1, 1],
    [2, 1, 0],
    [0, -1, 2],
  ] as const)("steps from %i by %i to %i", (current, step, to) => {
    expect(hitAfter({ ...initialSearch, hits, current }, step)).toBe(to);
    expect(hitAfter({ ...initialSearch, current: -1 }, step)).toBe(-1);
  });
});

describe("walking a log of any length", () => {
  it.each([
    [0, 0, { first: 0, count: 0, number: 0, of: 1 }],
    [9, 10, { first: 0, count: 10, number: 0, of: 1 }],
    [STRETCH_LINES, STRETCH_LINES + 5, { first: STRETCH_LINES, count: 5, number: 1, of: 2 }],
    [9_999_999, 10_000_000, { first: 9_500_000, count: STRETCH_LINES, number: 19, of: 20 }],
    [-1, 10, { first: 0, count: 10, number: 0, of: 1 }],
  ])("line %i of %i", (at, total, stretch) => {
    expect(stretchOf(at, total)).toEqual(stretch);
  });

  it("takes a selection in order, whichever way it was made", () => {
    expect([between(3, 7), between(7, 3), between(5, 5)]).toEqual([
      [3, 7],
      [3, 7],
      [5, 5],
    ]);
  });

  const facts = { ctrl: false, meta: false, alt: false, composing: false, typing: false, inDialog: false };
  it.each([
    [{ key: "n" }, false, "next"],
    [{ key: "N" }, false, "previous"],
    [{ key: "g" }, false, "first"],
    [{ key: "G" }, false, "last"],
    [{ key: "f" }, false, "follow"],
    [{ key: "f", typing: true }, false, null],
    [{ key: "f", composing: true }, false, null],
    [{ key: "f", ctrl: true }, true, null],
    [{ key: "c", ctrl: true }, true, "copy"],
    [{ key: "c", ctrl: true }, false, null],
    [{ key: "ArrowUp" }, true, "up"],
    [{ key: "ArrowUp" }, false, null],
    [{ key: "constructor" }, true, null],
  ])("%j, in the list %j: %j", (key, inList, wanted) => {
    expect(logKeyOf({ ...facts, ...key }, inList)).toBe(wanted);
  });

  it.each([
    [0, "0", "B"],
    [1_023, "1023", "B"],
    [1_536, "1.5", "KiB"],
    [150 * 2 ** 20, "150", "MiB"],
    [5 * 2 ** 40, "5120", "GiB"],
  ])("%i bytes are %s %s", (bytes, size, unit) => {
    expect(sizeParts(bytes)).toEqual({ size, unit });
  });

  it("never says a hundred percent before the end", () => {
    expect([percentOf(0, 0), percentOf(1, 3), percentOf(10, 10)]).toEqual([0, 33, 99]);
  });
});
