import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type ConsoleProcess, startConsole } from "../support/console-process.ts";
import { test as base, expect } from "../support/console-test.ts";
import { keepConnection, startOwnKintone } from "../support/own-connection.ts";
import { createFilm, makeRun } from "./support/day-test.ts";
import { makeLargeRun } from "./support/large-run.ts";
import { LARGE, MIDDLE, SMALL, writeAllowList, writeDayNetworks } from "./support/networks.ts";

const DAY = "2026-11-30";
const MIDDLE_KEY = `${MIDDLE}@${DAY}`;
const LARGE_KEY = `${LARGE}@${DAY}`;
const SMALL_KEY = `${SMALL}@${DAY}`;

interface Morning extends ConsoleProcess {
  /** The Run of 1,000 nodes that goes on while the operator looks around. */
  readonly largeRun: Promise<void>;
}

const test = base.extend<{ readonly morning: Morning }>({
  morning: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-morning-"));
    const own = await startOwnKintone(dataDir);
    await keepConnection(own, dataDir, null);
    await own.dispose();
    const networks = await writeDayNetworks(join(dataDir, "definitions"), false);
    await writeAllowList(dataDir, networks);
    await makeRun(dataDir, networks.middle, MIDDLE_KEY);
    const largeRun = makeLargeRun({ dataDir, definition: networks.large, businessKey: LARGE_KEY });
    const process = await startConsole({ dataDir });
    await use({ ...process, largeRun });
    await Promise.allSettled([largeRun]);
    await process.stop();
  },
});

const area = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Run の表示" }).getByRole("link", { name });

async function openRun(page: Page, key: string): Promise<void> {
  await area(page, "Run 一覧").click();
  const row = page.locator("tr[data-run]", { hasText: key });
  // A Run that came while the list was looked at waits for a click: rows never move under the eye.
  const newRuns = page.getByRole("button", { name: /^並べ替えを更新/ });
  await expect(row.or(newRuns).first()).toBeVisible();
  if (await newRuns.isVisible()) await newRuns.click();
  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: key })).toBeVisible();
}

test("A healthy morning with 3, 40 and 1,000 nodes (operator-ux §1.1)", async ({
  morning,
  quietPage: page,
}) => {
  const film = await createFilm(page, "morning");

  await page.goto(morning.link);
  await expect(page.getByText("対応が必要なものはありません。")).toBeVisible();
  await film.stop("calm");

  await area(page, "Run 一覧").click();
  await expect(page.locator("tr[data-run]", { hasText: MIDDLE_KEY })).toContainText("成功");
  await film.stop("runs");

  await page.getByRole("button", { name: "Run を起動する" }).click();
  await page.getByLabel("ネットワーク").selectOption(SMALL);
  await page.getByRole("textbox", { name: "業務キー" }).fill(SMALL_KEY);
  await page.getByLabel("理由").fill("始業の定例点検");
  const confirm = page.getByRole("button", { name: `${SMALL_KEY} を起動する` });
  await expect(confirm).not.toHaveAttribute("aria-disabled", "true");
  await film.stop("start");

  await confirm.click();
  await page.getByRole("button", { name: "Run を開く" }).click();
  await expect(page.getByText(/^成功\s*\(SUCCESS\)$/)).toBeVisible();
  await tab(page, "ノード").click();
  await expect(page.locator("tr[data-node]", { hasText: "成功" })).toHaveCount(3);
  await film.stop("small-success");

  await openRun(page, MIDDLE_KEY);
  await tab(page, "グラフ").click();
  await expect(page.locator("[data-box]")).toHaveCount(40);
  await film.stop("middle-graph");

  await tab(page, "時系列").click();
  await expect(page.getByRole("button", { name: "s0_0", exact: true })).toBeVisible();
  await film.stop("middle-timeline");

  await tab(page, "イベント").click();
  await expect(page.getByRole("main")).toContainText("試行の終了");
  await film.stop("middle-events");

  await tab(page, "ログ").click();
  await expect(page.getByRole("listbox", { name: /ログ/ }).locator("[data-line]").first()).toBeVisible();
  await film.stop("middle-log");

  await area(page, "ロック").click();
  for (const network of [SMALL, MIDDLE]) {
    await expect(page.locator(`tr[data-lock="${network}"]`)).toContainText("空き");
  }
  await film.stop("locks");

  await morning.largeRun;
  await openRun(page, LARGE_KEY);
  await expect(page.getByText(/^成功\s*\(SUCCESS\)$/)).toBeVisible();
  await tab(page, "グラフ").click();
  await expect(page.getByText("1,000ノード")).toBeVisible();
  await expect(page.locator('[data-box="source"]')).toBeVisible();
  await film.stop("large-graph");

  await page.getByText("一覧で表示する").click();
  await expect(page.locator("tr[data-node]").first()).toContainText("成功");
  await film.stop("large-list");

  await area(page, "設定").click();
  await page.getByRole("link", { name: "検査", exact: true }).click();
  await page.getByRole("button", { name: "検査を始める" }).click();
  await expect(page.getByText("この接続は使えます。")).toBeVisible();
  await film.stop("settings-check");

  await page.getByRole("button", { name: "検索と移動" }).click();
  await page.getByRole("combobox", { name: "検索と移動" }).fill("branch27_37");
  await expect(page.getByRole("listbox", { name: "候補" }).getByRole("option").first()).toContainText(
    "branch27_37",
  );
  await film.stop("palette");
  await page.getByRole("listbox", { name: "候補" }).getByRole("option").first().click();
  await expect(page.getByRole("combobox", { name: "検索と移動" })).toHaveCount(0);

  await area(page, "要対応").click();
  await expect(page.getByText("対応が必要なものはありません。")).toBeVisible();
  film.report();
});
