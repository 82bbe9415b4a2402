import type { Page } from "@playwright/test";
import { test as base, expect, expectAccessible, takePicture } from "../support/console-test.ts";
import { expectNoSidewaysScroll, expectVisibleFocus, expectWholeButtons } from "../support/layout-check.ts";
import { type Look, pairs } from "../support/matrix.ts";
import { findPlaces, type Morning, openMorning, type Places } from "../support/morning.ts";

const WINDOW = { width: 1280, height: 800 };

const test = base.extend<{ readonly morning: Morning }>({
  morning: async ({ browserName: _ }, use) => {
    const morning = await openMorning();
    await use(morning);
    await morning.stop();
  },
});
test.setTimeout(900_000);

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
  settings("approvers", "main article h3"),
  { name: "audit", hash: () => "#/audit", shows: "tr[data-audit]" },
  { name: "audit-entry", hash: ({ auditEntry }) => auditEntry, shows: "aside li[data-evidence]" },
  { name: "processes", hash: () => "#/processes", shows: "tr[data-process]" },
  { name: "process", hash: ({ process }) => process, shows: "aside [data-target]" },
  { name: "requests", hash: () => "#/requests", shows: "tr[data-request]" },
  { name: "request", hash: () => "#/requests/6", shows: "aside dl" },
  { name: "day", hash: () => "#/timeline", shows: "main [data-bar]" },
  { name: "guidance", hash: () => "#/guidance", shows: "main li a" },
  { name: "guidance-code", hash: () => "#/guidance/ASSERT_FAILED", shows: "main dl" },
  { name: "unknowns", hash: () => "#/unknown", shows: "tr[data-doubt]" },
  { name: "unknown-node", hash: ({ doubt }) => doubt, shows: "tr[data-evidence]" },
  { name: "recovery", hash: ({ lock }) => lock.replace("locks", "recovery"), shows: "li[data-step]" },
  { name: "job-locks", hash: () => "#/locks/jobs", shows: "tr[data-job]" },
  { name: "palette", hash: () => "#/runs", shows: "[role=listbox] [role=option]", keys: "Control+k" },
  { name: "cheat-sheet", hash: () => "#/runs", shows: "dialog[open] h2", keys: "?" },
];

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
