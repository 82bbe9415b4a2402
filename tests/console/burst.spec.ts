import { randomUUID } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import type { Page, WebSocketRoute } from "@playwright/test";
import type { RunEvent } from "../../main/orchestrator/index.ts";
import { value } from "../support/console-fixture.ts";
import { LARGE_NETWORK, type LargeWorkspace, openLargeWorkspace } from "../support/large-workspace.ts";
import { serveConsole } from "../support/served-console.ts";
import { connectPage } from "../support/socket-client.ts";
import { test as base, expect } from "./support/console-test.ts";

const RUNS = 10_000;
/** Pixels of a row of the list. */
const ROW = 32;
const PER_SECOND = 1_000;
/** Ten seconds of them at least; and an end where a test failed before it said enough. */
const LEAST = 10 * PER_SECOND;
const MOST = 180 * PER_SECOND;
/** What the live model may send in a second, and what a page asks for meanwhile. */
const FRAMES_PER_SECOND = 20;

interface Busy {
  readonly link: string;
  readonly large: LargeWorkspace;
  readonly tell: (event: RunEvent) => void;
}

/** A console over 10,000 Runs with a start of its own on its way, whose scheduler tells what the test makes it tell. */
const test = base.extend<{ readonly busy: Busy }>({
  busy: async ({ browserName: _ }, use) => {
    const nodes = [{ id: "n1", dependsOn: [] }];
    const large = await openLargeWorkspace({ runs: RUNS, nodes, attemptsOfNode: 1 });
    const console = await serveConsole(large.workspace);
    const other = await connectPage(console.link());
    const target = { networkId: "diamond", businessKey: "diamond@burst" };
    const { fingerprint } = value(await other.api.start.preview(target));
    value(
      await other.api.start.execute({
        ...target,
        fingerprint,
        operationId: randomUUID(),
        reason: "負荷の確認",
      }),
    );
    await expect.poll(() => large.tell()).not.toBeNull();
    const tell = large.tell();
    if (tell === null) throw new Error("the start is not on its way");
    await use({ link: console.link(), large, tell });
    await other.close();
    await console.close();
    await large.dispose();
  },
});
test.setTimeout(300_000);

/**
 * A thousand changes a second, told evenly until `enough` aborts, and `least` of them in any case: a busy host takes its
 * time over what a page is asked meanwhile. Resolves with how many there were.
 */
async function changeEvents({ large, tell }: Busy, least: number, enough: AbortSignal): Promise<number> {
  let told = 0;
  const from = performance.now();
  while ((!enough.aborted || told < least) && told < MOST) {
    const due = ((performance.now() - from) / 1_000) * PER_SECOND;
    for (; told < due; told++) {
      const runId = large.runIds[(told * 7) % RUNS];
      if (runId === undefined) throw new Error("no such Run");
      tell({ kind: "node-started", runId, nodeId: "n1", attemptId: `attempt_${told}`, pid: 1 });
    }
    await after(5);
  }
  return told;
}

const frame = (page: Page) => page.locator("section:has(> table)");
const scrollTop = (page: Page) => frame(page).evaluate((element) => element.scrollTop);

async function openList(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("link", { name: "Run 一覧" }).click();
  await expect(page.getByText("10,000件")).toBeVisible();
}

test("A page stays an operator's under 1,000 changes a second for 10 seconds (operator-ux §3.2, U5, U10)", async ({
  busy,
  quietPage: page,
}) => {
  let frames = 0;
  page.on("websocket", (socket) => socket.on("framereceived", () => frames++));
  await openList(page, busy.link);
  const key = `${LARGE_NETWORK}@06000`;
  await frame(page).evaluate((element, top) => element.scrollTo(0, top), 4_000 * ROW);
  const chosen = page.locator("tr[data-run]", { hasText: key });
  await expect(chosen).toBeVisible();
  await chosen.getByRole("link").focus();
  const before = await scrollTop(page);
  const rowsInDocument = await page.locator("tr[data-run]").count();
  expect(rowsInDocument).toBeLessThanOrEqual(60);

  const stop = new AbortController();
  frames = 0;
  const told = changeEvents(busy, LEAST, stop.signal);
  // The changes are seen to arrive: rows of the picture become what the scheduler told.
  await expect(page.locator("tr[data-run]", { hasText: "未完了" }).first()).toBeVisible();
  expect(await chosen.getByRole("link").evaluate((link) => link === document.activeElement)).toBe(true);
  expect(await scrollTop(page)).toBe(before);

  await page.getByTestId("freeze").click();
  await expect(page.getByTestId("frozen")).toBeVisible();
  const still = await page.locator("tr[data-run]").allTextContents();
  const held = async (): Promise<number> =>
    Number(((await page.getByTestId("freeze").textContent()) ?? "").replace(/[^\d]/g, ""));
  await expect.poll(held).toBeGreaterThan(100);
  expect(await page.locator("tr[data-run]").allTextContents()).toEqual(still);
  expect(await held()).toBeLessThanOrEqual(4_000);
  await page.getByTestId("freeze").click();
  await expect(page.getByTestId("frozen")).toHaveCount(0);

  await page.getByLabel("検索").fill("@09999");
  await expect(page.locator("tr[data-run]")).toHaveCount(1);
  await page.getByLabel("検索").fill("");
  await expect(page.getByText("10,000件")).toBeVisible();

  stop.abort();
  const changes = await told;
  expect(changes).toBeGreaterThanOrEqual(LEAST);
  // One change is told in a millisecond, so the changes are the time they took.
  expect(frames).toBeLessThan(2 * (changes / PER_SECOND) * FRAMES_PER_SECOND);
  // No final state is lost: every Run in sight was told of at least once.
  await expect(page.locator("tr[data-run]", { hasNotText: "未完了" })).toHaveCount(0);
  expect(await page.locator("tr[data-run]").count()).toBeLessThanOrEqual(60);
});

test("A line that breaks in the middle of it dims the picture; afterwards all is where it was (operator-ux §1.1, U5)", async ({
  busy,
  page,
}) => {
  const lines: WebSocketRoute[] = [];
  let open = true;
  await page.routeWebSocket(/\/api$/, async (route) => {
    if (!open) return await route.close();
    lines.push(route);
    route.connectToServer();
  });
  await openList(page, busy.link);
  await frame(page).evaluate((element, top) => element.scrollTo(0, top), 4_000 * ROW);
  const chosen = page.locator("tr[data-run]", { hasText: `${LARGE_NETWORK}@06000` });
  await chosen.getByRole("link").focus();
  const before = await scrollTop(page);
  const stop = new AbortController();
  const told = changeEvents(busy, LEAST, stop.signal);

  open = false;
  for (const line of lines.splice(0)) await line.close();
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "lost");
  await expect(page.getByText("コンソール本体からの更新が届いていません。")).toBeVisible();
  const dimmed = frame(page).locator("xpath=ancestor-or-self::*[contains(@class,'stale')]");
  await expect(dimmed.first()).toBeVisible();
  expect(await dimmed.first().evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(
    1,
  );

  open = true;
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "fresh");
  await expect(dimmed).toHaveCount(0);
  await expect(chosen).toBeVisible();
  expect(await chosen.getByRole("link").evaluate((link) => link === document.activeElement)).toBe(true);
  // Within less than a row: the notice above the list took room of it meanwhile.
  expect(Math.abs((await scrollTop(page)) - before)).toBeLessThan(ROW);
  await expect(chosen).toContainText("未完了");
  stop.abort();
  await told;
});
