import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { parseRoute, routeHash } from "../../../renderer/app/routes.ts";
import { CheckItems } from "../../../renderer/settings/check-items.tsx";
import { ConnectionsSection } from "../../../renderer/settings/connections-section.tsx";
import { faultsOf } from "../../../renderer/settings/faults.ts";
import { RolesSection } from "../../../renderer/settings/roles-section.tsx";
import { SaveBar } from "../../../renderer/settings/save-bar.tsx";
import { SETTINGS_SECTIONS } from "../../../renderer/settings/sections.ts";
import { ready } from "../../../renderer/state/load.ts";
import { isDirty, shownSettings } from "../../../renderer/state/settings.ts";
import { applyCheckEvent, initialCheck } from "../../../renderer/state/settings-check.ts";
import type { Stores } from "../../../renderer/state/stores.ts";
import type { CheckItem, SettingsView } from "../../../shared/api/index.ts";
import en from "../../../shared/text/en.json";
import { connectionSample, rolesSample, settingsSample } from "../../support/settings-samples.ts";
import { openStores } from "./open-stores.ts";
import { showBare } from "./shown-window.tsx";

afterEach(cleanup);

const view = (change: Partial<SettingsView> = {}): SettingsView => ({
  revision: "r1",
  settings: settingsSample(),
  readOnly: null,
  roles: { revision: "none", file: null, readOnly: null },
  session: { account: "sato", mode: "operate", source: "noRoles" },
  may: { settings: true, roles: true },
  secretStore: "available",
  tokens: [
    { connectionId: "prod", slot: "state", state: "set", ending: "ABCD" },
    { connectionId: "prod", slot: "audit", state: "undecryptable", ending: null },
    { connectionId: "prod", slot: "request", state: "unset", ending: null },
    { connectionId: "prod", slot: "jobLog", state: "unset", ending: null },
    { connectionId: "prod", slot: "runner/T_DEALS", state: "unset", ending: null },
  ],
  opened: { source: "embedded", connectionId: null, problem: null },
  dataFolder: "/data",
  log: { file: "/data/log/flownet.jsonl", dropped: 0 },
  host: "HOST-A",
  ...change,
});

async function show(
  element: React.ReactElement,
  kept = view(),
  language: "ja" | "en" = "ja",
): Promise<Stores> {
  const stores = openStores();
  stores.settings.store.setState({ view: ready(kept) });
  await showBare(
    stores,
    <>
      {element}
      <SaveBar />
    </>,
    language,
  );
  return stores;
}

describe("the connections of the settings", () => {
  it("tells of each token what may be known of it", async () => {
    await show(<ConnectionsSection />);
    const rows = screen.getAllByRole("row").map((row) => row.textContent);
    expect(rows[1]).toContain("設定済み末尾 ABCD");
    expect(rows[2]).toContain("要再入力(復号できません)");
    expect(rows[3]).toContain("未設定");
    expect(rows[5]).toContain("runner の変数 T_DEALS");
  });

  it("puts a fault beside its field as one types, and keeps it from being saved", async () => {
    const stores = await show(<ConnectionsSection />);
    const address = screen.getByRole("textbox", { name: /kintone のアドレス/ });
    fireEvent.change(address, { target: { value: "http://example.test" } });
    expect(address.getAttribute("aria-invalid")).toBe("true");
    const save = screen.getByRole("button", { name: "設定を保存する" });
    expect(save.getAttribute("aria-disabled")).toBe("true");
    expect(screen.getByText(/本番 › kintone のアドレス/)).toBeTruthy();
    fireEvent.change(address, { target: { value: "https://example.test" } });
    expect(isDirty(stores.settings.store.getState())).toBe(false);
    expect(screen.queryByRole("button", { name: "設定を保存する" })).toBeNull();
  });

  it("takes the digits of an IME for an app id, and keeps what is no number", async () => {
    const stores = await show(<ConnectionsSection />);
    const field = screen.getByRole("textbox", { name: "実行管理: アプリ ID" });
    fireEvent.change(field, { target: { value: "123" } });
    expect(shownSettings(stores.settings.store.getState())?.connections[0]?.apps.state).toBe(123);
    fireEvent.change(field, { target: { value: "12a" } });
    expect(field).toHaveProperty("value", "12a");
    expect(screen.getAllByText("アプリ ID は 1 以上の整数です。").length).toBeGreaterThan(0);
  });

  it("does not paint a new connection red before anything was typed, and names what it lacks", async () => {
    await show(<ConnectionsSection />);
    fireEvent.click(screen.getByRole("button", { name: "接続を追加する" }));
    const profile = screen.getByRole("textbox", { name: /プロファイル/ });
    expect(profile.getAttribute("aria-invalid")).not.toBe("true");
    expect(screen.getByText(/新しい接続 › プロファイル/)).toBeTruthy();
    expect(screen.getByText("トークンは、接続を保存してから入力します。")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "変更を元に戻す" }));
    expect(screen.queryByText(/新しい接続/)).toBeNull();
  });

  it("offers nothing to change to those who may not", async () => {
    await show(<ConnectionsSection />, view({ may: { settings: false, roles: false } }));
    for (const name of ["接続を追加する", "この接続を削除する"]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
    expect(screen.queryByRole("button", { name: /入力する/ })).toBeNull();
    expect(screen.getByRole("textbox", { name: /kintone のアドレス/ })).toHaveProperty("readOnly", true);
  });

  it("says why no token can be kept on a host that cannot keep one", async () => {
    await show(<ConnectionsSection />, view({ secretStore: "unavailable" }), "en");
    expect(screen.getByText(/Tokens cannot be kept safely on this host/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Enter$/ })).toBeNull();
  });
});

describe("the roles of the settings (decisions §5)", () => {
  it("starts with the account of this session, so that nobody locks himself out", async () => {
    const stores = await show(<RolesSection />);
    fireEvent.click(screen.getByRole("button", { name: "役割を決める" }));
    expect(stores.settings.store.getState().rolesDraft?.accounts).toEqual([
      { account: "sato", mode: "operate" },
    ]);
  });

  it("tells when nobody would be left who may operate", async () => {
    const file = rolesSample({ accounts: [{ account: "sato", mode: "operate" }] });
    await show(<RolesSection />, view({ roles: { revision: "r", file, readOnly: null } }));
    const [, row] = screen.getAllByRole("row");
    if (row === undefined) throw new Error("the account has no row");
    fireEvent.change(within(row).getByRole("combobox"), { target: { value: "view" } });
    expect(screen.getAllByText("操作できる人が誰もいなくなります。").length).toBeGreaterThan(0);
  });
});

describe("the check on screen", () => {
  const item = (change: Partial<CheckItem>): CheckItem => ({
    id: "tcp",
    group: "reach",
    subject: "tcp",
    of: null,
    result: "confirmed",
    blocks: false,
    code: "TCP_OK",
    place: "https://example.test",
    facts: { host: "example.test", port: "443" },
    differences: [],
    ...change,
  });

  it("shows result, finding, next step and differences, foreign text as text", async () => {
    const items = [
      item({}),
      item({
        id: "app/audit",
        group: "apps",
        subject: "app",
        of: "audit",
        result: "person",
        blocks: true,
        code: "APP_FORM_MISMATCH",
        facts: { app: "12", count: "1" },
        differences: [{ field: "<b>\u202e", kind: "missing", expected: "NUMBER", found: "" }],
      }),
      item({ id: "dns", subject: "dns", result: "unreadable", code: "NEW_CODE" }),
    ];
    await show(<CheckItems items={items} />, view(), "en");
    const rows = screen.getAllByRole("row").map((row) => row.textContent);
    expect(rows.find((row) => row?.startsWith("TCP"))).toContain("Connected to example.test:443.");
    const mismatch = rows.find((row) => row?.startsWith("Fields of the app"));
    expect(mismatch).toContain("A person must look");
    expect(mismatch).toContain("Blocks");
    expect(mismatch).toContain("<b>U+202E");
    expect(rows.find((row) => row?.startsWith("Name"))).toContain("NEW_CODE");
  });

  it("replaces a running item by its result and keeps their order", () => {
    const running = item({ result: null, code: null });
    const events = [
      { kind: "planned", total: 2 },
      { kind: "item", item: item({ id: "dns" }) },
      { kind: "item", item: running },
      { kind: "item", item: item({}) },
      { kind: "ended", at: "2026-09-05T05:00:00Z" },
    ] as const;
    const check = events.reduce(applyCheckEvent, initialCheck);
    expect(check.items.map(({ id, result }) => [id, result])).toEqual([
      ["dns", "confirmed"],
      ["tcp", "confirmed"],
    ]);
    expect(check).toMatchObject({ phase: "ended", total: 2, endedAt: "2026-09-05T05:00:00Z" });
  });

  it("has a next step for every finding that is not good news", () => {
    const good =
      /_OK$|_OK_OWN_CA$|^PROXY_NONE$|^PROXY_NOT_FOR_THIS$|^TLS_NOT_NEEDED$|^AUTHENTICATED$|^HOST_KNOWN$/;
    const bad = Object.keys(en.settings.check.outcome).filter((code) => !good.test(code));
    expect(Object.keys(en.settings.check.next).sort()).toEqual(bad.sort());
  });
});

describe("the address of the settings", () => {
  it.each(SETTINGS_SECTIONS)("%s is found again by its address", (section) => {
    expect(parseRoute(routeHash({ page: "settings", section }))).toEqual({ page: "settings", section });
  });
  it("knows no other part", () => {
    expect(parseRoute("#/settings/secret").page).toBe("unknown");
  });
});

describe("faults of what is typed", () => {
  it("tells one for each field, with the part it stands in", () => {
    const settings = settingsSample({ connections: [connectionSample({ profile: "" })], hosts: ["a b"] });
    expect(faultsOf(settings, null)).toEqual([
      { path: "connections.0.profile", fault: "required", section: "connections" },
      { path: "hosts.0", fault: "host", section: "network" },
    ]);
  });
});
