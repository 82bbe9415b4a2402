import { describe, expect, it } from "vitest";
import { sightOf } from "../../../renderer/app/look.ts";
import { type Entry, rankEntries } from "../../../renderer/app/palette/rank.ts";
import { type KeyFacts, type Shortcut, shortcutOf } from "../../../renderer/app/shortcuts.ts";
import { createFreezeStore, HELD_MAX, mergeBatches, NO_NEWS } from "../../../renderer/state/freeze.ts";
import { createLayoutStore, parseLayout, usualLayout } from "../../../renderer/state/layout.ts";
import { createLiveStore } from "../../../renderer/state/live.ts";
import type { LiveBatch, RunDiff } from "../../../shared/api/index.ts";

const batch = (change: Partial<LiveBatch>): LiveBatch => ({ ...NO_NEWS, ...change });
const run = (id: string, revision: number, fields: RunDiff["fields"] = {}): RunDiff => ({
  id,
  revision,
  fields,
});

describe("the palette (operator-ux §1.1, §5.1 search)", () => {
  const nothing = () => undefined;
  const entry = (kind: Entry["kind"], label: string, change: Partial<Entry> = {}): Entry => ({
    id: `${kind} ${label}`,
    kind,
    label,
    run: nothing,
    ...change,
  });
  const entries = [
    entry("page", "Run 一覧", { also: ["runs"] }),
    entry("command", "配色: ダーク", { also: ["theme dark"] }),
    entry("run", "monthly_summary@2026-09", { detail: "monthly_summary", also: ["netrun_1"] }),
    entry("run", "monthly_summary@2026-10", { detail: "monthly_summary", also: ["netrun_2"] }),
    entry("network", "monthly_summary"),
    entry("node", "summary", { detail: "monthly_summary", also: ["deal_summary"] }),
  ];
  const found = (text: string): readonly string[] => rankEntries(entries, text).map(({ id }) => id);

  it.each<[string, string, readonly string[]]>([
    ["nothing typed shows pages and commands", "", ["page Run 一覧", "command 配色: ダーク"]],
    [
      "a whole name comes before what begins with it",
      "monthly_summary",
      [
        "network monthly_summary",
        "run monthly_summary@2026-09",
        "run monthly_summary@2026-10",
        "node summary",
      ],
    ],
    ["every word has to occur, wherever", "2026-10 monthly", ["run monthly_summary@2026-10"]],
    ["a Run id finds its Run", "netrun_2", ["run monthly_summary@2026-10"]],
    ["half-width kana find full-width ones", "ﾀﾞｰｸ", ["command 配色: ダーク"]],
    ["hiragana find katakana", "だーく", ["command 配色: ダーク"]],
    [
      "full-width letters of any case find ASCII",
      "ＭＯＮＴＨＬＹ　２０２６－０９",
      ["run monthly_summary@2026-09"],
    ],
    ["the word of the other language finds a command", "dark", ["command 配色: ダーク"]],
    ["what is nowhere finds nothing", "天気", []],
  ])("%s", (_, text, ids) => {
    expect(found(text)).toEqual(ids);
  });
});

describe("keys of the window (operator-ux §1.3, §5.1 IME)", () => {
  const plain: KeyFacts = {
    key: "a",
    ctrl: false,
    meta: false,
    alt: false,
    composing: false,
    typing: false,
    inDialog: false,
  };
  it.each<[string, Partial<KeyFacts>, Shortcut | null]>([
    ["Ctrl+K", { key: "k", ctrl: true }, { kind: "palette" }],
    ["Ctrl+K out of a field", { key: "k", ctrl: true, typing: true }, { kind: "palette" }],
    ["Ctrl+K while an IME composes", { key: "k", ctrl: true, composing: true }, null],
    ["? opens the sheet", { key: "?" }, { kind: "cheatSheet" }],
    ["? typed into a field", { key: "?", typing: true }, null],
    ["/ goes to the search", { key: "/" }, { kind: "search" }],
    ["a digit goes to its area", { key: "2" }, { kind: "area", index: 1 }],
    ["a digit without an area", { key: "9" }, null],
    ["a digit while an IME composes", { key: "2", composing: true }, null],
    ["a digit in a dialog", { key: "2", inDialog: true }, null],
    ["Ctrl and a digit belong to the browser", { key: "2", ctrl: true }, null],
    ["Alt belongs to the system", { key: "2", alt: true }, null],
    ["no letter does anything", { key: "d" }, null],
    ["Delete does nothing", { key: "Delete" }, null],
    ["Enter does nothing", { key: "Enter" }, null],
  ])("%s", (_, change, shortcut) => {
    expect(shortcutOf({ ...plain, ...change }, 3)).toEqual(shortcut);
  });
});

describe("the saved layout (operator-ux §1.3)", () => {
  const whole = {
    ...usualLayout,
    density: "comfortable",
    lastView: "#/runs?status=FAILED",
    splits: { run: 30 },
  };
  it.each<[string, string | null, object]>([
    ["nothing stored", null, usualLayout],
    ["no JSON", "{", usualLayout],
    ["a newer form", JSON.stringify({ ...whole, formatVersion: 2 }), usualLayout],
    ["a foreign key", JSON.stringify({ ...whole, surprise: 1 }), usualLayout],
    ["a split wider than the window", JSON.stringify({ ...whole, splits: { run: 300 } }), usualLayout],
    [
      "a view that is an address elsewhere",
      JSON.stringify({ ...whole, lastView: "https://a.example" }),
      usualLayout,
    ],
    ["what was saved", JSON.stringify(whole), whole],
  ])("%s", (_, text, layout) => {
    expect(parseLayout(text)).toEqual(layout);
  });

  it("keeps every change within its bounds for the next window", () => {
    const values: Record<string, string> = {};
    const storage = {
      getItem: (key: string) => values[key] ?? null,
      setItem: (key: string, value: string) => {
        values[key] = value;
      },
    };
    const layout = createLayoutStore({ storage });
    layout.setDensity("comfortable");
    layout.setSplit("run", 99);
    layout.setColumn("runs", "businessKey", 3);
    layout.setColumn("runs", "network", 200);
    layout.setLastView("#/runs/netrun_1?tab=graph");
    expect(createLayoutStore({ storage }).store.getState()).toEqual({
      ...usualLayout,
      density: "comfortable",
      splits: { run: 80 },
      columns: { runs: { businessKey: 48, network: 200 } },
      lastView: "#/runs/netrun_1?tab=graph",
    });
    layout.setLastView("javascript:alert(1)");
    expect(createLayoutStore({ storage }).store.getState().lastView).toBeNull();
  });
});

describe("the display that stands still (operator-ux U10)", () => {
  it("holds news back, counts each subject once, and lets all in at the end", () => {
    const applied: LiveBatch[] = [];
    const freeze = createFreezeStore({ apply: (news) => applied.push(news), ask: () => undefined });
    freeze.offer(batch({ runs: [run("a", 1)] }));
    expect(applied).toHaveLength(1);
    freeze.toggle();
    for (let revision = 2; revision <= 1001; revision++) {
      freeze.offer(batch({ runs: [run("a", revision, { updatedAt: `t${revision}` })] }));
    }
    freeze.offer(
      batch({
        runs: [run("b", 1)],
        nodes: [{ runId: "a", nodeId: "n", status: "RUNNING", attemptId: null, pid: null }],
      }),
    );
    expect(applied).toHaveLength(1);
    expect(freeze.store.getState()).toEqual({ frozen: true, held: 3, more: false });
    freeze.toggle();
    expect(freeze.store.getState()).toEqual({ frozen: false, held: 0, more: false });
    expect(applied).toHaveLength(2);
    expect(applied[1]?.runs).toEqual([run("a", 1001, { updatedAt: "t1001" }), run("b", 1)]);
  });

  it("keeps a bound of what it holds and says that there is more", () => {
    const applied: LiveBatch[] = [];
    const freeze = createFreezeStore({ apply: (news) => applied.push(news), ask: () => undefined });
    freeze.toggle();
    for (let at = 0; at < 5_000; at++) freeze.offer(batch({ runs: [run(`r${at}`, 1)] }));
    expect(freeze.store.getState()).toEqual({ frozen: true, held: HELD_MAX, more: true });
    freeze.toggle();
    expect(applied).toHaveLength(1);
    expect(applied[0]?.resync).toBe(true);
    expect(applied[0]?.runs.length).toBeLessThanOrEqual(HELD_MAX);
  });

  it("lets the answers to the operator's own operations and the mode through", () => {
    const applied: LiveBatch[] = [];
    const freeze = createFreezeStore({ apply: (news) => applied.push(news), ask: () => undefined });
    freeze.toggle();
    freeze.offer(batch({ mode: "view", runs: [run("a", 1)] }));
    expect(applied).toEqual([batch({ mode: "view" })]);
    freeze.toggle();
    expect(applied[1]).toEqual(batch({ runs: [run("a", 1)] }));
  });

  it("changes nothing when nothing was held back", () => {
    const applied: LiveBatch[] = [];
    const freeze = createFreezeStore({ apply: (news) => applied.push(news), ask: () => undefined });
    freeze.toggle();
    freeze.toggle();
    expect(applied).toEqual([]);
  });

  it("never lets an older revision replace a newer one (U4)", () => {
    const merged = mergeBatches(
      batch({ runs: [run("a", 3, { status: "SUCCESS" })] }),
      batch({ runs: [run("a", 2, { status: "RUNNING" })] }),
    );
    expect(merged.runs).toEqual([run("a", 3, { status: "SUCCESS" })]);
  });

  it("asks for everything anew rather than hold too much", () => {
    const many = Array.from({ length: HELD_MAX + 1 }, (_, index) => run(`r${index}`, 1));
    expect(mergeBatches(batch({}), batch({ runs: many }))).toMatchObject({ resync: true, runs: [] });
  });
});

describe("what a window reports to look at (operator-ux U2, U8)", () => {
  it.each([
    ["the list", { page: "runs", filter: {} } as const, ["state"], null],
    ["a Run", { page: "run", runId: "r" } as const, ["state", "audit", "jobLog", "processes"], "r"],
    ["the start form", { page: "start" } as const, ["state"], null],
  ])("%s", (_, route, sources, runId) => {
    expect(sightOf(route, true)).toEqual({ visible: true, sources, runId });
    expect(sightOf(route, false).visible).toBe(false);
  });
});

describe("freshness by source", () => {
  it("keeps each source and the state app's apart", () => {
    const live = createLiveStore();
    const of = (source: "state" | "audit") =>
      ({ source, readAt: null, origin: "read", intervalMs: 60_000, problem: null }) as const;
    live.apply({ freshness: [of("audit"), of("state")], budget: [], clock: null });
    expect(Object.keys(live.store.getState().sources)).toEqual(["audit", "state"]);
    expect(live.store.getState().freshness?.source).toBe("state");
  });
});
