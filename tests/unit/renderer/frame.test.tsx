import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { I18nextProvider } from "react-i18next";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ClockMark } from "../../../renderer/app/clock-mark.tsx";
import { BudgetMark } from "../../../renderer/app/freshness-menu.tsx";
import { keyFacts, shortcutOf } from "../../../renderer/app/shortcuts.ts";
import { StalenessNotice } from "../../../renderer/app/staleness-notice.tsx";
import { TopBar } from "../../../renderer/app/top-bar.tsx";
import { Split, shareAfterKey } from "../../../renderer/components/split.tsx";
import { TableHead } from "../../../renderer/components/virtual-table-head.tsx";
import { StoresProvider } from "../../../renderer/state/context.tsx";
import type { Stores } from "../../../renderer/state/stores.ts";
import { createTexts } from "../../../renderer/text/i18n.ts";
import type { Freshness, WorkspaceInfo } from "../../../shared/api/index.ts";
import { openStores } from "./open-stores.ts";
import { showBare, standInForLayout } from "./shown-window.tsx";

afterEach(cleanup);
beforeAll(standInForLayout);

const info: WorkspaceInfo = {
  kind: "configured",
  purpose: "production",
  profile: "prod",
  baseUrl: "https://a.example",
  host: "HOST-A",
  requestedBy: "tanaka",
  timeZone: "Asia/Tokyo",
  mode: "operate",
  modes: ["view", "operate"],
};
const fresh = (change: Partial<Freshness> = {}): Freshness => ({
  source: "state",
  readAt: new Date().toISOString(),
  origin: "read",
  intervalMs: 60_000,
  problem: null,
  ...change,
});

async function show(element: ReactElement, stores = openStores()): Promise<Stores> {
  await showBare(stores, element);
  return stores;
}

const heard = (stores: Stores, purpose: WorkspaceInfo["purpose"] = "production"): void => {
  const value = { ...info, purpose };
  stores.workspace.store.setState({ info: { phase: "ready", value, problem: null } });
  stores.live.line("open");
  stores.live.freshness(fresh());
};

describe("the workspace in the bar (screens, Frame)", () => {
  it.each([
    ["production", "本番"],
    ["drill", "訓練"],
    ["local", "この端末のデータ"],
  ] as const)("shows %s in a look and a word of its own", async (purpose, word) => {
    const stores = openStores();
    heard(stores, purpose);
    await show(<TopBar />, stores);
    const mark = screen.getByTestId("workspace");
    expect(mark.dataset.look).toBe(purpose);
    expect(mark.textContent).toContain(word);
  });

  it("looks offline while only the kept picture is there", async () => {
    const stores = openStores();
    heard(stores);
    stores.live.freshness(fresh({ origin: "kept", readAt: "2026-09-04T12:00:00Z" }));
    await show(
      <>
        <TopBar />
        <StalenessNotice />
      </>,
      stores,
    );
    expect(screen.getByTestId("workspace").dataset.look).toBe("offline");
    expect(screen.getByText("前回保存した表示です")).toBeTruthy();
    expect(screen.getByText(/2026\/09\/04\(金\) 21:00:00 時点/)).toBeTruthy();
  });
});

describe("the bar's facts (operator-ux §1.1, U2, U10)", () => {
  it("tells mode, zone and who is asked for", async () => {
    const stores = openStores();
    heard(stores);
    await show(<TopBar />, stores);
    expect(screen.getByTestId("mode").textContent).toBe("操作モード");
    expect(screen.getByText("JST")).toBeTruthy();
  });

  it.each([
    [0, "予算 0%", "calm"],
    [30, "予算 <1%", "calm"],
    [6_900, "予算 69%", "calm"],
    [7_000, "予算 70% · 間隔2倍", "raised"],
    [8_500, "予算 85% · 間隔4倍", "high"],
  ])("%i requests of ten thousand read %s", async (used, text, level) => {
    const stores = openStores();
    stores.live.apply({
      freshness: [],
      budget: [
        { source: "audit", used: 0, limit: 10_000, day: "2026-09-05" },
        { source: "state", used, limit: 10_000, day: "2026-09-05" },
      ],
      clock: null,
    });
    await show(<BudgetMark />, stores);
    expect(screen.getByTestId("budget").textContent).toBe(text);
    expect(screen.getByTestId("budget").dataset.level).toBe(level);
  });

  it("takes over what was saved in another window, though it stands still", async () => {
    const stores = openStores();
    stores.freeze.toggle();
    const nothing = { resync: false, runs: [], nodes: [], operations: [], freshness: [], budget: [] };
    const view = { language: "en", theme: "dark", timeZone: "UTC", density: "comfortable" } as const;
    stores.freeze.offer({ ...nothing, clock: null, settings: { view }, mode: null, approvals: false });
    expect(stores.preferences.store.getState()).toMatchObject({ language: "en", theme: "dark" });
    expect(stores.layout.store.getState().density).toBe("comfortable");
    expect(stores.workspace.store.getState().info.phase).toBe("loading");
  });

  it.each([
    [0, "fine", null],
    [45_000, "off", "この端末の時計が 45秒遅れています"],
    [-90_000, "wrong", "この端末の時計が 90秒進んでいます"],
  ] as const)("a clock %i ms away (%s) reads %s (electron-desktop L13)", async (skewMs, verdict, text) => {
    const stores = openStores();
    const clock = { skewMs, verdict, uncertaintyMs: 500, measuredAt: "2026-09-05T03:00:00Z" };
    stores.live.apply({ freshness: [], budget: [], clock });
    await show(<ClockMark />, stores);
    expect(screen.queryByTestId("clock")?.textContent ?? null).toBe(text);
  });

  it("counts what a pause holds back and says so above the page", async () => {
    const stores = openStores();
    heard(stores);
    await show(
      <>
        <TopBar />
        <StalenessNotice />
      </>,
      stores,
    );
    fireEvent.click(screen.getByTestId("freeze"));
    act(() => {
      stores.freeze.offer({
        resync: false,
        runs: [{ id: "r", revision: 2, fields: {} }],
        nodes: [],
        operations: [],
        freshness: [],
        budget: [],
        clock: null,
        settings: null,
        mode: null,
        approvals: false,
      });
    });
    expect(screen.getByTestId("freeze").getAttribute("aria-pressed")).toBe("true");
    expect(screen.getByTestId("freeze").textContent).toBe("1");
    expect(screen.getByTestId("frozen").textContent).toContain("反映していない変化 1件");
    fireEvent.click(screen.getByTestId("freeze"));
    expect(screen.queryByTestId("frozen")).toBeNull();
  });
});

describe("a key pressed while something stands over the page (operator-ux §1.3, keyboard)", () => {
  const page = (open: boolean): ReactElement => (
    <>
      <button type="button">page</button>
      <dialog open={open}>
        <button type="button">inside</button>
      </dialog>
    </>
  );
  const pressed = (target: Element): ReturnType<typeof shortcutOf> => {
    let shortcut: ReturnType<typeof shortcutOf> = null;
    const hear = (event: KeyboardEvent): void => {
      shortcut = shortcutOf(keyFacts(event), 9);
    };
    window.addEventListener("keydown", hear, { once: true });
    fireEvent.keyDown(target, { key: "3" });
    return shortcut;
  };

  it.each<[string, () => Element]>([
    ["on a button of the sheet", () => screen.getByText("inside")],
    ["with the focus nowhere", () => document.body],
  ])("goes nowhere: a digit %s", async (_, target) => {
    await show(page(true));
    expect(pressed(target())).toBeNull();
  });

  it("goes to its area once the sheet is closed", async () => {
    await show(page(false));
    expect(pressed(screen.getByText("page"))).toEqual({ kind: "area", index: 2 });
  });
});

describe("the split (screens, Frame; operator-ux §4, 2.5.7)", () => {
  it.each([
    ["ArrowLeft", false, 42, 44],
    ["ArrowRight", false, 42, 40],
    ["ArrowLeft", true, 75, 80],
    ["Home", false, 42, 80],
    ["End", false, 42, 20],
    ["Enter", false, 42, null],
  ])("%s (shift %s) at %i per cent leads to %j", (key, shift, share, next) => {
    expect(shareAfterKey(key, shift, share)).toBe(next);
  });

  it("takes the focus, is resized by keys, remembers, and closes by Esc back to where one was", async () => {
    let closed = 0;
    const stores = openStores();
    const split = (open: boolean) => (
      <Split
        id="run"
        detail={open ? <p>details</p> : null}
        detailKey={open ? "n1" : null}
        detailLabel="ノード n1"
        onClose={() => closed++}
      >
        <button type="button">row</button>
      </Split>
    );
    const texts = await createTexts("ja");
    const wrapped = (open: boolean) => (
      <I18nextProvider i18n={texts}>
        <StoresProvider value={stores}>{split(open)}</StoresProvider>
      </I18nextProvider>
    );
    const { rerender } = render(wrapped(false));
    screen.getByText("row").focus();
    rerender(wrapped(true));
    expect(document.activeElement).toBe(screen.getByRole("complementary", { name: "ノード n1" }));
    const divider = screen.getByRole("separator", { name: "ノード n1の幅" });
    fireEvent.keyDown(divider, { key: "ArrowLeft" });
    expect(divider.getAttribute("aria-valuenow")).toBe("44");
    expect(stores.layout.store.getState().splits).toEqual({ run: 44 });
    fireEvent.keyDown(window, { key: "Escape", isComposing: true });
    expect(closed).toBe(0);
    fireEvent.keyDown(window, { key: "Escape" });
    expect(closed).toBe(1);
    rerender(wrapped(false));
    expect(document.activeElement).toBe(screen.getByText("row"));
  });
});

describe("columns of a list (operator-ux §1.3, layout memory; §4, 2.5.7)", () => {
  it("are sized by keys, one Tab stop for all of them, and remembered", async () => {
    const stores = openStores();
    const columns = [
      { key: "a", label: "A", width: "100px" },
      { key: "b", label: "B" },
    ];
    await show(
      <table>
        <TableHead columns={columns} layoutId="runs" />
      </table>,
      stores,
    );
    const handles = screen.getAllByRole("separator");
    expect(handles.map((each) => each.tabIndex)).toEqual([0, -1]);
    const [first, second] = handles;
    if (first === undefined || second === undefined) throw new Error("no handles");
    first.focus();
    fireEvent.keyDown(first, { key: "ArrowDown" });
    expect(document.activeElement).toBe(second);
    fireEvent.keyDown(second, { key: "ArrowRight", shiftKey: true });
    // Nothing is laid out here: a width of 0 grows to the least there is.
    expect(stores.layout.store.getState().columns).toEqual({ runs: { b: 48 } });
    expect(screen.getByRole("columnheader", { name: /B/ }).style.width).toBe("48px");
  });
});
