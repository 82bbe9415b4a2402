import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { AttentionCount } from "../../../renderer/attention/attention-count.tsx";
import { AttentionPage } from "../../../renderer/attention/attention-page.tsx";
import type { Stores } from "../../../renderer/state/stores.ts";
import type { AttentionEntry, AttentionPicture, AttentionSource } from "../../../shared/api/index.ts";
import { ATTENTION_KINDS, type AttentionKind, attentionItem } from "../../../shared/domain/attention.ts";
import { openStores } from "./open-stores.ts";
import { showBare, standInForLayout } from "./shown-window.tsx";

afterEach(cleanup);
beforeAll(standInForLayout);

const READ_AT = "2026-09-05T05:03:20Z";
const source = (name: AttentionSource["source"], change: Partial<AttentionSource> = {}): AttentionSource => ({
  source: name,
  readAt: READ_AT,
  problem: null,
  pending: 0,
  absent: false,
  ...change,
});
const item = (kind: AttentionKind, id: string, change: Partial<AttentionEntry> = {}): AttentionEntry =>
  attentionItem(kind, {
    id,
    businessKey: `key_${id}`,
    runId: `run_${id}`,
    since: { at: "2026-09-05T04:00:00Z", precision: "minute" },
    facts: [],
    ...change,
  });
const picture = (
  items: readonly AttentionEntry[],
  change: Partial<AttentionPicture> = {},
): AttentionPicture => ({
  items,
  total: items.length,
  sources: [source("state"), source("audit"), source("schedules", { absent: true })],
  calm: items.length === 0,
  judgedAt: READ_AT,
  ...change,
});

const show = (stores: Stores, language: "ja" | "en" = "ja") =>
  showBare(
    stores,
    <>
      <AttentionCount />
      <AttentionPage />
    </>,
    language,
  );

const rows = (): readonly string[] =>
  screen.queryAllByRole("listitem").flatMap((row) => row.getAttribute("data-item") ?? []);
const rowOf = (id: string): HTMLElement => {
  const row = screen.getAllByRole("listitem").find((each) => each.getAttribute("data-item") === id);
  if (row === undefined) throw new Error(`no row ${id}`);
  return row;
};

describe("what a row says (operator-ux §1.1)", () => {
  it.each(["ja", "en"] as const)(
    "has a name, a meaning, a next step and a responder for every kind: %s",
    async (language) => {
      const stores = openStores();
      stores.attention.take(picture(ATTENTION_KINDS.map((kind) => item(kind, kind))));
      await show(stores, language);
      const texts = ATTENTION_KINDS.map((kind) => rowOf(kind).textContent ?? "");
      expect(new Set(texts).size).toBe(ATTENTION_KINDS.length);
      for (const text of texts) {
        expect(text).toMatch(
          language === "ja" ? /[一二]次対応者の作業です。/ : /For the (first|second) responder\./,
        );
        expect(text).not.toContain("attention.");
      }
    },
  );

  it("never calls an expired lease a proof that the owner stopped (operator-ux D10)", async () => {
    const stores = openStores();
    stores.attention.take(
      picture([item("staleLock", "9", { networkId: "sales_import", lockRecordId: "9" })]),
    );
    await show(stores);
    expect(rowOf("9").textContent).toContain("停止の証明ではありません");
    expect(rowOf("9").querySelector("a[data-row]")?.getAttribute("href")).toBe("#/locks/9");
  });

  it("counts repeated failures and links to the node", async () => {
    const stores = openStores();
    const braked = item("retryBrake", "r", {
      nodeId: "assert",
      code: "ASSERT_FAILED",
      repeated: 3,
      attemptNo: 3,
    });
    stores.attention.take(picture([braked]));
    await show(stores);
    expect(rowOf("r").textContent).toContain("ASSERT_FAILED ×3");
    expect(rowOf("r").querySelector("a[data-row]")?.getAttribute("href")).toBe("#/runs/run_r?node=assert");
  });

  it("opens its evidence, says what is not recorded, and shows foreign text as text", async () => {
    const stores = openStores();
    const facts = [
      { name: "lastKey", kind: "text", value: "<b>C0003000</b>\u202E" },
      { name: "sqlStarted", kind: "time", value: null, precision: "minute" },
      { name: "written", kind: "count", value: 3000 },
    ] as const;
    stores.attention.take(picture([item("unknown", "u", { facts })]));
    await show(stores);
    const toggle = within(rowOf("u")).getByRole("button", { name: /の根拠$/ });
    expect(toggle.getAttribute("aria-expanded")).toBe("false");
    fireEvent.click(toggle);
    expect(toggle.getAttribute("aria-expanded")).toBe("true");
    expect(rowOf("u").querySelector("b")).toBeNull();
    for (const text of ["<b>C0003000</b>U+202E", "記録なし", "3,000"])
      expect(rowOf("u").textContent).toContain(text);
  });
});

describe("an empty list (orchestration: nothing to do only when every source was read)", () => {
  it("is calm when every source was read, and says when", async () => {
    const stores = openStores();
    stores.attention.take(picture([]));
    await show(stores);
    expect(screen.getByText("対応が必要なものはありません。")).toBeDefined();
    expect(screen.getByRole("list", { name: "情報源" }).textContent).toContain("予定 定義なし");
  });

  it.each<[string, readonly AttentionSource[], string]>([
    [
      "a source failed",
      [source("state"), source("audit", { problem: { code: "STORE_UNREACHABLE", message: "m" } })],
      "監査履歴 を確認できません",
    ],
    ["a source is not through", [source("state"), source("audit", { pending: 4 })], "監査履歴 残り 4件"],
  ])("claims nothing when %s", async (_, sources, text) => {
    const stores = openStores();
    stores.attention.take(picture([], { sources, calm: false }));
    await show(stores);
    expect(screen.queryByText("対応が必要なものはありません。")).toBeNull();
    expect(screen.getByText(/対応が不要とは言えません/)).toBeDefined();
    expect(screen.getByRole("list", { name: "情報源" }).textContent).toContain(text);
  });

  it("says that it reads while nothing was read yet", async () => {
    const stores = openStores();
    stores.attention.take(picture([], { sources: [source("state", { readAt: null })], calm: false }));
    await show(stores);
    expect(screen.getByText("情報源を読み取っています。")).toBeDefined();
  });

  it("says how many rows are not shown", async () => {
    const stores = openStores();
    stores.attention.take(picture([item("failed", "a")], { total: 41 }));
    await show(stores);
    expect(screen.getByText("緊急の順に 1件を表示しています。ほかに 40件あります。")).toBeDefined();
  });
});

describe("a list somebody is in (operator-ux U5, U6)", () => {
  it("stands still: new rows wait, ended ones stay and say so, until asked or left", async () => {
    const stores = openStores();
    stores.attention.take(picture([item("failed", "a"), item("held", "b")]));
    await show(stores);
    fireEvent.focus(within(rowOf("a")).getByRole("link"));
    act(() => stores.attention.take(picture([item("unknown", "new"), item("held", "b", { code: "X" })])));
    expect(rows()).toEqual(["a", "b"]);
    expect(rowOf("a").textContent).toContain("解消しました");
    expect(rowOf("b").textContent).toContain("X");
    fireEvent.click(screen.getByRole("button", { name: "並べ替えを更新する (2)" }));
    expect(rows()).toEqual(["new", "b"]);
    expect(screen.queryByRole("button", { name: /並べ替え/ })).toBeNull();
  });

  const gone = { code: "SCHEDULES_INVALID", message: "m" };
  it.each<[string, readonly AttentionEntry[], Partial<AttentionPicture>]>([
    ["its source failed", [], { sources: [source("state"), source("schedules", { problem: gone })] }],
    ["its source is not through", [], { sources: [source("state"), source("audit", { pending: 4 })] }],
    ["its source was not read yet", [], { sources: [source("state", { readAt: null })] }],
    ["more urgent ones took its place", [item("unknown", "new")], { total: 301 }],
  ])("says of no row that it is over because %s (operator-ux §1.1)", async (_, items, change) => {
    const stores = openStores();
    stores.attention.take(picture([item("lateMissing", "a")]));
    await show(stores);
    fireEvent.focus(within(rowOf("a")).getByRole("link"));
    act(() => stores.attention.take(picture(items, change)));
    expect(rows()).toEqual(["a"]);
    expect(rowOf("a").textContent).not.toContain("解消しました");
    act(() => stores.attention.take(picture([])));
    expect(rowOf("a").textContent).toContain("解消しました");
  });

  it("takes the order of main again once it is left", async () => {
    const stores = openStores();
    stores.attention.take(picture([item("failed", "a")]));
    await show(stores);
    const list = screen.getByRole("list", { name: /緊急の順に並びます/ });
    fireEvent.pointerEnter(list);
    act(() => stores.attention.take(picture([item("unknown", "new"), item("failed", "a")])));
    expect(rows()).toEqual(["a"]);
    fireEvent.pointerLeave(list);
    expect(rows()).toEqual(["new", "a"]);
  });

  it("stands still as a whole while the page is frozen, and shows the last picture after (operator-ux U10)", async () => {
    const stores = openStores();
    stores.attention.take(picture([item("failed", "a")]));
    await show(stores);
    act(() => stores.freeze.toggle());
    act(() => stores.attention.take(picture([item("failed", "b")])));
    expect(rows()).toEqual(["a"]);
    act(() => stores.freeze.toggle());
    expect(rows()).toEqual(["b"]);
  });
});

describe("the count in the bar", () => {
  it("says a new unknown result at once, never those of the first picture (operator-ux §4, 4.1.3)", async () => {
    const stores = openStores();
    stores.attention.take(picture([item("unknown", "a")]));
    await show(stores);
    expect(screen.getByTestId("attention-count").textContent).toBe("要対応 1件");
    expect(screen.getByRole("alert").textContent).toBe("");
    act(() => stores.attention.take(picture([item("unknown", "a"), item("unknown", "b")])));
    expect(screen.getByRole("alert").textContent).toBe("結果不明が新しく見つかりました。");
    expect(screen.getByTestId("attention-count").textContent).toBe("要対応 2件");
  });
});
