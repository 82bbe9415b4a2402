import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { flownet as command } from "../support/flownet-command.ts";
import { type ConsoleProcess, startConsole } from "./support/console-process.ts";
import { test as base, expect, expectAccessible, tabTo, takeScreen } from "./support/console-test.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "examples");
/** Markup, a character that turns the text round, and a text longer than a panel: all of it only text. */
const HOSTILE = `<img src=x onerror=alert(1)>\u202Egnp.exe ${"長い本文 ".repeat(40)}`;
const HOSTILE_KEY = "<b>太字</b>@2026-09";

/** The failing sample with a message that would like to be more than text. */
async function hostileNetwork(folder: string): Promise<string> {
  await cp(join(EXAMPLES, "failing-assert"), folder, { recursive: true });
  const gate = [
    "-- @ksql name: amount_gate",
    "-- @ksql dialect: 1",
    "-- @ksql timeout: 60",
    `ASSERT (SELECT COUNT(*) FROM LAPP_案件) = 0, '${HOSTILE}';`,
  ];
  await writeFile(join(folder, "jobs", "amount_gate.sql"), gate.join("\n"));
  const path = join(folder, "network.yaml");
  // A network of its own: an unfinished Run of the sample would keep a second one out.
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("network_id: failing_assert", "network_id: hostile_assert"));
  return path;
}

/** A console over Runs that were really made: a diamond, a month, a failure, and one with hostile texts. */
const test = base.extend<{ readonly day: ConsoleProcess }>({
  day: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-day-"));
    const definitions = await mkdtemp(join(tmpdir(), "flownet-hostile-"));
    const run = async (definition: string, ...target: readonly string[]): Promise<void> => {
      const { stdout, stderr } = await command(["run-network", definition, ...target, "--data-dir", dataDir]);
      if (!stdout.includes("netrun_")) throw new Error(`no Run was made:\n${stdout}\n${stderr}`);
    };
    const example = (name: string): string => join(EXAMPLES, name, "network.yaml");
    await run(example("diamond"), "--business-key", "diamond@2026-09-04");
    await run(example("monthly-summary"), "--scheduled-for", "2026-09-01T00:00:00+09:00");
    await run(example("failing-assert"), "--business-key", "stock_check@2026-09-04");
    await run(await hostileNetwork(definitions), "--business-key", HOSTILE_KEY);
    const process = await startConsole({ dataDir });
    await use(process);
    await process.stop();
    await rm(definitions, { recursive: true, force: true });
  },
});

// Four Runs are made before the page opens.
test.setTimeout(300_000);

const rowOf = (page: Page, key: string) => page.locator("tr[data-run]", { hasText: key });
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: /^(Run の表示|Views of the Run)$/ }).getByRole("link", { name });

async function openList(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("link", { name: "Run 一覧" }).click();
  await expect(page.locator("tr[data-run]")).toHaveCount(4);
}

test("Runs are found, ordered and opened; each tab tells its part of the same Run (operator-ux §1.1)", async ({
  day,
  quietPage: page,
}) => {
  await openList(page, day.link);
  await expectAccessible(page);
  await takeScreen(page, "runs-list-ja-light");

  await page.getByLabel("検索").fill("ＳＴＯＣＫ");
  await expect(page.locator("tr[data-run]")).toHaveCount(1);
  await expect(page).toHaveURL(/q=/);
  await page.getByLabel("検索").fill("");
  await page.getByLabel("状態", { exact: true }).selectOption("FAILED");
  await expect(page.locator("tr[data-run]")).toHaveCount(2);
  await page.reload();
  await expect(page.locator("tr[data-run]")).toHaveCount(2);
  await page.getByRole("button", { name: "業務キー" }).click();
  await expect(page.getByRole("columnheader", { name: "業務キー" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );

  await rowOf(page, "stock_check@2026-09-04").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: "stock_check@2026-09-04" })).toBeVisible();
  await expect(page.getByRole("region", { name: "確認が必要なノード" })).toContainText("原因: amount_gate");
  await expectAccessible(page);
  await takeScreen(page, "run-overview-ja-light");

  await tab(page, "グラフ").click();
  const box = (id: string) => page.locator(`[data-box="${id}"]`);
  await expect(box("publish")).toHaveAttribute("data-cause", "true");
  await expect(box("count_deals")).toHaveAttribute("data-cause", "false");
  await box("publish").click();
  const panel = page.getByRole("complementary", { name: "publish" });
  await expect(panel).toContainText("上流の次のノードが原因で止まっています");
  await expectAccessible(page);
  await takeScreen(page, "run-graph-ja-light");
  await panel.getByRole("link", { name: "amount_gate" }).click();
  const cause = page.getByRole("complementary", { name: "amount_gate" });
  await expect(cause).toContainText("失注の案件が残っています");
  await expect(cause).toContainText("結果ファイル");
  await page.getByRole("switch", { name: "一覧で表示する" }).click();
  await expect(page.locator('tr[data-node="publish"]')).toContainText("経路上");
  await expectAccessible(page);

  await tab(page, "試行").click();
  await expect(page.locator("tr[data-attempt]")).toHaveCount(2);
  await expect(page.getByRole("complementary", { name: /^amount_gate/ })).toContainText("ASSERT_FAILED");
  await expectAccessible(page);
  await takeScreen(page, "run-attempts-ja-light");
  for (const [name, text] of [
    ["ノード", "ALL_SUCCESS_NOT_SATISFIED"],
    ["時系列", "斜線は分精度の記録からは決められない範囲です。"],
    ["イベント", "試行の終了"],
    ["起動", "新規"],
  ] as const) {
    await tab(page, name).click();
    await expect(page.getByRole("main")).toContainText(name === "ノード" ? "原因:" : text);
    await expectAccessible(page);
  }
});

test("The grid leads to the attempt; hostile texts are texts wherever they are shown (operator-ux §1.1, electron-desktop R7)", async ({
  day,
  quietPage: page,
}) => {
  await openList(page, day.link);
  await page.getByText("グリッド").click();
  await expect(page.getByText("ネットワークを選ぶと")).toBeVisible();
  await page.getByLabel("ネットワーク", { exact: true }).selectOption("failing_assert");
  await expect(page.getByRole("rowheader")).toHaveCount(3);
  const failed = page.getByRole("link", { name: "失敗 試行 1回" });
  await expect(failed).toHaveCount(1);
  await expectAccessible(page);
  await takeScreen(page, "runs-grid-ja-light");
  await failed.first().click();
  await expect(page.getByRole("complementary", { name: /^amount_gate/ })).toContainText("ASSERT_FAILED");

  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole("link", { name: "Run 一覧", exact: true }).click();
  await rowOf(page, HOSTILE_KEY).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(HOSTILE_KEY);
  await tab(page, "試行").click();
  await page.getByRole("button", { name: "amount_gate" }).click();
  const panel = page.getByRole("complementary", { name: /^amount_gate/ });
  await expect(panel).toContainText("<img src=x onerror=alert(1)>");
  await expect(panel).toContainText("U+202E");
  expect(await page.locator("main img, main b").count()).toBe(0);
  expect(asked).toEqual([]);
  await expectAccessible(page);
});

test("A failing night from the keyboard alone, dark and in English (operator-ux §4, 2.1.1)", async ({
  day,
  quietPage: page,
}) => {
  await page.addInitScript(() => {
    localStorage.setItem("flownet.language", "en");
    localStorage.setItem("flownet.theme", "dark");
  });
  await page.goto(day.link);
  await tabTo(page, "link", /^Runs$/);
  await page.keyboard.press("Enter");
  await expect(page.locator("tr[data-run]")).toHaveCount(4);
  await tabTo(page, "link", /@2026-09/);
  await page.keyboard.press("End");
  await expect(page.locator(":focus")).toHaveText("diamond@2026-09-04");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(page.locator(":focus")).toHaveText("stock_check@2026-09-04");
  await takeScreen(page, "runs-list-en-dark");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "stock_check@2026-09-04" })).toBeVisible();
  await tabTo(page, "link", /^Graph$/);
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-box="amount_gate"]')).toBeVisible();
  await tabTo(page, "button", /^amount_gate/);
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(":focus")).toContainText("publish");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name: "amount_gate" })).toContainText("ASSERT_FAILED");
  await expectAccessible(page);
  await takeScreen(page, "run-graph-en-dark");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary", { name: "amount_gate" })).toHaveCount(0);
  await tabTo(page, "link", /^Timeline$/);
  await page.keyboard.press("Enter");
  await tabTo(page, "button", /^count_deals$/);
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(":focus")).toHaveText("amount_gate");
  await expectAccessible(page);
  await takeScreen(page, "run-timeline-en-dark");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  await expect(page.locator("tr[data-run] [aria-current]")).toHaveText("stock_check@2026-09-04");
});
