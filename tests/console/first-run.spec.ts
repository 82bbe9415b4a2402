import type { Page } from "@playwright/test";
import { expect, expectAccessible, tabTo, takeScreen, test } from "./support/console-test.ts";

const KEY = "monthly_summary@2026-09";

/** The Run page says success of the Run and of every node. */
async function expectSuccess(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: KEY })).toBeVisible();
  await expect(page.getByText(/^成功\s*\(SUCCESS\)$/)).toBeVisible({ timeout: 90_000 });
  await tabTo(page, "link", /^ノード$/);
  await page.keyboard.press("Enter");
  const nodes = page.locator("tr[data-node]");
  await expect(nodes.first()).toBeVisible();
  expect(await nodes.count()).toBeGreaterThan(1);
  for (const node of await nodes.all()) await expect(node).toContainText("成功");
}

async function choose(page: Page, menu: RegExp, item: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitemradio", { name: item }).click();
  await expect(page.getByRole("menu")).toHaveCount(0);
}

test("A Run started from the form reaches success before the operator's eyes (operator-ux D6–D8)", async ({
  flownet,
  quietPage: page,
}) => {
  await page.goto(flownet.link);
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  await expect(page.getByRole("heading", { name: "要対応" })).toBeVisible();
  await page.getByRole("link", { name: "Run 一覧" }).click();
  await expect(page.getByRole("heading", { name: "Run 一覧" })).toBeVisible();
  await expect(page.getByText("Run はまだありません。")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Run を起動する" }).click();
  await expect(page.getByRole("heading", { name: "Run の起動" })).toBeVisible();
  await page.getByLabel("ネットワーク").selectOption("monthly_summary");
  await page.getByRole("textbox", { name: "対象日" }).fill("2026-13");
  await expect(page.getByText("日付として読み取れません。")).toBeVisible();
  await page.getByRole("textbox", { name: "対象日" }).fill("2026-09");
  await expect(page.getByTestId("preview-key")).toHaveText(KEY);
  const confirm = page.getByRole("button", { name: `${KEY} を起動する` });
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByText("理由の入力(5文字以上)")).toBeVisible();
  await page.getByLabel("理由").fill("月次の定例処理");
  await expect(confirm).not.toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await takeScreen(page, "start-ja-light");

  await confirm.click();
  await page.getByRole("button", { name: "Run を開く" }).click();
  await expectSuccess(page);
  await expectAccessible(page);
  await takeScreen(page, "run-ja-light");

  await page.getByRole("link", { name: "Run 一覧へ戻る" }).click();
  const row = page.getByRole("row", { name: new RegExp(KEY) });
  await expect(row).toContainText("成功");
  await expectAccessible(page);
  await takeScreen(page, "runs-ja-light");

  await choose(page, /^表示言語/, "English");
  await choose(page, /^Colours/, "Dark");
  await expect(row).toContainText("Success");
  await expectAccessible(page);
  await takeScreen(page, "runs-en-dark");
  await row.getByRole("link").click();
  await expect(page.getByText(/^Success\s*\(SUCCESS\)$/)).toBeVisible();
  await expectAccessible(page);
  await takeScreen(page, "run-en-dark");
  await page.getByRole("link", { name: "Start a Run" }).click();
  await expect(page.getByRole("heading", { name: "Start a Run" })).toBeVisible();
  await page.getByLabel("Network").selectOption("monthly_summary");
  await page.getByRole("textbox", { name: "Scheduled date" }).fill("2026-09-01");
  await expect(page.getByText("A Run of this business key exists")).toBeVisible();
  await expectAccessible(page);
  await takeScreen(page, "start-en-dark");
});

test("The whole start works from the keyboard alone (operator-ux §4, 2.1.1)", async ({
  flownet,
  quietPage: page,
}) => {
  await page.goto(flownet.link);
  await tabTo(page, "link", /^Run 一覧$/);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Run はまだありません。")).toBeVisible();
  await tabTo(page, "button", /^Run を起動する$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Run の起動" })).toBeVisible();
  await tabTo(page, "combobox", /^ネットワーク/);
  await page.keyboard.type("monthly_summary");
  await tabTo(page, "textbox", /^対象日/);
  await page.keyboard.type("2026-09-01");
  await tabTo(page, "textbox", /^理由/);
  await page.keyboard.type("keyboard only");
  await tabTo(page, "button", new RegExp(`^${KEY} を起動する$`));
  await expect(page.locator(":focus")).not.toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Enter");
  await tabTo(page, "button", /^Run を開く$/);
  await page.keyboard.press("Enter");
  await expectSuccess(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Run 一覧" })).toBeVisible();
  await tabTo(page, "link", new RegExp(KEY));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: KEY })).toBeVisible();
});

test("A link works once; a second browser is told what to do", async ({
  flownet,
  quietPage: page,
  browser,
}) => {
  await page.goto(flownet.link);
  await expect(page.getByRole("heading", { name: "要対応" })).toBeVisible();
  const other = await browser.newContext();
  const late = await other.newPage();
  const answer = await late.goto(flownet.link);
  expect(answer?.status()).toBe(401);
  await expect(late.getByText("This link was used already")).toBeVisible();
  await other.close();
});
