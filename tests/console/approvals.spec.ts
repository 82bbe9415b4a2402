import { randomUUID } from "node:crypto";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { sessionAccount } from "../../main/console/roles.ts";
import { actedAlone, appointApprovers, registerAsOwner } from "./support/approvers.ts";
import { startConsole } from "./support/console-process.ts";
import { expect, expectAccessible, takePicture, takeScreen, test } from "./support/console-test.ts";
import { allowGated, makeGatedRun, writeGated } from "./support/gated-runs.ts";
import { expectNoSidewaysScroll, expectWholeButtons } from "./support/layout-check.ts";

const PASSPHRASE = "seven words that only suzuki knows";
/** Nobody else has seen it typed. */
const OWN_PASSPHRASE = "other words from a session of suzuki";

test("Approvers are set up once; what was done without one stays in sight until one reviewed it", async ({
  quietPage: page,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), "flownet-console-"));
  await appointApprovers(dataDir, "suzuki");
  await actedAlone(dataDir, randomUUID());
  const console_ = await startConsole({ dataDir });
  try {
    await page.goto(console_.link);
    const notice = page.getByTestId("review-notice");
    await expect(notice).toContainText("1 件");
    await page.getByTestId("mode").click();
    await expect(page.getByRole("menuitemradio", { name: "承認モード" })).toBeVisible();
    await page.keyboard.press("Escape");

    await notice.getByRole("link", { name: "確認する" }).click();
    await expect(page.getByRole("link", { name: "承認者", exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
    const row = page.getByRole("row", { name: /suzuki/ });
    await expect(row).toContainText("未登録");
    await row.getByRole("button", { name: "suzuki: パスフレーズを登録する" }).click();
    const [first, again] = [
      page.getByLabel("パスフレーズ", { exact: true }),
      page.getByLabel("パスフレーズ(確認)"),
    ];
    await first.fill("short");
    await expect(row).toContainText("あと 7 文字足りません。");
    await first.fill(PASSPHRASE);
    await again.fill("another");
    await expect(row).toContainText("2つの入力が一致しません。");
    await expectAccessible(page);
    await takeScreen(page, "approvers-entry-ja-light");
    await again.fill(PASSPHRASE);
    await row.getByRole("button", { name: "登録する", exact: true }).click();
    await expect(row).toContainText("登録済み");
    await expect(row).toContainText(`登録: ${sessionAccount()}`);
    const kept = await readFile(join(dataDir, "approvers.json"), "utf8");
    expect([kept, await page.content()].join()).not.toContain(PASSPHRASE);

    const done = page.getByRole("article", { name: /クローズする/ });
    await expect(done).toContainText("tanaka (HOST-A)");
    await expect(done).toContainText("承認者なしで行われました。");
    await done.getByRole("button", { name: /確認を記録する$/ }).click();
    await done.getByLabel("確認した内容").fill("翌朝、記録と引継ぎを照合した");
    await done.getByLabel("承認者のアカウント").fill("suzuki");
    await done.getByLabel("承認者のパスフレーズ").fill("not the words");
    const keep = done.getByRole("button", { name: "確認を記録する", exact: true });
    await keep.click();
    await expect(done).toContainText("アカウントとパスフレーズが、承認者のものではありません。");
    await expect(done.getByLabel("承認者のパスフレーズ")).toHaveValue("");
    await expectAccessible(page);
    await takeScreen(page, "approvers-review-ja-light");
    await done.getByLabel("承認者のパスフレーズ").fill(PASSPHRASE);
    await keep.click();
    await expect(page.getByText("確認待ちの操作はありません。")).toBeVisible();
    await expect(notice).toHaveCount(0);
  } finally {
    await console_.stop();
  }
});

const KEY = "stock_check@2026-09-04";
const dialog = (page: Page): Locator => page.getByRole("dialog");

test("Consent is asked for and given in another window; with a passphrase the asking account had set it waits for the approver's own word (operator-ux §2.4)", async ({
  quietPage: page,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), "flownet-console-"));
  await appointApprovers(dataDir, "suzuki");
  const networks = await writeGated(join(dataDir, "definitions"), ["stock_check"]);
  await allowGated(dataDir, networks);
  for (const { definition } of networks) await makeGatedRun(dataDir, definition, KEY);
  const console_ = await startConsole({ dataDir });
  try {
    await page.goto(console_.link);
    const approver = await page.context().newPage();
    await approver.goto(`${new URL(page.url()).origin}/#/settings/approvers`);
    await registerPassphrase(approver);

    await page.getByRole("link", { name: "Run 一覧" }).click();
    await page.locator("tr[data-run]", { hasText: KEY }).getByRole("link").click();
    await page.getByRole("button", { name: /^(この Run の操作|操作)$/ }).click();
    await page.getByRole("menuitem", { name: /^クローズする/ }).click();
    await dialog(page).getByRole("textbox", { name: "理由" }).fill("翌日の Run にまとめるため閉じる");
    await page.getByRole("textbox", { name: "確認の入力" }).fill(KEY);
    await page.getByText("承認を依頼する(承認者が後で承認します)").click();
    const ask = page.getByTestId("confirm");
    await expect(ask).toHaveText(/^承認を依頼する: /);
    await expect(dialog(page)).toContainText("確定できます。");
    await expectAccessible(page);
    await takeScreen(page, "approvals-ask-ja-light");
    await ask.dblclick();
    await expect(page.getByTestId("filed")).toContainText("まだ何も行っていません。");
    await takeScreen(page, "approvals-filed-ja-light");
    await page.getByRole("button", { name: "閉じる", exact: true }).click();

    const notice = page.getByTestId("filed-notice");
    await expect(notice).toContainText("1 件");
    await expect(approver.getByTestId("filed-notice")).toContainText("1 件");
    await wornByFiled(approver);
    const filed = approver
      .getByRole("region", { name: "承認待ちの依頼" })
      .getByRole("article", { name: /クローズする/ });
    await filed.getByRole("button", { name: /承認する$/ }).click();
    await expect(filed).toContainText("今の予定は、依頼した時と同じです。");
    await filed.getByLabel("承認者のアカウント").fill("suzuki");
    await filed.getByLabel("承認者のパスフレーズ").fill(PASSPHRASE);
    await expectAccessible(approver);
    await takeScreen(approver, "approvals-approve-ja-light");
    await filed.getByRole("button", { name: "承認して実行する" }).click();
    await expect(approver.getByText("承認され、実行が始まりました。")).toBeVisible();
    await expect(filed).toHaveCount(0);
    await expect(notice).toHaveCount(0);
    await page.evaluate(() => {
      window.location.hash = "#/audit";
    });
    await expect(page.getByRole("main")).toContainText("suzuki");
    await expect(page.getByTestId("review-notice")).toContainText("1 件");
    await reviewedByItsOwner(approver, dataDir);
    await expect(page.getByTestId("review-notice")).toHaveCount(0);
  } finally {
    await console_.stop();
  }
});

/** What waits for an approver, in high contrast, in English and at 200 % (operator-ux §4, 1.4.4, 1.4.10). */
async function wornByFiled(page: Page): Promise<void> {
  const wide = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 640, height: 400 });
  await page.evaluate(() => {
    window.localStorage.setItem("flownet.theme", "contrast");
    window.localStorage.setItem("flownet.language", "en");
  });
  await page.reload();
  const filed = page.getByRole("article", { name: /Close$/ });
  await filed.getByRole("button", { name: /: approve$/ }).click();
  await expect(filed.getByLabel("Passphrase of the approver")).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectWholeButtons(page);
  await filed.scrollIntoViewIfNeeded();
  await takePicture(page, "matrix/approvals-filed-en-contrast-200", true);
  await page.evaluate(() => window.localStorage.clear());
  await page.setViewportSize(wide);
  await page.reload();
}

/** The passphrase was set by the account that asked: it reviews nothing, before suzuki has set an own one. */
async function reviewedByItsOwner(page: Page, dataDir: string): Promise<void> {
  const done = page
    .getByRole("region", { name: "別の人の承認が確かめられない操作(要確認)" })
    .getByRole("article", { name: /クローズする/ });
  await expect(done).toContainText(
    `承認者のパスフレーズは、操作した本人のアカウント(${sessionAccount()})が登録したものです。`,
  );
  await done.getByRole("button", { name: /確認を記録する$/ }).click();
  await done.getByLabel("確認した内容").fill("依頼と結果を照合した");
  await done.getByLabel("承認者のアカウント").fill("suzuki");
  const [passphrase, keep] = [
    done.getByLabel("承認者のパスフレーズ"),
    done.getByRole("button", { name: "確認を記録する", exact: true }),
  ];
  await passphrase.fill(PASSPHRASE);
  await keep.click();
  await expect(done).toContainText(
    "この承認者のパスフレーズは、操作した本人のアカウントが登録したものです。",
  );
  await expectAccessible(page);
  await takeScreen(page, "approvals-own-passphrase-ja-light");
  await registerAsOwner(dataDir, "suzuki", OWN_PASSPHRASE);
  await passphrase.fill(OWN_PASSPHRASE);
  await keep.click();
  await expect(page.getByText("確認待ちの操作はありません。")).toBeVisible();
}

async function registerPassphrase(page: Page): Promise<void> {
  const row = page.getByRole("row", { name: /suzuki/ });
  await row.getByRole("button", { name: "suzuki: パスフレーズを登録する" }).click();
  await page.getByLabel("パスフレーズ", { exact: true }).fill(PASSPHRASE);
  await page.getByLabel("パスフレーズ(確認)").fill(PASSPHRASE);
  await row.getByRole("button", { name: "登録する", exact: true }).click();
  await expect(row).toContainText("登録済み");
}
