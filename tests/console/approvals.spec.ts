import { randomUUID } from "node:crypto";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { actedAlone, appointApprovers } from "./support/approvers.ts";
import { startConsole } from "./support/console-process.ts";
import { expect, expectAccessible, takeScreen, test } from "./support/console-test.ts";

const PASSPHRASE = "seven words that only suzuki knows";

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
    const kept = await readFile(join(dataDir, "approvers.json"), "utf8");
    expect([kept, await page.content()].join()).not.toContain(PASSPHRASE);

    const done = page.getByRole("article", { name: /クローズする/ });
    await expect(done).toContainText("tanaka (HOST-A)");
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
