import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { flownet as command } from "../support/flownet-command.ts";
import { KILLED_LEASE_MS, KILLED_NETWORK, killRun } from "../support/killed-run.ts";
import { type ConsoleProcess, startConsole } from "./support/console-process.ts";
import { test as base, expect, expectAccessible, tabTo, takeScreen } from "./support/console-test.ts";

const FAILING = join(import.meta.dirname, "..", "..", "examples", "failing-assert", "network.yaml");
/** The lease, its margin, and the minute that stored times have lost. */
const LATER_MS = KILLED_LEASE_MS + 3 * 60_000;

/** A console that is opened in the morning after: a Run failed, another was killed, a third never started. */
const test = base.extend<{ readonly morning: ConsoleProcess }>({
  morning: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-night-"));
    const failed = ["run-network", FAILING, "--business-key", "stock_check@2026-09-04"];
    await command([...failed, "--data-dir", dataDir]);
    await killRun(dataDir, "nightly_load@2026-09-04");
    const due = {
      networkId: "diamond",
      zone: "Asia/Tokyo",
      from: "2026-09-04",
      repeat: { every: "month", day: 4 },
      businessKey: "diamond@{yyyy}-{MM}",
      existsBy: "02:00",
    };
    const schedules = { kind: "FLOWNET_SCHEDULES", formatVersion: 1, networks: [due] };
    await writeFile(join(dataDir, "schedules.json"), JSON.stringify(schedules));
    const env = { FLOWNET_TEST_CLOCK_OFFSET_MS: String(LATER_MS) };
    const process = await startConsole({ dataDir, env });
    await use(process);
    await process.stop();
  },
});

const item = (page: Page, kind: string) => page.locator(`li[data-kind="${kind}"]`);

test("The morning after a failing night says what happened, what to do and who (operator-ux §1.1)", async ({
  morning,
  quietPage: page,
}) => {
  await page.goto(morning.link);
  await expect(page.getByRole("heading", { level: 1, name: "要対応" })).toBeVisible();
  await expect(item(page, "failed")).toContainText("ASSERT_FAILED");
  const kinds = await page
    .locator("li[data-kind]")
    .evaluateAll((rows) => rows.map((row) => row.dataset.kind));
  expect(kinds.slice(0, 3)).toEqual(["staleLock", "interrupted", "failed"]);
  // Its resume would be refused while the lock stands: the steps that free it come first.
  const interrupted = item(page, "interrupted");
  await expect(interrupted.getByRole("button", { name: /^復旧の手順へ進む/ })).toBeVisible();
  await expect(interrupted.getByRole("button", { name: /^再開する/ })).toHaveCount(0);
  expect(kinds.slice(3)).toContain("lateMissing");
  await expect(page.getByTestId("attention-count")).toHaveText(`要対応 ${kinds.length}件`);
  await expect(item(page, "staleLock")).toContainText("停止の証明ではありません");
  await expect(item(page, "staleLock")).toContainText("二次対応者の作業です。");
  await expect(item(page, "failed")).toContainText("一次対応者の作業です。");
  await expect(page.getByRole("list", { name: "情報源" })).toContainText("監査履歴");
  await item(page, "failed")
    .getByRole("button", { name: /の根拠$/ })
    .click();
  await expect(item(page, "failed")).toContainText("上流待ちで停止したノード");
  await expectAccessible(page);
  await takeScreen(page, "attention-ja-light");

  await item(page, "staleLock").locator("a[data-row]").click();
  await expect(page).toHaveURL(/#\/locks\/\d+$/);
  const panel = page.getByRole("complementary", { name: "ロックの所有者" });
  await expect(panel.getByRole("heading", { name: `${KILLED_NETWORK} のロック` })).toBeVisible();
  await expect(panel).toContainText("停止の証明ではありません");
  await expect(panel.locator('[data-probe="process"]')).toContainText("この PID は存在しません");
  await expect(panel.locator('[data-probe="lease"]')).toHaveAttribute("data-result", "ended");
  await expect(panel).toContainText("所有者のプロセスは存在しません。");
  await expect(panel.getByRole("link", { name: "nightly_load@2026-09-04" })).toBeVisible();
  await expect(page.locator('tr[data-lock="diamond"]')).toContainText("空き");
  await expectAccessible(page);
  await takeScreen(page, "locks-ja-light");

  await page.evaluate(() => {
    window.localStorage.setItem("flownet.language", "en");
    window.localStorage.setItem("flownet.theme", "dark");
    window.location.hash = "#/attention";
  });
  await page.reload();
  await fromTheKeyboard(page);
});

/** The same in English and dark, without a mouse (operator-ux §4, 2.1.1). */
async function fromTheKeyboard(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Needs attention" })).toBeVisible();
  await expect(item(page, "failed")).toContainText("ASSERT_FAILED");
  await tabTo(page, "link", new RegExp(`^lock of ${KILLED_NETWORK}$`));
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(":focus")).toHaveText(/nightly_load@2026-09-04/);
  await tabTo(page, "button", /^Evidence.*nightly_load@2026-09-04/);
  await page.keyboard.press("Enter");
  await expect(item(page, "interrupted")).toContainText("Unfinished nodes");
  await expectAccessible(page);
  await takeScreen(page, "attention-en-dark");
  await backToRow(page);
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `Lock of ${KILLED_NETWORK}` })).toBeVisible();
  await expect(page.getByText("The owner's process does not exist.")).toBeVisible();
  await expectAccessible(page);
  await takeScreen(page, "locks-en-dark");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/#\/locks$/);
  await expect(page.getByRole("heading", { name: `Lock of ${KILLED_NETWORK}` })).toHaveCount(0);
}

test("Nothing to do is said with its sources and their times, and only then", async ({
  flownet,
  quietPage: page,
}) => {
  await page.goto(flownet.link);
  await expect(page.getByText("対応が必要なものはありません。")).toBeVisible();
  await expect(
    page.getByText(/^すべての情報源\(実行管理、.+\)を \d\d:\d\d:\d\d に確認しました。$/),
  ).toBeVisible();
  const sources = page.getByRole("list", { name: "情報源" });
  await expect(sources).toContainText(/実行管理 \d\d:\d\d:\d\d/);
  await expect(sources).toContainText(/監査履歴 \d\d:\d\d:\d\d/);
  await expect(sources).toContainText(/JOBログ \d\d:\d\d:\d\d/);
  await expect(sources).toContainText(/子プロセス \d\d:\d\d:\d\d/);
  await expect(sources).toContainText("予定 定義なし");
  await page.keyboard.press("Tab");
  await expectAccessible(page);
  await takeScreen(page, "attention-calm-ja-light");
});

/** Back from what stands in a row to the row itself, from where its keys move. */
async function backToRow(page: Page): Promise<void> {
  const row = page.locator("a[data-row]:focus");
  for (let presses = 0; presses < 10 && (await row.count()) === 0; presses++) {
    await page.keyboard.press("Shift+Tab");
  }
  await expect(row).toBeVisible();
}
