import { mkdtemp } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type LockTaker, openLockTaker } from "../support/held-locks.ts";
import { KILLED_LEASE_MS, KILLED_NETWORK, killRun } from "../support/killed-run.ts";
import { type ConsoleProcess, startConsole } from "./support/console-process.ts";
import {
  arrowTo,
  test as base,
  expect,
  expectAccessible,
  tabTo,
  takePicture,
  takeScreen,
} from "./support/console-test.ts";
import { expectNoSidewaysScroll } from "./support/layout-check.ts";
import {
  confirmOf,
  drawerOf,
  expectReleased,
  gateOf,
  identifierOf,
  sentenceOf,
  stepOf,
} from "./support/release-drawer.ts";

/** The lease, its margin, and the minute that stored times have lost. */
const LATER_MS = KILLED_LEASE_MS + 3 * 60_000;

interface Accident {
  readonly dataDir: string;
  /** The PID that is gone. */
  readonly pid: number;
  readonly console: ConsoleProcess;
}

/** A console that is opened after an orchestrator of this host was killed, once the lease of its lock has run out. */
const test = base.extend<{ readonly accident: Accident; readonly locks: LockTaker }>({
  accident: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-release-"));
    const pid = await killRun(dataDir, "nightly_load@2026-09-04");
    const env = { FLOWNET_TEST_CLOCK_OFFSET_MS: String(LATER_MS) };
    const console = await startConsole({ dataDir, env });
    await use({ dataDir, pid, console });
    await console.stop();
  },
  locks: async ({ accident }, use) => {
    const taker = await openLockTaker(accident.dataDir);
    await use(taker);
    await taker.dispose();
  },
});

/** Opens the drawer of a network's lock from the list. */
async function openRelease(page: Page, network: string): Promise<void> {
  await page.evaluate(() => {
    window.location.hash = "#/locks";
  });
  await page.locator(`tr[data-lock="${network}"] a[data-row]`).click();
  await page.getByRole("button", { name: `${network} のネットワークロックを強制解放する…` }).click();
  await expect(gateOf(page)).toBeVisible();
}

test("A lock is taken from a killed owner by mouse, and only with everything said (operator-ux §2.3)", async ({
  accident: { console, pid },
  quietPage: page,
}) => {
  await page.goto(console.link);
  await page.locator('li[data-kind="staleLock"]').getByRole("link").first().click();
  await page.getByRole("button", { name: /ネットワークロックを強制解放する…$/ }).click();
  await expect(page).toHaveURL(/#\/locks\/\d+\/release$/);
  const drawer = drawerOf(page);
  await expect(drawer.getByRole("heading", { level: 2 })).toHaveText(
    `強制解放: ${KILLED_NETWORK} のネットワークロック`,
  );
  await expect(drawer.getByRole("button", { name: "閉じる" }).first()).toBeFocused();
  await expect(stepOf(page, "facts")).toContainText(`PID ${pid}`);
  await expect(gateOf(page)).toHaveAttribute("data-gate", "open");
  for (const [probe, result] of [
    ["lease", "ended"],
    ["heartbeat", "ended"],
    ["process", "ended"],
  ] as const) {
    await expect(drawer.locator(`[data-probe="${probe}"]`)).toHaveAttribute("data-result", result);
  }
  for (const probe of ["journal", "children", "jobLog", "resultFile", "jobLock"]) {
    await expect(drawer.locator(`[data-probe="${probe}"]`)).toBeVisible();
  }
  await expectAccessible(page);
  await takeScreen(page, "force-unlock-facts-ja-light");

  const confirm = confirmOf(page);
  await expect(confirm).toHaveText(`${KILLED_NETWORK} のネットワークロックを強制解放する`);
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  for (const lack of ["証拠の説明またはファイル", "確認者", "理由", "確認の入力"]) {
    await expect(drawer).toContainText(lack);
  }
  const pidField = drawer.getByLabel("PID");
  await expect(pidField).toHaveValue(String(pid));
  await pidField.fill(String(pid + 1));
  await expect(drawer).toContainText(`所有者の PID は ${pid} です。`);
  await expect(drawer).toContainText("所有者と同じ PID");
  await pidField.fill(String(pid));

  await drawer.getByLabel("停止確認(確認者)").fill("田中");
  await drawer.getByLabel("証拠の説明").fill("tasklist 03:12 に該当なし");
  const proof = { name: "tasklist.txt", mimeType: "text/plain", buffer: Buffer.from("PID なし\n") };
  await drawer.getByTestId("evidence-files").setInputFiles(proof);
  await expect(drawer).toContainText("SHA-256");
  await drawer.getByLabel("理由").fill("夜間バッチの強制終了からの復旧");
  await drawer.getByLabel("確認の入力").fill(`０${(await identifierOf(page)).slice(1)}`);
  await expect(drawer).toContainText(/1文字目は.*U\+FF10/);
  await drawer.getByLabel("確認の入力").fill(await identifierOf(page));
  await drawer.getByText("承認者なしで行う").click();
  await drawer.getByRole("textbox", { name: "確認の文" }).fill(await sentenceOf(page));
  await expect(confirm).not.toHaveAttribute("aria-disabled", "true");
  await takeScreen(page, "force-unlock-ja-light");
  await confirm.click();
  await expectReleased(page);
  await expect(drawer.getByTestId("release-seen").locator('[data-probe="process"]')).toHaveAttribute(
    "data-result",
    "ended",
  );
  await expect(drawer).toContainText(/net_unlock_/);
  await expect(drawer.getByRole("button", { name: "nightly_load@2026-09-04 を再開する" })).toBeVisible();
  await expectAccessible(page);
  await takeScreen(page, "force-unlock-done-ja-light");
  await drawer.getByRole("button", { name: "閉じる" }).last().click();
  await expect(page.locator(`tr[data-lock="${KILLED_NETWORK}"]`)).toContainText("空き");
});

/** Fills in what the drawer asks for, apart from what a test leaves out. */
async function fillIn(page: Page): Promise<void> {
  const drawer = drawerOf(page);
  await drawer.getByLabel("停止確認(確認者)").fill("田中");
  await drawer.getByLabel("証拠の説明").fill("tasklist 03:12 に該当なし");
  await drawer.getByLabel("理由").fill("夜間バッチの強制終了からの復旧");
  await drawer.getByLabel("確認の入力").fill(await identifierOf(page));
  await drawer.getByText("承認者なしで行う").click();
  await drawer.getByRole("textbox", { name: "確認の文" }).fill(await sentenceOf(page));
}

test("A lock is taken from the keyboard alone, in English (operator-ux §4, 2.1.1)", async ({
  accident: { console },
  quietPage: page,
}) => {
  await page.addInitScript(() => {
    window.localStorage.setItem("flownet.language", "en");
    window.localStorage.setItem("flownet.theme", "dark");
  });
  await page.goto(console.link);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await tabTo(page, "link", /^lock of nightly_load$/);
  await press("Enter");
  await tabTo(page, "button", /^Force-release the network lock of nightly_load…$/);
  await press("Enter");
  await expect(gateOf(page)).toHaveAttribute("data-gate", "open");
  await expect(drawerOf(page).getByRole("button", { name: "Close" }).first()).toBeFocused();
  // Enter on what has the focus closes; the form is as it was when it comes back.
  await tabTo(page, "radio", /^Process end seen$/);
  await press("ArrowRight", "ArrowLeft");
  await tabTo(page, "textbox", /^Stop confirmed by/);
  await page.keyboard.type("Tanaka");
  await press("Escape");
  await expect(page).toHaveURL(/#\/locks\/\d+$/);
  await tabTo(page, "button", /^Force-release the network lock of nightly_load…$/);
  await press("Enter");
  await tabTo(page, "textbox", /^Stop confirmed by/);
  await expect(page.locator(":focus")).toHaveValue("Tanaka");
  await tabTo(page, "textbox", /^What shows it/);
  await page.keyboard.type("tasklist 03:12, no such process");
  await tabTo(page, "textbox", /^Reason/);
  await page.keyboard.type("Recovery after the kill at night");
  await tabTo(page, "textbox", /^Confirmation/);
  await page.keyboard.type(await identifierOf(page));
  await tabTo(page, "radio", /^An approver consents here$/);
  await arrowTo(page, /^Without an approver/);
  await tabTo(page, "textbox", /^Sentence/);
  await page.keyboard.type(await sentenceOf(page));
  await expect(confirmOf(page)).not.toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await takeScreen(page, "force-unlock-en-dark");
  await tabTo(page, "button", /^Force-release the network lock of nightly_load$/);
  await press("Enter");
  await expectReleased(page);
  await expectAccessible(page);
  await takeScreen(page, "force-unlock-done-en-dark");
  await tabTo(page, "button", /^Close$/);
  await press("Enter");
  await expect(page.locator(`tr[data-lock="${KILLED_NETWORK}"]`)).toContainText("Free");
});

test("Whatever speaks against it keeps a lock where it is, and says why (operator-ux §2.3, step 3)", async ({
  accident: { console },
  locks,
  quietPage: page,
}) => {
  const here = { host: hostname(), pid: process.pid };
  await locks.take({ networkId: "diamond", ...here, leaseMs: KILLED_LEASE_MS });
  await locks.take({ networkId: "failing_assert", host: here.host, pid: 999_999_999, leaseMs: 3_600_000 });
  const afar = await locks.take({
    networkId: "monthly_summary",
    host: "HOST-B",
    pid: 4321,
    leaseMs: KILLED_LEASE_MS,
  });
  await page.goto(console.link);

  await openRelease(page, "diamond");
  await expect(gateOf(page)).toHaveAttribute("data-gate", "alive");
  await expect(gateOf(page)).toContainText("所有者のプロセスがこの端末で動いています。");
  await expect(stepOf(page, "evidence")).toHaveCount(0);
  await expect(confirmOf(page)).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Escape");

  await openRelease(page, "failing_assert");
  await expect(gateOf(page)).toHaveAttribute("data-gate", "lease");
  await expect(gateOf(page).getByRole("timer")).toContainText(/解放できるようになるまで .*分/);
  await expect(confirmOf(page)).toHaveAttribute("aria-disabled", "true");
  await takeScreen(page, "force-unlock-lease-ja-light");
  await page.keyboard.press("Escape");

  await openRelease(page, "monthly_summary");
  await expect(gateOf(page)).toHaveAttribute("data-gate", "open");
  await expect(drawerOf(page)).toContainText("この端末では検証できません。");
  await expect(confirmOf(page)).toHaveAttribute("aria-disabled", "true");
  for (const box of await drawerOf(page).getByRole("checkbox").all()) await box.check();
  await fillIn(page);
  await expect(confirmOf(page)).not.toHaveAttribute("aria-disabled", "true");
  await takeScreen(page, "force-unlock-afar-ja-light");
  await afar.beat();
  await confirmOf(page).click();
  const refused = drawerOf(page).getByTestId("send-refused");
  await expect(refused).toContainText("HEARTBEAT_ADVANCED");
  await expect(refused).toBeInViewport({ ratio: 1 });
  await expect(refused).toBeFocused();
  await expect(gateOf(page)).toBeVisible();

  // Its address opens it again, in another theme and at 200 %.
  await page.setViewportSize({ width: 640, height: 400 });
  await page.evaluate(() => window.localStorage.setItem("flownet.theme", "contrast"));
  await page.reload();
  await expect(gateOf(page)).toHaveAttribute("data-gate", "open");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const panel = drawerOf(page).locator(":scope > div > div");
  expect(await panel.evaluate((each) => each.scrollWidth <= each.clientWidth + 1)).toBe(true);
  await takePicture(page, "force-unlock-ja-contrast-200", true);
});

test("A lock that changes while its drawer is open is not taken from whoever holds it now (operator-ux D6)", async ({
  accident: { console },
  locks,
  quietPage: page,
}) => {
  const wish = { networkId: "diamond", host: "HOST-B", pid: 4321, leaseMs: KILLED_LEASE_MS };
  const first = await locks.take(wish);
  await page.goto(console.link);
  await openRelease(page, "diamond");
  for (const box of await drawerOf(page).getByRole("checkbox").all()) await box.check();
  await fillIn(page);
  await expect(confirmOf(page)).not.toHaveAttribute("aria-disabled", "true");
  await first.release({ status: "SUCCESS", resultCode: "NORMAL" });
  await locks.take({ ...wish, pid: 8765 });
  await confirmOf(page).click();
  await expect(drawerOf(page)).toContainText("このロックはもう保持されていません。");
  await drawerOf(page).getByRole("button", { name: "ロックの一覧へ" }).click();
  await expect(page.locator('tr[data-lock="diamond"]')).toContainText("PID 8765");
});
