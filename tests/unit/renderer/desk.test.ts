import { beforeAll, describe, expect, it } from "vitest";
import {
  guidanceWords,
  hasGuidance,
  isGuidanceCode,
  LISTED_CODES,
} from "../../../renderer/guidance/words.ts";
import { createNoticesStore, newItems } from "../../../renderer/state/notices.ts";
import { createTexts, type Language } from "../../../renderer/text/i18n.ts";
import type { AttentionEntry, AttentionPicture } from "../../../shared/api/index.ts";
import { attentionItem } from "../../../shared/domain/attention.ts";

const item = (id: string): AttentionEntry => attentionItem("failed", { id, since: null, facts: [] });
const picture = (...ids: readonly string[]): AttentionPicture => ({
  items: ids.map(item),
  total: ids.length,
  sources: [],
  calm: false,
  judgedAt: "2026-09-05T05:03:20Z",
});

describe("notices of what newly needs somebody (operator-ux §1.2, §4)", () => {
  it("hold nothing of the first picture", () => {
    expect(newItems(null, picture("a", "b"))).toEqual([]);
    expect(newItems(picture("a"), picture("a", "b")).map(({ id }) => id)).toEqual(["b"]);
  });

  it("stand newest first, three of them, the others counted", () => {
    const notices = createNoticesStore();
    notices.take(null, picture("a"));
    expect(notices.store.getState()).toEqual({ items: [], more: 0 });
    notices.take(picture("a"), picture("a", "b"));
    notices.take(picture("a", "b"), picture("a", "b", "c", "d", "e"));
    const { items, more } = notices.store.getState();
    expect(items.map(({ id }) => id)).toEqual(["c", "d", "e"]);
    expect(more).toBe(1);
  });

  it("stay, once each, while a source fails: a missing item is not over then (operator-ux §1.1)", () => {
    const notices = createNoticesStore();
    const failing = {
      source: "audit",
      readAt: null,
      problem: { code: "X", message: "" },
      pending: 0,
      absent: false,
    } as const;
    const half = { ...picture("a"), sources: [failing] };
    const shown = (): readonly string[] => notices.store.getState().items.map(({ id }) => id);
    notices.take(picture("a"), picture("a", "b"));
    notices.take(picture("a", "b"), half);
    expect(shown()).toEqual(["b"]);
    notices.take(half, picture("a", "b"));
    expect(shown()).toEqual(["b"]);
    notices.take(picture("a", "b"), picture("a"));
    expect(shown()).toEqual([]);
  });

  it("go when they are closed or their item is over, never by themselves", () => {
    const notices = createNoticesStore();
    notices.take(picture(), picture("a", "b"));
    notices.close("a");
    expect(notices.store.getState().items.map(({ id }) => id)).toEqual(["b"]);
    const before = notices.store.getState();
    notices.take(picture("a", "b"), picture("a", "b"));
    expect(notices.store.getState()).toBe(before);
    notices.take(picture("a", "b"), picture("a"));
    expect(notices.store.getState().items).toEqual([]);
  });
});

describe("the words of a code's page (operator-ux §1.2, §5.1)", () => {
  const texts = new Map<Language, Awaited<ReturnType<typeof createTexts>>>();
  beforeAll(async () => {
    for (const language of ["ja", "en"] as const) texts.set(language, await createTexts(language));
  });
  const words = (code: string, language: Language) => {
    const i18n = texts.get(language);
    if (i18n === undefined) throw new Error("the texts are made before the tests");
    return guidanceWords(code, i18n.t, language);
  };

  it.each(["ja", "en"] as const)("are there for every listed code in %s", (language) => {
    const empty = LISTED_CODES.flatMap((code) => {
      const { cause, act, group } = words(code, language);
      // A key that is missing would be shown as itself.
      return group === "unknown" || [cause, act].some((text) => text === "" || /^[a-z]+\.[\w.]+$/.test(text))
        ? [code]
        : [];
    });
    expect(empty).toEqual([]);
  });

  it("say of an unknown code that it is unknown, and forbid to act on it", () => {
    const strange = words("FROM_ANOTHER_VERSION", "ja");
    expect(strange).toMatchObject({ group: "unknown", who: "second" });
    expect(strange.cause).toContain("FROM_ANOTHER_VERSION");
    expect(strange.never).not.toBeNull();
    expect(hasGuidance("FROM_ANOTHER_VERSION")).toBe(false);
    expect(hasGuidance("LEASE_STILL_ACTIVE")).toBe(true);
  });

  it.each([
    ["LOCK_CONFLICT", true],
    ["", false],
    ["a b", false],
    ["<b>", false],
    ["x".repeat(101), false],
  ])("the address takes %j: %s", (code, expected) => {
    expect(isGuidanceCode(code)).toBe(expected);
  });
});
