import { join } from "node:path";
import {
  confirmOf,
  drawerOf,
  expectReleased,
  gateOf,
  identifierOf,
  sentenceOf,
} from "../console/support/release-drawer.ts";
import { KILLED_LEASE_MS, KILLED_NETWORK, killRun } from "../support/killed-run.ts";
import { collectComplaints, expect, openedPage, test } from "./support/desktop-test.ts";

/** The lease, its margin, and the minute that stored times have lost. */
const LATER_MS = KILLED_LEASE_MS + 3 * 60_000;

test("The lock of a killed owner is taken in the window as in a browser (operator-ux §2.3)", async ({
  folder,
  start,
}) => {
  const pid = await killRun(join(folder, "data"), "nightly_load@2026-09-04");
  const desktop = start({ env: { FLOWNET_TEST_CLOCK_OFFSET_MS: String(LATER_MS) } });
  const page = await openedPage(desktop);
  const complaints = collectComplaints(page);
  await page.getByRole("navigation").first().getByRole("link", { name: "ロック" }).click();
  await page.locator(`tr[data-lock="${KILLED_NETWORK}"] a[data-row]`).click();
  await page.getByRole("button", { name: /ネットワークロックを強制解放する…$/ }).click();
  await expect(gateOf(page)).toHaveAttribute("data-gate", "open");
  const drawer = drawerOf(page);
  await expect(drawer.getByLabel("PID")).toHaveValue(String(pid));
  await drawer.getByLabel("停止確認(確認者)").fill("田中");
  await drawer.getByLabel("証拠の説明").fill("tasklist 03:12 に該当なし");
  await drawer.getByLabel("理由").fill("夜間バッチの強制終了からの復旧");
  await drawer.getByLabel("確認の入力").fill(await identifierOf(page));
  await drawer.getByText("承認者なしで行う").click();
  await drawer.getByRole("textbox", { name: "確認の文" }).fill(await sentenceOf(page));
  await confirmOf(page).click();
  await expectReleased(page);
  await drawer.getByRole("button", { name: "閉じる" }).last().click();
  await expect(page.locator(`tr[data-lock="${KILLED_NETWORK}"]`)).toContainText("空き");
  expect(complaints).toEqual([]);
});
