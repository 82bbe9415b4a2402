import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { flownet as command } from "../../../support/flownet-command.ts";
import { expect, expectAccessible, takeScreen } from "../../support/console-test.ts";

/** Runs a network of the data folder's embedded workspace to its end, from the real command line. */
export async function makeRun(dataDir: string, definition: string, businessKey: string): Promise<void> {
  const args = ["run-network", definition, "--business-key", businessKey, "--data-dir", dataDir];
  const { stdout, stderr } = await command(args);
  if (!stdout.includes("netrun_")) throw new Error(`no Run was made:\n${stdout}\n${stderr}`);
}

/** The stops of a day: each is held against the accessibility rules, filmed and timed. */
export interface Film {
  /** A stop; `name` becomes the picture's, after its number. */
  stop(name: string): Promise<void>;
  /** Prints how long each stop took to reach, the rules and the picture left out; seconds. */
  report(): void;
}

export async function createFilm(page: Page, day: string): Promise<Film> {
  await mkdir(join(import.meta.dirname, "..", "..", "screens", "days", day), { recursive: true });
  const took: string[] = [];
  let from = performance.now();
  return {
    async stop(name) {
      const seconds = (performance.now() - from) / 1000;
      const number = String(took.length + 1).padStart(2, "0");
      took.push(`${number} ${name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s`);
      await expectAccessible(page);
      await takeScreen(page, `days/${day}/${number}-${name}`);
      from = performance.now();
    },
    report() {
      console.log(`\n${day}: time to each stop\n${took.join("\n")}`);
    },
  };
}

/** Tabs on until the element has the focus, within a bound. */
export async function reach(page: Page, wanted: Locator, key = "Tab"): Promise<void> {
  await expect(wanted.first()).toBeVisible();
  for (let presses = 0; presses < 150; presses++) {
    if (await wanted.evaluateAll((found) => found.some((each) => each === document.activeElement))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`not within 150 presses of ${key}: ${wanted}`);
}

/** The page marks itself once a pointer does anything; {@link expectNoPointer} asks. */
export async function watchPointer(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const kind of ["pointerdown", "mousedown", "mousemove", "wheel", "touchstart"]) {
      document.addEventListener(kind, () => sessionStorage.setItem("pointer", kind), { capture: true });
    }
  });
}

export async function expectNoPointer(page: Page): Promise<void> {
  expect(await page.evaluate(() => sessionStorage.getItem("pointer"))).toBe(null);
}
