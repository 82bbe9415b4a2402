import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, WebSocketRoute } from "@playwright/test";
import { type ConsoleProcess, startConsole } from "../support/console-process.ts";
import { test as base, expect } from "../support/console-test.ts";
import { createFilm, expectNoPointer, type Film, makeRun, reach, watchPointer } from "./support/day-test.ts";
import { makeLargeRun } from "./support/large-run.ts";
import {
  GATE,
  LARGE,
  LEASE_MS,
  MIDDLE,
  SMALL,
  writeAllowList,
  writeDayNetworks,
} from "./support/networks.ts";

const DAY = "2026-11-30";
/** The lease, its margin, and the minute that stored times have lost. */
const LATER_MS = LEASE_MS + 3 * 60_000;

const test = base.extend<{ readonly night: ConsoleProcess }>({
  night: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-night-"));
    const networks = await writeDayNetworks(join(dataDir, "definitions"), true);
    await writeAllowList(dataDir, networks);
    await makeRun(dataDir, networks.small, `${SMALL}@${DAY}`);
    await makeRun(dataDir, networks.middle, `${MIDDLE}@${DAY}`);
    const businessKey = `${LARGE}@${DAY}`;
    await makeLargeRun({ dataDir, definition: networks.large, businessKey, killAfter: 120 });
    const env = { FLOWNET_TEST_CLOCK_OFFSET_MS: String(LATER_MS) };
    const process = await startConsole({ dataDir, env });
    await use(process);
    await process.stop();
  },
});

const item = (page: Page, kind: string) => page.locator(`li[data-kind="${kind}"]`);
const panel = (page: Page, name: string) => page.getByRole("complementary", { name });
const freshness = (page: Page) => page.getByTestId("freshness");

/** The line between the page and its console, to be cut and mended. */
interface Line {
  cut(): Promise<void>;
  mend(): void;
}

async function lineOf(page: Page): Promise<Line> {
  const open: WebSocketRoute[] = [];
  let down = false;
  await page.routeWebSocket(/\/api$/, async (line) => {
    if (down) {
      await line.close();
      return;
    }
    line.connectToServer();
    open.push(line);
  });
  return {
    async cut() {
      down = true;
      for (const line of open) await line.close();
    },
    mend() {
      down = false;
    },
  };
}

/** English, dark, and the later hour that the console has, too: the page counts time with its own clock. */
function lookAndClock(laterMs: number): void {
  localStorage.setItem("flownet.language", "en");
  localStorage.setItem("flownet.theme", "dark");
  const Real = Date;
  globalThis.Date = new Proxy(Real, {
    construct: (_, given, as) => Reflect.construct(Real, given.length > 0 ? given : [Date.now()], as),
    get: (_, name) => (name === "now" ? () => Real.now() + laterMs : Reflect.get(Real, name)),
  });
}

async function openTab(page: Page, name: string): Promise<void> {
  await reach(page, page.getByRole("link", { name, exact: true }));
  await page.keyboard.press("Enter");
}

async function openRun(page: Page, key: string): Promise<void> {
  await page.keyboard.press("2");
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  await reach(page, page.locator("tr[data-run] a"));
  await page.keyboard.press("Home");
  const wanted = page.locator("tr[data-run] a", { hasText: key });
  await reach(page, wanted, "ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: key })).toBeVisible();
}

async function pause(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("freeze");
  const chosen = page.getByRole("listbox").getByRole("option", { selected: true });
  await expect(chosen).toContainText(/Pause|Resume/);
  await page.keyboard.press("Enter");
}

test("A failing night from the keyboard alone, with 3, 40 and 1,000 nodes (operator-ux §1.1, §4)", async ({
  night,
  page,
}) => {
  await page.addInitScript(lookAndClock, LATER_MS);
  await watchPointer(page);
  const line = await lineOf(page);
  const film = await createFilm(page, "night");

  await page.goto(night.link);
  await expect(item(page, "staleLock")).toContainText("This does not prove that the owner stopped.");
  await expect(item(page, "failed")).toContainText("ASSERT_FAILED");
  await expect(item(page, "interrupted")).toBeVisible();
  await film.stop("attention");

  await lookAtLock(page, film);
  await findCause(page, film);
  await lookAtInterrupted(page, film);

  await page.keyboard.press("1");
  await pause(page);
  await expect(page.getByTestId("frozen")).toContainText("Changes held back:");
  await film.stop("frozen");
  await pause(page);
  await expect(page.getByTestId("frozen")).toHaveCount(0);

  await line.cut();
  await expect(freshness(page)).toHaveAttribute("data-staleness", "lost");
  await expect(page.getByRole("status").filter({ hasText: "Connection lost" })).toBeVisible();
  await film.stop("line-lost");
  line.mend();
  await expect(freshness(page)).toHaveAttribute("data-staleness", "fresh");
  await film.stop("line-back");

  await expectNoPointer(page);
  film.report();
});

/** The stale lock, and what can be known of its owner from here. */
async function lookAtLock(page: Page, film: Film): Promise<void> {
  await reach(page, page.getByRole("link", { name: `lock of ${LARGE}` }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `Lock of ${LARGE}` })).toBeVisible();
  await expect(page.getByText("The owner's process does not exist.")).toBeVisible();
  await expect(page.locator('[data-probe="lease"]')).toHaveAttribute("data-result", "ended");
  await expect(page.locator(`tr[data-lock="${MIDDLE}"]`)).toContainText("Free");
  await film.stop("lock-probes");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: `Lock of ${LARGE}` })).toHaveCount(0);
}

/** From the failed Run over a blocked node to the assertion that held it up, and its log. */
async function findCause(page: Page, film: Film): Promise<void> {
  await openRun(page, `${MIDDLE}@${DAY}`);
  await expect(page.getByRole("region", { name: "Nodes that need a look" })).toContainText(GATE);
  await film.stop("failed-run");

  await openTab(page, "Graph");
  await expect(page.locator(`[data-box="${GATE}"]`)).toHaveAttribute("data-cause", "true");
  await reach(page, page.locator("[data-box]"));
  await expect(page.locator(":focus")).toHaveAttribute("data-box", GATE);
  await film.stop("cause-path");

  for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowRight");
  const last = page.locator(":focus");
  await expect(last).toHaveAttribute("data-box", /^s7_/);
  const blocked = (await last.getAttribute("data-box")) ?? "";
  await page.keyboard.press("Enter");
  await expect(panel(page, blocked)).toContainText("Stopped because of these upstream nodes:");
  await film.stop("why-blocked");

  await reach(page, panel(page, blocked).getByRole("link", { name: GATE }));
  await page.keyboard.press("Enter");
  await expect(panel(page, GATE)).toContainText("照合できない案件が残っています");
  await film.stop("cause");

  await openTab(page, "Log");
  await expect(
    page
      .getByRole("listbox", { name: /^Log of/ })
      .locator("[data-line]")
      .first(),
  ).toBeVisible();
  await film.stop("cause-log");
}

/** The killed Run of 1,000 nodes, as a drawing and as a list. */
async function lookAtInterrupted(page: Page, film: Film): Promise<void> {
  await openRun(page, `${LARGE}@${DAY}`);
  await openTab(page, "Graph");
  await expect(page.getByText("1,000 nodes")).toBeVisible();
  await reach(page, page.locator("[data-box]"));
  await film.stop("killed-graph");
  await reach(page, page.getByRole("switch", { name: /list/i }), "Shift+Tab");
  await page.keyboard.press("Space");
  await expect(page.locator("tr[data-node]").first()).toBeVisible();
  await film.stop("killed-list");
}
