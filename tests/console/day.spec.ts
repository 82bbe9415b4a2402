import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { dayShape, SLOW_NETWORK, slowDue } from "../support/day-shape.ts";
import { openLargeWorkspace } from "../support/large-workspace.ts";
import { serveConsole } from "../support/served-console.ts";
import { test as base, expect, expectAccessible, tabTo, takeScreen } from "./support/console-test.ts";

const NETWORKS = 14;

/** A console over some days of many networks; the Run of the slow one should have succeeded by now. */
const test = base.extend<{ readonly days: { readonly link: string } }>({
  days: async ({ browserName: _ }, use) => {
    const nowMs = Date.now();
    const large = await openLargeWorkspace(dayShape({ networks: NETWORKS, days: 12, runsOfDay: 3, nowMs }));
    const due = new Date(slowDue(nowMs));
    const schedule = {
      networkId: SLOW_NETWORK,
      zone: "UTC",
      from: due.toISOString().slice(0, 10),
      repeat: { every: "day" },
      businessKey: `${SLOW_NETWORK}@{yyyy}-{MM}-{dd}`,
      successBy: due.toISOString().slice(11, 16),
    };
    const file = { kind: "FLOWNET_SCHEDULES", formatVersion: 1, networks: [schedule] };
    await writeFile(join(large.dataDir, "schedules.json"), JSON.stringify(file));
    const served = await serveConsole(large.workspace);
    await use({ link: served.link() });
    await served.close();
    await large.dispose();
  },
});

const bar = (page: Page, name: RegExp) => page.locator("[data-bar]").and(page.getByRole("link", { name }));

test("A day of all networks shows what ran, what runs, what is late and when nothing ran (operator-ux §1.1)", async ({
  days,
  quietPage: page,
}) => {
  await page.goto(days.link);
  await page.getByRole("link", { name: "Run 一覧", exact: true }).click();
  await expect(page.locator("tr[data-run]").first()).toContainText(/\d+分/);
  await page.getByText("日の時系列").click();
  await expect(page).toHaveURL(/#\/timeline$/);
  await expect(page.getByRole("heading", { level: 1, name: "日の時系列" })).toBeVisible();

  const slow = bar(page, /network_00@.* 未完了 .*から継続/);
  await expect(slow).toHaveAttribute("data-running", "true");
  await expect(slow).toHaveAttribute("data-pace", "late");
  await expect(slow).toHaveAccessibleName(/遅れ.*期限/);
  await expect(bar(page, /network_03@today-0 失敗/)).toHaveCount(1);
  await expect(page.getByText("動いていない時間帯")).toBeVisible();
  await expectAccessible(page);
  await takeScreen(page, "day-ja-light");

  const slowId = await slow.getAttribute("data-bar");
  await page.getByRole("switch", { name: "一覧で表示する" }).click();
  const row = page.locator(`tr[data-run="${slowId}"]`);
  await expect(row).toContainText("遅れ");
  await expectAccessible(page);

  await row.getByRole("link").click();
  await expect(page.getByRole("main")).toContainText(/通常 \d+分、遅くとも \d+分/);
  await expect(page.getByRole("main")).toContainText("遅れ");
  await expectAccessible(page);
});

test("The day from the keyboard alone, dark and in English; another day is an address away (operator-ux §4, 2.1.1)", async ({
  days,
  quietPage: page,
}) => {
  await page.addInitScript(() => {
    localStorage.setItem("flownet.language", "en");
    localStorage.setItem("flownet.theme", "dark");
  });
  await page.goto(`${days.link}#/timeline`);
  await expect(page.locator("[data-bar]").first()).toBeAttached();
  // The row of the first network there is, whether it ran or not.
  await tabTo(page, "link", /^diamond$/);
  for (let row = 0; row < 4; row++) await page.keyboard.press("ArrowDown");
  await expect(page.locator(":focus")).toHaveText("network_01");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(":focus")).toHaveAttribute("data-bar", /./);
  await takeScreen(page, "day-en-dark");
  await page.keyboard.press("ArrowLeft");
  await expect(page.locator(":focus")).toHaveText("network_01");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: /^network_01@/ })).toBeVisible();
  await page.goBack();

  await page.getByRole("button", { name: "Day before" }).click();
  await expect(page).toHaveURL(/#\/timeline\?day=\d{4}-\d{2}-\d{2}$/);
  await expect(page.locator('[data-running="true"]')).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Today" })).toBeVisible();
  await expectAccessible(page);
});
