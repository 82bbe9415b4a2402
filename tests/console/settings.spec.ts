import type { Page } from "@playwright/test";
import { startConsole } from "./support/console-process.ts";
import { expect, expectAccessible, tabTo, takeScreen, test } from "./support/console-test.ts";
import { type OwnKintone, prepareSettings, startOwnKintone } from "./support/own-connection.ts";

let own: OwnKintone;
test.beforeAll(async () => {
  own = await startOwnKintone();
});
test.afterAll(() => own.dispose());

/** Audit app and JOB log changed places: each is there, and each is the wrong one. */
function swapped({ connection, tokens, dispose }: OwnKintone): OwnKintone {
  const { audit, jobLog } = connection.apps;
  return {
    connection: { ...connection, apps: { ...connection.apps, audit: jobLog, jobLog: audit } },
    tokens: { ...tokens, audit: tokens.jobLog ?? "", jobLog: tokens.audit ?? "" },
    dispose,
  };
}

const item = (page: Page, id: string) => page.locator(`tr[data-check="${id}"]`);

test("A connection is entered, kept and checked before the operator's eyes", async ({
  flownet,
  quietPage: page,
}) => {
  await page.goto(flownet.link);
  await page.getByRole("link", { name: "設定", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "設定" })).toBeVisible();
  await expect(page.getByRole("radio", { name: "この端末のデータ(内蔵)" })).toBeChecked();

  await page.getByRole("button", { name: "接続を追加する" }).click();
  const form = page.getByRole("region", { name: "新しい接続" });
  await page.getByRole("textbox", { name: "kintone のアドレス" }).fill("http://example.test/k");
  await expect(form.getByText("後ろにパスは付けません。")).toBeVisible();
  const save = page.getByRole("button", { name: "設定を保存する" });
  await expect(save).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await takeScreen(page, "settings-faults-ja-light");

  const { connection, tokens } = own;
  await page.getByRole("textbox", { name: "名前", exact: true }).fill(connection.name);
  await page.getByRole("textbox", { name: "プロファイル" }).fill(connection.profile);
  await page.getByRole("textbox", { name: "kintone のアドレス" }).fill(connection.baseUrl);
  for (const [label, id] of [
    ["実行管理", connection.apps.state],
    ["監査履歴", connection.apps.audit],
    ["操作要求(省略可)", connection.apps.request],
    ["JOB ログ", connection.apps.jobLog],
  ] as const) {
    await page.getByRole("textbox", { name: `${label}: アプリ ID` }).fill(String(id));
  }
  await page.getByRole("textbox", { name: "実行ファイル" }).fill(connection.runner.bin);
  await page.getByRole("textbox", { name: "先頭の引数" }).fill(connection.runner.binArgs.join("\n"));
  await page.getByRole("textbox", { name: "設定ファイル" }).fill(connection.runner.configPath);
  await page.getByRole("textbox", { name: "作業フォルダー" }).fill(connection.runner.workDir);
  await page.getByRole("textbox", { name: "許可リストのファイル" }).fill(connection.allowListPath ?? "");
  await save.click();
  await expect(save).toHaveCount(0);

  const rows = page.locator("tr[data-slot]");
  await expect(rows.first()).toContainText("未設定");
  for (const [slot, token] of Object.entries(tokens)) {
    const row = page.locator(`tr[data-slot="${slot}"]`);
    await row.getByRole("button", { name: /入力する$/ }).click();
    await row.locator("input[type=password]").fill(token);
    await row.getByRole("button", { name: "トークンを保管する" }).click();
    await expect(row).toContainText(`末尾 ${token.slice(-4)}`);
    expect(await page.content()).not.toContain(token);
  }
  await expectAccessible(page);
  await takeScreen(page, "settings-connections-ja-light");

  await page.getByRole("link", { name: "検査", exact: true }).click();
  await page.getByRole("button", { name: "検査を始める" }).click();
  await expect(page.getByText("この接続は使えます。")).toBeVisible({ timeout: 60_000 });
  for (const id of ["tcp", "clock", "app/state", "rights/request", "runnerProfile", "workFolder"]) {
    await expect(item(page, id)).toContainText("確認できた");
  }
  await expect(item(page, "schedules")).toContainText("人が確認する");
  await expectAccessible(page);
  await takeScreen(page, "settings-check-ja-light");

  await page.getByRole("link", { name: "ネットワーク", exact: true }).click();
  await expect(page.getByRole("table", { name: /許可リスト/ })).toContainText("monthly_summary");
  await expectAccessible(page);
  await takeScreen(page, "settings-network-ja-light");

  await page.getByRole("link", { name: "役割", exact: true }).click();
  await page.getByRole("button", { name: "役割を決める" }).click();
  await expect(page.getByRole("table", { name: "アカウントと役割" }).getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await takeScreen(page, "settings-roles-ja-light");
  await page.getByRole("link", { name: /^Run/ }).first().click();
  await expect(page.getByRole("dialog", { name: "保存していない変更があります" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "ここに残る" }).click();
  await expect(page).toHaveURL(/#\/settings\/roles$/);
  await page.getByRole("link", { name: /^Run/ }).first().click();
  await page.getByRole("button", { name: "変更を捨てて移動する" }).click();
  await expect(page).toHaveURL(/#\/runs/);
});

test("A broken connection is opened as a stand-in to look at, and can be corrected (en, dark)", async ({
  quietPage: page,
}) => {
  const dataDir = await prepareSettings(swapped(own));
  const console = await startConsole({ dataDir });
  try {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.addInitScript(() => window.localStorage.setItem("flownet.language", "en"));
    await page.goto(console.link);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await expect(page.getByText("The active connection could not be opened")).toBeVisible();
    await expectAccessible(page);
    await takeScreen(page, "settings-fallback-en-dark");

    await page.getByRole("link", { name: "Check", exact: true }).click();
    await page.getByRole("button", { name: "Start the check" }).click();
    await expect(page.getByText(/cannot be used as it is/)).toBeVisible({ timeout: 60_000 });
    await expect(item(page, "app/audit")).toContainText("A person must look");
    await item(page, "app/audit").locator("summary").click();
    await expectAccessible(page);
    await takeScreen(page, "settings-check-en-dark");

    await page.getByRole("link", { name: "Display", exact: true }).click();
    await page.getByRole("textbox", { name: "Time zone" }).fill("Asia/Nowhere");
    await expect(page.getByText("This time zone is unknown.").first()).toBeVisible();
    await expectAccessible(page);
    await takeScreen(page, "settings-display-en-dark");
  } finally {
    // A page without its console would complain of the line.
    await page.close();
    await console.stop();
  }
});

test("A setting is changed and saved from the keyboard alone (operator-ux §4, 2.1.1)", async ({
  flownet,
  quietPage: page,
}) => {
  await page.goto(flownet.link);
  await tabTo(page, "link", /^設定$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "設定" })).toBeVisible();
  await tabTo(page, "link", /^予算$/);
  await page.keyboard.press("Enter");
  await tabTo(page, "textbox", /^アプリごとの/);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("5000");
  await tabTo(page, "button", /^設定を保存する$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "設定を保存する" })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("textbox", { name: /^アプリごとの/ })).toHaveValue("5000");
});
