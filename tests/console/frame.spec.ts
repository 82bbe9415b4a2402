import type { Page, WebSocketRoute } from "@playwright/test";
import { expect, expectAccessible, tabTo, takeScreen, test } from "./support/console-test.ts";

const RUNS = { ja: "Run 一覧", en: "Runs" } as const;

/** The first page stands and its picture is fresh. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "fresh");
}

/** Chooses the best entry of the palette by a few letters, as an operator without a mouse does. */
async function command(page: Page, letters: string, found: RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: /検索と移動|Find and go/ });
  await expect(field).toBeFocused();
  await page.keyboard.type(letters);
  await expect(page.getByRole("listbox").getByRole("option", { selected: true })).toHaveText(found);
  await page.keyboard.press("Enter");
  await expect(field).toHaveCount(0);
}

test("The whole frame works from the keyboard alone (operator-ux §1.3, screens, Frame)", async ({
  flownet,
  quietPage: page,
}) => {
  await open(page, flownet.link);
  await expect(page.getByTestId("budget")).toHaveText(/^予算 /);

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "キー操作の一覧" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("2");
  await expect(page.getByRole("dialog", { name: "キー操作の一覧" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await command(page, "run の起動", /Run の起動/);
  await expect(page.getByRole("heading", { name: "Run の起動" })).toBeVisible();
  await command(page, "ＲＵＮ　一覧", /Run 一覧/);
  await expect(page.getByRole("heading", { level: 1, name: RUNS.ja })).toBeVisible();

  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("?12");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("searchbox")).toHaveValue("?12");
  await page.getByRole("searchbox").fill("");

  await tabTo(page, "button", /^実行管理/);
  await page.keyboard.press("Enter");
  const sources = page.getByRole("row");
  for (const source of ["実行管理", "監査履歴", "操作要求", "JOBログ", "子プロセス"]) {
    await expect(sources.filter({ hasText: source })).toBeVisible();
  }
  await expectAccessible(page);
  await takeScreen(page, "frame-sources-ja-light");
  await page.keyboard.press("Escape");

  await command(page, "閲覧", /閲覧モード/);
  await expect(page.getByTestId("mode")).toHaveText("閲覧モード");
  await command(page, "操作モード", /操作モード/);
  await expect(page.getByTestId("mode")).toHaveText("操作モード");

  await command(page, "広め", /行の高さ: 広め/);
  await expect(page.locator("html")).toHaveAttribute("data-density", "comfortable");
  await command(page, "english", /English/);
  await expect(page.getByRole("heading", { level: 1, name: RUNS.en })).toBeVisible();
});

for (const theme of ["light", "dark", "contrast"]) {
  test(`The frame has no accessibility fault in the colours ${theme} (operator-ux §4)`, async ({
    flownet,
    quietPage: page,
  }) => {
    await open(page, flownet.link);
    await command(page, `theme ${theme}`, /配色/);
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await expectAccessible(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("monthly");
    await expect(page.getByRole("listbox").getByRole("option").first()).toContainText("monthly_summary");
    await expectAccessible(page);
    await takeScreen(page, `frame-palette-ja-${theme}`);
    await page.keyboard.press("Escape");
    await page.getByTestId("freeze").press("Enter");
    await expect(page.getByTestId("frozen")).toBeVisible();
    await expectAccessible(page);
    // At 200 % what is left of a button may be its picture alone; its name stays.
    await page.setViewportSize({ width: 640, height: 400 });
    await expectAccessible(page);
  });
}

test("A paused display stands still, counts, and catches up (operator-ux U10)", async ({
  flownet,
  quietPage: page,
  context,
}) => {
  await open(page, flownet.link);
  await page.goto(`${new URL(page.url()).origin}/#/runs`);
  await expect(page.getByText("Run はまだありません。")).toBeVisible();
  await command(page, "一時停止", /表示を一時停止する/);
  await expect(page.getByTestId("frozen")).toContainText("反映していない変化 0件");

  const other = await context.newPage();
  await other.goto(`${new URL(page.url()).origin}/#/start?network=monthly_summary`);
  await other.getByRole("textbox", { name: "対象日" }).fill("2026-09-01");
  await other.getByLabel("理由").fill("一時停止の確認");
  await other.getByRole("button", { name: "monthly_summary@2026-09 を起動する" }).click();
  await other.getByRole("button", { name: "Run を開く" }).click();
  await expect(other.getByRole("heading", { level: 1, name: "monthly_summary@2026-09" })).toBeVisible();

  await expect(page.getByTestId("frozen")).not.toContainText("変化 0件");
  await expect(page.getByText("Run はまだありません。")).toBeVisible();
  await page.getByTestId("freeze").press("Enter");
  await expect(page.getByRole("row", { name: /monthly_summary@2026-09/ })).toBeVisible();
  await other.close();
});

test("An address names the page with its filters, and a window comes back to it (operator-ux §1.1)", async ({
  flownet,
  quietPage: page,
}) => {
  await open(page, flownet.link);
  const { origin } = new URL(page.url());
  await page.goto(`${origin}/#/runs?network=monthly_summary&status=FAILED`);
  const network = page.getByLabel("ネットワーク");
  await expect(network).toHaveValue("monthly_summary");
  await page.reload();
  await expect(network).toHaveValue("monthly_summary");
  await expect(page.getByLabel("状態")).toHaveValue("FAILED");
  await page.goto("about:blank");
  await page.goto(`${origin}/`);
  await expect(network).toHaveValue("monthly_summary");
  expect(new URL(page.url()).hash).toBe("#/runs?network=monthly_summary&status=FAILED");
});

test("A line that breaks dims the page and closes its actions until it is back (operator-ux §1.1)", async ({
  flownet,
  page,
}) => {
  const lines: WebSocketRoute[] = [];
  let down = false;
  await page.routeWebSocket(/\/api$/, async (line) => {
    if (down) {
      await line.close();
      return;
    }
    line.connectToServer();
    lines.push(line);
  });
  await open(page, flownet.link);
  await page.goto(`${new URL(page.url()).origin}/#/start?network=monthly_summary`);
  await page.getByRole("textbox", { name: "対象日" }).fill("2026-09-01");
  await page.getByLabel("理由").fill("切断の確認");
  const confirm = page.getByRole("button", { name: "monthly_summary@2026-09 を起動する" });
  await expect(confirm).not.toHaveAttribute("aria-disabled", "true");

  down = true;
  for (const line of lines) await line.close();
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "lost");
  await expect(page.getByText("コンソール本体からの更新が届いていません。")).toBeVisible();
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByLabel("理由")).toHaveValue("切断の確認");

  down = false;
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "fresh");
  await expect(confirm).not.toHaveAttribute("aria-disabled", "true");
  await expect(page.getByLabel("理由")).toHaveValue("切断の確認");
});
