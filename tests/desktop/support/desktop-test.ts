import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import type { DesktopUnderTest, StartOptions } from "./driver.ts";
import { startElectron } from "./electron-driver.ts";
import { type HostedDesktop, startHosted } from "./host-driver.ts";

type More = Omit<StartOptions, "folder">;
export type ShellName = "host" | "electron";

export interface ShellOption {
  /** What carries the program: the test host, or Electron. */
  readonly shellName: ShellName;
}

interface Fixtures {
  readonly folder: string;
  /** Starts the program on the test's own folder; whatever still runs at the end of the test is ended. */
  readonly start: (more?: More) => DesktopUnderTest;
  /** The same in the test host, for what only the host can do. */
  readonly startHost: (more?: More) => HostedDesktop;
}

/** Starts programs with `make` and ends them when the test is over. */
async function lend<T extends DesktopUnderTest>(
  folder: string,
  make: (options: StartOptions) => T,
  use: (start: (more?: More) => T) => Promise<void>,
): Promise<void> {
  const started: T[] = [];
  await use((more = {}) => {
    const desktop = make({ folder, ...more });
    started.push(desktop);
    return desktop;
  });
  for (const desktop of started) {
    await desktop.stop();
    await base.info().attach("log", { body: desktop.log(), contentType: "text/plain" });
  }
}

export const test = base.extend<Fixtures & ShellOption>({
  shellName: ["host", { option: true }],
  folder: async ({ browserName: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "flownet-desktop-"));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  },
  start: async ({ folder, shellName }, use) => {
    await lend<DesktopUnderTest>(folder, shellName === "host" ? startHosted : startElectron, use);
  },
  startHost: async ({ folder }, use) => {
    await lend(folder, startHosted, use);
  },
});

const KEY = "monthly_summary@2026-09";

/** The page in the window, once it has a fresh picture of the state: it got one over the line. */
export async function openedPage(desktop: DesktopUnderTest): Promise<Page> {
  const page = await desktop.page();
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "fresh");
  return page;
}

/** Starts a Run of the sample network from the form; returns when the console has accepted it. */
export async function startRun(desktop: DesktopUnderTest, page: Page): Promise<void> {
  await desktop.menu("go.start");
  await page.getByLabel("ネットワーク").selectOption("monthly_summary");
  await page.getByRole("textbox", { name: "対象日" }).fill("2026-09");
  await expect(page.getByTestId("preview-key")).toHaveText(KEY);
  await page.getByLabel("理由").fill("月次の定例処理");
  const confirm = page.getByRole("button", { name: `${KEY} を起動する` });
  await expect(confirm).not.toHaveAttribute("aria-disabled", "true");
  await confirm.click();
  await expect(page.getByRole("button", { name: "Run を開く" })).toBeVisible();
}

/** Waits until the opened Run says success. */
export async function expectSuccess(page: Page): Promise<void> {
  await expect(page.getByText(/^成功\s*\(SUCCESS\)$/)).toBeVisible({ timeout: 90_000 });
}

/** Fails when the page logs an error or a warning, a policy violation included, or throws. */
export function collectComplaints(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

export { expect };
