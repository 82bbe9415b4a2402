import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { openEmbedded } from "../../main/console/index.ts";
import { serveConsole } from "../support/served-console.ts";
import { test as base, expect, expectAccessible, tabTo, takeScreen } from "./support/console-test.ts";
import { writeQueue } from "./support/request-queue.ts";

const PAGES = process.env.FLOWNET_TEST_PAGES;
const test = base.extend<{ readonly link: string }>({
  link: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-requests-"));
    const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
    if (workspace.requestStore === null) throw new Error("no request app");
    await writeQueue(workspace.requestStore);
    const served = await serveConsole(workspace, PAGES);
    await use(served.link());
    await served.close();
    await workspace.dispose();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  },
});

const row = (page: Page, id: number) => page.locator(`tr[data-request="${id}"]`);
const panel = (page: Page) => page.getByRole("complementary", { name: /操作要求の内容|^Request$/ });

test("The queue tells every request in the exact words, its poller, and what may not be repeated (orchestration §7)", async ({
  link,
  quietPage: page,
}) => {
  await page.goto(link);
  const stale = page.locator('li[data-kind="staleRequest"]');
  await expect(stale).toContainText("結果未確定の疑い");
  await expect(stale).toContainText("要求を繰り返さず");
  await stale.getByRole("link").first().click();
  await expect(page).toHaveURL(/#\/requests\/6$/);
  await expect(panel(page)).toContainText("要求 6: リラン要求");
  await expect(panel(page)).toContainText("要求を繰り返さないでください");
  await expect(panel(page)).toContainText("受付済みのため取り消せません");
  await expectAccessible(page);
  await takeScreen(page, "requests-silent-ja-light");
  await page.keyboard.press("Escape");

  const words = ["完了", "拒否", "結果未確定", "取消待ち", "判定不能", "結果未確定の疑い", "要求", "要求"];
  for (const [index, word] of words.entries()) {
    await expect(row(page, index + 1).locator("[data-state]")).toHaveText(word);
  }
  await expect(row(page, 5)).toContainText("revision 1");
  await expect(row(page, 5)).toContainText("run_id REQUIRED");
  await expect(row(page, 8)).toContainText("同じ対象の要求 7");
  await expect(page.getByTestId("poller-state")).toHaveText("この端末では動いていません");
  await expect(page.getByRole("region", { name: "ポーラー" })).toContainText("HOST-B");
  await expectAccessible(page);
  await takeScreen(page, "requests-ja-light");

  // The choice stays while its rows are read, and with it the place of whoever walks by keyboard (operator-ux U5).
  await page.getByRole("radio", { name: /^すべて/ }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(row(page, 1)).toHaveCount(0);
  await expect(page.getByRole("radio", { name: /^未処理/ })).toBeFocused();
  await expect(row(page, 6)).toBeVisible();
});

test("A request is made and taken back before its claim, by mouse and by keyboard (orchestration §7.3)", async ({
  link,
  quietPage: page,
}) => {
  await page.goto(`${link}#/requests`);
  await page.getByRole("button", { name: "要求を出す" }).click();
  await page.getByRole("menuitem", { name: /起動要求/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("起動要求を出す");
  await dialog.getByRole("combobox", { name: /ネットワーク/ }).selectOption("diamond");
  await dialog.getByRole("textbox", { name: /業務キー/ }).fill("diamond@2026-09");
  await dialog.getByRole("textbox", { name: /理由/ }).fill("月次の締めの前に必要です");
  await expect(dialog).toContainText("取消は受付前のみ有効です。");
  await expectAccessible(page);
  await takeScreen(page, "requests-create-ja-light");
  await dialog.getByTestId("confirm").click();
  await expect(dialog.getByTestId("outcome")).toHaveAttribute("data-phase", "done");
  await dialog.getByRole("button", { name: "閉じる" }).click();
  await expect(row(page, 9)).toContainText("diamond@2026-09");

  await page.evaluate(() => {
    window.localStorage.setItem("flownet.language", "en");
    window.localStorage.setItem("flownet.theme", "dark");
  });
  await page.reload();
  await tabTo(page, "link", /^9$/);
  await page.keyboard.press("Enter");
  await expect(panel(page)).toContainText("Request 9: Start request");
  await tabTo(page, "button", /^Take the request back$/);
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("only until it is claimed");
  await tabTo(page, "button", /^Take back request 9$/);
  await page.keyboard.press("Enter");
  await expect(dialog.getByTestId("outcome")).toHaveAttribute("data-phase", "done");
  await page.keyboard.press("Escape");
  await expect(panel(page)).toContainText("It was taken back already");
  await expectAccessible(page);
  await takeScreen(page, "requests-en-dark");
});
