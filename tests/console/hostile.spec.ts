import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { startConsole } from "./support/console-process.ts";
import { test as base, expect, expectAccessible } from "./support/console-test.ts";
import { EVIL, EVIL_ID, type HostileRecords, writeHostileRecords } from "./support/hostile-records.ts";
import { expectNoSidewaysScroll } from "./support/layout-check.ts";

/** What turns a text round, hides in it or commands a terminal, as the pattern of a page's own script. */
const HARMFUL = "[\\u202a-\\u202e\\u200b\\u001b]";
/** The marks that stand for what turns a text round and for what passes for a Latin letter or a digit. */
const BIDI = "U+202E";
const LATIN = "U+0430";
const WIDE = "U+FF11";
const SETTING_NAME = EVIL.replaceAll("\u001b", "");

/** A console over records, a log and settings in which every text would like to be more than text. */
const test = base.extend<{ readonly hostile: HostileRecords & { readonly link: string } }>({
  hostile: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-hostile-"));
    const records = await writeHostileRecords(dataDir);
    await writeFile(join(dataDir, "settings.json"), JSON.stringify(settings()), { mode: 0o600 });
    const console = await startConsole({ dataDir });
    await use({ ...records, link: console.link });
    await records.dispose();
    await console.stop();
  },
});
test.setTimeout(240_000);

/** Settings with a connection that is not in use, named by somebody hostile. */
function settings(): object {
  return {
    kind: "FLOWNET_SETTINGS",
    formatVersion: 1,
    activeConnection: null,
    connections: [
      {
        id: "prod",
        name: SETTING_NAME.slice(0, 60),
        profile: "prod",
        baseUrl: "https://example.cybozu.com",
        guestSpaceId: null,
        apps: { state: 1, audit: 2, request: 3, jobLog: 4 },
        runner: { bin: "/bin/true", binArgs: [], configPath: "/tmp/ksql.json", workDir: "/tmp" },
        proxy: { mode: "none" },
        caFile: null,
        allowListPath: null,
      },
    ],
    hosts: [],
    schedulesPath: null,
    view: { language: "system", theme: "system", timeZone: "Asia/Tokyo", density: "compact" },
    budget: { requestsPerAppAndDay: 10_000 },
  };
}

/** The page as it stands: hostile text is text, the marks are seen, nothing ran, nothing is wider than the window. */
async function expectHarmless(page: Page, marks: readonly string[]): Promise<void> {
  for (const mark of marks)
    await expect(page.locator("main").getByText(mark, { exact: true }).first()).toBeVisible();
  expect(await page.locator("main img, main b, main i, main script").count()).toBe(0);
  expect(await page.evaluate(() => "owned" in window)).toBe(false);
  // What would turn the text round or hide in it is nowhere but in what the operator copies or edits.
  const raw = await page.locator("main").evaluate((main, harmful) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (new RegExp(harmful).test(node.nodeValue ?? ""))
        found.push(node.parentElement?.outerHTML.slice(0, 200) ?? "");
    }
    return found;
  }, HARMFUL);
  expect.soft(raw).toEqual([]);
  const attributes = await page.evaluate(
    (harmful) =>
      [...document.querySelectorAll("main [title], main [aria-label], main option")]
        .map((each) => `${each.getAttribute("title") ?? ""}${each.getAttribute("aria-label") ?? ""}`)
        .filter((text) => new RegExp(harmful).test(text)),
    HARMFUL,
  );
  expect.soft(attributes).toEqual([]);
  await expectNoSidewaysScroll(page);
}

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((next) => {
    window.location.hash = next;
  }, hash);
}

const addressOf = (runId: string): string => `#/runs/${encodeURIComponent(runId)}`;
const NODE = `node=${encodeURIComponent(EVIL_ID)}`;

/** Each of the tabs with the node that failed, once everything on it has come. */
async function expectHarmlessTabs(page: Page, runId: string, tabs: readonly string[]): Promise<void> {
  for (const tab of tabs) {
    await test.step(tab, async () => {
      await goTo(page, `${addressOf(runId)}?tab=${tab}&${NODE}`);
      await expect(page.getByRole("main")).toContainText(BIDI);
      await expect(page.locator(".fui-Spinner")).toHaveCount(0);
      await expectHarmless(page, [BIDI]);
      await expectAccessible(page);
    });
  }
}

test("Hostile text is only text in the lists, in their search and in what is read aloud (electron-desktop R7, operator-ux §5.1)", async ({
  hostile,
  quietPage: page,
}) => {
  await page.goto(hostile.link);
  await expect(page.locator("li[data-kind]").first()).toBeVisible();
  await expectHarmless(page, [BIDI]);

  await goTo(page, `#/runs?view=grid&network=${encodeURIComponent(hostile.networkId)}`);
  await expect(page.locator("main th[scope=row]")).toHaveCount(2);
  await expectHarmless(page, []);

  await goTo(page, "#/runs");
  await expect(page.locator("tr[data-run]")).toHaveCount(1);
  // A row is one line: its whole text is in the tooltip and in the Run.
  expect(await page.locator("tr[data-run]").textContent()).toContain(LATIN);
  await expectHarmless(page, []);
  await expectAccessible(page);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("net_");
  await expect(page.getByRole("option", { name: "net_" }).first()).toBeVisible();
  await expect(page.getByRole("dialog").locator("img, b, i")).toHaveCount(0);
  await page.keyboard.press("Escape");

  await hostile.fail();
  await expect(page.getByTestId("announcer")).toContainText("[U+202E]");
  await expect(page.getByTestId("announcer")).toContainText("失敗");
});

test("Hostile text is only text on a Run, its nodes and its attempts (electron-desktop R7, operator-ux §5.1)", async ({
  hostile,
  quietPage: page,
}) => {
  await page.goto(hostile.link);
  await goTo(page, addressOf(hostile.runId));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("<i>p");
  await expect(page).toHaveTitle(/\[U\+202E\]/);
  await expectHarmless(page, [BIDI, LATIN, WIDE]);
  await expectHarmlessTabs(page, hostile.runId, ["nodes", "attempts"]);
});

test("Hostile text is only text in a log of a million characters without an end of line, and in what happened (electron-desktop R7, operator-ux §5.1)", async ({
  hostile,
  quietPage: page,
}) => {
  await page.goto(hostile.link);
  await expectHarmlessTabs(page, hostile.runId, ["log", "timeline", "events", "invocations"]);
  await goTo(page, `${addressOf(hostile.runId)}?tab=log&${NODE}`);
  await expect(page.locator('[data-line="0"]')).toContainText("<img src=x onerror=");
});

test("Hostile text is only text at a lock and in the settings (electron-desktop R7, operator-ux §5.1)", async ({
  hostile,
  quietPage: page,
}) => {
  await page.goto(hostile.link);
  await goTo(page, "#/locks");
  await page.locator("tr[data-lock] a", { hasText: "net_" }).click();
  await expect(page.getByRole("complementary").getByText(BIDI).first()).toBeVisible();
  await expectHarmless(page, [BIDI]);
  await expectAccessible(page);

  await goTo(page, "#/settings");
  await expect(page.getByRole("main")).toContainText("<img src=x onerror=");
  await expect(page.locator("main img, main b")).toHaveCount(0);
  await goTo(page, "#/settings/check");
  await expect(page.getByRole("main")).toContainText("<img src=x onerror=");
  await expectHarmless(page, []);
});
