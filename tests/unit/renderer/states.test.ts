import { describe, expect, it } from "vitest";
import { rowToFocus } from "../../../renderer/components/row-focus.ts";
import { createAnnouncer } from "../../../renderer/state/announcer.ts";
import { type LiveState, stalenessOf } from "../../../renderer/state/live.ts";
import { reconnectPauseMs } from "../../../renderer/state/live-loop.ts";
import { createPreferencesStore } from "../../../renderer/state/preferences.ts";
import { markedParts, markedText } from "../../../renderer/text/marks.ts";

describe("whether the picture may be acted upon (operator-ux §1.1, staleness)", () => {
  const now = Date.parse("2026-09-05T05:00:00Z");
  type Picture = Pick<LiveState, "line" | "freshness">;
  const read = (ageMs: number | null, problem = false): Picture => ({
    line: "open",
    freshness: {
      source: "state",
      origin: "read",
      readAt: ageMs === null ? null : new Date(now - ageMs).toISOString(),
      intervalMs: 15_000,
      problem: problem ? { code: "STORE_UNREACHABLE", message: "m" } : null,
    },
  });
  it.each<[string, Picture, string]>([
    ["read within twice its interval", read(30_000), "fresh"],
    ["older than that and the reading's own time", read(36_000), "stale"],
    ["a failure alone does not age it", read(1_000, true), "fresh"],
    ["never read and failing", read(null, true), "stale"],
    ["not read yet", read(null), "reading"],
    ["the line is down, however young", { ...read(0), line: "lost" }, "lost"],
  ])("%s", (_, state, expected) => {
    expect(stalenessOf(state, now)).toBe(expected);
  });
});

describe("coming back after the line broke", () => {
  it.each([
    [1, 500],
    [2, 1_000],
    [6, 15_000],
    [60, 15_000],
  ])("after %i failures pauses around %i ms", (failures, ms) => {
    expect(reconnectPauseMs(failures, 0.5)).toBe(ms);
    expect(reconnectPauseMs(failures, 0)).toBe(ms * 0.8);
  });
});

describe("the announcer (operator-ux §4, 4.1.3)", () => {
  function open() {
    const due: (() => void)[] = [];
    const announcer = createAnnouncer({
      later: (work) => {
        due.push(work);
        return () => undefined;
      },
      summarise: (messages) => `${messages.length} changes`,
    });
    return { announcer, due };
  }

  it("says one message as it is and a burst as one", () => {
    const { announcer, due } = open();
    announcer.say("a");
    expect(announcer.store.getState().message).toBe("");
    due.shift()?.();
    expect(announcer.store.getState().message).toBe("a");
    announcer.say("b");
    announcer.say("c");
    expect(due).toHaveLength(1);
    due.shift()?.();
    expect(announcer.store.getState().message).toBe("2 changes");
  });
});

describe("view settings", () => {
  const storage = (values: Record<string, string>) => ({
    getItem: (key: string) => values[key] ?? null,
    setItem: (key: string, value: string) => {
      values[key] = value;
    },
  });

  it.each([
    ["ja-JP", "ja"],
    ["en-GB", "en"],
    ["fr", "en"],
  ])("follows a %s system until told otherwise", (systemLanguage, language) => {
    const store = createPreferencesStore({ storage: storage({}), systemLanguage });
    expect(store.store.getState()).toEqual({ language, theme: "system" });
  });

  it("remembers choices and forgets what is none", () => {
    const values: Record<string, string> = { "flownet.theme": "<script>" };
    const store = createPreferencesStore({ storage: storage(values), systemLanguage: "ja" });
    expect(store.store.getState().theme).toBe("system");
    store.setTheme("dark");
    store.setLanguage("en");
    const again = createPreferencesStore({ storage: storage(values), systemLanguage: "ja" });
    expect(again.store.getState()).toEqual({ language: "en", theme: "dark" });
  });
});

describe("keys of the Run list (operator-ux §1.3)", () => {
  it.each([
    ["ArrowDown", 0, 1],
    ["ArrowDown", 4, 4],
    ["ArrowUp", 0, 0],
    ["PageDown", 1, 4],
    ["Home", 3, 0],
    ["End", 0, 4],
    ["x", 0, null],
    ["Delete", 0, null],
  ])("%s from row %i of five", (key, at, expected) => {
    expect(rowToFocus(key, at, 5, 10)).toBe(expected);
  });
});

describe("foreign text (electron-desktop R7)", () => {
  it("shows what would reorder or hide text as its code point", () => {
    expect(markedParts("a\u202Eb\u0000")).toEqual([
      { kind: "text", text: "a" },
      { kind: "mark", code: "U+202E" },
      { kind: "text", text: "b" },
      { kind: "mark", code: "U+0000" },
    ]);
  });

  it("leaves ordinary text of any script and its line breaks alone", () => {
    const text = "件数 0 ≠ 1\n<b>太字</b>\t👩‍💻".replaceAll("\u200d", "");
    expect(markedParts(text)).toEqual([{ kind: "text", text }]);
  });

  it.each([
    ["soft hyphen", "a\u00adb", "U+00AD"],
    ["line separator", "a\u2028b", "U+2028"],
    ["word joiner", "a\u2060b", "U+2060"],
    ["Hangul filler", "a\u3164b", "U+3164"],
    ["tag character", "a\u{e0041}b", "U+E0041"],
  ])("marks what cannot be seen: %s", (_, text, code) => {
    expect(markedText(text)).toBe(`a[${code}]b`);
  });

  it.each([
    ["a Cyrillic letter among Latin ones", "p\u0430y", "p\u0430[U+0430]y"],
    ["a full-width digit", "run_\uff11", "run_\uff11[U+FF11]"],
    ["an ideographic space", "a\u3000b", "a\u3000[U+3000]b"],
    ["a dash that is no hyphen", "2026\u201309", "2026\u2013[U+2013]09"],
    [
      "a word of another alphabet alone",
      "\u0437\u0430\u0440\u043f\u043b\u0430\u0442\u0430",
      "\u0437\u0430\u0440\u043f\u043b\u0430\u0442\u0430",
    ],
    ["Japanese", "月次集計@2026-09", "月次集計@2026-09"],
  ])("in an id names what looks like another character: %s (operator-ux §5.1)", (_, text, shown) => {
    expect(markedText(text, true)).toBe(shown);
    expect(markedText(text)).toBe(text);
  });
});
