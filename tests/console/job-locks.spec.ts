import { mkdtemp } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { type LockTaker, openLockTaker } from "../support/held-locks.ts";
import { type ConsoleProcess, startConsole } from "./support/console-process.ts";
import {
  arrowTo,
  test as base,
  expect,
  expectAccessible,
  tabTo,
  takeScreen,
} from "./support/console-test.ts";

const JOB = "amount_gate";
const KEY = `local:${JOB}`;

interface Fixtures {
  readonly dataDir: string;
  readonly locks: LockTaker;
  readonly console: ConsoleProcess;
}

const test = base.extend<Fixtures>({
  dataDir: async ({ browserName: _ }, use) => {
    await use(await mkdtemp(join(tmpdir(), "flownet-jobs-")));
  },
  locks: async ({ dataDir }, use) => {
    const taker = await openLockTaker(dataDir);
    await use(taker);
    await taker.dispose();
  },
  console: async ({ dataDir, locks: _ }, use) => {
    const console = await startConsole({ dataDir });
    await use(console);
    await console.stop();
  },
});

test("The lock of a job is asked about, and taken from its holder, by mouse and by keyboard (decisions §3)", async ({
  console,
  locks,
  quietPage: page,
}) => {
  await locks.holdJob(KEY, hostname());
  await page.goto(console.link);
  await page.getByRole("navigation").first().getByRole("link", { name: "ロック" }).click();
  await page.getByRole("link", { name: "ジョブロック" }).click();
  const row = page.locator(`tr[data-job="${JOB}"]`);
  await expect(row).toContainText("まだ調べていません");
  await expectAccessible(page);
  await row.getByRole("link").click();
  const panel = page.getByRole("complementary", { name: "ジョブロックの保持者" });
  await expect(panel).toContainText("保持中");
  await expect(panel).toContainText(`${hostname()} (この端末)`);
  await expectAccessible(page);
  await takeScreen(page, "job-locks-ja-light");

  await panel.getByRole("button", { name: `${JOB} のジョブロックを強制解放する…` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("取り消せません");
  await dialog.getByLabel("停止確認(確認者)").fill("田中");
  await dialog.getByLabel("証拠の説明").fill("tasklist に該当なし");
  await dialog.getByLabel("理由").fill("ジョブは落ちています");
  await dialog.getByLabel("確認の入力").fill(KEY);
  await dialog.getByText("承認者なしで行う").click();
  const sentence = dialog.getByText(/^(I do this to|承認者の同意なしに)/);
  await dialog.getByRole("textbox", { name: "確認の文" }).fill((await sentence.textContent()) ?? "");
  await expectAccessible(page);
  await dialog.getByTestId("confirm").click();
  await expect(dialog.getByTestId("job-unlock-outcome")).toHaveAttribute("data-outcome", "RELEASED");
  await takeScreen(page, "job-unlock-ja-light");
  await dialog.getByRole("button", { name: "閉じる" }).click();
  await expect(panel).toContainText("誰も保持していません。");

  await locks.holdJob(KEY, "HOST-B");
  await page.evaluate(() => {
    window.localStorage.setItem("flownet.language", "en");
    window.localStorage.setItem("flownet.theme", "dark");
    window.location.hash = "#/locks/jobs";
  });
  await page.reload();
  await tabTo(page, "link", new RegExp(`^${JOB}$`));
  await page.keyboard.press("Enter");
  await expect(page.getByText("HOST-B (another host)")).toBeVisible();
  await tabTo(page, "button", new RegExp(`^Force-release the job lock of ${JOB}…$`));
  await page.keyboard.press("Enter");
  for (const [name, text] of [
    [/^Stop confirmed by/, "Tanaka"],
    [/^What shows it/, "tasklist of HOST-B, no such process"],
    [/^Reason/, "The job crashed at night"],
    [/^Confirmation/, KEY],
  ] as const) {
    await tabTo(page, "textbox", name);
    await page.keyboard.type(text);
  }
  await tabTo(page, "radio", /^An approver consents here$/);
  await arrowTo(page, /^Without an approver/);
  await tabTo(page, "textbox", /^Sentence/);
  await page.keyboard.type((await page.getByText(/^(I do this to|承認者の同意なしに)/).textContent()) ?? "");
  await expect(page.getByTestId("confirm")).not.toHaveAttribute("aria-disabled", "true");
  await tabTo(page, "button", new RegExp(`^Force-release the (job|JOB) lock of ${KEY}$`, "i"));
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("job-unlock-outcome")).toHaveAttribute("data-outcome", "RELEASED");
  await expectAccessible(page);
  await takeScreen(page, "job-unlock-en-dark");
});
