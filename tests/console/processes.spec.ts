import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbedded } from "../../main/console/index.ts";
import { serveConsole } from "../support/served-console.ts";
import { leaveSurvivor, type Survivor } from "../support/survivor.ts";
import { test as base, expect, expectAccessible, tabTo, takeScreen } from "./support/console-test.ts";

const PAGES = process.env.FLOWNET_TEST_PAGES;
/** Long enough for the steps to be seen apart, milliseconds. */
const GRACE_MS = "2500";

interface Host {
  readonly link: string;
  readonly survivor: Survivor;
}

/** A console that is opened after an earlier one was killed; the child that one left refuses to end. */
const test = base.extend<{ readonly host: Host }>({
  host: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-processes-"));
    const env = { ...process.env, KSQL_FLOW_GRACE_PERIOD_MS: GRACE_MS };
    const workspace = await openEmbedded({ dataDir, env, endServer: true });
    const survivor = await leaveSurvivor({
      journal: workspace.folders.journal,
      workDir: workspace.children.workDir,
      runId: "netrun_6f1d2c34-0000-4000-8000-00000000c41f",
      nodeId: "deal_summary",
    });
    const served = await serveConsole(workspace, PAGES);
    await use({ link: served.link(), survivor });
    survivor.end();
    await served.close();
    await workspace.dispose();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  },
});

test("A survivor that refuses to end is stopped in steps, and what was asked, what is gone and what is settled stay apart (operator-ux §2.3)", async ({
  host: { link, survivor },
  quietPage: page,
}) => {
  const { root, grandchild } = survivor;
  await page.goto(`${link}#/processes`);
  const line = page.locator(`tr[data-process="${root.pid}"]`);
  await expect(line).toContainText("生き残りを引き継ぎ");
  await expect(line).toContainText("確認済み");
  await expect(page.locator(`tr[data-process="${grandchild.pid}"]`)).toBeVisible();
  await expectAccessible(page);
  await takeScreen(page, "processes-ja-light");

  await line.getByRole("link", { name: `PID ${root.pid}` }).click();
  const panel = page.getByRole("complementary", { name: "プロセスの内容" });
  await expect(panel).toContainText("deal_summary のプロセス");
  await expect(panel).toContainText("unwilling-family.mjs");
  await expectAccessible(page);
  await takeScreen(page, "processes-detail-ja-light");

  await panel.getByRole("button", { name: "停止する" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`PID ${root.pid} node をプロセスの木ごと停止する`);
  await expect(dialog.locator(`[data-target="${grandchild.pid}"]`)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "閉じる" })).toBeFocused();
  await expect(dialog).toContainText("5文字以上の理由");
  await dialog.getByRole("textbox", { name: /理由/ }).fill("暴走しているため止めます");
  const typed = dialog.getByRole("textbox", { name: /PID/ });
  await typed.fill(
    [...String(root.pid)].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join(""),
  );
  await expect(dialog).toContainText("1文字目が違います。");
  await expect(dialog.getByTestId("confirm")).toHaveAttribute("aria-disabled", "true");
  await typed.fill(String(root.pid));
  await expect(dialog).toContainText("一致しました。");
  await expectAccessible(page);
  await takeScreen(page, "processes-stop-ja-light");
  await expect(dialog.getByTestId("confirm")).not.toHaveAttribute("aria-disabled", "true");
  await dialog.getByTestId("confirm").click();

  const fact = (name: string) => dialog.locator(`[data-fact="${name}"]`);
  await expect(fact("requested")).toContainText("に依頼しました。");
  await expect(fact("gone")).toContainText("まだ動いています。");
  await expect(fact("gone")).toContainText("残存: 0");
  await expect(fact("requested")).toContainText("に強制終了しました。");
  await expect(fact("settled")).toContainText("次の再開で、証拠にもとづいて裁定します。");
  await expectAccessible(page);
  await takeScreen(page, "processes-stopped-ja-light");
  expect(survivor.living()).toBe(false);

  await page.keyboard.press("Escape");
  await expect(line).toHaveCount(0);
  await expect(page.getByRole("table", { name: "この起動で行った停止" })).toContainText(`PID ${root.pid}`);
});

test("The same from the keyboard, in English and dark (operator-ux §4, 2.1.1)", async ({
  host: { link, survivor },
  quietPage: page,
}) => {
  await page.goto(link);
  await page.evaluate(() => {
    window.localStorage.setItem("flownet.language", "en");
    window.localStorage.setItem("flownet.theme", "dark");
    window.location.hash = "#/processes";
  });
  await page.reload();
  await tabTo(page, "link", new RegExp(`^PID ${survivor.root.pid}`));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Processes of deal_summary" })).toBeVisible();
  await expectAccessible(page);
  await takeScreen(page, "processes-en-dark");
  await tabTo(page, "button", /^Stop$/);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
  await tabTo(page, "textbox", /^Reason/);
  await page.keyboard.type("it runs away");
  await tabTo(page, "textbox", /^PID/);
  await page.keyboard.type(String(survivor.root.pid));
  await expect(dialog.getByTestId("confirm")).not.toHaveAttribute("aria-disabled", "true");
  await tabTo(page, "button", new RegExp(`^Stop PID ${survivor.root.pid}$`));
  await page.keyboard.press("Enter");
  await expect(dialog.locator('[data-fact="gone"]')).toContainText("Verified. Left: 0");
  await expect(dialog.locator('[data-fact="requested"]')).toContainText("ended by force");
  await takeScreen(page, "processes-stopped-en-dark");
  expect(survivor.living()).toBe(false);
});
