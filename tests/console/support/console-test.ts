import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { type ConsoleProcess, startConsole } from "./console-process.ts";

const KEPT = join(import.meta.dirname, "..", "screens");
const ROOT = resolve(import.meta.dirname, "..", "..", "..");

interface Fixtures {
  readonly flownet: ConsoleProcess;
  /** Fails the test when the page logs an error, a policy violation included, or throws. */
  readonly quietPage: Page;
}

/**
 * What the browser itself says of a console that has ended, as every one does at the end of its test, before or after its
 * page. A connection that is answered and refused (403) is none of these.
 */
const ENDED =
  /^WebSocket connection to 'ws:\/\/127\.0\.0\.1:\d+\/api' failed: .*(ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|Connection closed before)/;

/** A test with a console of its own, on data of its own, and a page that may not complain. */
export const test = base.extend<Fixtures>({
  flownet: async ({ browserName: _ }, use) => {
    const console = await startConsole();
    await use(console);
    await console.stop();
  },
  quietPage: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      const text = message.text();
      if (["error", "warning"].includes(message.type()) && !ENDED.test(text)) complaints.push(text);
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await use(page);
    expect(complaints).toEqual([]);
  },
});

/** No violation of the accessibility rules on the page as it stands (operator-ux §4). */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => ({
      id,
      where: nodes.map((node) => `${node.target} ${node.failureSummary}`),
    })),
  ).toEqual([]);
}

/**
 * A picture of the page in the test's output. With `FLOWNET_KEEP_SCREENS=1` it replaces the one kept beside the
 * tests, which shows what the product looks like.
 */
export async function takeScreen(page: Page, name: string): Promise<void> {
  const keep = process.env.FLOWNET_KEEP_SCREENS === "1";
  const path = keep ? join(KEPT, `${name}.png`) : test.info().outputPath(`${name}.png`);
  await withoutPlaces(page, () => page.screenshot({ path, fullPage: true, animations: "disabled" }));
}

/** Takes a picture with the folders of this machine called by what they are: kept pictures speak of the product alone. */
async function withoutPlaces(page: Page, take: () => Promise<unknown>): Promise<void> {
  const places = [
    [ROOT, "/opt/flownet"],
    [tmpdir(), "/var/flownet"],
  ] as const;
  const texts = await page.evaluateHandle((known) => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const changed: [Node, string][] = [];
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const text = node.nodeValue ?? "";
      const named = known.reduce((all, [place, name]) => all.replaceAll(place, name), text);
      if (named === text) continue;
      changed.push([node, text]);
      node.nodeValue = named;
    }
    return changed;
  }, places);
  try {
    await take();
  } finally {
    await texts.evaluate((changed) => {
      for (const [node, text] of changed) node.nodeValue = text;
    });
    await texts.dispose();
  }
}

/** What is in the window as a small picture, one of many to be looked through; kept like {@link takeScreen}'s when it is to be. */
export async function takePicture(page: Page, name: string, kept: boolean): Promise<void> {
  const keep = kept && process.env.FLOWNET_KEEP_SCREENS === "1";
  const path = keep ? join(KEPT, `${name}.jpg`) : test.info().outputPath(`${name}.jpg`);
  await withoutPlaces(page, () =>
    page.screenshot({ path, type: "jpeg", quality: 70, animations: "disabled" }),
  );
}

/** Tabs on until the wanted element has the focus, within a bound. */
export async function tabTo(
  page: Page,
  role: "link" | "button" | "textbox" | "combobox" | "radio",
  name: RegExp,
) {
  const wanted = page.getByRole(role, { name });
  await expect(wanted.first()).toBeVisible();
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluateAll((found) => found.some((each) => each === document.activeElement))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no ${role} ${name} within 60 presses of Tab`);
}

/** Chooses among the radio buttons of the group that has the focus, by its arrow key alone. */
export async function arrowTo(page: Page, name: RegExp): Promise<void> {
  const wanted = page.getByRole("radio", { name });
  for (let presses = 0; presses < 10 && !(await wanted.isChecked()); presses++) {
    await page.keyboard.press("ArrowDown");
  }
  await expect(wanted).toBeChecked();
}

export { expect };
