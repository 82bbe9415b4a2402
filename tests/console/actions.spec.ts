import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { flownet as command } from "../support/flownet-command.ts";
import { killRun } from "../support/killed-run.ts";
import { type ConsoleProcess, startConsole } from "./support/console-process.ts";
import {
  arrowTo,
  test as base,
  expect,
  expectAccessible,
  tabTo,
  takeScreen,
} from "./support/console-test.ts";
import { allowGated, makeGatedRun, openGate, writeGated } from "./support/gated-runs.ts";
import { expectNoSidewaysScroll, expectWholeButtons } from "./support/layout-check.ts";

const MOUSE = "stock_check@2026-09-04";
const KEYS = "price_check@2026-09-04";
const KILLED = "nightly_load@2026-09-04";

interface Night extends ConsoleProcess {
  readonly dataDir: string;
  /** Run ids by business key. */
  readonly runs: ReadonlyMap<string, string>;
}

/** A console over two Runs that failed at a gate and one whose scheduler was killed in the middle. */
const test = base.extend<{ readonly night: Night }>({
  night: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-actions-"));
    const networks = await writeGated(join(dataDir, "definitions"), ["stock_check", "price_check"]);
    await allowGated(dataDir, networks);
    const runs = new Map<string, string>();
    for (const { networkId, definition } of networks) {
      const key = `${networkId}@2026-09-04`;
      runs.set(key, await makeGatedRun(dataDir, definition, key));
    }
    await killRun(dataDir, KILLED);
    const process = await startConsole({ dataDir });
    await use({ ...process, dataDir, runs });
    await process.stop();
  },
});
test.setTimeout(180_000);
test.use({ actionTimeout: 15_000 });

const dialog = (page: Page): Locator => page.getByRole("dialog");
const confirm = (page: Page): Locator => page.getByTestId("confirm");
const reasonOf = (page: Page): Locator => dialog(page).getByRole("textbox", { name: "理由" });
const outcome = (page: Page): Locator => page.getByTestId("outcome");
const menuOf = (page: Page): Locator => page.getByRole("button", { name: /^(この Run の操作|操作)$/ });

async function openRun(page: Page, key: string): Promise<void> {
  await page.evaluate(() => {
    window.location.hash = "#/runs";
  });
  await page.locator("tr[data-run]", { hasText: key }).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: key })).toBeVisible();
}

async function choose(page: Page, item: RegExp): Promise<void> {
  await menuOf(page).click();
  await page.getByRole("menuitem", { name: item }).click();
  await expect(dialog(page)).toBeVisible();
  await expect(page.getByTestId("plan-age")).toContainText("秒前の予定");
}

async function finish(page: Page): Promise<void> {
  await expect(outcome(page)).toHaveAttribute("data-phase", "done");
  await page.getByRole("button", { name: "閉じる", exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
}

const invocations = async (page: Page): Promise<number> => {
  await page.getByRole("navigation", { name: "Run の表示" }).getByRole("link", { name: "起動" }).click();
  await expect(page.locator("tr[data-invocation]").first()).toBeVisible();
  return page.locator("tr[data-invocation]").count();
};

test("A failed Run is resumed, run again from a node, and closed; a killed one is held and released (operator-ux §1.2, §2)", async ({
  night,
  quietPage: page,
}) => {
  await page.goto(night.link);
  const row = page.locator('li[data-kind="failed"]', { hasText: MOUSE });
  await expect(row.getByRole("button", { name: /^再開する/ })).toBeVisible();
  await takeScreen(page, "action-attention-ja-light");
  await row.getByRole("button", { name: /^再開する/ }).click();
  await expect(dialog(page).getByRole("heading", { name: `${MOUSE} を再開する` })).toBeVisible();
  await expect(page.getByRole("button", { name: "閉じる", exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);

  await inViewMode(page);
  await openRun(page, MOUSE);
  await page.getByRole("button", { name: "再開する: 2ノード実行・1ノード保持" }).click();
  await expect(dialog(page).locator('[data-planned="amount_gate"]')).toContainText("ASSERT_FAILED ×1");
  await expect(confirm(page)).toHaveAttribute("aria-disabled", "true");
  await expect(dialog(page)).toContainText("5文字以上の理由");
  await expectAccessible(page);
  await takeScreen(page, "action-resume-ja-light");
  await reasonOf(page).fill("原因を取り除いたので再開する");
  await confirm(page).dblclick();
  await expect(outcome(page)).toHaveAttribute("data-phase", "done");
  await expect(outcome(page)).toContainText("NODE_FAILED_OR_BLOCKED");
  await expect(outcome(page)).toContainText("JOBログを読み、原因を取り除いてから再開してください。");
  await expectAccessible(page);
  await takeScreen(page, "action-outcome-ja-light");
  await page.getByRole("button", { name: "閉じる", exact: true }).click();
  // A double click is one action: the first start and one resume.
  expect(await invocations(page)).toBe(2);

  await openGate(night.dataDir);
  await page.getByRole("navigation", { name: "Run の表示" }).getByRole("link", { name: "ノード" }).click();
  await page.locator('tr[data-node="amount_gate"]').getByRole("button").first().click();
  await page.getByRole("complementary").getByRole("button", { name: "ここからやり直す" }).click();
  await expect(dialog(page)).toContainText("再試行ブレーキは働きません。");
  await reasonOf(page).fill("失注の案件を直した");
  await confirm(page).click();
  await expect(outcome(page)).toContainText("成功");
  await finish(page);
  await expect(page.getByText(/^成功\s*\(SUCCESS\)$/)).toBeVisible();

  await openRun(page, KILLED);
  await choose(page, /^停止予約する/);
  await expect(dialog(page)).toContainText("保留を解除するまで、このRunは再開できません。");
  await reasonOf(page).fill("夜間の停止を確認する");
  await confirm(page).click();
  await expect(outcome(page)).toContainText("書き込んだ記録");
  await finish(page);
  await choose(page, /^保留を解除する/);
  await reasonOf(page).fill("確認が終わった");
  await confirm(page).click();
  await finish(page);

  await openRun(page, KEYS);
  await menuOf(page).click();
  await expect(page.getByRole("menuitem", { name: /^停止予約する/ })).toContainText("RUN_ALREADY_TERMINAL");
  await takeScreen(page, "action-menu-ja-light");
  await page.keyboard.press("Escape");
  await close(page, KEYS);
});

async function setMode(page: Page, name: string): Promise<void> {
  await page.getByTestId("mode").click();
  await page.getByRole("menuitemradio", { name }).click();
  await expect(page.getByTestId("mode")).toHaveText(name);
}

/** In the mode for looking the form can be read; its button stays shut and says why (operator-ux D11). */
async function inViewMode(page: Page): Promise<void> {
  await setMode(page, "閲覧モード");
  await openRun(page, MOUSE);
  await page.getByRole("button", { name: /^再開する/ }).click();
  await reasonOf(page).fill("閲覧モードで試す");
  await expect(dialog(page)).toContainText("閲覧モードでは操作できません");
  await expect(confirm(page)).toHaveAttribute("aria-disabled", "true");
  await confirm(page).click({ force: true });
  await expect(outcome(page)).toHaveCount(0);
  await reasonOf(page).fill("");
  await page.keyboard.press("Escape");
  await setMode(page, "操作モード");
}

/** CLOSE asks for the business key itself, letter by letter, and for a second person or a recorded sentence. */
async function close(page: Page, key: string): Promise<void> {
  await choose(page, /^クローズする/);
  await expect(dialog(page)).toContainText("危険度 4");
  await expect(dialog(page)).toContainText("取り消せません");
  await reasonOf(page).fill("翌日の Run にまとめるため、この日の Run は閉じることにした");
  const typed = page.getByRole("textbox", { name: "確認の入力" });
  await typed.fill(key.replace("price", "рrice").replace("2026", "２026"));
  await expect(dialog(page)).toContainText("1文字目は「p」に似た別の文字 (U+0440) です。");
  await expectAccessible(page);
  await typed.scrollIntoViewIfNeeded();
  await takeScreen(page, "action-close-alike-ja-light");
  await typed.fill(key);
  await page.getByText("承認者なしで行う").click();
  const sentence = await dialog(page).locator("[data-sentence]").textContent();
  await page.getByRole("textbox", { name: "確認の文" }).fill(sentence ?? "");
  await expect(dialog(page)).toContainText("確定できます。");
  await takeScreen(page, "action-close-armed-ja-light");
  await confirm(page).click();
  await expect(outcome(page)).toContainText("イベントID");
  await finish(page);
}

test("The same from the keyboard alone, in English and dark; what moved is told and asked anew (operator-ux D3, D5, D6)", async ({
  night,
  quietPage: page,
}) => {
  await page.addInitScript(() => {
    localStorage.setItem("flownet.language", "en");
    localStorage.setItem("flownet.theme", "dark");
  });
  await page.goto(`${night.link}#/runs/${night.runs.get(KEYS)}`);
  await expect(page.getByRole("heading", { level: 1, name: KEYS })).toBeVisible();
  await tabTo(page, "button", /^Resume: run 2, keep 1$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Close" })).toBeFocused();
  await composeInReason(page);
  await expectAccessible(page);
  await takeScreen(page, "action-resume-en-dark");

  // Somebody else resumes the Run from the command line while the dialog stands open.
  const definition = join(night.dataDir, "definitions", "price_check", "network.yaml");
  await command(["run-network", definition, "--business-key", KEYS, "--resume", "--data-dir", night.dataDir]);
  await tabTo(page, "button", /^Resume: run 2, keep 1$/);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("moved")).toContainText("Run");
  await expect(page.getByRole("textbox", { name: "Reason" })).toHaveValue("cause removed");
  await takeScreen(page, "action-moved-en-dark");
  await confirmByKeys(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);

  await byKeys(page, "Rerun from a node", "rerun after a look");
  await zoomedIn(page);
  await closeByKeys(page);
  await page.goto(`${new URL(page.url()).origin}/#/runs`);
  await tabTo(page, "link", new RegExp(`^${KILLED}$`));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: KILLED })).toBeVisible();
  await byKeys(page, "Hold", "look at it first");
  await byKeys(page, "Release the hold", "looked at it");
});

/** While an IME composes, Enter submits nothing and Esc closes nothing; both belong to it (operator-ux D5). */
async function composeInReason(page: Page): Promise<void> {
  await tabTo(page, "textbox", /^Reason/);
  const line = await page.context().newCDPSession(page);
  await line.send("Input.imeSetComposition", { text: "げんいん", selectionStart: 4, selectionEnd: 4 });
  for (const key of ["Enter", "Escape"]) {
    await page.locator(":focus").dispatchEvent("keydown", { key, isComposing: true, bubbles: true });
  }
  await expect(dialog(page)).toBeVisible();
  await expect(outcome(page)).toHaveCount(0);
  await line.send("Input.insertText", { text: "cause removed" });
  await page.keyboard.press("Control+Enter");
  await expect(outcome(page)).toHaveCount(0);
  await line.detach();
}

/** Opens an item of the Run's menu without a mouse. */
async function openByKeys(page: Page, item: string): Promise<void> {
  await tabTo(page, "button", /^Actions( of this Run)?$/);
  await page.keyboard.press("Enter");
  const wanted = page.getByRole("menuitem", { name: new RegExp(`^${item}`) });
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < 10; presses++) {
    if (await wanted.evaluate((each) => each === document.activeElement)) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Close", exact: true })).toBeFocused();
  await expect(page.getByTestId("plan-age")).toContainText("Plan of");
}

/** Tabs to the button and presses Enter; once more where news of the records made the plan anew meanwhile. */
async function confirmByKeys(page: Page): Promise<void> {
  await expect(async () => {
    if ((await outcome(page).count()) === 0) {
      await expect(confirm(page)).not.toHaveAttribute("aria-disabled", "true");
      for (let presses = 0; presses < 60; presses++) {
        if (await confirm(page).evaluate((each) => each === document.activeElement)) break;
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Enter");
    }
    await expect(outcome(page)).toHaveAttribute("data-phase", "done", { timeout: 5_000 });
  }).toPass();
}

async function byKeys(page: Page, item: string, reason: string): Promise<void> {
  await openByKeys(page, item);
  await tabTo(page, "textbox", /^Reason/);
  await page.keyboard.type(reason);
  await confirmByKeys(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
}

async function closeByKeys(page: Page): Promise<void> {
  await openByKeys(page, "Close");
  await tabTo(page, "textbox", /^Reason/);
  await page.keyboard.type("this day is summed up in the next day's Run");
  await tabTo(page, "textbox", /^Confirmation/);
  await page.keyboard.insertText(KEYS);
  await tabTo(page, "radio", /^An approver consents here/);
  await arrowTo(page, /^Without an approver/);
  const sentence = await dialog(page).locator("[data-sentence]").textContent();
  await tabTo(page, "textbox", /^Sentence/);
  await page.keyboard.insertText(sentence ?? "");
  await confirmByKeys(page);
  await expect(outcome(page)).toContainText("Event ID");
  await takeScreen(page, "action-closed-en-dark");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
}

async function wearTheme(page: Page, theme: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find and go" }).fill(`theme ${theme}`);
  await page.keyboard.press("Enter");
  await expect(page.locator(`html[data-theme="${theme}"]`)).toHaveCount(1);
}

/** In high contrast at 200 %: the dialog fits, scrolls downwards only, and every word of a button is whole. */
async function zoomedIn(page: Page): Promise<void> {
  await wearTheme(page, "contrast");
  await page.setViewportSize({ width: 640, height: 400 });
  await openByKeys(page, "Close");
  await expectNoSidewaysScroll(page);
  await expectWholeButtons(page);
  await expectAccessible(page);
  await takeScreen(page, "action-close-en-contrast-200");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1280, height: 720 });
  await wearTheme(page, "dark");
}
