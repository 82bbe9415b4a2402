import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { flownet as command } from "../../support/flownet-command.ts";
import { KILLED_LEASE_MS, killRun } from "../../support/killed-run.ts";
import { type ConsoleProcess, startConsole } from "../support/console-process.ts";
import { test as base, expect, expectAccessible, takePicture } from "../support/console-test.ts";
import { expectNoSidewaysScroll, expectVisibleFocus, expectWholeButtons } from "../support/layout-check.ts";
import { type Look, pairs } from "../support/matrix.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "..", "examples");
const FAILED_KEY = "stock_check@2026-09-04";
/** The lease of the killed Run, its margin, and the minute that stored times have lost. */
const LATER_MS = KILLED_LEASE_MS + 3 * 60_000;
const WINDOW = { width: 1280, height: 800 };

/** The morning after a bad night: a success, a failure, a Run that was killed and a lock that stayed behind. */
const test = base.extend<{ readonly morning: ConsoleProcess }>({
  morning: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-matrix-"));
    const run = (name: string, key: string) =>
      command([
        "run-network",
        join(EXAMPLES, name, "network.yaml"),
        "--business-key",
        key,
        "--data-dir",
        dataDir,
      ]);
    await run("diamond", "diamond@2026-09-04");
    await run("failing-assert", FAILED_KEY);
    await killRun(dataDir, "nightly_load@2026-09-04");
    const schedules = { kind: "FLOWNET_SCHEDULES", formatVersion: 1, networks: [] };
    await writeFile(join(dataDir, "schedules.json"), JSON.stringify(schedules));
    const process = await startConsole({ dataDir, env: { FLOWNET_TEST_CLOCK_OFFSET_MS: String(LATER_MS) } });
    await use(process);
    await process.stop();
  },
});
test.setTimeout(600_000);

interface Places {
  readonly failedRun: string;
  readonly lock: string;
}

interface Screen {
  readonly name: string;
  readonly hash: (places: Places) => string;
  /** What stands on it once it is whole. */
  readonly shows: string;
  readonly keys?: string;
}

const tab = (name: string, more = ""): ((places: Places) => string) => {
  return ({ failedRun }) => `${failedRun}?tab=${name}${more}`;
};
const settings = (name: string, shows = "main h2, main label"): Screen => ({
  name: `settings-${name}`,
  hash: () => `#/settings/${name}`,
  shows,
});

const SCREENS: readonly Screen[] = [
  { name: "attention", hash: () => "#/attention", shows: 'li[data-kind="failed"]' },
  { name: "runs-list", hash: () => "#/runs", shows: "tr[data-run]" },
  {
    name: "runs-grid",
    hash: () => "#/runs?view=grid&network=failing_assert",
    shows: "main [role=rowheader], main th[scope=row]",
  },
  { name: "run-overview", hash: ({ failedRun }) => failedRun, shows: "main section h2, main section h3" },
  { name: "run-graph", hash: tab("graph", "&node=publish"), shows: '[data-box="publish"]' },
  { name: "run-nodes", hash: tab("nodes", "&node=amount_gate"), shows: "tr[data-node]" },
  { name: "run-attempts", hash: tab("attempts", "&node=amount_gate"), shows: "tr[data-attempt]" },
  { name: "run-log", hash: tab("log", "&node=amount_gate"), shows: "[data-line]" },
  { name: "run-timeline", hash: tab("timeline"), shows: "main svg, main [data-bar], main h3" },
  { name: "run-events", hash: tab("events"), shows: "main tr td" },
  { name: "run-invocations", hash: tab("invocations"), shows: "main tr td" },
  { name: "locks", hash: ({ lock }) => lock, shows: "[data-probe]" },
  { name: "start", hash: () => "#/start?network=monthly_summary", shows: "main form, main select" },
  settings("connections"),
  settings("check", "main p + button"),
  settings("network"),
  settings("display"),
  settings("roles"),
  settings("budget"),
  { name: "palette", hash: () => "#/runs", shows: "[role=listbox] [role=option]", keys: "Control+k" },
  { name: "cheat-sheet", hash: () => "#/runs", shows: "dialog[open] h2", keys: "?" },
];

/** The addresses of the failed Run and of the lock that stayed behind. */
async function findPlaces(page: Page, link: string): Promise<Places> {
  await page.goto(link);
  await page.evaluate(() => {
    window.location.hash = "#/locks";
  });
  const lock = await page.locator('tr[data-lock="nightly_load"] a').first().getAttribute("href");
  await page.evaluate(() => {
    window.location.hash = "#/runs";
  });
  const row = page.locator("tr[data-run]", { hasText: FAILED_KEY });
  const failedRun = await row.getByRole("link").getAttribute("href");
  if (lock === null || failedRun === null) throw new Error("no Run, or no lock");
  return { failedRun, lock };
}

/** The page in that look, as after a start of its own. Zoomed, the window has half as many CSS pixels. */
async function wear(page: Page, { language, theme, zoom }: Look): Promise<void> {
  const scale = 100 / zoom;
  await page.setViewportSize({ width: WINDOW.width * scale, height: WINDOW.height * scale });
  await page.evaluate(
    (look) => {
      window.localStorage.setItem("flownet.language", look.language);
      window.localStorage.setItem("flownet.theme", look.theme);
    },
    { language, theme },
  );
  await page.reload();
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "fresh");
}

/** Opens a screen from the one before, as a link does. */
async function show(page: Page, screen: Screen, places: Places): Promise<void> {
  await page.evaluate((hash) => {
    // A tooltip of the screen before goes with the focus that called it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.location.hash = "#/attention";
    window.location.hash = hash;
  }, screen.hash(places));
  if (screen.keys !== undefined) {
    await expect(page.locator("tr[data-run]").first()).toBeVisible();
    await page.keyboard.press(screen.keys);
  }
  await expect(page.locator(screen.shows).first()).toBeVisible();
  await expect(page.locator(".fui-Spinner, [role=tooltip]:visible")).toHaveCount(0);
}

test("Every screen stands in every language, theme and zoom, any two of them together (operator-ux §4, 1.4.4, 1.4.10)", async ({
  morning,
  quietPage: page,
}) => {
  const places = await findPlaces(page, morning.link);
  const faults: string[] = [];
  for (const { look, worn } of pairs(SCREENS)) {
    await wear(page, look);
    for (const { screen, pictured } of worn) {
      const name = `${screen.name}-${look.language}-${look.theme}-${look.zoom}`;
      await test.step(name, async () => {
        // One fault hides no other: all of them are told together.
        await examine(page, screen, places, { name, pictured }).catch((error) => {
          faults.push(`${name}: ${error instanceof Error ? error.message : error}`);
        });
      });
    }
  }
  expect(faults).toEqual([]);
});

async function examine(
  page: Page,
  screen: Screen,
  places: Places,
  { name, pictured }: { readonly name: string; readonly pictured: boolean },
): Promise<void> {
  await show(page, screen, places);
  await takePicture(page, `matrix/${name}`, pictured);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectWholeButtons(page);
  await expectVisibleFocus(page, 2);
  if (screen.keys !== undefined) await page.keyboard.press("Escape");
}
